#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {
namespace {

/// Beyond any tensor that a page shows; products of two such extents stay within 64 bits.
constexpr std::uint64_t kMostExtent = std::uint64_t{1} << 30, kMostSetting = 1u << 20;

std::int64_t extent_of(const TensorExhibit& tensor, std::size_t dimension) {
  return static_cast<std::int64_t>(tensor.shape[dimension]);
}

bool whole(const TensorExhibit& tensor, std::size_t rank) {
  return tensor.shape.size() == rank && count(tensor) == held(tensor) && count(tensor) != 0 &&
         std::ranges::all_of(tensor.shape, [](std::uint64_t e) { return e < kMostExtent; });
}

/// Channel, row and column of a tap, by its number in a filter's memory.
SlidingWindowTap tap_at(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                        std::int64_t number) {
  SlidingWindowTap tap;
  if (window.channels_last) {
    tap.channel = number % sizes.channels;
    tap.column = number / sizes.channels % sizes.tap_columns;
    tap.row = number / sizes.channels / sizes.tap_columns;
  } else {
    tap.column = number % sizes.tap_columns;
    tap.row = number / sizes.tap_columns % sizes.tap_rows;
    tap.channel = number / sizes.tap_columns / sizes.tap_rows;
  }
  return tap;
}

InputPlace input_of_tap(const SlidingWindowExhibit& window, const SlidingWindowTap& tap,
                        std::int64_t out_row, std::int64_t out_column) {
  const std::int64_t stride = window.stride, pad = window.pad, dilation = window.dilation;
  return {tap.channel, out_row * stride - pad + tap.row * dilation,
          out_column * stride - pad + tap.column * dilation};
}

/// Whether all taps met the weight that stands at their place, or all the one at the mirrored place.
SlidingWindowRead::Pairing pairing_of(const SlidingWindowExhibit& window,
                                      const SlidingWindowSizes& sizes,
                                      const std::vector<SlidingWindowTap>& taps,
                                      std::int64_t filter) {
  bool straight = true, flipped = true, any = false;
  for (const SlidingWindowTap& tap : taps) {
    if (!tap.met) continue;
    any = true;
    const std::int64_t number = *tap.met - filter * sizes.taps();
    if (number < 0 || number >= sizes.taps()) return SlidingWindowRead::Pairing::other;
    const SlidingWindowTap met = tap_at(window, sizes, number);
    const bool channel = met.channel == tap.channel;
    straight = straight && channel && met.row == tap.row && met.column == tap.column;
    flipped = flipped && channel && met.row == sizes.tap_rows - 1 - tap.row &&
              met.column == sizes.tap_columns - 1 - tap.column;
  }
  if (!any) return SlidingWindowRead::Pairing::unknown;
  if (straight) return SlidingWindowRead::Pairing::as_it_stands;
  return flipped ? SlidingWindowRead::Pairing::flipped : SlidingWindowRead::Pairing::other;
}

}  // namespace

std::optional<SlidingWindowSizes> sizes_of(const SlidingWindowExhibit& window) {
  if (!whole(window.input, 3) || !whole(window.weights, 4)) return {};
  const bool last = window.channels_last;
  SlidingWindowSizes sizes;
  sizes.channels = extent_of(window.input, last ? 2 : 0);
  sizes.height = extent_of(window.input, last ? 0 : 1);
  sizes.width = extent_of(window.input, last ? 1 : 2);
  sizes.filters = extent_of(window.weights, 0);
  sizes.tap_rows = extent_of(window.weights, last ? 1 : 2);
  sizes.tap_columns = extent_of(window.weights, last ? 2 : 3);
  if (extent_of(window.weights, last ? 3 : 1) != sizes.channels) return {};
  if (window.filters != static_cast<std::uint64_t>(sizes.filters) ||
      window.out_rows >= kMostExtent || window.out_columns >= kMostExtent)
    return {};
  for (const std::uint64_t setting : {window.stride, window.pad, window.dilation}) {
    if (setting > kMostSetting) return {};
  }
  if (window.stride == 0 || window.dilation == 0) return {};
  sizes.out_rows = static_cast<std::int64_t>(window.out_rows);
  sizes.out_columns = static_cast<std::int64_t>(window.out_columns);
  if (sizes.windows() == 0) return {};
  return sizes;
}

OutputPlace place_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                     std::uint64_t element) {
  const auto at = static_cast<std::int64_t>(element);
  if (window.channels_last) {
    return {at % sizes.filters, at / sizes.filters / sizes.out_columns,
            at / sizes.filters % sizes.out_columns};
  }
  return {at / sizes.windows(), at / sizes.out_columns % sizes.out_rows, at % sizes.out_columns};
}

std::uint64_t output_element(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                             const OutputPlace& place) {
  const std::int64_t pixel = place.row * sizes.out_columns + place.column;
  return static_cast<std::uint64_t>(window.channels_last ? pixel * sizes.filters + place.filter
                                                         : place.filter * sizes.windows() + pixel);
}

const SlidingWindowExhibit::Output* find_output(const SlidingWindowExhibit& window,
                                                std::uint64_t element) {
  const auto found =
      std::ranges::lower_bound(window.outputs, element, {}, &SlidingWindowExhibit::Output::element);
  return found == window.outputs.end() || found->element != element ? nullptr : &*found;
}

std::int64_t input_element(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                           const InputPlace& place) {
  if (place.row < 0 || place.row >= sizes.height || place.column < 0 || place.column >= sizes.width)
    return SlidingWindowTap::kPadding;
  return window.channels_last
             ? (place.row * sizes.width + place.column) * sizes.channels + place.channel
             : (place.channel * sizes.height + place.row) * sizes.width + place.column;
}

InputPlace input_place(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                       std::int64_t element) {
  if (window.channels_last) {
    return {element % sizes.channels, element / sizes.channels / sizes.width,
            element / sizes.channels % sizes.width};
  }
  return {element / sizes.width / sizes.height, element / sizes.width % sizes.height,
          element % sizes.width};
}

SlidingWindowRead read_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                          const SlidingWindowExhibit::Output& output) {
  struct Read {
    std::uint32_t times = 0;
    std::int64_t met = 0;
    bool in_window = false;
  };
  std::map<std::int64_t, Read> reads;
  const bool paired = output.inputs.size() == output.weights.size();
  for (std::size_t i = 0; i < output.inputs.size(); ++i) {
    Read& read = reads[output.inputs[i]];
    if (read.times++ == 0 && paired) read.met = output.weights[i];
  }
  const OutputPlace place = place_of(window, sizes, output.element);
  SlidingWindowRead made;
  for (std::int64_t number = 0; number < sizes.taps(); ++number) {
    SlidingWindowTap tap = tap_at(window, sizes, number);
    tap.place = input_of_tap(window, tap, place.row, place.column);
    tap.input = input_element(window, sizes, tap.place);
    tap.weight = place.filter * sizes.taps() + number;
    if (tap.input == SlidingWindowTap::kPadding) {
      ++made.padding;
    } else if (const auto read = reads.find(tap.input); read == reads.end()) {
      ++made.missing;
    } else {
      read->second.in_window = true;
      tap.reads = read->second.times;
      made.repeated += tap.reads - 1;
      if (paired) tap.met = read->second.met;
    }
    made.taps.push_back(tap);
  }
  for (const std::int64_t input : output.inputs) {
    if (!reads[input].in_window && std::ranges::find(made.astray, input) == made.astray.end())
      made.astray.push_back(input);
  }
  made.pairing = pairing_of(window, sizes, made.taps, place.filter);
  return made;
}

std::int64_t column_cell(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                         std::int64_t tap, std::int64_t window_number) {
  return input_element(
      window, sizes,
      input_of_tap(window, tap_at(window, sizes, tap), window_number / sizes.out_columns,
                   window_number % sizes.out_columns));
}

ShownSpan shown_span(std::int64_t begin, std::int64_t count, std::int64_t focus,
                     std::int64_t length, std::int64_t room) {
  if (count <= room) return {begin, std::max<std::int64_t>(0, count)};
  const std::int64_t first = length >= room ? focus : focus - (room - length) / 2;
  return {std::clamp(first, begin, begin + count - room), room};
}

SlidingWindowView view_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                          const OutputPlace& place, const SlidingWindowRoom& room) {
  const std::int64_t pad = window.pad, stride = window.stride, dilation = window.dilation;
  SlidingWindowView view;
  view.rows = shown_span(-pad, sizes.height + 2 * pad, place.row * stride - pad,
                         (sizes.tap_rows - 1) * dilation + 1, room.cells);
  view.columns = shown_span(-pad, sizes.width + 2 * pad, place.column * stride - pad,
                            (sizes.tap_columns - 1) * dilation + 1, room.cells);
  view.out_rows = shown_span(0, sizes.out_rows, place.row, 1, room.outputs);
  view.out_columns = shown_span(0, sizes.out_columns, place.column, 1, room.outputs);
  view.taps = shown_span(0, sizes.taps(), 0, 1, room.taps);
  view.windows =
      shown_span(0, sizes.windows(), place.row * sizes.out_columns + place.column, 1, room.windows);
  return view;
}

std::string cell_text(const TensorExhibit& tensor, std::int64_t element) {
  return figure(lab::element(tensor, static_cast<std::uint64_t>(element)), 3);
}

std::string output_text(const OutputPlace& place) {
  return fmt::format("({}, {})", place.row, place.column);
}

}  // namespace warpbook::lab
