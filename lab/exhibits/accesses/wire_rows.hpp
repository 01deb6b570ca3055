// Wires as rows of a table, one a thread, or one a run of threads that did the same thing one element further on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/accesses/accesses.hpp"

namespace warpbook::lab {

/// Elements of one array: `first`, then every `step`, up to `last`.
struct ElementRun {
  std::uint32_t array = 0;
  std::int64_t first = 0, last = 0, step = 0;  ///< step 0: the one element
  bool stray = false;                          ///< outside the array, all of them
};

struct WireRow {
  std::uint64_t first_block = 0, last_block = 0;
  std::uint64_t first_thread = 0,
                last_thread = 0;          ///< in the block; of several blocks, whole blocks
  std::vector<ElementRun> reads, writes;  ///< both empty: threads that touched nothing
  [[nodiscard]] bool idle() const { return reads.empty() && writes.empty(); }
};

/// At most `most` rows in the order of threads; `more` counts the rest. Threads are folded where there are more of them
/// than rows. Of a cut trace the idle threads are left out, because they may have accesses past the cut.
struct WireRows {
  std::vector<WireRow> rows;
  std::uint64_t more = 0;
};
WireRows rows_of(const AccessesExhibit& accesses, std::size_t most);

/// "out[3]", "x[0 … 255]", "x[0, 2 … 510]"; a stray one ends in ✗.
std::string run_text(const AccessesExhibit& accesses, const ElementRun& run);
/// Runs one after another, at most `most` of them.
std::string runs_text(const AccessesExhibit& accesses, const std::vector<ElementRun>& runs,
                      std::size_t most = 6);

/// Threads wired to elements, as SVG. Empty where there are too many to be told apart; a table stands for them then.
std::string svg_wires(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption);

}  // namespace warpbook::lab
