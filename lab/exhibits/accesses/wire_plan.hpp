// What the picture of threads and elements shows: worked out from the trace once, in columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/exhibits/accesses/accesses.hpp"

namespace warpbook::lab {

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
    std::uint32_t array = 0;  ///< that it stored to, else read from
    bool stores = false;      ///< else it only read there
    bool stray = false;
    std::vector<std::uint32_t> lines;
  };
  std::vector<Column> threads, elements;
  std::vector<Wire> wires;  ///< one a thread and element, threads in order
  std::vector<bool> idle;   ///< by thread of the launch: it stored nothing
  /// By array and element: the thread of the launch that stored there last, or -1. Empty for an array that is not written.
  std::vector<std::vector<std::int64_t>> writers;
  std::uint32_t threads_a_block = 1;
  std::size_t strays = 0;

  [[nodiscard]] std::optional<std::size_t> thread_column(std::uint32_t thread) const;
  [[nodiscard]] std::optional<std::size_t> element_column(std::int64_t element) const;
  /// The thread that stored to an element of an array last; none where no thread did.
  [[nodiscard]] std::optional<std::uint32_t> writer_of(std::uint32_t array,
                                                       std::uint64_t element) const;
  /// The column from which on all threads are idle, to the end of the launch.
  [[nodiscard]] std::size_t first_idle() const;
  /// Whether a thread's column is the first of its block, and the one before it is another block's.
  [[nodiscard]] bool starts_block(std::size_t column) const;
  /// The element that a thread wrote first, else the one it read first.
  [[nodiscard]] const Wire* wire_of(std::uint32_t thread) const;
};

/// Keeps at most `thread_columns` and `element_columns`. Where there are more, it leaves out the middle, because idle threads
/// and stray accesses are at the ends.
WirePlan plan_wires(const AccessesExhibit& accesses, std::size_t thread_columns,
                    std::size_t element_columns);

}  // namespace warpbook::lab
