// The picture of a timeline under mouse and keyboard, a closer look at a part of it, and the shown box in words.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/timeline/timeline_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kControls = measure::kCardButton + 6;
constexpr double kCloser = 0.5, kWheelCloser = 0.8, kFarther = 1 / kCloser;
constexpr float kTimelineClick = 4;                 // points that the mouse may move in a click
constexpr std::uint64_t kStretchPart = 1ull << 37;  ///< under which the cache keeps a part's layout

/// Room for the words of a box: two lines, or three where lines are short.
float room_for_words(float width) { return width < 640 ? 64 : 44; }

using Timeline = lab::TimelineExhibit;
using lab::TimelinePlane;
using lab::TimelineStretch;
using ShownBox = std::optional<std::size_t>;

/// The stretch of the axis that the reader looks at, as shares of it: a choice of the view's own, kept by ImGui.
TimelineStretch kept_stretch(double end) {
  const ImGuiStorage& storage = *ImGui::GetStateStorage();
  return {end * static_cast<double>(storage.GetFloat(ImGui::GetID("from"), 0)),
          end * static_cast<double>(storage.GetFloat(ImGui::GetID("to"), 1))};
}

void keep_stretch(const TimelineStretch& stretch, double end) {
  if (!(end > 0)) return;
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  storage.SetFloat(ImGui::GetID("from"), static_cast<float>(stretch.begin / end));
  storage.SetFloat(ImGui::GetID("to"), static_cast<float>(stretch.end / end));
}

/// One panel's picture in one frame.
class TimelinePanel {
 public:
  TimelinePanel(const FigureArea& area, const Timeline& timeline, const TimelinePlane& whole,
                const lab::Canvas& canvas)
      : area_(area),
        ui_(area.ui),
        timeline_(timeline),
        canvas_(canvas),
        end_(whole.axis_end()),
        stretch_(kept_stretch(end_)),
        plane_(is_close() ? part_of(area, timeline, canvas) : whole) {}

  void draw(float height) {
    const ShownBox shown = shown_box();
    draw_kept(area_, &timeline_, FigureInputs(shown, stretch_bits()),
              [&] { return drawing_of(timeline_, plane_, shown, canvas_); });
    draw_linked();
    draw_controls(height);
    const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui_.theme.t2, 0};
    words({ui_, {area_.corner.x, area_.corner.y + height + kControls + 4}, area_.width, true},
          words_of(shown), style);
  }

 private:
  [[nodiscard]] bool is_close() const { return stretch_.length() < end_ * (1 - 1e-6); }
  [[nodiscard]] std::uint64_t stretch_bits() const {
    return FigureInputs(static_cast<float>(stretch_.begin), static_cast<float>(stretch_.end)).all();
  }
  const TimelinePlane& part_of(const FigureArea& area, const Timeline& timeline,
                               const lab::Canvas& canvas) const {
    FigureInputs inputs = inputs_of(area);
    inputs.add(stretch_bits());
    return ui_.cache.latest<TimelinePlane>(&timeline, kStretchPart, inputs, [&] {
      return TimelinePlane(timeline, beside_as<Timeline>(area), canvas, stretch_);
    });
  }

  /// The box of the span that was chosen last. Boxes depend on the width and the stretch, spans do not.
  [[nodiscard]] ShownBox kept_box() const {
    return plane_.piece_of(kept("span", timeline_.spans.size()));
  }
  void keep_box(ShownBox box) const {
    if (box) keep("span", plane_.pieces()[*box].run.first);
  }
  [[nodiscard]] const Timeline::Span& span_of(std::size_t box) const {
    return timeline_.spans[plane_.pieces()[box].run.first];
  }
  /// The source's line that the box's work comes from.
  [[nodiscard]] Link line_of(std::size_t box) const {
    Link link;
    if (span_of(box).line != 0) link.line = span_of(box).line;
    return link;
  }

  void zoom(double factor, double at) const {
    keep_stretch(lab::zoomed(stretch_, factor, at, end_), end_);
  }
  /// Around the chosen box, or else the middle.
  void zoom(double factor) const {
    const ShownBox chosen = kept_box();
    const auto& run = chosen ? plane_.pieces()[*chosen].run : lab::TimelineRun{};
    zoom(factor, chosen ? (run.begin + run.end) / 2 : (stretch_.begin + stretch_.end) / 2);
  }
  void move(double by) const { keep_stretch(lab::moved(stretch_, by, end_), end_); }

  void zoom_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_Equal, ImGuiKey_Minus, ImGuiKey_0};
    if (ImGui::GetIO().KeyCtrl) return;  // with Ctrl they make the whole window larger or smaller
    own_keys(kKeys);
    if (ImGui::IsKeyPressed(kKeys[0])) zoom(kCloser);
    if (ImGui::IsKeyPressed(kKeys[1])) zoom(kFarther);
    if (ImGui::IsKeyPressed(kKeys[2])) keep_stretch({0, end_}, end_);
  }

  /// Left and right go along a row and take a closer look along, up and down go from row to row.
  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};
    own_keys(kKeys);
    const auto pressed = [&](std::size_t key) { return ImGui::IsKeyPressed(kKeys[key]); };
    if (std::ranges::any_of(kKeys, [](ImGuiKey key) { return ImGui::IsKeyPressed(key); }))
      keep("by_keys", 1);
    const ShownBox now = kept_box();
    if (!now) {
      if ((pressed(0) || pressed(1) || pressed(2) || pressed(3)) && !plane_.pieces().empty())
        keep_box(0);
      return;
    }
    for (const bool on : {false, true}) {
      if (!pressed(on ? 1 : 0)) continue;
      const ShownBox next = plane_.beside(*now, on ? 1 : -1);
      keep_box(next);
      if (!next && is_close()) move((on ? 0.5 : -0.5) * stretch_.length());
    }
    if (pressed(2)) keep_box(plane_.on_next_row(*now, -1));
    if (pressed(3)) keep_box(plane_.on_next_row(*now, 1));
  }

  /// Hovering shows the box under the mouse, until keys lead on from where it rests; a press keeps it and links its line, and so does
  /// Enter for the chosen one; dragging moves a closer look along.
  [[nodiscard]] ShownBox shown_box() const {
    const bool pressed = item_over("rows", area_.corner, plane_.area());
    const ImGuiIO& io = ImGui::GetIO();
    const bool clicked =
        ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ImGui::IsItemDeactivated() &&
        ImGui::IsItemHovered() &&
        io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kTimelineClick * kTimelineClick;
    if (ImGui::IsItemActive() && is_close() &&
        ImGui::IsMouseDragging(ImGuiMouseButton_Left, kTimelineClick))
      move(-static_cast<double>(io.MouseDelta.x) / plane_.area().width * stretch_.length());
    if (ImGui::IsItemFocused()) {
      const ShownBox chosen = kept_box();
      if (io.NavVisible && pressed && !clicked && chosen && !line_of(*chosen).empty())
        pin(ui_, line_of(*chosen));
      zoom_by_keys();
      step_by_keys();
    }
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || clicked) keep("by_keys", 0);
    if (!ImGui::IsItemHovered()) return kept_box();
    const lab::Point mouse = mouse_in(area_.corner);
    if (io.KeyCtrl && io.MouseWheel != 0)
      zoom(io.MouseWheel > 0 ? kWheelCloser : 1 / kWheelCloser, plane_.at(mouse.x));
    const ShownBox over = kept("by_keys", 0) == 1 ? ShownBox{} : plane_.piece_at(mouse);
    if (clicked) keep_box(over);
    if (over && !line_of(*over).empty()) point_at(ui_, line_of(*over), clicked);
    return over ? over : kept_box();
  }

  /// The boxes of the line that is pointed at in the source.
  void draw_linked() const {
    const auto& line = ui_.book.link.current().line;
    if (!line) return;
    const Ink ink = ui_.ink();
    for (std::size_t i = 0; i < plane_.pieces().size(); ++i) {
      if (span_of(i).line != *line) continue;
      const lab::Area box = plane_.box(plane_.pieces()[i]).grown(2);
      const ImVec2 min{area_.corner.x + static_cast<float>(box.x),
                       area_.corner.y + static_cast<float>(box.y)};
      ink.outline(min,
                  {min.x + static_cast<float>(box.width), min.y + static_cast<float>(box.height)},
                  ui_.theme.accent, measure::kCellRadius);
    }
  }

  void draw_controls(float top) const {
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton};
    ImVec2 at{area_.corner.x, area_.corner.y + top + 2};
    const auto placed = [&](const char* id, const std::string& label, bool disabled) {
      ButtonLook own = look;
      own.disabled = disabled;
      const bool pressed = button(ui_, id, at, label, own);
      at.x += button_width(ui_, label, own) + 4;
      return pressed && !disabled;
    };
    if (placed("farther", "−", !is_close())) zoom(kFarther);
    tip(ui_, ui_.tr("gui.timeline.farther"));
    if (placed("closer", "+", false)) zoom(kCloser);
    tip(ui_, ui_.tr("gui.timeline.closer"));
    if (placed("whole", ui_.tr("gui.timeline.whole"), !is_close())) keep_stretch({0, end_}, end_);
    tip(ui_, ui_.tr("gui.timeline.zoom-keys"));
  }

  [[nodiscard]] std::string words_of(ShownBox shown) const {
    const bool leads = std::ranges::any_of(
        timeline_.spans, [](const Timeline::Span& span) { return span.line != 0; });
    if (!shown) return ui_.tr(leads ? "gui.timeline.how-lines" : "gui.timeline.how");
    return lab::piece_text(timeline_, plane_.pieces()[*shown], lab::whole_of(timeline_),
                           ui_.book.strings());
  }

  const FigureArea& area_;
  const Ui& ui_;
  const Timeline& timeline_;
  const lab::Canvas& canvas_;
  double end_;  ///< of the whole axis
  TimelineStretch stretch_;
  const TimelinePlane& plane_;
};
}  // namespace

float figure_of(const FigureArea& area, const Timeline& timeline, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (timeline.spans.empty()) return words(area, ui.tr("timeline.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& whole = kept_layout<TimelinePlane>(
      area, &timeline, [&] { return TimelinePlane(timeline, beside_as<Timeline>(area), canvas); });
  // A part needs no more notes below it than the whole, so the panel keeps its height.
  const auto height = static_cast<float>(whole.height());
  if (area.draw) TimelinePanel(area, timeline, whole, canvas).draw(height);
  return height + kControls + room_for_words(area.width);
}

}  // namespace warpbook::gui
