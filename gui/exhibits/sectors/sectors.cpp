// The picture of one warp's request under mouse and keyboard; above it the accesses of the source, with what each moved in the
// whole launch, and below it what is pointed at in words.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/sectors/sector_places.hpp"
#include "lab/exhibits/sectors/sectors_picture.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLabel = 22, kWords = 24, kSectorsTop = 4;
constexpr auto kMapHigh = static_cast<float>(lab::SectorsPicture::kHeight);

using Sectors = lab::SectorsExhibit;

/// Of two runs beside each other the maps begin at one height.
float places_height(const FigureArea& area, const Sectors& sectors) {
  const auto* other = beside_as<Sectors>(area);
  return std::max(sector_places_height(sectors), other ? sector_places_height(*other) : 0);
}

float figure_height(const FigureArea& area, const Sectors& sectors) {
  const float map = sectors.requests.empty() ? 0 : kLabel + kMapHigh;
  return kSectorsTop + places_height(area, sectors) + map + kWords;
}

bool holds(const Sectors::Request& request, const Link::Thread& thread) {
  return request.block == thread.block && request.warp == thread.thread / device::kLanes;
}

/// What is shown: a choice of the view's own, kept by ImGui; a thread that is linked and lies in another warp leads there.
std::size_t request_shown(const Ui& ui, const Sectors& sectors) {
  if (sectors.requests.empty()) return 0;
  const std::size_t at =
      std::min<std::size_t>(kept("request", sectors.chosen), sectors.requests.size() - 1);
  const auto& thread = ui.book.link.current().thread;
  if (!thread || holds(sectors.requests[at], *thread)) return at;
  const auto found = std::ranges::find_if(sectors.requests, [&](const Sectors::Request& r) {
    return r.place == sectors.requests[at].place && holds(r, *thread);
  });
  return found == sectors.requests.end()
             ? at
             : static_cast<std::size_t>(found - sectors.requests.begin());
}

class SectorsMap {
 public:
  SectorsMap(const FigureArea& area, const Sectors& sectors)
      : ui_(area.ui),
        ink_(area.ui.ink()),
        sectors_(sectors),
        corner_{area.corner.x, area.corner.y + kSectorsTop},
        width_(area.width),
        places_(places_height(area, sectors)),
        height_(figure_height(area, sectors)),
        shown_(request_shown(ui_, sectors)),
        area_{ui_, {corner_.x, corner_.y + places_ + kLabel}, width_, true, area.beside} {
    if (sectors_.requests.empty()) return;
    touched_ = lab::touched_by(sectors_, request());
    map_ = lab::picture_of(sectors_, request(), touched_, static_cast<double>(width_),
                           beside_as<Sectors>(area));
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
    const FigureInputs inputs(shown_, choice_.lane, choice_.column, choice_.byte);
    draw_kept(area_, &sectors_, inputs,
              [&] { return drawing_of(map_, request(), touched_, choice_, canvas_for(area_)); });
    draw_words();
  }

 private:
  static void show(std::size_t request) { keep("request", request); }
  [[nodiscard]] const Sectors::Request& request() const { return sectors_.requests[shown_]; }
  [[nodiscard]] const Sectors::Place& place() const { return sectors_.places[request().place]; }

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
    const lab::Area lanes{0, 0, map_.width, lab::SectorsPicture::kLaneHigh};
    const bool pressed = item_over("lanes", area_.corner, lanes);
    const auto& linked = ui_.book.link.current().thread;
    if (linked && holds(request(), *linked)) choice_.lane = linked->thread % device::kLanes;
    if (ImGui::IsItemFocused()) step_by_keys();
    if (!ImGui::IsItemHovered()) return;
    const double at = mouse_in(area_.corner).x / map_.lane_width();
    choice_.lane = static_cast<unsigned>(std::clamp(at, 0.0, device::kLanes - 1.0));
    point_at(ui_, link_of(*choice_.lane), pressed);
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
    constexpr double kTop = lab::SectorsPicture::kColumnsTop,
                     kHigh = lab::SectorsPicture::kColumnHigh;
    const bool pressed = item_over("sectors", area_.corner, {0, kTop, map_.width, kHigh});
    if (!ImGui::IsItemHovered()) return;
    const lab::Point mouse = mouse_in(area_.corner);
    const auto found = std::ranges::find_if(map_.columns, [&](const auto& column) {
      return mouse.x >= column.x && mouse.x < column.x + column.width + 1;
    });
    if (found == map_.columns.end()) return;
    choice_.column = static_cast<std::size_t>(found - map_.columns.begin());
    const double share = std::clamp((mouse.y - kTop) / kHigh, 0.0, 0.999);
    choice_.byte =
        static_cast<unsigned>(share * device::kSectorBytes) / map_.cell_bytes * map_.cell_bytes;
    const std::uint32_t lanes = lab::lit_lanes(map_, choice_);
    if (pressed && lanes != 0) pin(ui_, link_of(static_cast<unsigned>(std::countr_zero(lanes))));
  }

  /// Whose request it is, and which byte the picked lane asks for.
  void draw_label() const {
    const float middle = area_.corner.y - kLabel / 2;
    std::string picked;
    if (choice_.lane && asks(*choice_.lane)) {
      const Sectors::Lane& lane =
          *std::ranges::find(request().lanes, *choice_.lane, &Sectors::Lane::lane);
      picked = ui_.tr("gui.sectors.picked", {{"lane", std::to_string(*choice_.lane)},
                                             {"offset", std::to_string(lane.offset)}});
    }
    const Type type{Face::sans, 13, ui_.theme.accent_text};
    const float taken = picked.empty() ? 0 : ink_.width(type, picked) + 12;
    ink_.text_middle(corner_.x + width_, middle, type, picked, Align::right);
    const std::string says =
        ui_.tr("gui.sectors.request", {{"warp", lab::grouped(request().warp)},
                                       {"block", lab::grouped(request().block)},
                                       {"line", std::to_string(place().line)}});
    ink_.label(corner_.x, middle, ui_.note(), says, width_ - taken);
  }

  void draw_words() const {
    if (choice_.column) {
      say_column();
    } else if (choice_.lane && !asks(*choice_.lane)) {
      say(ui_.tr("gui.sectors.idle", {{"lane", std::to_string(*choice_.lane)}}));
    } else if (choice_.lane) {
      const Sectors::Lane& lane =
          *std::ranges::find(request().lanes, *choice_.lane, &Sectors::Lane::lane);
      say(ui_.tr("gui.sectors.lane",
                 {{"lane", std::to_string(*choice_.lane)},
                  {"thread", std::to_string(request().warp * device::kLanes + *choice_.lane)},
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
    const lab::SectorsPicture::Column& column = map_.columns[*choice_.column];
    if (!column.touched) {
      say(ui_.tr("gui.sectors.still"));
      return;
    }
    const std::int64_t first = lab::offset_of(sectors_, *column.touched) + choice_.byte;
    const std::uint32_t lanes = lab::lit_lanes(map_, choice_);
    say(ui_.tr(lanes != 0 ? "gui.sectors.cell" : "gui.sectors.unasked",
               {{"name", lab::array_name(sectors_, column.touched->array, ui_.book.strings())},
                {"first", std::to_string(first)},
                {"last", std::to_string(first + map_.cell_bytes - 1)},
                {"lanes", lab::lanes_text(lanes)}}));
  }

  void say(const std::string& text) const {
    const float middle = corner_.y - kSectorsTop + height_ - kWords / 2;
    ink_.label(corner_.x, middle, ui_.note(), text, width_);
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
  FigureArea area_;           // of the map
  lab::SectorsChoice choice_;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::SectorsExhibit& sectors,
                const std::string& /*id*/) {
  if (sectors.places.empty())
    return words(area, area.ui.tr("sectors.nothing"), area.ui.caption_style());
  if (area.draw) SectorsMap(area, sectors).draw();
  return figure_height(area, sectors);
}

std::string sentence_shown(const Ui& ui, const lab::SectorsExhibit& sectors) {
  return lab::sentence_of(sectors, request_shown(ui, sectors), ui.book.strings());
}

}  // namespace warpbook::gui
