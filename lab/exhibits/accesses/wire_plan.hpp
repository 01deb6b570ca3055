// What the thread-to-element picture shows: worked out from the trace once, in columns; drawing is
// elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/model/exhibits.hpp"

namespace warpbook::gui {

struct WirePlan {
  /// A place in a row that may leave out its middle.
  struct Column {
    std::int64_t index = 0;  ///< thread of the launch, or element; of a gap: how many are left out
    bool gap = false;
    bool outside = false;  ///< an element that no array has
  };
  struct Wire {
    std::uint32_t thread = 0;  ///< of the launch
    std::int64_t element = 0;
    bool stores = false;  ///< else it only read there
    bool stray = false;
    std::vector<std::uint32_t> lines;
  };
  std::vector<Column> threads, elements;
  std::vector<Wire> wires;  ///< one a thread and element, threads in order
  std::vector<bool> idle;   ///< by thread of the launch: it stored nothing
  std::vector<std::int64_t>
      writer;  ///< by element of the first written array: thread of the launch, or -1
  std::uint32_t threads_a_block = 1;
  std::size_t strays = 0;

  [[nodiscard]] std::optional<std::size_t> thread_column(std::uint32_t thread) const;
  [[nodiscard]] std::optional<std::size_t> element_column(std::int64_t element) const;
  /// The element that a thread wrote first, else the one it read first.
  [[nodiscard]] const Wire* wire_of(std::uint32_t thread) const;
};

/// At most `thread_columns` and `element_columns` are kept; the middle is left out where there are
/// more, and what is told of the ends (idle threads, strays) stays.
WirePlan plan_wires(const lab::AccessesExhibit& accesses, std::size_t thread_columns,
                    std::size_t element_columns);

}  // namespace warpbook::gui
