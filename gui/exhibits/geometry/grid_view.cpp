#include "gui/exhibits/geometry/grid_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/geometry/grid_scene.hpp"
#include "lab/exhibits/image/image_summary.hpp"

namespace warpbook::gui {
namespace {
constexpr float kScene = 250, kControls = 36, kBeside = 520, kThreads = 230, kGridViewGap = 16;
constexpr float kMostCell = 26, kNumberedCell = 20, kThreadsTop = 24, kThreadsWords = 44;
constexpr float kAxesRoom = 56;  // left of the grid, for the axes' names
constexpr float kTurn = 0.25f, kRadiansAPoint = 0.008f, kLeastPitch = 0.05f, kMostPitch = 1.5f;
constexpr float kZoomStep = 1.5f, kMostZoom = 24, kClick = 4;
constexpr std::uint32_t kNamedSlices = 8;

class GridPicture {
 public:
  GridPicture(const FigureArea& area, const lab::GeometryExhibit& geometry)
      : ui_(area.ui),
        ink_(area.ui.ink()),
        geometry_(geometry),
        corner_(area.corner),
        width_(area.width),
        beside_(area.width >= kBeside),
        camera_(kept_camera()),
        scene_(geometry.grid, camera_, {corner_.x + kAxesRoom, corner_.y}, scene_end(), focus()) {}

  void draw() {
    draw_boxes();
    draw_names();
    point();
    draw_controls();
    if (beside_) draw_threads();
  }

 private:
  // The camera is the view's own, kept by ImGui.
  static ImGuiID id(const char* name) { return ImGui::GetID(name); }
  GridCamera kept_camera() const {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    GridCamera camera;
    camera.yaw = storage.GetFloat(id("yaw"), camera.yaw);
    camera.pitch = storage.GetFloat(id("pitch"), camera.pitch);
    camera.zoom = storage.GetFloat(id("zoom"), camera.zoom);
    const int slice = storage.GetInt(id("slice"), -1);
    if (slice >= 0 && static_cast<std::uint32_t>(slice) < geometry_.grid.z)
      camera.slice = static_cast<std::uint32_t>(slice);
    return camera;
  }
  void turn(float yaw, float pitch) const {
    ImGui::GetStateStorage()->SetFloat(id("yaw"), std::remainder(camera_.yaw + yaw, 6.2831853f));
    ImGui::GetStateStorage()->SetFloat(id("pitch"),
                                       std::clamp(camera_.pitch + pitch, kLeastPitch, kMostPitch));
  }
  void zoom(float by) const {
    ImGui::GetStateStorage()->SetFloat(id("zoom"), std::clamp(camera_.zoom * by, 1.0f, kMostZoom));
  }

  [[nodiscard]] ImVec2 scene_end() const {
    return {corner_.x + width_ - (beside_ ? kThreads + kGridViewGap : 0), corner_.y + kScene};
  }
  /// The block that is looked at: the linked thread's.
  [[nodiscard]] std::uint64_t block() const {
    const auto& thread = ui_.book.link.current().thread;
    return thread && thread->block < geometry_.grid.count() ? thread->block : 0;
  }
  /// What a closer look is at: what is pinned, so that nothing moves under the mouse.
  [[nodiscard]] std::uint64_t focus() const {
    const auto& thread = ui_.book.link.pinned().thread;
    return thread && thread->block < geometry_.grid.count() ? thread->block : 0;
  }
  [[nodiscard]] bool linked() const { return ui_.book.link.current().thread.has_value(); }

  /// In the colour that the block has in every picture, greyer the more of its threads stored nothing.
  [[nodiscard]] Colour colour_of(std::uint64_t block) const {
    const Colour own = ui_.theme.category[lab::block_colour(geometry_.grid, block)];
    const float threads = static_cast<float>(std::max<std::uint64_t>(1, geometry_.block.count()));
    const auto idle = lab::idle_in(geometry_, block);
    const float busy = 1 - (idle ? static_cast<float>(*idle) / threads : 0);
    return mix(ui_.theme.s4, own, 0.15f + 0.75f * busy);
  }

  void draw_boxes() {
    std::vector<Box> boxes;
    boxes.reserve(scene_.places().size());
    const GridScene::Place marked = scene_.place_of(block());
    for (const GridScene::Place& place : scene_.places()) {
      const auto at = scene_.corner_of(place);
      const bool other = linked() && place != marked;
      const Colour colour = colour_of(scene_.block_of(place));
      boxes.push_back({at[0], at[1], at[2], other ? mix(ui_.theme.s2, colour, 0.6f) : colour});
    }
    ink_.list()->PushClipRect(corner_, scene_end(), true);
    ui_.boxes.add(ink_.list(), scene_.view(), boxes);
    if (linked() && scene_.shown(marked)) {
      const auto outline = scene_.outline(marked);
      ink_.list()->AddPolyline(outline.data(), static_cast<int>(outline.size()), ui_.theme.accent,
                               measure::kRing, ImDrawFlags_Closed);
    }
    ink_.list()->PopClipRect();
  }

  /// Axes, and which slice is which.
  void draw_names() const {
    constexpr float kAxis = 22;
    const ImVec2 foot{corner_.x + 26, corner_.y + 26};
    constexpr std::array kAxes{"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const ImVec2 along = scene_.view().axes[axis];
      const float length = std::hypot(along.x, along.y);
      const float unit = scale() > 0 ? kAxis / scale() : 0;
      const ImVec2 tip{foot.x + along.x * unit, foot.y + along.y * unit};
      ink_.list()->AddLine(foot, tip, ui_.theme.t3, 1.5f);
      if (length * unit > 8) {
        ink_.text_middle(foot.x + along.x * unit * 1.4f, foot.y + along.y * unit * 1.4f,
                         {Face::mono, 12, ui_.theme.t3}, kAxes[axis], Align::centre);
      }
    }
    const std::uint32_t slices = scene_.boxes()[2];
    if (slices < 2 || slices > kNamedSlices || camera_.zoom > 1) return;
    for (std::uint32_t z = 0; z < slices; ++z) {
      const GridScene::Place first{0, 0, z};
      if (!scene_.shown(first)) continue;
      const auto outline = scene_.outline(first);
      const auto top = std::ranges::min_element(outline, {}, &ImVec2::y);
      ink_.text_middle(top->x, std::max(corner_.y + 6, top->y - 9), {Face::mono, 12, ui_.theme.t3},
                       "z = " + std::to_string(z * scene_.step()), Align::centre);
    }
  }
  /// Points that a unit along the longest of the projected axes takes.
  [[nodiscard]] float scale() const {
    float longest = 0;
    for (const ImVec2& axis : scene_.view().axes)
      longest = std::max(longest, std::hypot(axis.x, axis.y));
    return longest;
  }

  /// Dragging turns, a click pins a block, comma and full stop go from block to block.
  void point() const {
    (void)item("grid", corner_, scene_end());
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, kClick))
      turn(io.MouseDelta.x * kRadiansAPoint, io.MouseDelta.y * kRadiansAPoint);
    const bool clicked = ImGui::IsItemDeactivated() && ImGui::IsItemHovered() &&
                         io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kClick * kClick;
    if (ImGui::IsItemFocused() && io.NavVisible) step_by_keys();
    if (!ImGui::IsItemHovered() || (ImGui::IsItemActive() && !clicked)) return;
    const auto place = scene_.at(ImGui::GetMousePos());
    if (!place) return;
    point_at(ui_, link_to(scene_.block_of(*place), 0), clicked);
  }
  void step_by_keys() const {
    const std::uint64_t all = geometry_.grid.count();
    const auto& pinned = ui_.book.link.pinned().thread;
    if (const auto next = stepped(pinned ? pinned->block : all - 1, all))
      pin(ui_, link_to(*next, 0));
  }

  void draw_controls() const {
    const float top = corner_.y + kScene + 4, middle = top + measure::kCardButton / 2;
    constexpr float kSquare = measure::kCardButton;
    float x = corner_.x;
    const auto place = [&](float wide) {
      const ImVec2 at{x, top};
      x += wide + 4;
      return at;
    };
    if (icon_button(ui_, "turn left", place(kSquare), Icon::chevron_left,
                    ui_.tr("gui.grid.turn-left"), kSquare))
      turn(-kTurn, 0);
    if (icon_button(ui_, "turn right", place(kSquare), Icon::chevron_right,
                    ui_.tr("gui.grid.turn-right"), kSquare))
      turn(kTurn, 0);
    const ButtonLook look{ButtonKind::quiet, kSquare};
    for (const bool closer : {false, true}) {
      const char* sign = closer ? "+" : "−";
      if (button(ui_, closer ? "closer" : "farther", place(button_width(ui_, sign, look)), sign,
                 look))
        zoom(closer ? kZoomStep : 1 / kZoomStep);
      tip(ui_, ui_.tr(closer ? "gui.grid.closer" : "gui.grid.farther"));
    }
    if (geometry_.grid.z > 1) {
      x += 12;
      const int slices = static_cast<int>(geometry_.grid.z), step = static_cast<int>(scene_.step());
      const int now = camera_.slice ? static_cast<int>(*camera_.slice) : -1;
      const auto choose = [](int slice) { ImGui::GetStateStorage()->SetInt(id("slice"), slice); };
      if (icon_button(ui_, "slice before", place(kSquare), Icon::chevron_left,
                      ui_.tr("gui.grid.slice-before"), kSquare))
        choose(now < 0 ? (slices - 1) / step * step : now - step);
      const std::string says =
          now < 0 ? ui_.tr("gui.grid.all-slices") : "z = " + std::to_string(now);
      const float wide = ink_.width(ui_.note(), says);
      ink_.text_middle(place(wide).x, middle, ui_.note(), says);
      if (icon_button(ui_, "slice after", place(kSquare), Icon::chevron_right,
                      ui_.tr("gui.grid.slice-after"), kSquare))
        choose(now < 0 ? 0 : now + step >= slices ? -1 : now + step);
    }
    x += 8;
    const std::string says =
        scene_.step() > 1 ? ui_.tr("gui.grid.step", {{"step", std::to_string(scene_.step())}})
                          : ui_.tr("gui.grid.how");
    fitted_text(ui_, x, middle + Ink::cap_height(ui_.note()) / 2, ui_.note(), says,
                corner_.x + width_ - x);
  }

  /// The threads of the block, in the order of its own axes while a row of it fits, else a row a warp.
  void draw_threads() const {
    const auto& extent = geometry_.block;
    const float left = scene_end().x + kGridViewGap, width = kThreads;
    const auto& linked_thread = ui_.book.link.current().thread;
    const std::uint64_t threads = extent.count(), slice = std::uint64_t{extent.x} * extent.y;
    if (threads == 0) return;
    const std::uint64_t thread =
        linked_thread ? std::min<std::uint64_t>(linked_thread->thread, threads - 1) : 0;
    const bool by_axes = extent.x <= device::kLanes && extent.y <= device::kLanes;
    const std::uint64_t first = by_axes ? thread / slice * slice : 0,
                        shown = by_axes ? slice : threads,
                        columns = by_axes ? extent.x : device::kLanes,
                        rows = (shown + columns - 1) / columns;
    ink_.text_middle(
        left, corner_.y + 8, ui_.note(),
        ui_.tr("gui.grid.block", {{"block", lab::coordinates(block(), geometry_.grid)}}));
    const float top = corner_.y + kThreadsTop, room = kScene - kThreadsTop - kThreadsWords;
    const float cell = std::floor(std::min(
        {kMostCell, width / static_cast<float>(columns), room / static_cast<float>(rows)}));
    const Colour own = ui_.theme.category[lab::block_colour(geometry_.grid, block())];
    for (std::uint64_t i = 0; i < shown; ++i) {
      const std::uint64_t at = first + i;
      const std::uint64_t row = i / columns;
      const ImVec2 min{left + static_cast<float>(i % columns) * cell,
                       top + static_cast<float>(row) * cell},
          max{min.x + cell - 1, min.y + cell - 1};
      const bool stored = lab::has_stored(geometry_, block(), at).value_or(true);
      // Warps next to each other differ in strength.
      const float strength = at / device::kLanes % 2 == 0 ? 0.55f : 0.35f;
      ink_.fill(min, max, stored ? mix(ui_.theme.s2, own, strength) : ui_.theme.s3);
      if (!stored && cell >= 8) ink_.hatch(min, max, ui_.theme.line, 6);
      if (cell >= kNumberedCell) {
        ink_.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2,
                         {Face::mono, 11, stored ? ui_.theme.t1 : ui_.theme.t3},
                         std::to_string(at % device::kLanes), Align::centre);
      }
      if (linked_thread && at == thread)
        ink_.outline(min, max, ui_.theme.accent, 0, measure::kRing);
    }
    point_at_threads({left, top}, cell, columns, first, shown);
    const float words = top + static_cast<float>(rows) * cell + 14;
    ink_.text_middle(left, words, {Face::mono, 13, ui_.theme.t1},
                     ui_.tr("gui.grid.thread", {{"thread", lab::coordinates(thread, extent)}}));
    ink_.text_middle(left, words + 18, {Face::mono, 12, ui_.theme.accent_text},
                     ink_.fitted({Face::mono, 12, 0}, sum_of(thread), width));
  }

  /// "2 * 8 + 5 = 21: warp 0, lane 21": how a thread's index follows from its coordinates.
  [[nodiscard]] std::string sum_of(std::uint64_t thread) const {
    const auto& extent = geometry_.block;
    const std::uint64_t x = thread % extent.x, y = thread / extent.x % extent.y,
                        z = thread / extent.x / extent.y;
    std::string sum = std::to_string(x);
    if (extent.y > 1) sum = std::to_string(y) + " * " + std::to_string(extent.x) + " + " + sum;
    if (extent.z > 1) {
      sum = std::to_string(z) + " * " + std::to_string(extent.x * extent.y) + " + " + sum;
    }
    if (extent.y > 1 || extent.z > 1) sum += " = " + std::to_string(thread);
    return sum + ui_.tr("gui.grid.lane", {{"warp", std::to_string(thread / device::kLanes)},
                                          {"lane", std::to_string(thread % device::kLanes)}});
  }

  void point_at_threads(ImVec2 corner, float cell, std::uint64_t columns, std::uint64_t first,
                        std::uint64_t shown) const {
    const std::uint64_t rows = (shown + columns - 1) / columns;
    const bool pressed = item("threads", corner,
                              {corner.x + static_cast<float>(columns) * cell,
                               corner.y + static_cast<float>(rows) * cell});
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto column = static_cast<std::uint64_t>(std::max(0.0f, mouse.x - corner.x) / cell),
               row = static_cast<std::uint64_t>(std::max(0.0f, mouse.y - corner.y) / cell);
    const std::uint64_t at = row * columns + column;
    if (column >= columns || at >= shown) return;
    point_at(ui_, link_to(block(), first + at), pressed);
  }

  const Ui& ui_;
  Ink ink_;
  const lab::GeometryExhibit& geometry_;
  ImVec2 corner_;
  float width_;
  bool beside_;
  GridCamera camera_;
  GridScene scene_;
};
}  // namespace

float grid_view(const FigureArea& area, const lab::GeometryExhibit& geometry) {
  if (area.draw) GridPicture(area, geometry).draw();
  return kScene + kControls;
}

}  // namespace warpbook::gui
