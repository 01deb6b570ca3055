// One output of a convolution with the window that its thread read, and the same window as a column of the im2col matrix.
// Pointing at an output, an input or a place in the matrix shows the other two.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWindowMostCell = 28, kMostSmall = 14, kWindowHead = 20, kWindowSign = 30,
                kWindowWords = 24, kSpace = 10, kWindowTop = 4, kChannelButton = 20,
                kLeastFigure = 8;
constexpr lab::SlidingWindowRoom kRoom{10, 8, 27, 48};

using Window = lab::SlidingWindowExhibit;

struct SlidingWindowLayout {
  lab::SlidingWindowSizes sizes;
  const Window::Output* kept = nullptr;  ///< pinned; what is cropped follows it, not the mouse
  std::int64_t channel = 0;              ///< shown of input and filter
  lab::SlidingWindowView view;
  float cell = 0, small = 0;
  [[nodiscard]] float planes() const {
    const auto rows = std::max({view.rows.count, view.out_rows.count, shown_taps_down()});
    return kWindowHead + static_cast<float>(rows) * cell;
  }
  [[nodiscard]] float matrix() const {
    return kWindowHead + static_cast<float>(view.taps.count) * small;
  }
  [[nodiscard]] float height() const {
    return kWindowTop + planes() + kSpace + matrix() + kWindowWords;
  }
  [[nodiscard]] std::int64_t shown_taps_down() const {
    return std::min<std::int64_t>(10, sizes.tap_rows);
  }
  [[nodiscard]] std::int64_t shown_taps_across() const {
    return std::min<std::int64_t>(10, sizes.tap_columns);
  }
};

// Which output is kept is a choice of the view's own, and so is the channel of input and filter that is shown.
void keep_output(std::uint64_t index) { gui::keep("output", index); }

SlidingWindowLayout layout_of(const Window& window, const lab::SlidingWindowSizes& sizes,
                              float width) {
  SlidingWindowLayout layout;
  layout.sizes = sizes;
  const auto channels = static_cast<std::uint64_t>(std::max<std::int64_t>(1, sizes.channels));
  layout.channel = static_cast<std::int64_t>(std::min(kept("channel", 0), channels - 1));
  layout.kept = &window.outputs[std::min<std::size_t>(kept("output", window.chosen),
                                                      window.outputs.size() - 1)];
  layout.view =
      lab::view_of(window, sizes, lab::place_of(window, sizes, layout.kept->element), kRoom);
  const auto across = static_cast<float>(layout.view.columns.count + layout.shown_taps_across() +
                                         layout.view.out_columns.count);
  layout.cell = std::min(kWindowMostCell, std::floor((width - 2 * kWindowSign) / across));
  layout.small = std::min(
      kMostSmall,
      std::floor(width / static_cast<float>(std::max<std::int64_t>(1, layout.view.windows.count))));
  return layout;
}

class WindowPicture {
 public:
  WindowPicture(const Frame& frame, const Window& window, const SlidingWindowLayout& layout)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        window_(window),
        layout_(layout),
        sizes_(layout.sizes),
        view_(layout.view),
        left_(frame.corner.x),
        top_(frame.corner.y + kWindowTop),
        width_(frame.width) {
    filter_left_ = left_ + static_cast<float>(view_.columns.count) * layout_.cell + kWindowSign;
    outputs_left_ =
        filter_left_ + static_cast<float>(layout_.shown_taps_across()) * layout_.cell + kWindowSign;
    matrix_top_ = top_ + layout_.planes() + kSpace;
    output_type_ = {Face::mono, fitting_size(), ui_.theme.t1};
    for (const Window::Output& output : window_.outputs) {
      if (!std::isfinite(output.value)) continue;
      low_ = any_ ? std::min(low_, output.value) : output.value;
      high_ = any_ ? std::max(high_, output.value) : output.value;
      any_ = true;
    }
  }

  void draw() {
    shown_ = layout_.kept;
    if (const Window::Output* linked = linked_output()) shown_ = linked;
    point_at_outputs();
    point_at_matrix();
    point_at_inputs();
    place_ = lab::place_of(window_, sizes_, shown_->element);
    read_ = lab::read_of(window_, sizes_, *shown_);
    draw_heads();
    draw_inputs();
    draw_filter();
    draw_outputs();
    draw_matrix();
    draw_words();
  }

 private:
  [[nodiscard]] ImVec2 cell_at(float left, std::int64_t row, std::int64_t column) const {
    return {left + static_cast<float>(column) * layout_.cell,
            top_ + kWindowHead + static_cast<float>(row) * layout_.cell};
  }
  [[nodiscard]] ImVec2 small_at(std::int64_t tap, std::int64_t at) const {
    return {left_ + static_cast<float>(at) * layout_.small,
            matrix_top_ + kWindowHead + static_cast<float>(tap) * layout_.small};
  }
  [[nodiscard]] std::int64_t window_number(const lab::OutputPlace& place) const {
    return place.row * sizes_.out_columns + place.column;
  }

  /// What was stored by the thread that another panel points at.
  [[nodiscard]] const Window::Output* linked_output() const {
    const auto& thread = ui_.book.link.current().thread;
    if (!thread) return nullptr;
    const auto found = std::ranges::find_if(window_.outputs, [&](const Window::Output& output) {
      return output.block == thread->block && output.thread == thread->thread;
    });
    return found == window_.outputs.end() ? nullptr : &*found;
  }
  [[nodiscard]] static Link link_of(const Window::Output& output) {
    return link_to(output.block, output.thread);
  }
  void show(const Window::Output& output, bool pressed) {
    shown_ = &output;
    point_at(ui_, link_of(output), pressed);
    if (pressed) keep_output(static_cast<std::uint64_t>(&output - window_.outputs.data()));
  }

  void point_at_outputs() {
    const ImVec2 min = cell_at(outputs_left_, 0, 0),
                 max = cell_at(outputs_left_, view_.out_rows.count, view_.out_columns.count);
    const bool pressed = item("outputs", min, max);
    if (ImGui::IsItemFocused()) {
      step_by_keys();
      if (const auto next = stepped(channel(), channels())) gui::keep("channel", *next);
    }
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto row = static_cast<std::int64_t>((mouse.y - min.y) / layout_.cell),
               column = static_cast<std::int64_t>((mouse.x - min.x) / layout_.cell);
    if (const Window::Output* output =
            output_at(view_.out_rows.first + row, view_.out_columns.first + column))
      show(*output, pressed);
  }
  /// Of the filter that is kept.
  [[nodiscard]] const Window::Output* output_at(std::int64_t row, std::int64_t column) const {
    if (row < 0 || row >= sizes_.out_rows || column < 0 || column >= sizes_.out_columns)
      return nullptr;
    const std::int64_t filter = lab::place_of(window_, sizes_, layout_.kept->element).filter;
    return lab::find_output(window_, lab::output_element(window_, sizes_, {filter, row, column}));
  }

  /// Arrows: the neighbouring outputs.
  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};
    constexpr std::array<std::int64_t, 4> kAcross{-1, 1, 0, 0}, kDown{0, 0, -1, 1};
    const lab::OutputPlace at = lab::place_of(window_, sizes_, layout_.kept->element);
    own_keys(kKeys);
    for (std::size_t k = 0; k < kKeys.size(); ++k) {
      if (!ImGui::IsKeyPressed(kKeys[k])) continue;
      const Window::Output* next = output_at(at.row + kDown[k], at.column + kAcross[k]);
      if (!next) continue;
      keep_output(static_cast<std::uint64_t>(next - window_.outputs.data()));
      const Link link = link_of(*next);
      if (!(ui_.book.link.pinned() == link)) pin(ui_, link);
    }
  }

  void point_at_matrix() {
    const ImVec2 min = small_at(0, 0), max = small_at(view_.taps.count, view_.windows.count);
    const bool pressed = item("matrix", min, max);
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto tap = static_cast<std::int64_t>((mouse.y - min.y) / layout_.small),
               at = view_.windows.first +
                    static_cast<std::int64_t>((mouse.x - min.x) / layout_.small);
    if (tap < 0 || tap >= view_.taps.count || !view_.windows.holds(at)) return;
    pointed_ = lab::column_cell(window_, sizes_, tap, at);
    if (const Window::Output* output = output_at(at / sizes_.out_columns, at % sizes_.out_columns))
      show(*output, pressed);
  }

  void point_at_inputs() {
    const ImVec2 min = cell_at(left_, 0, 0),
                 max = cell_at(left_, view_.rows.count, view_.columns.count);
    item("inputs", min, max);
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto row = static_cast<std::int64_t>((mouse.y - min.y) / layout_.cell),
               column = static_cast<std::int64_t>((mouse.x - min.x) / layout_.cell);
    pointed_ = lab::input_element(
        window_, sizes_, {layout_.channel, view_.rows.first + row, view_.columns.first + column});
  }

  [[nodiscard]] std::uint64_t channel() const {
    return static_cast<std::uint64_t>(layout_.channel);
  }
  [[nodiscard]] std::uint64_t channels() const {
    return static_cast<std::uint64_t>(sizes_.channels);
  }
  /// Two buttons right of a head that is so long: the channel before, and the one after.
  void draw_channels(float left) const {
    if (channels() < 2) return;
    const float top = top_ + kWindowHead / 2 - 2 - kChannelButton / 2;
    if (icon_button(ui_, "channel before", {left, top}, Icon::chevron_left,
                    ui_.tr("gui.sliding_window.channel-before"), kChannelButton))
      gui::keep("channel", (channel() + channels() - 1) % channels());
    if (icon_button(ui_, "channel after", {left + kChannelButton, top}, Icon::chevron_right,
                    ui_.tr("gui.sliding_window.channel-after"), kChannelButton))
      gui::keep("channel", (channel() + 1) % channels());
  }

  void draw_heads() const {
    const std::string filter = std::to_string(place_.filter);
    const float middle = top_ + kWindowHead / 2 - 2;
    const auto head = [&](float x, float room, const std::string& text) {
      ink_.text_middle(x, middle, ui_.note(), ink_.fitted(ui_.note(), text, room));
    };
    const std::string input =
        ui_.tr("sliding_window.input",
               {{"name", window_.input.name}, {"channel", std::to_string(layout_.channel)}});
    const float room = filter_left_ - left_ - 6 - (channels() > 1 ? 2 * kChannelButton + 4 : 0);
    head(left_, room, input);
    draw_channels(left_ + std::min(ink_.width(ui_.note(), input), room) + 4);
    head(filter_left_, outputs_left_ - filter_left_ - 6,
         ui_.tr("sliding_window.filter", {{"filter", filter}}));
    head(outputs_left_, left_ + width_ - outputs_left_,
         ui_.tr("sliding_window.outputs", {{"filter", filter}}));
    const float centre =
        top_ + kWindowHead + static_cast<float>(layout_.shown_taps_down()) * layout_.cell / 2;
    const Type sign{Face::sans, 20, ui_.theme.t3};
    ink_.text_middle(filter_left_ - kWindowSign / 2, centre, sign, "*", Align::centre);
    ink_.text_middle(outputs_left_ - kWindowSign / 2, centre, sign, "=", Align::centre);
  }

  /// One size for all outputs that are shown: what differs in size would seem to differ in weight.
  [[nodiscard]] float fitting_size() const {
    float size = 13;
    for (std::int64_t r = 0; r < view_.out_rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.out_columns.count; ++c) {
        const Window::Output* output =
            output_at(view_.out_rows.first + r, view_.out_columns.first + c);
        if (!output) continue;
        const std::string text = lab::figure(output->value, 3);
        while (size > kLeastFigure && ink_.width({Face::mono, size, 0}, text) > layout_.cell - 2)
          --size;
      }
    }
    return size;
  }

  void cell(ImVec2 min, Colour colour, const std::string& text, float size) const {
    const ImVec2 max{min.x + size - 1, min.y + size - 1};
    ink_.fill(min, max, colour);
    for (const float height : {13.0f, 11.0f, 9.0f}) {
      const Type type{Face::mono, height, ui_.theme.t1};
      if (ink_.width(type, text) > size - 2) continue;
      ink_.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2, type, text, Align::centre);
      return;
    }
  }
  void padding(ImVec2 min, float size) const {
    ink_.dashed_outline(min, {min.x + size - 1, min.y + size - 1}, ui_.theme.line, 0);
  }
  void ring(ImVec2 min, float size, Colour colour, float thickness = measure::kRing) const {
    ink_.outline(min, {min.x + size - 1, min.y + size - 1}, colour, 0, thickness);
  }

  [[nodiscard]] Colour grey(std::int64_t input) const {
    const double value = lab::element(window_.input, static_cast<std::uint64_t>(input));
    if (!std::isfinite(value)) return ui_.theme.bad_tint;
    // A fixed and monotonous scale, so that cells need no survey of the whole image.
    const double share = std::abs(value) / (std::abs(value) + 8);
    return mix(ui_.theme.s3, ui_.theme.t3, static_cast<float>(share * 0.7));
  }

  void draw_inputs() const {
    for (std::int64_t r = 0; r < view_.rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.columns.count; ++c) {
        const ImVec2 min = cell_at(left_, r, c);
        const std::int64_t at = lab::input_element(
            window_, sizes_, {layout_.channel, view_.rows.first + r, view_.columns.first + c});
        if (at < 0) {
          padding(min, layout_.cell);
          continue;
        }
        cell(min, grey(at), lab::cell_text(window_.input, at), layout_.cell);
        if (pointed_ == at) ring(min, layout_.cell, ui_.theme.t1);
      }
    }
    for (const lab::SlidingWindowTap& tap : read_.taps) {
      if (tap.channel != layout_.channel || !view_.rows.holds(tap.place.row) ||
          !view_.columns.holds(tap.place.column))
        continue;
      const ImVec2 min =
          cell_at(left_, tap.place.row - view_.rows.first, tap.place.column - view_.columns.first);
      const bool unread = tap.input >= 0 && tap.reads == 0;
      if (unread)
        ink_.hatch(min, {min.x + layout_.cell - 1, min.y + layout_.cell - 1}, ui_.theme.bad, 6);
      ring(min, layout_.cell, unread ? ui_.theme.bad : ui_.theme.accent);
    }
    for (const std::int64_t stray : read_.astray) {
      if (stray < 0 || stray >= static_cast<std::int64_t>(lab::count(window_.input))) continue;
      const lab::InputPlace at = lab::input_place(window_, sizes_, stray);
      if (at.channel != layout_.channel || !view_.rows.holds(at.row) ||
          !view_.columns.holds(at.column))
        continue;
      const ImVec2 min = cell_at(left_, at.row - view_.rows.first, at.column - view_.columns.first);
      ring(min, layout_.cell, ui_.theme.bad);
      ink_.text_middle(min.x + layout_.cell - 3, min.y + 7, {Face::bold, 12, ui_.theme.bad}, "!",
                       Align::right);
    }
  }

  void draw_filter() const {
    for (const lab::SlidingWindowTap& tap : read_.taps) {
      if (tap.channel != layout_.channel || tap.row >= layout_.shown_taps_down() ||
          tap.column >= layout_.shown_taps_across())
        continue;
      const double value = lab::element(window_.weights, static_cast<std::uint64_t>(tap.weight));
      const double share = std::isfinite(value) ? std::abs(value) / (std::abs(value) + 2) : 1;
      const Colour colour = mix(ui_.theme.s3, ui_.theme.category[value < 0 ? 1 : 0],
                                value == 0 ? 0 : static_cast<float>(share));
      const ImVec2 min = cell_at(filter_left_, tap.row, tap.column);
      cell(min, colour, lab::cell_text(window_.weights, tap.weight), layout_.cell);
      if (pointed_ >= 0 && tap.input == pointed_) ring(min, layout_.cell, ui_.theme.t1);
    }
  }

  void draw_outputs() const {
    for (std::int64_t r = 0; r < view_.out_rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.out_columns.count; ++c) {
        const ImVec2 min = cell_at(outputs_left_, r, c);
        const Window::Output* output =
            output_at(view_.out_rows.first + r, view_.out_columns.first + c);
        if (!output) {
          padding(min, layout_.cell);
          continue;
        }
        const double share = high_ > low_ ? (output->value - low_) / (high_ - low_) : 0.5;
        const Colour colour = std::isfinite(output->value)
                                  ? mix(ui_.theme.s2, viridis(static_cast<float>(share)), 0.6f)
                                  : ui_.theme.bad_tint;
        const ImVec2 max{min.x + layout_.cell - 1, min.y + layout_.cell - 1};
        ink_.fill(min, max, colour);
        if (const std::string text = lab::figure(output->value, 3);
            ink_.width(output_type_, text) <= layout_.cell)
          ink_.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2, output_type_, text,
                           Align::centre);
        if (output->wrong) {
          ring(min, layout_.cell, ui_.theme.bad, 1);
          ink_.text_middle(min.x + layout_.cell - 3, min.y + 7, {Face::bold, 12, ui_.theme.bad},
                           "!", Align::right);
        }
        if (output == shown_) ring(min, layout_.cell, ui_.theme.accent);
      }
    }
  }

  void draw_matrix() const {
    const auto text = [](std::int64_t value) {
      return lab::grouped(static_cast<std::uint64_t>(value));
    };
    ink_.text_middle(left_, matrix_top_ + kWindowHead / 2 - 2, ui_.note(),
                     ui_.tr("sliding_window.matrix", {{"taps", text(sizes_.taps())},
                                                      {"windows", text(sizes_.windows())},
                                                      {"first", text(view_.windows.first)}}));
    const std::int64_t chosen = window_number(place_);
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      for (std::int64_t o = 0; o < view_.windows.count; ++o) {
        const std::int64_t input = lab::column_cell(window_, sizes_, t, view_.windows.first + o);
        const ImVec2 min = small_at(t, o);
        if (input < 0) {
          ink_.fill({min.x + layout_.small / 2 - 1, min.y + layout_.small / 2 - 1},
                    {min.x + layout_.small / 2 + 1, min.y + layout_.small / 2 + 1}, ui_.theme.line);
          continue;
        }
        ink_.fill(min, {min.x + layout_.small - 1, min.y + layout_.small - 1}, grey(input));
        if (pointed_ == input) ring(min, layout_.small, ui_.theme.t1);
      }
    }
    if (!view_.windows.holds(chosen)) return;
    const ImVec2 min = small_at(0, chosen - view_.windows.first),
                 max = small_at(view_.taps.count, chosen - view_.windows.first + 1);
    ink_.outline({min.x - 1, min.y - 1}, max, ui_.theme.accent, 2, measure::kRing);
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      const lab::SlidingWindowTap& tap = read_.taps[static_cast<std::size_t>(t)];
      if (tap.input >= 0 && tap.reads == 0) {
        const ImVec2 at = small_at(t, chosen - view_.windows.first);
        ring(at, layout_.small, ui_.theme.bad);
      }
    }
  }

  void draw_words() const {
    const auto tap = std::ranges::find_if(read_.taps, [&](const lab::SlidingWindowTap& t) {
      return pointed_ >= 0 && t.input == pointed_;
    });
    std::string says;
    if (tap != read_.taps.end()) {
      const std::int64_t weight = tap->met.value_or(tap->weight);
      const bool there =
          weight >= 0 && weight < static_cast<std::int64_t>(lab::count(window_.weights));
      says = ui_.tr("gui.sliding_window.tap",
                    {{"input", lab::cell_text(window_.input, tap->input)},
                     {"row", std::to_string(tap->place.row)},
                     {"column", std::to_string(tap->place.column)},
                     {"channel", std::to_string(tap->place.channel)},
                     {"weight", there ? lab::cell_text(window_.weights, weight) : "✗"},
                     {"reads", std::to_string(tap->reads)}});
    } else {
      says = ui_.tr("gui.sliding_window.output",
                    {{"place", lab::output_text(place_)},
                     {"value", lab::number(shown_->value, 6)},
                     {"thread", lab::grouped(shown_->thread)},
                     {"block", lab::grouped(shown_->block)},
                     {"column", lab::grouped(static_cast<std::uint64_t>(window_number(place_)))}});
    }
    ink_.text_middle(left_, matrix_top_ + layout_.matrix() + kWindowWords / 2, ui_.note(),
                     ink_.fitted(ui_.note(), says, width_));
  }

  const Ui& ui_;
  Ink ink_;
  const Window& window_;
  const SlidingWindowLayout& layout_;
  const lab::SlidingWindowSizes& sizes_;
  const lab::SlidingWindowView& view_;
  float left_, top_, width_;
  float filter_left_ = 0, outputs_left_ = 0, matrix_top_ = 0;
  Type output_type_;
  double low_ = 0, high_ = 0;
  bool any_ = false;
  const Window::Output* shown_ = nullptr;
  lab::OutputPlace place_;
  lab::SlidingWindowRead read_;
  std::int64_t pointed_ = lab::SlidingWindowTap::kPadding;  ///< an input
};
}  // namespace

float figure_of(const Frame& frame, const lab::SlidingWindowExhibit& window,
                const std::string& /*id*/) {
  const auto sizes = lab::sizes_of(window);
  if (!sizes || window.outputs.empty()) {
    return words(frame, frame.ui.tr(sizes ? "sliding_window.nobody" : "sliding_window.unfit"),
                 frame.ui.caption_style());
  }
  const SlidingWindowLayout layout = layout_of(window, *sizes, frame.width);
  if (frame.draw) WindowPicture(frame, window, layout).draw();
  return layout.height();
}

}  // namespace warpbook::gui
