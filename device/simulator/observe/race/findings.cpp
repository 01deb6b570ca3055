// racecheck: from two unordered accesses to a finding that is the same in every schedule.
#include <algorithm>

#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/observe/race/request.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint64_t kInShared = std::uint64_t{1} << 63;
constexpr std::size_t kMostPending = 1u << 16;  ///< granules in one epoch

}  // namespace

void RaceChecker::note_race(const Request& r, std::uint64_t address, Stamp now, Stamp before,
                            bool before_writes, bool note) {
  before &= ~kDistant;
  RacePair pair;
  const std::uint32_t block = block_of(before);
  const bool lower = block != block_->index ? block < block_->index : rank(before) < rank(now);
  // The writer is named first; of two writers, the lower.
  if (before_writes && (!r.writes || lower))
    pair = {before, now, r.writes};
  else
    pair = {now, before, before_writes};
  // The shadow at the epoch's end tells the canonical pair only if barriers alone order the threads.
  if (block_->acquired || block != block_->index || owner_ != block_ || is_copy(before) ||
      is_copy(now)) {
    keep_lowest_pair(pair, note, {r.space, r.owner, address, r.bytes});
    return;
  }
  const std::uint64_t key =
      r.space == Space::shared ? kInShared | address >> r.shift : address >> r.shift;
  if (block_->pending.size() >= kMostPending && !block_->pending.contains(key)) {
    ++observer_.findings_total;
    return;
  }
  const auto [at, fresh] = block_->pending.try_emplace(key);
  PendingRace& p = at->second;
  const bool was_note = fresh || (!p.writes && !p.reads);
  (note ? p.note : r.writes && before_writes ? p.writes : p.reads) = true;
  if (fresh || (was_note && !note)) p.first = pair;
  p.address = address;
  p.bytes = r.bytes;
}

/// The pair to report for a granule, from what its shadow holds now: of two warps or, if `within_warp`, of one.
std::optional<RacePair> RaceChecker::pair_of(std::uint64_t key, const PendingRace& p,
                                             bool within_warp) {
  const bool shared = key & kInShared;
  owner_ = block_;
  const ShadowCells cell = cells(shared ? Space::shared : Space::global, p.address, 1);
  if (!cell.first) return std::nullopt;
  const Stamp floor = Stamp{block_->epoch_begin} << kSegmentShift;
  const Stamp writers[] = {*cell.writer(0), *cell.other_writer(0)};
  const Stamp readers[] = {*cell.reader(0), *cell.other_reader(0)};
  const auto race = [&](Stamp a, Stamp b) {
    if (is_copy(a) || is_copy(b)) return false;
    if (a < floor || b < floor || (a & b & kStrong) != 0 || thread_of(a) == thread_of(b))
      return false;
    if (block_of(a) != block_->index || block_of(b) != block_->index) return false;
    return within_warp ? segment_of(a) == segment_of(b) : warp_of(a) != warp_of(b);
  };
  if (p.writes || (p.note && !p.reads)) {
    if (race(writers[0], writers[1])) return RacePair{writers[0], writers[1], true};
  }
  if (p.reads) {
    for (const Stamp w : writers) {
      for (const Stamp s : readers) {
        if (race(w, s)) return RacePair{w, s, false};
      }
    }
  }
  return std::nullopt;
}

/// Keeps the races within a warp that is about to synchronise: afterwards its lanes' accesses are ordered, and newer ones replace them in
/// the shadow.
void RaceChecker::keep_pairs_of_warp(std::uint32_t warp) {
  for (auto& [key, p] : block_->pending) {
    if (p.within_warp) continue;
    const auto pair = pair_of(key, p, true);
    if (pair && warp_of(pair->by) == warp) p.within_warp = pair;
  }
}

void RaceChecker::report_epoch() {
  if (block_->pending.empty()) return;
  std::vector<std::pair<std::uint64_t, PendingRace>> all(block_->pending.begin(),
                                                         block_->pending.end());
  block_->pending.clear();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  struct Told {
    RacePair pair;
    bool note;
    RacePlace place;
  };
  std::vector<Told> told;
  for (const auto& [key, p] : all) {
    auto pair = pair_of(key, p, false);
    if (!pair) pair = p.within_warp;
    if (!pair) pair = pair_of(key, p, true);
    told.push_back(
        {pair.value_or(p.first),
         !p.writes && !p.reads,
         {key & kInShared ? Space::shared : Space::global, block_->index, p.address, p.bytes}});
  }
  // Of two instructions one race is told. If they race between warps anywhere, that is the one: what orders the warps orders the
  // lanes of each as well.
  std::stable_partition(told.begin(), told.end(),
                        [&](const Told& each) { return needs_the_block(each.pair); });
  for (const Told& each : told) report(each.pair, each.note, each.place);
}

/// Two instructions race between warps. (Two writes by one instruction are no matter of order: each wants a place of its own.)
bool RaceChecker::needs_the_block(const RacePair& pair) const {
  const bool one_write = pair.other_writes && instruction_of(pair.by) == instruction_of(pair.other);
  return !one_write &&
         (block_of(pair.by) != block_of(pair.other) || warp_of(pair.by) != warp_of(pair.other));
}

bool RaceChecker::precedes(const RacePair& a, const RacePlace& at, const RacePair& b,
                           const RacePlace& bt) const {
  const auto key = [&](const RacePair& p, const RacePlace& place) {
    return std::tuple(!needs_the_block(p), block_of(p.by), rank(p.by), block_of(p.other),
                      rank(p.other), place.owner, place.address);
  };
  return key(a, at) < key(b, bt);
}

/// Keeps the lowest pair of each two instructions, whichever was seen first, and of them one between warps if there is any.
void RaceChecker::keep_lowest_pair(const RacePair& pair, bool note, const RacePlace& place) {
  const std::array key{std::uint32_t{note}, instruction_of(pair.by), instruction_of(pair.other)};
  const auto [at, fresh] = block_->group->lowest_pairs.try_emplace(key, pair, place);
  if (!fresh && precedes(pair, place, at->second.first, at->second.second))
    at->second = {pair, place};
}

void RaceChecker::report_lowest_pairs(RaceGroup& group) {
  for (const auto& [key, lowest] : group.lowest_pairs)
    report(lowest.first, key[0] != 0, lowest.second);
  group.lowest_pairs.clear();
}

void RaceChecker::report(const RacePair& pair, bool note, const RacePlace& place) {
  const std::uint32_t block = block_of(pair.by), other_block = block_of(pair.other);
  if (!note) ++observer_.findings_total;
  auto& list = note ? observer_.notes : observer_.findings;
  if (list.size() >= (note ? LaunchObserver::kNotes : LaunchObserver::kFindings)) return;
  const std::uint32_t instruction = instruction_of(pair.by), other = instruction_of(pair.other);
  // One for each block and pair of instructions is enough: the others are the same mistake at other elements.
  if (!(note ? noted_ : reported_).emplace(block, instruction, other).second) return;
  const auto kind_of = [&](Stamp s, bool writes) {
    const isa::CodeInstruction& i = code_.instructions[instruction_of(s)];
    const AccessKind plain = writes ? AccessKind::store : AccessKind::load;
    if (is_copy(s) || i.counts_as == isa::CountedAs::barrier)
      return (s & kStrong) != 0 ? AccessKind::atomic : plain;
    return i.atomic ? AccessKind::atomic : i.store ? AccessKind::store : AccessKind::load;
  };
  RawFinding f;
  const bool same_warp = block == other_block && warp_of(pair.by) == warp_of(pair.other);
  f.code = note                                      ? ErrorCode::race_same_value
           : is_copy(pair.by) || is_copy(pair.other) ? ErrorCode::race_with_copy
           : same_warp && pair.other_writes && instruction == other &&
                   segment_of(pair.by) == segment_of(pair.other)
               ? ErrorCode::race_one_instruction
           : same_warp                    ? ErrorCode::race_in_warp
           : block == other_block         ? ErrorCode::race_in_block
           : place.space == Space::shared ? ErrorCode::race_in_cluster
                                          : ErrorCode::race_between_blocks;
  if (f.code == ErrorCode::race_with_copy) f.decided = is_copy(pair.by) ? instruction : other;
  f.block = block;
  f.thread = thread_of(pair.by);
  f.instruction = instruction;
  f.kind = kind_of(pair.by, true);
  f.space = place.space;
  f.address = place.address;
  f.bytes = place.bytes;
  f.limit = place.owner;
  f.table = observer_.table;
  f.other =
      Party{other_block, thread_of(pair.other), other, {}, kind_of(pair.other, pair.other_writes)};
  list.push_back(std::move(f));
}

}  // namespace warpbook::device
