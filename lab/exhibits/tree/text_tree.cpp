#include <algorithm>
#include <set>
#include <string>

#include "lab/exhibits/tree/tree_summary.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint32_t kMostThreads = 64;  ///< that a line has room for

/// A sign for each thread of the block's first warps: "#" it wrote, "." only others of its warp did, " " its whole warp rested.
std::string threads_line(const TreeExhibit& tree, std::size_t round) {
  std::set<std::uint32_t> writers;
  std::set<std::size_t> warps;
  for (const TreeExhibit::Node& node : tree.rounds[round].nodes) {
    writers.insert(node.thread);
    warps.insert(warp_of(node));
  }
  std::string line;
  for (std::uint32_t thread = 0; thread < std::min(tree.threads, kMostThreads); ++thread) {
    if (thread != 0 && thread % device::kLanes == 0) line += ' ';
    line += writers.contains(thread) ? '#' : warps.contains(thread / device::kLanes) ? '.' : ' ';
  }
  return line;
}

}  // namespace

void text_body(const TreeExhibit& tree, const Strings& strings, Page& page) {
  if (tree.rounds.empty()) return;
  int widest = 0;
  for (std::size_t round = 0; round < tree.rounds.size(); ++round)
    widest = std::max(widest, columns_of(round_name(tree, round, strings)));
  for (std::size_t round = 0; round < tree.rounds.size(); ++round) {
    const std::string name = round_name(tree, round, strings);
    page.line("  " + name +
              std::string(static_cast<std::size_t>(widest - columns_of(name)) + 2, ' ') +
              threads_line(tree, round));
  }
  page.paragraph(strings("tree.signs"), 2, Ink::quiet);
  if (tree.threads > kMostThreads)
    page.paragraph(strings("tree.more-threads", {{"shown", std::to_string(kMostThreads)},
                                                 {"threads", grouped(tree.threads)}}),
                   2, Ink::quiet);
}

}  // namespace warpbook::lab
