#include "lab/exhibits/sectors/sectors_picture.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kAxisSectors = 32, kWidestAxis = 128;
constexpr std::size_t kMostColumns = 64;
constexpr double kLineParted = 3, kWidestColumn = 28;

/// Sectors of one array, touched or not.
struct SectorAxis {
  std::uint64_t begin = 0, count = kAxisSectors;  ///< as RequestSectors counts
};

/// An axis that has the sectors from `first` to `last`, which begins with a line's start where that is possible.
std::optional<SectorAxis> axis_of(std::uint64_t first, std::uint64_t last, std::uint64_t widest) {
  const std::uint64_t line = first / kSectorsPerLine * kSectorsPerLine;
  for (std::uint64_t count = kAxisSectors; count <= widest; count *= 2) {
    for (const std::uint64_t begin : {line, first}) {
      if (last - begin < count) return SectorAxis{begin, count};
    }
  }
  return {};
}

std::optional<SectorAxis> axis_of(const RequestSectors& touched) {
  const auto &first = touched.sectors.front(), &last = touched.sectors.back();
  if (first.array != last.array) return {};
  return axis_of(first.number, last.number, kAxisSectors);
}

/// The request of another run that is held against one: of the same warp and kind, and what is alike in array, line and place
/// before others; null where there is none.
const SectorsExhibit::Request* counterpart_of(const SectorsExhibit& exhibit,
                                              const SectorsExhibit::Request& request,
                                              const SectorsExhibit& other) {
  const SectorsExhibit::Place& place = exhibit.places[request.place];
  const auto likeness = [&](const SectorsExhibit::Request& one) {
    const SectorsExhibit::Place& there = other.places[one.place];
    if (one.block != request.block || one.warp != request.warp || there.kind != place.kind)
      return 0;
    const bool same_array = other.arrays[there.array].name == exhibit.arrays[place.array].name;
    return 1 + (same_array ? 4 : 0) + (there.line == place.line ? 2 : 0) +
           (one.place == request.place ? 1 : 0);
  };
  const auto most = std::ranges::max_element(other.requests, {}, likeness);
  return most == other.requests.end() || likeness(*most) == 0 ? nullptr : &*most;
}

/// The axis of both, from the start of an array on; none where one of them reaches several arrays, where the arrays do not
/// begin alike within a line, or where they lie too far apart.
std::optional<SectorAxis> shared_axis(const SectorsExhibit& exhibit,
                                      const SectorsExhibit::Request& request,
                                      const RequestSectors& touched, const SectorsExhibit& other) {
  const SectorsExhibit::Request* counterpart = counterpart_of(exhibit, request, other);
  if (!counterpart) return {};
  const RequestSectors there = touched_by(other, *counterpart);
  if (there.sectors.empty()) return {};
  const auto &first = touched.sectors.front(), &last = touched.sectors.back(),
             &other_first = there.sectors.front(), &other_last = there.sectors.back();
  if (first.array != last.array || other_first.array != other_last.array ||
      exhibit.arrays[first.array].start != other.arrays[other_first.array].start)
    return {};
  return axis_of(std::min(first.number, other_first.number),
                 std::max(last.number, other_last.number), kWidestAxis);
}

class RequestDrawing {
 public:
  RequestDrawing(const SectorsExhibit& exhibit, const SectorsExhibit::Request& request,
                 const RequestSectors& touched, double width, const SectorsExhibit* beside)
      : exhibit_(exhibit), request_(request), touched_(touched) {
    made_.width = width;
    if (touched.sectors.empty()) return;
    auto axis = beside ? shared_axis(exhibit, request, touched, *beside) : std::nullopt;
    if (!axis) axis = axis_of(touched);
    if (axis)
      place_on_axis(*axis);
    else
      place_touched();
    made_.cell_bytes = cell_bytes();
    place_cells();
    for (const SectorsPicture::Column& column : made_.columns) {
      if (!column.touched) continue;
      if (made_.right == 0) made_.left = column.x;
      made_.right = column.x + column.width;
    }
  }
  SectorsPicture take() { return std::move(made_); }

 private:
  [[nodiscard]] std::int64_t offset_at(std::uint32_t array, std::uint64_t number) const {
    return static_cast<std::int64_t>(number * device::kSectorBytes - exhibit_.arrays[array].start);
  }

  void place_on_axis(const SectorAxis& axis) {
    const std::uint64_t marked = axis.count / 4, lines = axis.count / kSectorsPerLine;
    const auto count = static_cast<double>(axis.count), partings = static_cast<double>(lines - 1);
    const double line_parted = kLineParted * kAxisSectors / count,
                 each = (made_.width - line_parted * partings) / count;
    double x = 0;
    std::size_t next = 0;
    const std::uint32_t array = touched_.sectors.front().array;
    for (std::uint64_t i = 0; i < axis.count; ++i) {
      const std::uint64_t number = axis.begin + i;
      if (i > 0 && number % kSectorsPerLine == 0) x += line_parted;
      if (i % marked == 0) made_.marks.push_back({x, offset_at(array, number)});
      const bool touched =
          next < touched_.sectors.size() && touched_.sectors[next].number == number;
      made_.columns.push_back({touched ? &touched_.sectors[next++] : nullptr, number, false, x,
                               each - std::min(1.0, each / 4)});
      x += each;
    }
  }

  void place_touched() {
    const std::size_t shown = std::min(touched_.sectors.size(), kMostColumns);
    made_.left_out = touched_.sectors.size() - shown;
    std::size_t jumps = 0;
    for (std::size_t i = 1; i < shown; ++i) jumps += jumps_before(i) ? 1 : 0;
    const double jump =
        std::min(SectorsPicture::kJump, made_.width / 3 / static_cast<double>(jumps + 1));
    const double each = std::min(kWidestColumn, (made_.width - jump * static_cast<double>(jumps)) /
                                                    static_cast<double>(shown));
    double x =
        (made_.width - each * static_cast<double>(shown) - jump * static_cast<double>(jumps)) / 2;
    for (std::size_t i = 0; i < shown; ++i) {
      const RequestSectors::Sector& sector = touched_.sectors[i];
      const bool jumped = i > 0 && jumps_before(i);
      if (jumped) x += jump;
      if (i == 0 || jumped) made_.marks.push_back({x, offset_at(sector.array, sector.number)});
      made_.columns.push_back({&sector, sector.number, jumped, x, each - 1});
      x += each;
    }
  }
  [[nodiscard]] bool jumps_before(std::size_t i) const {
    const auto &before = touched_.sectors[i - 1], &here = touched_.sectors[i];
    return before.array != here.array || before.number + 1 != here.number;
  }

  /// As wide as a lane's access, where all begin at a multiple of it; else single bytes.
  [[nodiscard]] unsigned cell_bytes() const {
    const std::uint32_t bytes = exhibit_.places[request_.place].bytes;
    if (!std::has_single_bit(bytes) || bytes > device::kSectorBytes) return 1;
    const bool aligned = std::ranges::all_of(request_.lanes, [&](const SectorsExhibit::Lane& lane) {
      return (exhibit_.arrays[lane.array].start + lane.offset) % bytes == 0;
    });
    return aligned ? bytes : 1;
  }

  void place_cells() {
    const std::uint64_t bytes =
        std::min<std::uint64_t>(exhibit_.places[request_.place].bytes, kLineBytes);
    std::map<std::pair<std::size_t, unsigned>, std::uint32_t> found;
    std::vector<std::pair<unsigned, std::pair<std::size_t, unsigned>>> wires;
    for (const SectorsExhibit::Lane& lane : request_.lanes) {
      const std::uint64_t start = exhibit_.arrays[lane.array].start + lane.offset;
      std::optional<std::size_t> wired;
      for (std::uint64_t b = 0; b < bytes; ++b) {
        const auto column = column_of(lane.array, (start + b) / device::kSectorBytes);
        if (!column) continue;
        const auto within = static_cast<unsigned>((start + b) % device::kSectorBytes);
        const std::pair key{*column, within / made_.cell_bytes * made_.cell_bytes};
        found[key] |= 1u << lane.lane % device::kLanes;
        if (wired != column) wires.emplace_back(lane.lane % device::kLanes, key);
        wired = column;
      }
    }
    std::map<std::pair<std::size_t, unsigned>, std::size_t> number;
    for (const auto& [key, lanes] : found) {
      number[key] = made_.cells.size();
      made_.cells.push_back({key.first, key.second, lanes});
    }
    for (const auto& [lane, key] : wires) made_.wires.push_back({lane, number[key]});
  }

  [[nodiscard]] std::optional<std::size_t> column_of(std::uint32_t array,
                                                     std::uint64_t number) const {
    const auto found = std::ranges::find_if(made_.columns, [&](const auto& column) {
      return column.touched && column.touched->array == array && column.number == number;
    });
    if (found == made_.columns.end()) return {};
    return static_cast<std::size_t>(found - made_.columns.begin());
  }

  const SectorsExhibit& exhibit_;
  const SectorsExhibit::Request& request_;
  const RequestSectors& touched_;
  SectorsPicture made_;
};

}  // namespace

SectorsPicture picture_of(const SectorsExhibit& exhibit, const SectorsExhibit::Request& request,
                          const RequestSectors& touched, double width,
                          const SectorsExhibit* beside) {
  return RequestDrawing(exhibit, request, touched, width, beside).take();
}

std::string used_text(const RequestSectors& touched, const Strings& strings) {
  const std::string sectors = counted(strings, "sectors.count", touched.sectors.size());
  if (touched.used == touched.moved()) return strings("sectors.used-all", {{"sectors", sectors}});
  const auto used = [](const RequestSectors::Sector& sector) { return std::popcount(sector.used); };
  const bool alike =
      !touched.sectors.empty() &&
      std::ranges::all_of(touched.sectors, [&](const RequestSectors::Sector& sector) {
        return used(sector) == used(touched.sectors.front());
      });
  if (alike) {
    return strings("sectors.used-each",
                   {{"sectors", sectors}, {"used", std::to_string(used(touched.sectors.front()))}});
  }
  return strings(
      "sectors.used",
      {{"sectors", sectors}, {"used", grouped(touched.used)}, {"moved", grouped(touched.moved())}});
}

}  // namespace warpbook::lab
