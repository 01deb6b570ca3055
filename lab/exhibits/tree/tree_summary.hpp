// What the renderers of a tree share: its figures, what of its values arrives, and its rounds in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/tree/tree.hpp"

namespace warpbook::lab {

/// The warp of a thread.
std::size_t warp_of(const TreeExhibit::Node& node);

struct TreeRoundFigures {
  std::uint64_t joins = 0;   ///< nodes that were made of other places
  std::uint64_t writes = 0;  ///< all nodes
  std::uint64_t warps = 0;   ///< with a thread that wrote
};
TreeRoundFigures figures_of(const TreeExhibit& tree, std::size_t round);

struct TreeFigures {
  std::uint64_t loaded = 0;  ///< values from elsewhere
  std::uint64_t rounds = 0;  ///< in which places were joined
  std::uint64_t joins = 0;
  std::uint64_t warp_joins =
      0;  ///< of each warp one for each round in which a thread of it joined places
  std::uint64_t requests = 0, passes = 0;
};
TreeFigures figures_of(const TreeExhibit& tree);

/// How often each value that came from elsewhere is in the last one: 1, and where the tree is wrong 0 or more than 1. In
/// no order; empty where no places were joined last, and of a tree that is cut, whose last value is not known.
struct TreeValue {
  std::uint32_t place = 0;
  std::uint64_t times = 0;
};
std::vector<TreeValue> values_in_last(const TreeExhibit& tree);

/// "Filled", "Round 2": rounds are counted from the first one that joins places.
std::string round_name(const TreeExhibit& tree, std::size_t round, const Strings& strings);
/// What happened in a round, in sentences; passes over the banks are told where requests took more than one.
std::string round_text(const TreeExhibit& tree, std::size_t round, const Strings& strings);

}  // namespace warpbook::lab
