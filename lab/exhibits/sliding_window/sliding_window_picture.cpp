#include "lab/exhibits/sliding_window/sliding_window_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Output = SlidingWindowExhibit::Output;
using Face = Letters::Face;

constexpr SlidingWindowRoom kShownRoom{10, 8, 27, 48};
constexpr double kSlidingTop = 4, kSlidingHead = 20, kSlidingBetween = 30, kSlidingGap = 10,
                 kWidestCell = 28, kWidestMatrixCell = 14, kChannelsWide = 40, kRingWide = 2,
                 kLeastDigits = 8, kDigitsFrom = 13;
constexpr Letters kHeadLetters{Face::sans, 13}, kAlarm{Face::sans, 12, true},
    kMatrixDigits{Face::mono, 9};

class SlidingWindowDrawing {
 public:
  SlidingWindowDrawing(const SlidingWindowExhibit& window, const SlidingWindowLayout& layout,
                       const SlidingWindowChoice& choice, const Canvas& canvas)
      : window_(window),
        layout_(layout),
        sizes_(layout.sizes),
        view_(layout.view),
        choice_(choice),
        canvas_(canvas),
        kept_place_(place_of(window, sizes_, choice.kept->element)),
        place_(place_of(window, sizes_, choice.shown->element)),
        read_(read_of(window, sizes_, *choice.shown)) {
    drawing_.width = layout.width;
    drawing_.height = layout.height;
    find_range();
    place_heads();
    place_inputs();
    place_window();
    place_strays();
    place_filter();
    place_outputs();
    place_matrix();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void find_range() {
    bool any = false;
    for (const Output& output : window_.outputs) {
      if (!std::isfinite(output.value)) continue;
      low_ = any ? std::min(low_, output.value) : output.value;
      high_ = any ? std::max(high_, output.value) : output.value;
      any = true;
    }
  }

  // The heads of the planes.

  void head(double x, double room, const std::string& text) {
    drawing_.text({x, kSlidingTop + kSlidingHead / 2 - 2}, canvas_.fitted(kHeadLetters, text, room),
                  kHeadLetters, Role::t3);
  }

  void place_heads() {
    const CellGrid &inputs = layout_.inputs, &filter = layout_.filter, &outputs = layout_.outputs;
    const std::string input = canvas_.strings(
        "sliding_window.input",
        {{"name", window_.input.name}, {"channel", std::to_string(choice_.channel)}});
    const bool channels = sizes_.channels > 1;
    const double room = filter.corner.x - inputs.corner.x - 6 - (channels ? kChannelsWide + 4 : 0);
    head(inputs.corner.x, room, input);
    if (channels) {
      const double left =
          inputs.corner.x + std::min(canvas_.text_width(kHeadLetters, input), room) + 4;
      drawing_.place({left, kSlidingTop - 2, kChannelsWide, kSlidingHead}, "channels");
    }
    const MessageArguments number{{"filter", std::to_string(place_.filter)}};
    head(filter.corner.x, outputs.corner.x - filter.corner.x - 6,
         canvas_.strings("sliding_window.filter", number));
    head(outputs.corner.x, layout_.width - outputs.corner.x,
         canvas_.strings("sliding_window.outputs", number));
    const double middle = filter.area().middle().y;
    const Letters sign{Face::sans, 20};
    drawing_.text({filter.corner.x - kSlidingBetween / 2, middle}, "*", sign, Role::t3,
                  Anchor::middle);
    drawing_.text({outputs.corner.x - kSlidingBetween / 2, middle}, "=", sign, Role::t3,
                  Anchor::middle);
  }

  // Cells.

  /// The text at the largest of a few sizes at which it has room; none where it has not.
  void digits(const Area& at, const std::string& text) {
    for (const double size : {13.0, 11.0, 9.0}) {
      const Letters letters{Face::mono, size};
      if (canvas_.text_width(letters, text) > at.width - 1) continue;
      drawing_.text(at.middle(), text, letters, Role::t1, Anchor::middle);
      return;
    }
  }
  void padding(const Area& at) { drawing_.outline(at, {Role::line, 1, kFineDashes}); }
  void ring(const Area& at, Role role, double width = kRingWide) {
    drawing_.outline(at, {role, width});
  }
  void alarm(const Area& at) {
    drawing_.text({at.right() - 2, at.y + 7}, "!", kAlarm, Role::bad, Anchor::right);
  }

  /// A fixed and monotonous scale, so that cells need no survey of the whole image.
  [[nodiscard]] Paint grey_of(std::int64_t input) const {
    const double value = element(window_.input, static_cast<std::uint64_t>(input));
    if (!std::isfinite(value)) return Role::bad_tint;
    constexpr double kFaintest = 0.08, kStrongest = 0.7;
    return {Role::t3,
            kFaintest + (kStrongest - kFaintest) * std::abs(value) / (std::abs(value) + 8)};
  }

  /// Where a place of the input is among the shown cells; none where it is cropped away.
  [[nodiscard]] std::optional<Area> shown_at(const InputPlace& place) const {
    if (place.channel != choice_.channel || !view_.rows.holds(place.row) ||
        !view_.columns.holds(place.column))
      return {};
    return layout_.inputs.at(place.row - view_.rows.first, place.column - view_.columns.first);
  }

  void place_inputs() {
    for (std::int64_t r = 0; r < view_.rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.columns.count; ++c) {
        const Area at = layout_.inputs.at(r, c);
        const std::int64_t input = input_element(
            window_, sizes_, {choice_.channel, view_.rows.first + r, view_.columns.first + c});
        if (input < 0) {
          padding(at);
          continue;
        }
        drawing_.rectangle(at, grey_of(input));
        digits(at, cell_text(window_.input, input));
        if (choice_.pointed == input) ring(at, Role::t1);
      }
    }
  }

  /// What should be read is ringed; what was not, hatched.
  void place_window() {
    for (const SlidingWindowTap& tap : read_.taps) {
      const auto at = shown_at(tap.place);
      if (!at) continue;
      const bool unread = is_unread(tap);
      if (unread) drawing_.hatch(*at, {Role::bad}, 6);
      ring(*at, unread ? Role::bad : Role::accent);
      drawing_.items.back().id =
          ItemId{unread ? "unread" : "tap", static_cast<std::uint64_t>(tap.weight)};
    }
  }
  static bool is_unread(const SlidingWindowTap& tap) { return tap.input >= 0 && tap.reads == 0; }

  void place_strays() {
    for (const std::int64_t stray : read_.astray) {
      if (stray < 0 || stray >= static_cast<std::int64_t>(count(window_.input))) continue;
      const auto at = shown_at(input_place(window_, sizes_, stray));
      if (!at) continue;
      ring(*at, Role::bad);
      drawing_.items.back().id = ItemId{"astray", static_cast<std::uint64_t>(stray)};
      alarm(*at);
    }
  }

  void place_filter() {
    for (const SlidingWindowTap& tap : read_.taps) {
      if (tap.channel != choice_.channel || tap.row >= layout_.filter.rows ||
          tap.column >= layout_.filter.columns)
        continue;
      const Area at = layout_.filter.at(tap.row, tap.column);
      const double value = element(window_.weights, static_cast<std::uint64_t>(tap.weight));
      const double share = std::isfinite(value) ? std::abs(value) / (std::abs(value) + 2) : 1;
      drawing_.rectangle(at, Role::s3);
      if (value != 0) drawing_.rectangle(at, {category(value < 0 ? 1 : 0), share});
      digits(at, cell_text(window_.weights, tap.weight));
      if (choice_.pointed >= 0 && tap.input == choice_.pointed) ring(at, Role::t1);
    }
  }

  [[nodiscard]] const Output* output_at(std::int64_t row, std::int64_t column) const {
    return find_output(window_, output_element(window_, sizes_, {kept_place_.filter, row, column}));
  }

  /// One size for all outputs that are shown: what differs in size would seem to differ in weight.
  [[nodiscard]] Letters output_letters() const {
    Letters letters{Face::mono, 13};
    for (std::int64_t r = 0; r < view_.out_rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.out_columns.count; ++c) {
        const Output* output = output_at(view_.out_rows.first + r, view_.out_columns.first + c);
        if (!output) continue;
        while (letters.size > kLeastDigits &&
               canvas_.text_width(letters, figure(output->value, 3)) > layout_.outputs.cell - 2)
          --letters.size;
      }
    }
    return letters;
  }

  void place_outputs() {
    const Letters letters = output_letters();
    for (std::int64_t r = 0; r < view_.out_rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.out_columns.count; ++c) {
        const Area at = layout_.outputs.at(r, c);
        const Output* output = output_at(view_.out_rows.first + r, view_.out_columns.first + c);
        if (!output)
          padding(at);
        else
          place_output(*output, at, letters);
      }
    }
  }

  void place_output(const Output& output, const Area& at, const Letters& letters) {
    const double share = high_ > low_ ? (output.value - low_) / (high_ - low_) : 0.5;
    drawing_.rectangle(at, std::isfinite(output.value)
                               ? Paint::of_value(sequence_colour(share), 0.6)
                               : Paint(Role::bad_tint));
    if (const std::string text = figure(output.value, 3);
        canvas_.text_width(letters, text) <= layout_.outputs.cell)
      drawing_.text(at.middle(), text, letters, Role::t1, Anchor::middle);
    if (output.wrong) {
      ring(at, Role::bad, 1);
      alarm(at);
    }
    if (&output == choice_.shown) ring(at, Role::accent);
  }

  // The im2col matrix.

  void place_matrix() {
    const auto text = [](std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); };
    drawing_.text({layout_.matrix.corner.x, layout_.matrix.corner.y - kSlidingHead / 2 - 2},
                  canvas_.strings("sliding_window.matrix", {{"taps", text(sizes_.taps())},
                                                            {"windows", text(sizes_.windows())},
                                                            {"first", text(view_.windows.first)}}),
                  kHeadLetters, Role::t3);
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      for (std::int64_t o = 0; o < view_.windows.count; ++o) place_matrix_cell(t, o);
    }
    const std::int64_t column =
        place_.row * sizes_.out_columns + place_.column - view_.windows.first;
    if (column < 0 || column >= view_.windows.count) return;
    const Area first = layout_.matrix.at(0, column),
               last = layout_.matrix.at(view_.taps.count - 1, column);
    drawing_.outline(Area{first.x, first.y, first.width, last.bottom() - first.y}.grown(1),
                     {Role::accent, kRingWide}, 2);
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      if (is_unread(read_.taps[static_cast<std::size_t>(t)]))
        ring(layout_.matrix.at(t, column), Role::bad);
    }
  }

  /// A dot stands for padding.
  void place_matrix_cell(std::int64_t tap, std::int64_t column) {
    const Area at = layout_.matrix.at(tap, column);
    const std::int64_t input = column_cell(window_, sizes_, tap, view_.windows.first + column);
    if (input < 0) {
      const double x = at.x + layout_.matrix.cell / 2, y = at.y + layout_.matrix.cell / 2;
      drawing_.rectangle({x - 1, y - 1, 2, 2}, Role::line);
      return;
    }
    drawing_.rectangle(at, grey_of(input));
    if (at.width >= kDigitsFrom) {
      const std::string text = cell_text(window_.input, input);
      if (canvas_.text_width(kMatrixDigits, text) <= at.width - 1)
        drawing_.text(at.middle(), text, kMatrixDigits, Role::t1, Anchor::middle);
    }
    if (choice_.pointed == input) ring(at, Role::t1);
  }

  const SlidingWindowExhibit& window_;
  const SlidingWindowLayout& layout_;
  const SlidingWindowSizes& sizes_;
  const SlidingWindowView& view_;
  const SlidingWindowChoice& choice_;
  const Canvas& canvas_;
  OutputPlace kept_place_, place_;
  SlidingWindowRead read_;
  double low_ = 0, high_ = 0;  // of the finite outputs
  Drawing drawing_;
};

}  // namespace

std::optional<CellGrid::Place> CellGrid::place_at(const Point& point) const {
  if (!area().holds(point)) return {};
  return Place{std::min(rows - 1, static_cast<std::int64_t>((point.y - corner.y) / cell)),
               std::min(columns - 1, static_cast<std::int64_t>((point.x - corner.x) / cell))};
}

SlidingWindowLayout::SlidingWindowLayout(const SlidingWindowExhibit& window,
                                         const SlidingWindowSizes& window_sizes,
                                         const SlidingWindowExhibit::Output& kept, double wide)
    : sizes(window_sizes),
      view(view_of(window, sizes, place_of(window, sizes, kept.element), kShownRoom)),
      width(wide) {
  filter.rows = std::min(kShownRoom.cells, sizes.tap_rows);
  filter.columns = std::min(kShownRoom.cells, sizes.tap_columns);
  inputs.rows = view.rows.count;
  inputs.columns = view.columns.count;
  outputs.rows = view.out_rows.count;
  outputs.columns = view.out_columns.count;
  matrix.rows = view.taps.count;
  matrix.columns = view.windows.count;
  const auto across = static_cast<double>(inputs.columns + filter.columns + outputs.columns);
  const double cell = std::min(kWidestCell, std::floor((width - 2 * kSlidingBetween) / across)),
               top = kSlidingTop + kSlidingHead;
  inputs.cell = filter.cell = outputs.cell = std::max(1.0, cell);
  inputs.corner = {0, top};
  filter.corner = {inputs.area().right() + kSlidingBetween, top};
  outputs.corner = {filter.area().right() + kSlidingBetween, top};
  matrix.cell = std::max(
      1.0,
      std::min(kWidestMatrixCell,
               std::floor(width / static_cast<double>(std::max<std::int64_t>(1, matrix.columns)))));
  const double planes =
      std::max({inputs.area().bottom(), filter.area().bottom(), outputs.area().bottom()});
  matrix.corner = {0, planes + kSlidingGap + kSlidingHead};
  height = matrix.area().bottom();
}

Drawing drawing_of(const SlidingWindowExhibit& window, const SlidingWindowLayout& layout,
                   const SlidingWindowChoice& choice, const Canvas& canvas) {
  return SlidingWindowDrawing(window, layout, choice, canvas).take();
}

}  // namespace warpbook::lab
