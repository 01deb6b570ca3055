// Summarises a set of wires: which threads wrote, and which elements no thread wrote, several threads wrote, or lie outside
// the array. The sentence, the pictures and the tables of every renderer use this one reading of the trace, so they agree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/exhibits/accesses/accesses.hpp"

namespace warpbook::lab {

/// One access by one thread, numbered through the whole grid.
struct Touch {
  std::uint64_t thread = 0;
  std::int64_t element = 0;
  friend auto operator<=>(const Touch&, const Touch&) = default;
};

struct ArraySummary {
  std::uint64_t elements = 0;              ///< that the array has
  std::uint64_t loads = 0, stores = 0;     ///< inside it; atomic operations are stores
  std::uint64_t read = 0, written = 0;     ///< distinct elements
  std::uint64_t readers = 0, writers = 0;  ///< distinct threads, of accesses inside
  std::uint64_t first_writer = 0, last_writer = 0;
  bool one_each = false;  ///< every writer stored exactly once
  std::optional<Touch>
      not_own;                  ///< the first store at another element than the thread's own number
  std::uint64_t unwritten = 0;  ///< elements that no store reached
  std::vector<std::uint64_t> first_unwritten;       ///< up to kFew of them
  std::uint64_t repeated = 0;                       ///< elements stored more than once
  std::uint64_t most_repeated = 0, most_times = 0;  ///< the one stored most, and how often
  std::uint64_t stray_loads = 0, stray_stores = 0;
  std::optional<Touch> first_stray_load, first_stray_store;
};

struct AccessesSummary {
  static constexpr std::size_t kFew = 6;
  std::uint64_t threads = 0;  ///< launched
  std::uint64_t block = 1;    ///< threads a block
  std::uint64_t storing = 0;  ///< threads that stored anything, inside or astray
  std::vector<ArraySummary> arrays;
};

AccessesSummary summarise(const AccessesExhibit& accesses);

/// The thread of a wire, numbered through the grid.
std::uint64_t thread_of(const AccessesExhibit& accesses, const AccessesExhibit::Wire& wire);
/// True where the wire ends outside its array.
bool is_stray(const AccessesExhibit& accesses, const AccessesExhibit::Wire& wire);

}  // namespace warpbook::lab
