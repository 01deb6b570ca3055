// The picture of threads and elements: threads in their blocks at the top, arrays below, a column an element, and a wire from a
// thread to each element that it touched. An element that a thread only read is joined by a dashed wire. What no thread wrote is
// an empty outline, what fell outside has a column beyond the array's end, and a thread that stored nothing ends at a bar
// before the arrays. The window and SVG draw the same.
#pragma once

#include <optional>
#include <vector>

#include "lab/exhibits/accesses/wire_plan.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// The left ends of the columns of both rows.
struct WireColumns {
  std::vector<double> threads, elements;
};

/// Where the parts of the picture lie.
struct WireLayout {
  /// `most`: columns of a row at most; more are folded.
  WireLayout(const AccessesExhibit& accesses, double width, std::size_t most);

  WirePlan plan;
  WireColumns columns;
  double thread_width = 0, element_width = 0;
  double width = 0, height = 0;
};

/// What is linked, and how far what moves has come. Left as it is, nothing is linked and all is in its place.
struct WireState {
  std::optional<std::uint32_t> thread, line;
  std::optional<std::int64_t> element;
  const WireColumns* columns = nullptr;  ///< where the columns are now; null: where they belong
  std::vector<double> lit;               ///< by column of threads, 0 to 1; empty: as it is linked
  std::vector<double> grown;             ///< by wire of the plan, 0 to 1; empty: wholly
};

/// Its items {"thread", thread of the launch} and {"element", element_number()} can be pointed at. The item {"idle-note"} is
/// the place below idle threads where arrays leave room, and {"index-row"} the row of the elements' numbers.
Drawing drawing_of(const AccessesExhibit& accesses, const WireLayout& layout,
                   const WireState& state, const Canvas& canvas);

/// An element of an array as one number, and back.
constexpr std::uint64_t element_number(std::uint32_t array, std::uint64_t element) {
  return std::uint64_t{array} << 48 | element;
}
constexpr std::uint32_t array_of_number(std::uint64_t number) {
  return static_cast<std::uint32_t>(number >> 48);
}
constexpr std::uint64_t element_of_number(std::uint64_t number) {
  return number & ((std::uint64_t{1} << 48) - 1);
}

}  // namespace warpbook::lab
