// The lanes of one warp's request, wired to the sectors that they touch; above them the accesses of the source, with what
// each moved in the whole launch.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "gui/exhibits/exhibit.hpp"
#include "gui/exhibits/point.hpp"
#include "gui/shell/widgets.hpp"
#include "lab/phrases.hpp"
#include "lab/sectors_summary.hpp"

namespace warpbook::gui {
namespace {
constexpr float kPlace = 24, kSectorsLabel = 20, kLane = 26, kSectorsWires = 64, kSector = 24,
                kOffsets = 18, kSectorsWords = 24, kLineGap = 6, kWidestLine = 200, kSectorsTop = 4;
constexpr std::size_t kMostPlaces = 6, kMostLines = 64;

using Sectors = lab::SectorsExhibit;

float figure_height(const Sectors& sectors) {
  const auto places = static_cast<float>(std::min(sectors.places.size(), kMostPlaces));
  const float map =
      sectors.requests.empty() ? 0 : kSectorsLabel + kLane + kSectorsWires + kSector + kOffsets;
  return kSectorsTop + places * kPlace + map + kSectorsWords;
}

class SectorsPicture {
 public:
  SectorsPicture(const Frame& frame, const Sectors& sectors)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        sectors_(sectors),
        corner_{frame.corner.x, frame.corner.y + kSectorsTop},
        width_(frame.width),
        shown_(request_shown()) {
    if (sectors_.requests.empty()) return;
    touched_ = lab::touched_by(sectors_, request());
    lines_ = lab::lines_of(touched_);
    if (lines_.size() > kMostLines) lines_.resize(kMostLines);
    const auto lines = static_cast<float>(std::max<std::size_t>(1, lines_.size()));
    line_width_ = std::min(kWidestLine, (width_ - kLineGap * (lines - 1)) / lines);
    lines_left_ = corner_.x + (width_ - lines * (line_width_ + kLineGap) + kLineGap) / 2;
    lane_width_ = width_ / static_cast<float>(device::kLanes);
  }

  void draw() {
    draw_places();
    if (sectors_.requests.empty()) {
      say(ui_.tr("sectors.untraced"));
      return;
    }
    point_at_lanes();
    point_at_sectors();
    draw_wires();
    draw_lanes();
    draw_lines();
    draw_words();
  }

 private:
  // What is shown: a choice of the view's own, kept by ImGui; a thread that is linked and lies in another warp leads there.
  static void show(std::size_t request) { keep("request", request); }
  [[nodiscard]] std::size_t request_shown() const {
    if (sectors_.requests.empty()) return 0;
    const std::size_t at =
        std::min<std::size_t>(kept("request", sectors_.chosen), sectors_.requests.size() - 1);
    const auto& thread = ui_.book.link.current().thread;
    if (!thread || holds(sectors_.requests[at], *thread)) return at;
    const auto found = std::ranges::find_if(sectors_.requests, [&](const Sectors::Request& r) {
      return r.place == sectors_.requests[at].place && holds(r, *thread);
    });
    return found == sectors_.requests.end()
               ? at
               : static_cast<std::size_t>(found - sectors_.requests.begin());
  }
  static bool holds(const Sectors::Request& request, const Link::Thread& thread) {
    return request.block == thread.block && request.warp == thread.thread / device::kLanes;
  }
  [[nodiscard]] const Sectors::Request& request() const { return sectors_.requests[shown_]; }
  [[nodiscard]] const Sectors::Place& place() const { return sectors_.places[request().place]; }

  [[nodiscard]] float lanes_top() const {
    return corner_.y + static_cast<float>(std::min(sectors_.places.size(), kMostPlaces)) * kPlace +
           kSectorsLabel;
  }
  [[nodiscard]] float lines_top() const { return lanes_top() + kLane + kSectorsWires; }
  [[nodiscard]] float lane_middle(unsigned lane) const {
    return corner_.x + (static_cast<float>(lane) + 0.5f) * lane_width_;
  }
  [[nodiscard]] float sector_left(std::size_t line, std::size_t sector) const {
    return lines_left_ + static_cast<float>(line) * (line_width_ + kLineGap) +
           static_cast<float>(sector) * line_width_ / lab::kSectorsALine;
  }
  [[nodiscard]] float sector_width() const { return line_width_ / lab::kSectorsALine - 1; }

  [[nodiscard]] Link link_of(unsigned lane) const {
    return link_to(request().block, request().warp * device::kLanes + lane);
  }
  [[nodiscard]] bool asks(unsigned lane) const {
    return std::ranges::find(request().lanes, lane, &Sectors::Lane::lane) != request().lanes.end();
  }

  /// Shows a request and pins its thread in the lane that is pinned now, so that the window's other panels follow.
  void go_to(std::size_t request) const {
    show(request);
    const auto& pinned = ui_.book.link.pinned().thread;
    if (!pinned) return;
    const Sectors::Request& to = sectors_.requests[request];
    const Link link = link_to(to.block, to.warp * device::kLanes + pinned->thread % device::kLanes);
    if (*pinned != *link.thread) pin(ui_, link);
  }

  void draw_places() const {
    const std::size_t shown = std::min(sectors_.places.size(), kMostPlaces);
    for (std::size_t i = 0; i < shown; ++i) {
      const Sectors::Place& place = sectors_.places[i];
      const float top = corner_.y + static_cast<float>(i) * kPlace, middle = top + kPlace / 2;
      const bool chosen = !sectors_.requests.empty() && request().place == i;
      ImGui::PushID(static_cast<int>(i));
      const bool pressed = item("place", {corner_.x, top}, {corner_.x + width_, top + kPlace});
      const bool hovered = ImGui::IsItemHovered();
      ImGui::PopID();
      if (pressed) {
        const auto first = std::ranges::find(sectors_.requests, static_cast<std::uint32_t>(i),
                                             &Sectors::Request::place);
        if (first != sectors_.requests.end())
          go_to(static_cast<std::size_t>(first - sectors_.requests.begin()));
      }
      if (chosen || hovered) {
        ink_.fill({corner_.x, top + 1}, {corner_.x + width_, top + kPlace - 1},
                  chosen ? ui_.theme.s4 : ui_.theme.s3, measure::kCellRadius);
      }
      const Type number{Face::mono, 13, ui_.theme.t3}, text{Face::sans, 14, ui_.theme.t1};
      ink_.text_middle(corner_.x + 28, middle, number, std::to_string(place.line), Align::right);
      constexpr float kNames = 150;  // at least, of the access's own name
      const std::string each = lab::number(
          place.requests == 0
              ? 0
              : static_cast<double>(place.sectors) / static_cast<double>(place.requests),
          4);
      std::string says = ui_.tr("gui.sectors.place",
                                {{"count", each},
                                 {"asked", lab::byte_count(place.bytes_asked)},
                                 {"moved", lab::byte_count(place.sectors * lab::kSectorBytes)}});
      const Type note = ui_.note();
      if (ink_.width(note, says) > width_ - kNames)
        says = ui_.tr("gui.sectors.place-short", {{"count", each}});
      says = ink_.fitted(note, says, std::max(20.0f, width_ - kNames));
      const float right = ink_.width(note, says);
      ink_.text_middle(corner_.x + width_ - 8, middle, note, says, Align::right);
      ink_.text_middle(corner_.x + 40, middle, text,
                       ink_.fitted(text, lab::access_text(sectors_, place, ui_.book.strings()),
                                   std::max(20.0f, width_ - right - 60)));
    }
  }

  void point_at_lanes() {
    const ImVec2 min{corner_.x, lanes_top()}, max{corner_.x + width_, lanes_top() + kLane};
    const bool pressed = item("lanes", min, max);
    if (ImGui::IsItemFocused()) step_by_keys();
    const auto& linked = ui_.book.link.current().thread;
    if (linked && holds(request(), *linked)) lane_ = linked->thread % device::kLanes;
    if (!ImGui::IsItemHovered()) return;
    const auto lane = static_cast<unsigned>(
        std::clamp((ImGui::GetMousePos().x - corner_.x) / lane_width_, 0.0f, 31.0f));
    lane_ = lane;
    point_at(ui_, link_of(lane), pressed);
  }

  /// Left and right: the same access by other warps; up and down: other accesses.
  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};
    std::optional<std::size_t> to;
    if (ImGui::IsKeyPressed(kKeys[0])) to = beside(-1);
    if (ImGui::IsKeyPressed(kKeys[1])) to = beside(1);
    if (ImGui::IsKeyPressed(kKeys[2])) to = at_place(-1);
    if (ImGui::IsKeyPressed(kKeys[3])) to = at_place(1);
    for (const ImGuiKey key : kKeys) ImGui::SetItemKeyOwner(key);
    if (to) go_to(*to);
  }
  [[nodiscard]] std::optional<std::size_t> beside(int step) const {
    const auto count = std::ssize(sectors_.requests);
    for (auto at = static_cast<std::ptrdiff_t>(shown_) + step; at >= 0 && at < count; at += step) {
      if (sectors_.requests[static_cast<std::size_t>(at)].place == request().place)
        return static_cast<std::size_t>(at);
    }
    return {};
  }
  [[nodiscard]] std::optional<std::size_t> at_place(int step) const {
    const auto wanted = static_cast<std::int64_t>(request().place) + step;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < sectors_.requests.size(); ++i) {
      const Sectors::Request& other = sectors_.requests[i];
      if (other.place != wanted) continue;
      if (other.block == request().block && other.warp == request().warp) return i;
      if (!first) first = i;
    }
    return first;
  }

  void point_at_sectors() {
    const ImVec2 min{corner_.x, lines_top()}, max{corner_.x + width_, lines_top() + kSector};
    item("sectors", min, max);
    if (!ImGui::IsItemHovered()) return;
    const float x = ImGui::GetMousePos().x;
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      for (std::size_t s = 0; s < lab::kSectorsALine; ++s) {
        const float left = sector_left(l, s);
        if (x < left || x >= left + sector_width() + 1) continue;
        over_sector_ = true;
        sector_ = lines_[l].sectors[s];
      }
    }
  }

  /// Sectors in the order of memory take the categories' colours in turn.
  [[nodiscard]] std::size_t colour_of(const lab::RequestSectors::Sector& sector) const {
    return static_cast<std::size_t>(&sector - touched_.sectors.data()) % ui_.theme.category.size();
  }
  [[nodiscard]] bool marked(const lab::RequestSectors::Sector& sector, unsigned lane) const {
    if (sector_) return sector_ == &sector;
    return lane_ == lane && !over_sector_;
  }

  template <class Visit>
  void for_each_wire(const Visit& visit) const {
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      for (std::size_t s = 0; s < lab::kSectorsALine; ++s) {
        const auto* sector = lines_[l].sectors[s];
        for (unsigned lane = 0; sector && lane < device::kLanes; ++lane) {
          if ((sector->lanes >> lane & 1) != 0)
            visit(lane, *sector, sector_left(l, s) + sector_width() / 2);
        }
      }
    }
  }

  void draw_wires() const {
    for (const bool marked_pass : {false, true}) {
      for_each_wire([&](unsigned lane, const lab::RequestSectors::Sector& sector, float x) {
        if (marked(sector, lane) != marked_pass) return;
        const Colour colour =
            marked_pass ? ui_.theme.accent : fade(ui_.theme.category[colour_of(sector)], 0.7f);
        ink_.list()->AddLine({lane_middle(lane), lanes_top() + kLane + 1}, {x, lines_top() - 1},
                             colour, marked_pass ? measure::kLinkedWire : measure::kWire);
      });
    }
  }

  void draw_lanes() const {
    const std::string says =
        ui_.tr("gui.sectors.request", {{"warp", lab::grouped(request().warp)},
                                       {"block", lab::grouped(request().block)},
                                       {"line", std::to_string(place().line)}});
    ink_.text_middle(corner_.x, lanes_top() - kSectorsLabel / 2, ui_.note(),
                     ink_.fitted(ui_.note(), says, width_));
    std::array<std::optional<std::size_t>, device::kLanes> colours;
    std::array<bool, device::kLanes> lit{};
    for_each_wire([&](unsigned lane, const lab::RequestSectors::Sector& sector, float) {
      if (!colours[lane]) colours[lane] = colour_of(sector);
      lit[lane] = lit[lane] || marked(sector, lane);
    });
    const bool narrow = ink_.width({Face::mono, 12, 0}, "31") > lane_width_ - 3;
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
      const float left = corner_.x + static_cast<float>(lane) * lane_width_;
      const ImVec2 min{left, lanes_top()}, max{left + lane_width_ - 2, lanes_top() + kLane};
      if (colours[lane]) {
        ink_.fill(min, max, ui_.theme.cell(*colours[lane], lit[lane]), measure::kCellRadius);
      } else if (asks(lane)) {
        ink_.fill(min, max, ui_.theme.s4, measure::kCellRadius);
      } else {
        ink_.dashed_outline(min, max, ui_.theme.t4, measure::kCellRadius);
      }
      if (lane_ == lane)
        ink_.outline(min, max, ui_.theme.accent, measure::kCellRadius, measure::kRing);
    }
    // After all fills: where numbers are wider than a lane, every fourth has one.
    for (unsigned lane = 0; lane < device::kLanes; lane += narrow ? 4 : 1) {
      const Type type{Face::mono, 12, asks(lane) ? ui_.theme.t1 : ui_.theme.t4};
      ink_.text_middle(lane_middle(lane) - 1, lanes_top() + kLane / 2, type, std::to_string(lane),
                       Align::centre);
    }
  }

  void draw_lines() const {
    float free = corner_.x;
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      for (std::size_t s = 0; s < lab::kSectorsALine; ++s)
        draw_sector(lines_[l].sectors[s], sector_left(l, s));
      const auto first = static_cast<std::int64_t>(lines_[l].number * lab::kLineBytes) -
                         sectors_.arrays[lines_[l].array].start;
      const Type type{Face::mono, 12, ui_.theme.t3};
      const std::string text =
          (first < 0 ? "" : "+") + std::to_string(first) + (l == 0 ? " B" : "");
      const float x = sector_left(l, 0);
      if (x < free) continue;
      ink_.text_middle(x, lines_top() + kSector + kOffsets / 2, type, text);
      free = x + ink_.width(type, text) + 8;
    }
  }

  void draw_sector(const lab::RequestSectors::Sector* sector, float left) const {
    const ImVec2 min{left, lines_top()}, max{left + sector_width(), lines_top() + kSector};
    if (!sector) {
      ink_.outline(min, max, ui_.theme.s4);
      return;
    }
    ink_.fill(min, max, ui_.theme.s5);
    const float byte = sector_width() / static_cast<float>(lab::kSectorBytes);
    for (unsigned b = 0; b < lab::kSectorBytes;) {
      if ((sector->used >> b & 1) == 0) {
        ++b;
        continue;
      }
      const auto run = static_cast<unsigned>(std::countr_one(sector->used >> b));
      ink_.fill({left + static_cast<float>(b) * byte, min.y},
                {left + static_cast<float>(b + run) * byte, max.y},
                ui_.theme.category[colour_of(*sector)]);
      b += run;
    }
    const bool lit =
        sector_ ? sector_ == sector : lane_ && !over_sector_ && (sector->lanes >> *lane_ & 1) != 0;
    if (lit) ink_.outline(min, max, ui_.theme.accent, 0, measure::kRing);
  }

  void draw_words() const {
    const lab::Strings& strings = ui_.book.strings();
    if (sector_) {
      const std::int64_t first = lab::offset_of(sectors_, *sector_);
      say(ui_.tr("gui.sectors.sector",
                 {{"name", lab::array_name(sectors_, sector_->array, strings)},
                  {"first", std::to_string(first)},
                  {"last", std::to_string(first + 31)},
                  {"bytes", std::to_string(std::popcount(sector_->used))},
                  {"lanes", lab::lanes_text(sector_->lanes)}}));
    } else if (over_sector_) {
      say(ui_.tr("gui.sectors.still"));
    } else if (lane_ && !asks(*lane_)) {
      say(ui_.tr("gui.sectors.idle", {{"lane", std::to_string(*lane_)}}));
    } else if (lane_) {
      const Sectors::Lane& lane = *std::ranges::find(request().lanes, *lane_, &Sectors::Lane::lane);
      say(ui_.tr("gui.sectors.lane",
                 {{"lane", std::to_string(*lane_)},
                  {"thread", std::to_string(request().warp * device::kLanes + *lane_)},
                  {"block", lab::grouped(request().block)},
                  {"name", lab::array_name(sectors_, lane.array, strings)},
                  {"offset", std::to_string(lane.offset)},
                  {"bytes", std::to_string(place().bytes)},
                  {"sector", std::to_string(lab::sector_of(sectors_, lane))}}));
    } else {
      const std::string summary =
          ui_.tr("gui.sectors.summary",
                 {{"sectors", lab::counted(strings, "sectors.count", touched_.sectors.size())},
                  {"used", lab::percent_of(touched_.used, touched_.moved())}});
      const std::string keys = summary + ui_.tr("gui.sectors.keys");
      say(ink_.width(ui_.note(), keys) <= width_ ? keys : summary);
    }
  }

  void say(const std::string& text) const {
    const float middle = corner_.y - kSectorsTop + figure_height(sectors_) - kSectorsWords / 2;
    ink_.text_middle(corner_.x, middle, ui_.note(), ink_.fitted(ui_.note(), text, width_));
  }

  const Ui& ui_;
  Ink ink_;
  const Sectors& sectors_;
  ImVec2 corner_;
  float width_;
  std::size_t shown_ = 0;
  lab::RequestSectors touched_;
  std::vector<lab::SectorLine> lines_;  // point into touched_
  float line_width_ = 0, lines_left_ = 0, lane_width_ = 0;
  std::optional<unsigned> lane_;
  const lab::RequestSectors::Sector* sector_ = nullptr;
  bool over_sector_ = false;
};
}  // namespace

float sectors_figure(const Frame& frame, const lab::SectorsExhibit& sectors) {
  if (sectors.places.empty())
    return words(frame, frame.ui.tr("sectors.nothing"), frame.ui.caption_style());
  if (frame.draw) SectorsPicture(frame, sectors).draw();
  return figure_height(sectors);
}

}  // namespace warpbook::gui
