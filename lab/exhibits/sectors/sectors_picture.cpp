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

/// Lanes in the order of their numbers take the colours of a sequence.
Rgb colour_of_lane(unsigned lane) {
  constexpr double kDarkest = 0.12;
  return sequence_colour(kDarkest + (1 - kDarkest) * lane / (device::kLanes - 1));
}

class SectorsDrawing {
 public:
  SectorsDrawing(const SectorsPicture& map, const SectorsExhibit::Request& request,
                 const RequestSectors& touched, const SectorsChoice& choice, const Canvas& canvas)
      : map_(map),
        touched_(touched),
        choice_(choice),
        canvas_(canvas),
        lit_(lit_lanes(map, choice)) {
    for (const SectorsExhibit::Lane& lane : request.lanes)
      asking_ |= 1u << lane.lane % device::kLanes;
    drawing_.width = map.width;
    drawing_.height = SectorsPicture::kHeight;
    for (const bool lit : {false, true}) place_wires(lit);  // what is lit lies on top
    place_lanes();
    place_columns();
    place_bracket();
    place_axis();
    drawing_.place({0, 0, map.width, SectorsPicture::kLaneHigh}, "lanes");
    drawing_.place({0, SectorsPicture::kColumnsTop, map.width, SectorsPicture::kColumnHigh},
                   "sectors");
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] bool asks(unsigned lane) const { return (asking_ >> lane & 1) != 0; }
  [[nodiscard]] bool is_lit(unsigned lane) const { return (lit_ >> lane & 1) != 0; }
  [[nodiscard]] Area area_of(const SectorsPicture::Column& column) const {
    return {column.x, SectorsPicture::kColumnsTop, column.width, SectorsPicture::kColumnHigh};
  }
  [[nodiscard]] Area area_of(const SectorsPicture::Cell& cell) const {
    const SectorsPicture::Column& column = map_.columns[cell.column];
    return {column.x, SectorsPicture::kColumnsTop + map_.cell_top(cell), column.width,
            map_.cell_height()};
  }

  /// Each leaves its lane and arrives at its sector upright.
  void place_wires(bool lit_pass) {
    constexpr double kFrom = SectorsPicture::kLaneHigh + 1, kTo = SectorsPicture::kColumnsTop - 1,
                     kMiddle = (kFrom + kTo) / 2;
    for (const SectorsPicture::Wire& wire : map_.wires) {
      if (is_lit(wire.lane) != lit_pass) continue;
      const SectorsPicture::Column& column = map_.columns[map_.cells[wire.cell].column];
      const double from = map_.lane_middle(wire.lane) - 1, to = column.x + column.width / 2;
      const Stroke plain{Paint::of_value(colour_of_lane(wire.lane), lit_ == 0 ? 0.85 : 0.4), 1.5};
      drawing_
          .curve({Point{from, kFrom}, Point{from, kMiddle}, Point{to, kMiddle}, Point{to, kTo}},
                 lit_pass ? Stroke{Role::accent, 3} : plain)
          .id = ItemId{"wire", wire.lane};
    }
  }

  void place_lanes() {
    const double wide = map_.lane_width();
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
      const Area at{lane * wide, 0, wide - 2, SectorsPicture::kLaneHigh};
      if (asks(lane))
        drawing_.rectangle(at, Paint::of_value(colour_of_lane(lane)), 3);
      else
        drawing_.outline(at, {Role::t4, 1, kFineDashes}, 3).id = ItemId{"still", lane};
      if (choice_.lane == lane || is_lit(lane)) drawing_.outline(at, {Role::accent, 2}, 3);
    }
    // After all fills: where numbers are wider than a lane, every fourth has one.
    const bool narrow = canvas_.text_width({Letters::Face::mono, 12}, "31") > wide - 3;
    const Letters letters{Letters::Face::mono, narrow ? 10.0 : 12.0};
    for (unsigned lane = 0; lane < device::kLanes; lane += narrow ? 4 : 1) {
      drawing_.text({map_.lane_middle(lane) - 1, SectorsPicture::kLaneHigh / 2},
                    std::to_string(lane), letters,
                    asks(lane) ? Paint::of_value(ink_on(colour_of_lane(lane))) : Paint(Role::t4),
                    Anchor::middle);
    }
  }

  void place_columns() {
    for (const SectorsPicture::Column& column : map_.columns) {
      if (column.touched)
        drawing_.rectangle(area_of(column), Role::s4).id = ItemId{"moved", column.number};
      else
        drawing_.outline(area_of(column), {Role::line}).id = ItemId{"empty", column.number};
      if (column.jump) place_jump(column.x);
    }
    for (const SectorsPicture::Cell& cell : map_.cells) place_cell(cell);
    place_grid();
    for (const SectorsPicture::Cell& cell : map_.cells) {
      if ((cell.lanes & lit_) == 0) continue;
      const Area at = area_of(cell);
      drawing_.outline({at.x - 2, at.y - 1, at.width + 4, at.height + 2}, {Role::accent, 2}, 2);
    }
  }

  /// Two strokes where addresses jump.
  void place_jump(double left) {
    constexpr double kMiddle = SectorsPicture::kColumnsTop + SectorsPicture::kColumnHigh / 2;
    for (const double x :
         {left - SectorsPicture::kJump / 2 - 2, left - SectorsPicture::kJump / 2 + 1}) {
      drawing_.line({x - 1, kMiddle + 5}, {x + 1, kMiddle - 5}, {Role::t3, 1.2}).id =
          ItemId{"jump"};
    }
  }

  /// In its lane's colour; a dot where several lanes ask for the same bytes.
  void place_cell(const SectorsPicture::Cell& cell) {
    const Area at = area_of(cell);
    const Rgb colour = colour_of_lane(static_cast<unsigned>(std::countr_zero(cell.lanes)));
    drawing_.rectangle(at, Paint::of_value(colour)).id = ItemId{"cell", cell.first};
    if (std::popcount(cell.lanes) > 1 && at.height >= 6) {
      drawing_.circle(at.middle(), std::min(2.5, at.width / 3), Paint::of_value(ink_on(colour)))
          .id = ItemId{"shared", cell.first};
    }
  }

  /// Between cells, where there is room for lines.
  void place_grid() {
    const double high = map_.cell_height();
    if (high < 5) return;
    for (unsigned k = 1; k < device::kSectorBytes / map_.cell_bytes; ++k) {
      const double y = SectorsPicture::kColumnsTop + high * k - 0.5;
      for (const SectorsPicture::Column& column : map_.columns) {
        if (!column.touched) continue;
        drawing_.rectangle({column.x, y, column.width, 1}, Role::s2).id = ItemId{"separator", k};
      }
    }
  }

  /// How much was moved, and how much of it is used.
  void place_bracket() {
    constexpr double kTop = SectorsPicture::kBracketTop + 4;
    const double left = map_.left + 0.5, right = map_.right - 0.5;
    drawing_.polyline({{left, kTop}, {left, kTop + 4.5}, {right, kTop + 4.5}, {right, kTop}},
                      {Role::t2});
    std::string says = used_text(touched_, canvas_.strings);
    if (map_.left_out != 0) {
      says = canvas_.strings(
          "gui.sectors.left-out",
          {{"says", says},
           {"more", counted(canvas_.strings, "sectors.more-sectors", map_.left_out)}});
    }
    const Letters letters{Letters::Face::sans, 14, true};
    const std::string fits = canvas_.fitted(letters, says, map_.width);
    const double wide = canvas_.text_width(letters, fits);
    drawing_.text(
        {std::clamp((map_.left + map_.right - wide) / 2, 0.0, std::max(0.0, map_.width - wide)),
         kTop + 15},
        fits, letters, Role::t1);
  }

  /// Where the columns lie in their array.
  void place_axis() {
    const Letters letters{Letters::Face::mono, 12};
    double free = 0;
    for (std::size_t i = 0; i < map_.marks.size(); ++i) {
      const SectorsPicture::Mark& mark = map_.marks[i];
      const std::string offset = typeset(std::to_string(mark.offset)) + (i == 0 ? " B" : "");
      const double wide = canvas_.text_width(letters, offset);
      if (mark.x < free || mark.x + wide > map_.width + 4) continue;
      drawing_.text({mark.x, SectorsPicture::kHeight - 8}, offset, letters, Role::t3);
      free = mark.x + wide + 8;
    }
  }

  const SectorsPicture& map_;
  const RequestSectors& touched_;
  const SectorsChoice& choice_;
  const Canvas& canvas_;
  std::uint32_t lit_, asking_ = 0;  // a bit a lane
  Drawing drawing_;
};

}  // namespace

std::uint32_t lit_lanes(const SectorsPicture& picture, const SectorsChoice& choice) {
  if (!choice.column) return choice.lane ? 1u << *choice.lane : 0;
  for (const SectorsPicture::Cell& cell : picture.cells) {
    if (cell.column == *choice.column && cell.first == choice.byte) return cell.lanes;
  }
  return 0;
}

Drawing drawing_of(const SectorsPicture& picture, const SectorsExhibit::Request& request,
                   const RequestSectors& touched, const SectorsChoice& choice,
                   const Canvas& canvas) {
  return SectorsDrawing(picture, request, touched, choice, canvas).take();
}

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
