#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "device/simulator/state/access.hpp"
#include "lab/exhibits/tree/tree.hpp"
#include "lab/model/global_accesses.hpp"

namespace warpbook::lab {
namespace {

/// Rounds that are kept; a kernel may go round its barriers for long.
constexpr std::size_t kMostRounds = 24;

using Tree = TreeExhibit;

class TreeMaker {
 public:
  TreeMaker(const device::LaunchRecord& record, const WantedTree& wanted)
      : record_(record), wanted_(wanted) {
    made_.places = wanted.places;
    made_.threads = static_cast<std::uint32_t>(record.block.count());
    made_.block = wanted.block;
  }

  Tree make() {
    for (const device::Access& access : record_.trace) {
      if (access.block != wanted_.block || access.space != device::Space::shared) continue;
      if (const auto place = place_of(access)) see(access, *place);
      if (made_.rounds.size() > kMostRounds) break;
    }
    end_request();
    finish();
    return std::move(made_);
  }

 private:
  /// A thread between two barriers.
  struct Thread {
    std::vector<std::uint32_t> read;  ///< places, since it last wrote
    std::size_t writes = 0;
  };
  /// A warp instruction: its lanes' offsets, as the counting of passes takes them.
  struct Request {
    std::array<std::uint64_t, device::kLanes> offset{};
    std::uint32_t lanes = 0;
    std::uint8_t bytes = 0;
    std::size_t round = 0;
  };

  [[nodiscard]] std::optional<std::uint32_t> place_of(const device::Access& access) const {
    const std::uint64_t end = wanted_.offset + std::uint64_t{wanted_.places} * wanted_.bytes;
    if (access.address < wanted_.offset || access.address >= end) return {};
    return static_cast<std::uint32_t>((access.address - wanted_.offset) / wanted_.bytes);
  }

  void see(const device::Access& access, std::uint32_t place) {
    if (access.barriers > barriers_) begin_step(access.barriers);
    Thread& thread = threads_[access.thread];
    const std::size_t round = first_of_step_ + thread.writes;
    if (round >= made_.rounds.size()) made_.rounds.resize(round + 1);
    count(access, round);
    if (access.kind != device::AccessKind::store) thread.read.push_back(place);
    if (access.kind == device::AccessKind::load) return;
    std::ranges::sort(thread.read);
    thread.read.erase(std::ranges::unique(thread.read).begin(), thread.read.end());
    made_.rounds[round].nodes.push_back({place, access.thread, std::exchange(thread.read, {})});
    ++thread.writes;
  }

  /// What threads have read stays with them across the barrier.
  void begin_step(std::uint16_t barriers) {
    barriers_ = barriers;
    end_request();
    drop_empty_rounds();
    first_of_step_ = made_.rounds.size();
    for (auto& [number, thread] : threads_) thread.writes = 0;
  }

  void count(const device::Access& access, std::size_t round) {
    if (access.request != request_number_) {
      end_request();
      request_number_ = access.request;
      request_.round = round;
      request_.bytes = access.bytes;
    }
    const std::uint32_t lane = access.thread % device::kLanes;
    request_.offset[lane] = access.address;
    request_.lanes |= 1u << lane;
  }

  void end_request() {
    if (request_.lanes != 0) {
      Tree::Round& round = made_.rounds[request_.round];
      ++round.requests;
      round.passes +=
          device::count_wavefronts(request_.offset.data(), request_.lanes, request_.bytes).taken;
    }
    request_ = {};
  }

  /// Where threads have read and written nothing since, as when one of them fetches the result.
  void drop_empty_rounds() {
    while (!made_.rounds.empty() && made_.rounds.back().nodes.empty()) made_.rounds.pop_back();
  }

  void finish() {
    drop_empty_rounds();
    if (made_.rounds.size() > kMostRounds) {
      made_.rounds.resize(kMostRounds);
      made_.cut = true;
    }
    // The trace ends with this block or before it.
    if (record_.trace_cut && (record_.trace.empty() || record_.trace.back().block <= wanted_.block))
      made_.cut = true;
    made_.stopped = stopped_by_budget(record_);
    made_.cut = made_.cut || made_.stopped;
    for (Tree::Round& round : made_.rounds)
      std::ranges::stable_sort(round.nodes, {}, &Tree::Node::place);
  }

  const device::LaunchRecord& record_;
  const WantedTree& wanted_;
  std::map<std::uint32_t, Thread> threads_;
  std::uint16_t barriers_ = 0;
  std::size_t first_of_step_ = 0;  ///< its first round
  std::uint32_t request_number_ = ~0u;
  Request request_;
  Tree made_;
};

}  // namespace

TreeExhibit tree_of(const device::LaunchRecord& record, const WantedTree& wanted) {
  return TreeMaker(record, wanted).make();
}

}  // namespace warpbook::lab
