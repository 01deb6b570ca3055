// What the renderers of a convolution's windows share: where a window should lie, what of it was read, and which part of
// planes and matrix is shown where not all have room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/sliding_window/sliding_window.hpp"

namespace warpbook::lab {

struct SlidingWindowSizes {
  std::int64_t channels = 0, height = 0, width = 0;  ///< of the input
  std::int64_t tap_rows = 0, tap_columns = 0;        ///< of a filter
  std::int64_t filters = 0, out_rows = 0, out_columns = 0;
  /// Rows of the im2col matrix, and its columns: one a window.
  [[nodiscard]] std::int64_t taps() const { return channels * tap_rows * tap_columns; }
  [[nodiscard]] std::int64_t windows() const { return out_rows * out_columns; }
};
/// Nothing where shapes, data and settings do not belong together.
std::optional<SlidingWindowSizes> sizes_of(const SlidingWindowExhibit& window);

struct OutputPlace {
  std::int64_t filter = 0, row = 0, column = 0;
};
OutputPlace place_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                     std::uint64_t element);
std::uint64_t output_element(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                             const OutputPlace& place);
/// The output whose store was seen; null where there is none.
const SlidingWindowExhibit::Output* find_output(const SlidingWindowExhibit& window,
                                                std::uint64_t element);

/// A place of the input, padding included.
struct InputPlace {
  std::int64_t channel = 0, row = 0, column = 0;
};
/// -1: outside, padding.
std::int64_t input_element(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                           const InputPlace& place);
InputPlace input_place(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                       std::int64_t element);

/// What belongs to one tap of an output's window, and what its thread did there.
struct SlidingWindowTap {
  static constexpr std::int64_t kPadding = -1;
  std::int64_t channel = 0, row = 0, column = 0;  ///< in the filter
  InputPlace place;                               ///< in the input
  std::int64_t input = kPadding, weight = 0;      ///< elements
  std::uint32_t reads = 0;                        ///< of the input
  std::optional<std::int64_t> met;  ///< the element of the weights that was read together with it
};
/// The taps in the order of the weights in memory: the rows of the im2col matrix.
struct SlidingWindowRead {
  /// How the thread put inputs and weights together; unknown where it did not read as many of both.
  enum class Pairing : std::uint8_t { unknown, as_it_stands, flipped, other };
  std::vector<SlidingWindowTap> taps;
  std::vector<std::int64_t> astray;  ///< inputs read that are not in the window, in order
  std::uint64_t missing = 0, repeated = 0, padding = 0;
  Pairing pairing = Pairing::unknown;
};
constexpr auto enum_names(SlidingWindowRead::Pairing) {
  return device::checked_names<SlidingWindowRead::Pairing>("unknown", "as-it-stands", "flipped",
                                                           "other");
}
SlidingWindowRead read_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                          const SlidingWindowExhibit::Output& output);
/// Inputs of that output's window that lie in the image, by row of the im2col matrix; kPadding elsewhere.
std::int64_t column_cell(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                         std::int64_t tap, std::int64_t window_number);

/// Neighbouring places of which as many are shown as have room.
struct ShownSpan {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] bool holds(std::int64_t at) const { return at >= first && at < first + count; }
};
/// At most `room` of [begin, begin + count), round [focus, focus + length).
ShownSpan shown_span(std::int64_t begin, std::int64_t count, std::int64_t focus,
                     std::int64_t length, std::int64_t room);

struct SlidingWindowRoom {
  std::int64_t cells = 10, outputs = 8, taps = 27, windows = 24;
};
struct SlidingWindowView {
  ShownSpan rows, columns;          ///< of the input, padding included
  ShownSpan out_rows, out_columns;  ///< of the output
  ShownSpan taps, windows;          ///< of the im2col matrix
};
SlidingWindowView view_of(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                          const OutputPlace& place, const SlidingWindowRoom& room);

/// The element as the picture says it: few digits.
std::string cell_text(const TensorExhibit& tensor, std::int64_t element);
/// "(2, 3)"
std::string output_text(const OutputPlace& place);

}  // namespace warpbook::lab
