// The picture of a sliding window under mouse and keyboard: pointing at an output, an input or a place in the matrix shows the
// other two. Below it, what is pointed at in words.
#include <algorithm>
#include <array>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/sliding_window/sliding_window_picture.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 24, kChannelButton = 20;

using Convolution = lab::SlidingWindowExhibit;
using Output = Convolution::Output;

// Which output is kept is a choice of the view's own, and so is the channel of input and filter that is shown.
const Output& kept_output(const Convolution& window) {
  return window
      .outputs[std::min<std::size_t>(kept("output", window.chosen), window.outputs.size() - 1)];
}
void keep_output(const Convolution& window, const Output& output) {
  keep("output", static_cast<std::uint64_t>(&output - window.outputs.data()));
}

class SlidingWindowPanel {
 public:
  SlidingWindowPanel(const FigureArea& area, const Convolution& window,
                     const lab::SlidingWindowLayout& layout)
      : area_(area),
        ui_(area.ui),
        window_(window),
        layout_(layout),
        sizes_(layout.sizes),
        view_(layout.view) {
    choice_.kept = choice_.shown = &kept_output(window);
    choice_.channel = static_cast<std::int64_t>(std::min(kept("channel", 0), channels() - 1));
    if (const Output* linked = linked_output()) choice_.shown = linked;
  }

  void draw() {
    point_at_outputs();
    point_at_matrix();
    point_at_inputs();
    const FigureInputs inputs(number_of(*choice_.kept), number_of(*choice_.shown), choice_.channel,
                              choice_.pointed);
    const lab::Drawing& drawing = draw_kept(area_, &window_, inputs, [&] {
      return drawing_of(window_, layout_, choice_, canvas_for(area_));
    });
    if (const lab::DrawnItem* place = item_of(drawing, {"channels"}))
      draw_channels(lab::bounds_of(*place));
    const float middle = area_.corner.y + static_cast<float>(layout_.height) + kWords / 2;
    ui_.ink().label(area_.corner.x, middle, ui_.note(), says(), area_.width);
  }

 private:
  [[nodiscard]] std::uint64_t number_of(const Output& output) const {
    return static_cast<std::uint64_t>(&output - window_.outputs.data());
  }
  [[nodiscard]] std::uint64_t channels() const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(1, sizes_.channels));
  }
  [[nodiscard]] std::int64_t column_of(const lab::OutputPlace& place) const {
    return place.row * sizes_.out_columns + place.column;
  }

  /// What was stored by the thread that another panel points at.
  [[nodiscard]] const Output* linked_output() const {
    const auto& thread = ui_.book.link.current().thread;
    if (!thread) return nullptr;
    const auto found = std::ranges::find_if(window_.outputs, [&](const Output& output) {
      return output.block == thread->block && output.thread == thread->thread;
    });
    return found == window_.outputs.end() ? nullptr : &*found;
  }
  /// Of the filter that is kept.
  [[nodiscard]] const Output* output_at(std::int64_t row, std::int64_t column) const {
    if (row < 0 || row >= sizes_.out_rows || column < 0 || column >= sizes_.out_columns)
      return nullptr;
    const std::int64_t filter = lab::place_of(window_, sizes_, choice_.kept->element).filter;
    return lab::find_output(window_, lab::output_element(window_, sizes_, {filter, row, column}));
  }

  void show(const Output* output, bool pressed) {
    if (!output) return;
    choice_.shown = output;
    point_at(ui_, link_to(output->block, output->thread), pressed);
    if (pressed) keep_output(window_, *output);
  }

  void point_at_outputs() {
    const bool pressed = item_over("outputs", area_.corner, layout_.outputs.area());
    if (ImGui::IsItemFocused()) {
      step_by_keys();
      if (const auto next = stepped(static_cast<std::uint64_t>(choice_.channel), channels()))
        keep("channel", *next);
    }
    if (!ImGui::IsItemHovered()) return;
    if (const auto at = layout_.outputs.place_at(mouse_in(area_.corner)))
      show(output_at(view_.out_rows.first + at->row, view_.out_columns.first + at->column),
           pressed);
  }

  /// Arrows: the neighbouring outputs.
  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};
    constexpr std::array<std::int64_t, 4> kAcross{-1, 1, 0, 0}, kDown{0, 0, -1, 1};
    const lab::OutputPlace at = lab::place_of(window_, sizes_, choice_.kept->element);
    own_keys(kKeys);
    for (std::size_t k = 0; k < kKeys.size(); ++k) {
      if (!ImGui::IsKeyPressed(kKeys[k])) continue;
      const Output* next = output_at(at.row + kDown[k], at.column + kAcross[k]);
      if (!next) continue;
      keep_output(window_, *next);
      const Link link = link_to(next->block, next->thread);
      if (!(ui_.book.link.pinned() == link)) pin(ui_, link);
    }
  }

  void point_at_matrix() {
    const bool pressed = item_over("matrix", area_.corner, layout_.matrix.area());
    if (!ImGui::IsItemHovered()) return;
    const auto at = layout_.matrix.place_at(mouse_in(area_.corner));
    if (!at) return;
    const std::int64_t column = view_.windows.first + at->column;
    choice_.pointed = lab::column_cell(window_, sizes_, at->row, column);
    show(output_at(column / sizes_.out_columns, column % sizes_.out_columns), pressed);
  }

  void point_at_inputs() {
    item_over("inputs", area_.corner, layout_.inputs.area());
    if (!ImGui::IsItemHovered()) return;
    if (const auto at = layout_.inputs.place_at(mouse_in(area_.corner))) {
      choice_.pointed = lab::input_element(
          window_, sizes_,
          {choice_.channel, view_.rows.first + at->row, view_.columns.first + at->column});
    }
  }

  /// Two buttons: the channel before, and the one after.
  void draw_channels(const lab::Area& area) const {
    const ImVec2 corner{area_.corner.x + static_cast<float>(area.x),
                        area_.corner.y + static_cast<float>(area.y)};
    const auto channel = static_cast<std::uint64_t>(choice_.channel);
    if (icon_button(ui_, "channel before", corner, Icon::chevron_left,
                    ui_.tr("gui.sliding_window.channel-before"), kChannelButton))
      keep("channel", (channel + channels() - 1) % channels());
    if (icon_button(ui_, "channel after", {corner.x + kChannelButton, corner.y},
                    Icon::chevron_right, ui_.tr("gui.sliding_window.channel-after"),
                    kChannelButton))
      keep("channel", (channel + 1) % channels());
  }

  [[nodiscard]] std::string says() const {
    const lab::SlidingWindowRead read = lab::read_of(window_, sizes_, *choice_.shown);
    const auto tap = std::ranges::find_if(read.taps, [&](const lab::SlidingWindowTap& t) {
      return choice_.pointed >= 0 && t.input == choice_.pointed;
    });
    return tap == read.taps.end() ? output_says() : tap_says(*tap);
  }
  [[nodiscard]] std::string tap_says(const lab::SlidingWindowTap& tap) const {
    const std::int64_t weight = tap.met.value_or(tap.weight);
    const bool there =
        weight >= 0 && weight < static_cast<std::int64_t>(lab::count(window_.weights));
    return ui_.tr("gui.sliding_window.tap",
                  {{"input", lab::cell_text(window_.input, tap.input)},
                   {"row", std::to_string(tap.place.row)},
                   {"column", std::to_string(tap.place.column)},
                   {"channel", std::to_string(tap.place.channel)},
                   {"weight", there ? lab::cell_text(window_.weights, weight) : "✗"},
                   {"reads", std::to_string(tap.reads)}});
  }
  [[nodiscard]] std::string output_says() const {
    const Output& shown = *choice_.shown;
    const lab::OutputPlace place = lab::place_of(window_, sizes_, shown.element);
    return ui_.tr("gui.sliding_window.output",
                  {{"place", lab::output_text(place)},
                   {"value", lab::number(shown.value, 6)},
                   {"thread", lab::grouped(shown.thread)},
                   {"block", lab::grouped(shown.block)},
                   {"column", lab::grouped(static_cast<std::uint64_t>(column_of(place)))}});
  }

  const FigureArea& area_;
  const Ui& ui_;
  const Convolution& window_;
  const lab::SlidingWindowLayout& layout_;
  const lab::SlidingWindowSizes& sizes_;
  const lab::SlidingWindowView& view_;
  lab::SlidingWindowChoice choice_;
};
}  // namespace

float figure_of(const FigureArea& area, const Convolution& window, const std::string& /*id*/) {
  const auto sizes = lab::sizes_of(window);
  if (!sizes || window.outputs.empty()) {
    return words(area, area.ui.tr(sizes ? "sliding_window.nobody" : "sliding_window.unfit"),
                 area.ui.caption_style());
  }
  const lab::SlidingWindowLayout layout(window, *sizes, kept_output(window),
                                        static_cast<double>(area.width));
  if (area.draw) SlidingWindowPanel(area, window, layout).draw();
  return static_cast<float>(layout.height) + kWords;
}

}  // namespace warpbook::gui
