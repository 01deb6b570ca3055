#include "lab/exhibits/tree/tree.hpp"

#include <algorithm>

#include "lab/exhibits/tree/tree_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

std::string places_text(const std::vector<std::uint32_t>& places) {
  std::string text;
  for (const std::uint32_t place : places)
    text += (text.empty() ? "" : ", ") + std::to_string(place);
  return text;
}

}  // namespace

std::string sentence_of(const TreeExhibit& tree, const Strings& strings) {
  std::vector<std::string> parts;
  if (tree.cut) parts.push_back(strings(tree.stopped ? "trace.stopped" : "trace.cut"));
  const TreeFigures figures = figures_of(tree);
  if (figures.joins == 0) {
    parts.push_back(strings("tree.nothing", {{"block", grouped(tree.block)}}));
    return sentences(strings, parts);
  }
  const double mean = static_cast<double>(figures.joins) / static_cast<double>(figures.warp_joins);
  parts.push_back(
      strings("tree.whole", {{"block", grouped(tree.block)},
                             {"values", counted(strings, "tree.values", figures.loaded)},
                             {"rounds", counted(strings, "tree.rounds", figures.rounds)}}));
  parts.push_back(
      strings("tree.issues", {{"pairs", counted(strings, "tree.pairs", figures.joins)},
                              {"joins", counted(strings, "tree.joins", figures.warp_joins)},
                              {"lanes", number(mean, 3)}}));
  if (figures.passes > figures.requests)
    parts.push_back(
        strings("tree.passes", {{"requests", counted(strings, "tile.requests", figures.requests)},
                                {"passes", counted(strings, "tile.passes", figures.passes)}}));
  const std::vector<TreeValue> values = values_in_last(tree);
  const auto having = [&](auto&& is) {
    return static_cast<std::uint64_t>(std::ranges::count_if(values, is));
  };
  if (const auto lost = having([](const TreeValue& value) { return value.times == 0; }))
    parts.push_back(counted(strings, "tree.lost", lost));
  if (const auto repeated = having([](const TreeValue& value) { return value.times > 1; }))
    parts.push_back(counted(strings, "tree.repeated", repeated));
  return sentences(strings, parts);
}

/// A row for each place that was written in a round.
Table table_of(const TreeExhibit& tree, const Strings& strings) {
  Table table{{strings("tree.head.round"), strings("tree.head.thread"), strings("tree.head.place"),
               strings("tree.head.from")},
              {}};
  for (std::size_t round = 0; round < tree.rounds.size(); ++round) {
    for (const TreeExhibit::Node& node : tree.rounds[round].nodes)
      table.rows.push_back({round_name(tree, round, strings), std::to_string(node.thread),
                            std::to_string(node.place), places_text(node.from)});
  }
  return table;
}

void compare(const TreeExhibit& a, const TreeExhibit& b, Comparer& comparer) {
  const TreeFigures one = figures_of(a), two = figures_of(b);
  comparer.figure("tree_rounds", figure_of(one.rounds), figure_of(two.rounds));
  comparer.figure("tree_issues", figure_of(one.warp_joins), figure_of(two.warp_joins));
  comparer.figure("shared_wavefronts", figure_of(one.passes), figure_of(two.passes));
}

bool valid(const TreeExhibit& v) {
  const auto whole = [&](const TreeExhibit::Node& node) {
    return node.place < v.places && node.thread < v.threads &&
           std::ranges::all_of(node.from, [&](std::uint32_t place) { return place < v.places; });
  };
  return std::ranges::all_of(v.rounds, [&](const TreeExhibit::Round& round) {
    return !round.nodes.empty() && std::ranges::all_of(round.nodes, whole) &&
           std::ranges::is_sorted(round.nodes, {}, &TreeExhibit::Node::place);
  });
}

}  // namespace warpbook::lab
