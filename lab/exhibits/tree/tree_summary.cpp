#include "lab/exhibits/tree/tree_summary.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Node = TreeExhibit::Node;

bool joins(const Node& node) { return !node.from.empty(); }
bool joins(const TreeExhibit::Round& round) {
  return std::ranges::any_of(round.nodes, [](const Node& node) { return joins(node); });
}

std::uint64_t warps_among(const std::vector<Node>& nodes, bool joining_alone) {
  std::set<std::size_t> warps;
  for (const Node& node : nodes) {
    if (joins(node) || !joining_alone) warps.insert(warp_of(node));
  }
  return warps.size();
}

}  // namespace

std::size_t warp_of(const Node& node) { return node.thread / device::kLanes; }

TreeRoundFigures figures_of(const TreeExhibit& tree, std::size_t round) {
  const std::vector<Node>& nodes = tree.rounds[round].nodes;
  return {static_cast<std::uint64_t>(
              std::ranges::count_if(nodes, [](const Node& node) { return joins(node); })),
          nodes.size(), warps_among(nodes, false)};
}

TreeFigures figures_of(const TreeExhibit& tree) {
  TreeFigures figures;
  for (std::size_t round = 0; round < tree.rounds.size(); ++round) {
    const TreeExhibit::Round& one = tree.rounds[round];
    const TreeRoundFigures of_round = figures_of(tree, round);
    figures.loaded += of_round.writes - of_round.joins;
    figures.joins += of_round.joins;
    figures.warp_joins += warps_among(one.nodes, true);
    figures.requests += one.requests;
    figures.passes += one.passes;
    if (of_round.joins != 0) ++figures.rounds;
  }
  return figures;
}

std::vector<TreeValue> values_in_last(const TreeExhibit& tree) {
  if (tree.cut || tree.rounds.empty() || !joins(tree.rounds.back())) return {};
  // Backwards: how often what a place holds after a round is in the last value.
  std::vector<std::uint64_t> times(tree.places, 0);
  times[tree.rounds.back().nodes.front().place] = 1;
  std::vector<TreeValue> values;
  for (auto round = tree.rounds.rbegin(); round != tree.rounds.rend(); ++round) {
    std::vector<std::uint64_t> of_node;
    for (const Node& node : round->nodes)
      of_node.push_back(std::exchange(times[node.place], 0));  // what it held before is gone
    for (std::size_t i = 0; i < round->nodes.size(); ++i) {
      const Node& node = round->nodes[i];
      if (!joins(node)) values.push_back({node.place, of_node[i]});
      for (const std::uint32_t place : node.from) times[place] += of_node[i];
    }
  }
  return values;
}

std::string round_name(const TreeExhibit& tree, std::size_t round, const Strings& strings) {
  if (!joins(tree.rounds[round])) return strings("tree.filled");
  const auto before =
      std::count_if(tree.rounds.begin(), tree.rounds.begin() + static_cast<std::ptrdiff_t>(round),
                    [](const auto& each) { return joins(each); });
  return strings("tree.round", {{"number", std::to_string(before + 1)}});
}

std::string round_text(const TreeExhibit& tree, std::size_t round, const Strings& strings) {
  const TreeExhibit::Round& one = tree.rounds[round];
  const TreeRoundFigures figures = figures_of(tree, round);
  std::vector<std::string> parts{
      strings(figures.joins == 0 ? "tree.round-fills" : "tree.round-joins",
              {{"name", round_name(tree, round, strings)},
               {"writes", counted(strings, "tree.places", figures.writes)},
               {"pairs", counted(strings, "tree.pairs", figures.joins)},
               {"warps", counted(strings, "tree.warps", figures.warps)},
               {"lanes", number(static_cast<double>(figures.writes) /
                                    static_cast<double>(std::max<std::uint64_t>(1, figures.warps)),
                                3)}})};
  if (one.passes > one.requests)
    parts.push_back(
        strings("tree.passes", {{"requests", counted(strings, "tile.requests", one.requests)},
                                {"passes", counted(strings, "tile.passes", one.passes)}}));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
