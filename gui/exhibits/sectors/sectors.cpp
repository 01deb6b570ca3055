// The lanes of one warp's request, wired to the sectors that they touch, each a column of its bytes; above them the accesses of
// the source, with what each moved in the whole launch.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/sectors/sector_places.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"
#include "lab/exhibits/sectors/sectors_picture.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kSectorsLabel = 22, kSectorsWords = 24, kSectorsTop = 4;
constexpr auto kLaneHigh = static_cast<float>(lab::SectorsPicture::kLaneHigh),
               kColumnsTop = static_cast<float>(lab::SectorsPicture::kColumnsTop),
               kColumnHigh = static_cast<float>(lab::SectorsPicture::kColumnHigh),
               kBracketTop = static_cast<float>(lab::SectorsPicture::kBracketTop),
               kMapHigh = static_cast<float>(lab::SectorsPicture::kHeight);

using Sectors = lab::SectorsExhibit;

/// Of two runs beside each other the maps begin at one height.
float places_height(const Frame& frame, const Sectors& sectors) {
  const auto* other = beside_as<Sectors>(frame);
  return std::max(sector_places_height(sectors), other ? sector_places_height(*other) : 0);
}

float figure_height(const Frame& frame, const Sectors& sectors) {
  const float map = sectors.requests.empty() ? 0 : kSectorsLabel + kMapHigh;
  return kSectorsTop + places_height(frame, sectors) + map + kSectorsWords;
}

class SectorsMap {
 public:
  SectorsMap(const Frame& frame, const Sectors& sectors)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        sectors_(sectors),
        corner_{frame.corner.x, frame.corner.y + kSectorsTop},
        width_(frame.width),
        places_(places_height(frame, sectors)),
        height_(figure_height(frame, sectors)),
        shown_(request_shown()) {
    if (sectors_.requests.empty()) return;
    touched_ = lab::touched_by(sectors_, request());
    map_ = lab::picture_of(sectors_, request(), touched_, width_, beside_as<Sectors>(frame));
    for (const Sectors::Lane& lane : request().lanes) asking_ |= 1u << lane.lane % device::kLanes;
  }

  void draw() {
    draw_places();
    if (sectors_.requests.empty()) {
      say(ui_.tr("sectors.untraced"));
      return;
    }
    point_at_lanes();
    point_at_columns();
    draw_label();
    draw_wires();
    draw_lanes();
    draw_columns();
    draw_bracket();
    draw_axis();
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

  [[nodiscard]] float lanes_top() const { return corner_.y + places_ + kSectorsLabel; }
  [[nodiscard]] float columns_top() const { return lanes_top() + kColumnsTop; }
  [[nodiscard]] float across(double x) const { return corner_.x + static_cast<float>(x); }
  [[nodiscard]] float lane_middle(unsigned lane) const {
    return across(map_.lane_middle(lane)) - 1;
  }
  /// Lanes in the order of their numbers take the colours of a sequence.
  static Colour colour_of_lane(unsigned lane) {
    constexpr float kDarkest = 0.12f;
    return viridis(kDarkest + (1 - kDarkest) * static_cast<float>(lane) / (device::kLanes - 1));
  }

  [[nodiscard]] Link link_of(unsigned lane) const {
    return link_to(request().block, request().warp * device::kLanes + lane);
  }
  [[nodiscard]] bool asks(unsigned lane) const { return (asking_ >> lane & 1) != 0; }

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
    std::optional<std::size_t> chosen;
    if (!sectors_.requests.empty()) chosen = request().place;
    const auto pressed = sector_places({ui_, corner_, width_}, sectors_, chosen);
    if (!pressed) return;
    const auto first = std::ranges::find(sectors_.requests, static_cast<std::uint32_t>(*pressed),
                                         &Sectors::Request::place);
    if (first != sectors_.requests.end())
      go_to(static_cast<std::size_t>(first - sectors_.requests.begin()));
  }

  void point_at_lanes() {
    const ImVec2 min{corner_.x, lanes_top()}, max{corner_.x + width_, lanes_top() + kLaneHigh};
    const bool pressed = item("lanes", min, max);
    const auto& linked = ui_.book.link.current().thread;
    if (linked && holds(request(), *linked)) lane_ = linked->thread % device::kLanes;
    if (ImGui::IsItemFocused()) step_by_keys();
    if (!ImGui::IsItemHovered()) return;
    const auto lane = static_cast<unsigned>(std::clamp(
        (ImGui::GetMousePos().x - corner_.x) / static_cast<float>(map_.lane_width()), 0.0f, 31.0f));
    lane_ = lane;
    point_at(ui_, link_of(lane), pressed);
  }

  /// Left and right: the lane beside it; up and down: other accesses; comma and full stop: the same access by other warps.
  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow, ImGuiKey_Comma,      ImGuiKey_Period};
    if (ImGui::IsKeyPressed(kKeys[0])) step_lane(-1);
    if (ImGui::IsKeyPressed(kKeys[1])) step_lane(1);
    std::optional<std::size_t> to;
    if (ImGui::IsKeyPressed(kKeys[2])) to = at_place(-1);
    if (ImGui::IsKeyPressed(kKeys[3])) to = at_place(1);
    if (ImGui::IsKeyPressed(kKeys[4])) to = beside(-1);
    if (ImGui::IsKeyPressed(kKeys[5])) to = beside(1);
    own_keys(kKeys);
    if (to) go_to(*to);
  }
  /// From the lane that is pinned, or from the first on.
  void step_lane(int step) const {
    const auto& pinned = ui_.book.link.pinned().thread;
    const int lane = pinned && holds(request(), *pinned)
                         ? static_cast<int>(pinned->thread % device::kLanes) + step
                         : 0;
    if (lane >= 0 && lane < static_cast<int>(device::kLanes))
      pin(ui_, link_of(static_cast<unsigned>(lane)));
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

  /// A column's bytes light all lanes that asked for them; a press picks the first of these.
  void point_at_columns() {
    const ImVec2 min{corner_.x, columns_top()},
        max{corner_.x + width_, columns_top() + kColumnHigh};
    const bool pressed = item("sectors", min, max);
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto found = std::ranges::find_if(map_.columns, [&](const auto& column) {
      return mouse.x >= across(column.x) && mouse.x < across(column.x + column.width + 1);
    });
    if (found == map_.columns.end()) return;
    column_ = static_cast<std::size_t>(found - map_.columns.begin());
    const float share = std::clamp((mouse.y - min.y) / kColumnHigh, 0.0f, 0.999f);
    byte_ = static_cast<unsigned>(share * static_cast<float>(device::kSectorBytes)) /
            map_.cell_bytes * map_.cell_bytes;
    const std::uint32_t lanes = lanes_over();
    if (pressed && lanes != 0) pin(ui_, link_of(static_cast<unsigned>(std::countr_zero(lanes))));
  }
  /// Who asked for what is pointed at.
  [[nodiscard]] std::uint32_t lanes_over() const {
    for (const lab::SectorsPicture::Cell& cell : map_.cells) {
      if (cell.column == *column_ && cell.first == byte_) return cell.lanes;
    }
    return 0;
  }
  [[nodiscard]] std::uint32_t lit() const {
    if (column_) return lanes_over();
    return lane_ ? 1u << *lane_ : 0;
  }

  /// Whose request it is, and which byte the picked lane asks for.
  void draw_label() const {
    const float middle = lanes_top() - kSectorsLabel / 2;
    std::string picked;
    if (lane_ && asks(*lane_)) {
      const Sectors::Lane& lane = *std::ranges::find(request().lanes, *lane_, &Sectors::Lane::lane);
      picked = ui_.tr("gui.sectors.picked",
                      {{"lane", std::to_string(*lane_)}, {"offset", std::to_string(lane.offset)}});
    }
    const Type type{Face::sans, 13, ui_.theme.accent_text};
    const float taken = picked.empty() ? 0 : ink_.width(type, picked) + 12;
    ink_.text_middle(corner_.x + width_, middle, type, picked, Align::right);
    const std::string says =
        ui_.tr("gui.sectors.request", {{"warp", lab::grouped(request().warp)},
                                       {"block", lab::grouped(request().block)},
                                       {"line", std::to_string(place().line)}});
    ink_.text_middle(corner_.x, middle, ui_.note(), ink_.fitted(ui_.note(), says, width_ - taken));
  }

  /// Each leaves its lane and arrives at its sector upright; those that are lit come last, on top.
  void draw_wires() const {
    const std::uint32_t lit_lanes = lit();
    for (const bool lit_pass : {false, true}) {
      for (const lab::SectorsPicture::Wire& wire : map_.wires) {
        if (((lit_lanes >> wire.lane & 1) != 0) != lit_pass) continue;
        const auto& column = map_.columns[map_.cells[wire.cell].column];
        const ImVec2 from{lane_middle(wire.lane), lanes_top() + kLaneHigh + 1},
            to{across(column.x + column.width / 2), columns_top() - 1};
        const float middle = (from.y + to.y) / 2;
        const Colour colour = lit_pass
                                  ? ui_.theme.accent
                                  : fade(colour_of_lane(wire.lane), lit_lanes == 0 ? 0.85f : 0.4f);
        ink_.list()->AddBezierCubic(from, {from.x, middle}, {to.x, middle}, to, colour,
                                    lit_pass ? measure::kLinkedWire : measure::kWire, 16);
      }
    }
  }

  void draw_lanes() const {
    const auto wide = static_cast<float>(map_.lane_width());
    const std::uint32_t lit_lanes = lit();
    const bool narrow = ink_.width({Face::mono, 12, 0}, "31") > wide - 3;
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
      const float left = across(map_.lane_width() * lane);
      const ImVec2 min{left, lanes_top()}, max{left + wide - 2, lanes_top() + kLaneHigh};
      if (asks(lane)) {
        ink_.fill(min, max, colour_of_lane(lane), measure::kCellRadius);
      } else {
        ink_.dashed_outline(min, max, ui_.theme.t4, measure::kCellRadius);
      }
      if (lane_ == lane || (lit_lanes >> lane & 1) != 0)
        ink_.outline(min, max, ui_.theme.accent, measure::kCellRadius, measure::kRing);
    }
    // After all fills: where numbers are wider than a lane, every fourth has one.
    for (unsigned lane = 0; lane < device::kLanes; lane += narrow ? 4 : 1) {
      const Type type{Face::mono, narrow ? 10.0f : 12.0f,
                      asks(lane) ? text_on(colour_of_lane(lane)) : ui_.theme.t4};
      ink_.text_middle(lane_middle(lane), lanes_top() + kLaneHigh / 2, type, std::to_string(lane),
                       Align::centre);
    }
  }

  void draw_columns() const {
    const float top = columns_top();
    for (std::size_t i = 0; i < map_.columns.size(); ++i) {
      const lab::SectorsPicture::Column& column = map_.columns[i];
      const ImVec2 min{across(column.x), top},
          max{across(column.x + column.width), top + kColumnHigh};
      if (column.touched) {
        ink_.fill(min, max, ui_.theme.s4);
      } else {
        ink_.outline(min, max, ui_.theme.line);
      }
      if (column.jump) draw_jump(min.x);
    }
    for (const lab::SectorsPicture::Cell& cell : map_.cells) draw_cell(cell);
    draw_grid();
    draw_lit_cells();
  }

  /// Two strokes where addresses jump.
  void draw_jump(float left) const {
    const float middle = columns_top() + kColumnHigh / 2,
                gap = static_cast<float>(lab::SectorsPicture::kJump) / 2;
    for (const float x : {left - gap - 2, left - gap + 1}) {
      ink_.list()->AddLine({x - 1, middle + 5}, {x + 1, middle - 5}, ui_.theme.t3, 1.2f);
    }
  }

  struct CellPlace {
    ImVec2 min, max;
  };
  [[nodiscard]] CellPlace place_of(const lab::SectorsPicture::Cell& cell) const {
    const lab::SectorsPicture::Column& column = map_.columns[cell.column];
    const float top = columns_top() + static_cast<float>(map_.cell_top(cell));
    return {{across(column.x), top},
            {across(column.x + column.width), top + static_cast<float>(map_.cell_height())}};
  }

  /// In its lane's colour; a dot where several lanes ask for the same bytes.
  void draw_cell(const lab::SectorsPicture::Cell& cell) const {
    const auto [min, max] = place_of(cell);
    const Colour colour = colour_of_lane(static_cast<unsigned>(std::countr_zero(cell.lanes)));
    ink_.fill(min, max, colour);
    if (std::popcount(cell.lanes) < 2 || max.y - min.y < 6) return;
    ink_.list()->AddCircleFilled({(min.x + max.x) / 2, (min.y + max.y) / 2},
                                 std::min(2.5f, (max.x - min.x) / 3), text_on(colour), 8);
  }

  /// Between cells, where there is room for lines.
  void draw_grid() const {
    const auto high = static_cast<float>(map_.cell_height());
    if (high < 5) return;
    for (unsigned k = 1; k < device::kSectorBytes / map_.cell_bytes; ++k) {
      const float y = columns_top() + high * static_cast<float>(k);
      for (const lab::SectorsPicture::Column& column : map_.columns) {
        if (column.touched)
          ink_.fill({across(column.x), y - 0.5f}, {across(column.x + column.width), y + 0.5f},
                    ui_.theme.s2);
      }
    }
  }

  void draw_lit_cells() const {
    const std::uint32_t lit_lanes = lit();
    for (const lab::SectorsPicture::Cell& cell : map_.cells) {
      if ((cell.lanes & lit_lanes) == 0) continue;
      const auto [min, max] = place_of(cell);
      ink_.outline({min.x - 2, min.y - 1}, {max.x + 2, max.y + 1}, ui_.theme.accent, 2,
                   measure::kRing);
    }
  }

  /// How much was moved, and how much of it is used.
  void draw_bracket() const {
    const float top = lanes_top() + kBracketTop + 4, left = across(map_.left),
                right = across(map_.right);
    for (const float x : {left, right - 1}) ink_.fill({x, top}, {x + 1, top + 5}, ui_.theme.t2);
    ink_.fill({left, top + 4}, {right, top + 5}, ui_.theme.t2);
    std::string says = lab::used_text(touched_, ui_.book.strings());
    if (map_.left_out != 0) {
      const std::string more =
          lab::counted(ui_.book.strings(), "sectors.more-sectors", map_.left_out);
      says = ui_.tr("gui.sectors.left-out", {{"says", says}, {"more", more}});
    }
    const Type type{Face::bold, 14, ui_.theme.t1};
    const std::string fits = ink_.fitted(type, says, width_);
    const float wide = ink_.width(type, fits),
                x = std::clamp((left + right - wide) / 2, corner_.x,
                               std::max(corner_.x, corner_.x + width_ - wide));
    ink_.text_middle(x, top + 15, type, fits);
  }

  /// Where the columns lie in their array.
  void draw_axis() const {
    const float middle = lanes_top() + kMapHigh - 8;
    const Type type{Face::mono, 12, ui_.theme.t3};
    float free = corner_.x;
    for (std::size_t i = 0; i < map_.marks.size(); ++i) {
      const lab::SectorsPicture::Mark& mark = map_.marks[i];
      const std::string offset = lab::typeset(std::to_string(mark.offset)) + (i == 0 ? " B" : "");
      const float x = across(mark.x), wide = ink_.width(type, offset);
      if (x < free || x + wide > corner_.x + width_ + 4) continue;
      ink_.text_middle(x, middle, type, offset);
      free = x + wide + 8;
    }
  }

  void draw_words() const {
    if (column_) {
      say_column();
    } else if (lane_ && !asks(*lane_)) {
      say(ui_.tr("gui.sectors.idle", {{"lane", std::to_string(*lane_)}}));
    } else if (lane_) {
      const Sectors::Lane& lane = *std::ranges::find(request().lanes, *lane_, &Sectors::Lane::lane);
      say(ui_.tr("gui.sectors.lane",
                 {{"lane", std::to_string(*lane_)},
                  {"thread", std::to_string(request().warp * device::kLanes + *lane_)},
                  {"block", lab::grouped(request().block)},
                  {"name", lab::array_name(sectors_, lane.array, ui_.book.strings())},
                  {"offset", std::to_string(lane.offset)},
                  {"bytes", std::to_string(place().bytes)},
                  {"sector", std::to_string(lab::sector_of(sectors_, lane))}}));
    } else {
      say(ui_.tr("gui.sectors.keys"));
    }
  }

  /// What the bytes are that the mouse is over.
  void say_column() const {
    const lab::SectorsPicture::Column& column = map_.columns[*column_];
    if (!column.touched) {
      say(ui_.tr("gui.sectors.still"));
      return;
    }
    const std::int64_t first = lab::offset_of(sectors_, *column.touched) + byte_;
    const std::uint32_t lanes = lanes_over();
    say(ui_.tr(lanes != 0 ? "gui.sectors.cell" : "gui.sectors.unasked",
               {{"name", lab::array_name(sectors_, column.touched->array, ui_.book.strings())},
                {"first", std::to_string(first)},
                {"last", std::to_string(first + map_.cell_bytes - 1)},
                {"lanes", lab::lanes_text(lanes)}}));
  }

  void say(const std::string& text) const {
    const float middle = corner_.y - kSectorsTop + height_ - kSectorsWords / 2;
    ink_.text_middle(corner_.x, middle, ui_.note(), ink_.fitted(ui_.note(), text, width_));
  }

  const Ui& ui_;
  Ink ink_;
  const Sectors& sectors_;
  ImVec2 corner_;
  float width_;
  float places_, height_;  ///< of the accesses above the map; of all
  std::size_t shown_ = 0;
  lab::RequestSectors touched_;
  lab::SectorsPicture map_;   // points into touched_
  std::uint32_t asking_ = 0;  // a bit a lane
  std::optional<unsigned> lane_;
  std::optional<std::size_t> column_;  // that the mouse is over, and the first byte of the cell
  unsigned byte_ = 0;
};
}  // namespace

float figure_of(const Frame& frame, const lab::SectorsExhibit& sectors, const std::string& /*id*/) {
  if (sectors.places.empty())
    return words(frame, frame.ui.tr("sectors.nothing"), frame.ui.caption_style());
  if (frame.draw) SectorsMap(frame, sectors).draw();
  return figure_height(frame, sectors);
}

}  // namespace warpbook::gui
