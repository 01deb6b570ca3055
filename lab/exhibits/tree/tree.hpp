// A tree in a block's shared memory: which thread joined which places in which round, from what the block did.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// How a block brought many values together in an array of its shared memory. The trace says who read and wrote which place; what
/// was computed from it (a sum, a maximum) it does not say.
struct TreeExhibit {
  static constexpr std::string_view kKind = "tree";
  /// A place that a thread wrote.
  struct Node {
    std::uint32_t place = 0, thread = 0;
    /// Places that the thread had read since it last wrote, ascending, each once. Empty: the value came from elsewhere.
    std::vector<std::uint32_t> from;
    friend bool operator==(const Node&, const Node&) = default;
  };
  /// What happened between two barriers; where a thread wrote several times between them, each of its writes is in a further round.
  struct Round {
    std::vector<Node> nodes;                 ///< by place; at least one
    std::uint64_t requests = 0, passes = 0;  ///< of the block's warps, and passes over the banks
    friend bool operator==(const Round&, const Round&) = default;
  };
  std::uint32_t places = 0;   ///< of the array
  std::uint32_t threads = 0;  ///< of the block
  std::uint64_t block = 0;    ///< linear
  std::vector<Round> rounds;
  bool cut = false;      ///< the block did more than was seen, or would have but for the stop
  bool stopped = false;  ///< a budget ended the launch before its end
  friend bool operator==(const TreeExhibit&, const TreeExhibit&) = default;
};

/// Which array of which block. It begins at `offset` of the block's shared memory, in elements of `bytes`.
struct WantedTree {
  std::uint32_t places = 0, bytes = 4;
  std::uint64_t offset = 0;
  std::uint32_t block = 0;
};
TreeExhibit tree_of(const device::LaunchRecord& record, const WantedTree& wanted);

template <class V>
void fields(V&& visit, Is<TreeExhibit::Node> auto& v) {
  visit("place", v.place);
  visit("thread", v.thread);
  visit("from", v.from);
}

template <class V>
void fields(V&& visit, Is<TreeExhibit::Round> auto& v) {
  visit("nodes", v.nodes);
  visit("requests", v.requests);
  visit("passes", v.passes);
}

template <class V>
void fields(V&& visit, Is<TreeExhibit> auto& v) {
  visit("places", v.places);
  visit("threads", v.threads);
  visit("block", v.block);
  visit("rounds", v.rounds);
  visit("cut", v.cut);
  visit("stopped", v.stopped);
}
/// Rounds have nodes, in order, and all places and threads are some of those that there are.
bool valid(const TreeExhibit& v);

std::string sentence_of(const TreeExhibit& tree, const Strings& strings);
void text_body(const TreeExhibit& tree, const Strings& strings, Page& page);
std::string html_body(const TreeExhibit& tree, const Strings& strings, const std::string& caption);
Table table_of(const TreeExhibit& tree, const Strings& strings);
void compare(const TreeExhibit& a, const TreeExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
