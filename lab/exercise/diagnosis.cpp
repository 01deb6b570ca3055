#include "lab/exercise/diagnosis.hpp"

#include <algorithm>
#include <iterator>

#include "device/bad_access.hpp"
#include "lab/exhibits/source/source_marks.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::Finding;
using device::LaunchRecord;

bool is_race(ErrorCode code) {
  switch (code) {
    case ErrorCode::race_in_warp:
    case ErrorCode::race_in_block:
    case ErrorCode::race_in_line:
    case ErrorCode::race_one_instruction: return true;
    default: return false;
  }
}

/// Both are lanes of one warp.
bool is_within_warp(const Finding& race) {
  return race.other && race.by.block == race.other->block &&
         race.by.thread / device::kLanes == race.other->thread / device::kLanes;
}

std::string barrier_for(const Finding& finding) {
  return is_race(finding.error.code) && is_within_warp(finding) ? "__syncwarp()"
                                                                : "__syncthreads()";
}

/// The task is solved without atomic operations, so each element has one thread that writes it.
bool has_own_elements(const TrialResult& solution) {
  return solution.record && solution.record->total.atomics == 0;
}

using Instructions = std::vector<device::InstructionCounters>;

/// The first instruction that stores to shared memory; the end where none does.
Instructions::const_iterator store_that_fills(const LaunchRecord& record) {
  return std::ranges::find_if(record.instructions, [](const auto& instruction) {
    return instruction.counters.shared_requests != 0 &&
           instruction.text.find("st.shared") != std::string::npos;
  });
}

/// A barrier that ran is on a line between the two.
bool has_barrier_between(const LaunchRecord& record, std::uint32_t one, std::uint32_t other) {
  const auto [first, second] = std::minmax(one, other);
  return std::ranges::any_of(record.instructions, [&](const auto& each) {
    return each.counters.barriers != 0 && first < each.place.line && each.place.line < second;
  });
}

/// The line of a __syncwarp() that ran; 0 where none did.
std::uint32_t line_of_warp_barrier(const LaunchRecord& record) {
  const auto found = std::ranges::find_if(record.instructions, [](const auto& each) {
    return each.counters.warp_instructions != 0 &&
           each.text.find("bar.warp.sync") != std::string::npos;
  });
  return found == record.instructions.end() ? 0 : found->place.line;
}

/// The line of the last barrier before the instruction that fills shared memory, where none follows it; else 0.
std::uint32_t barrier_before_fill(const LaunchRecord& record, Instructions::const_iterator fills) {
  const auto is_barrier = [](const auto& each) { return each.counters.barriers != 0; };
  if (std::any_of(fills, record.instructions.end(), is_barrier)) return 0;
  const auto last =
      std::find_if(std::reverse_iterator(fills), record.instructions.rend(), is_barrier);
  return last == record.instructions.rend() ? 0 : last->place.line;
}

/// The line of the finding's read; of a race between two writes, of one of them.
std::uint32_t line_that_reads(const Finding& finding) {
  if (finding.other && finding.other->kind == device::AccessKind::load)
    return finding.other->place.line;
  return finding.by.place.line != 0 ? finding.by.place.line : finding.error.place.line;
}

/// Two lines race in shared memory between warps; null where none do. It says more than an unwritten read, which may follow from it,
/// or than a race of the same lines within a warp.
const Finding* race_between_warps(const LaunchRecord& record) {
  const auto found = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::shared && is_race(each.error.code) && each.other &&
           !is_within_warp(each) && each.by.place.line != each.other->place.line;
  });
  return found == record.findings.end() ? nullptr : &*found;
}

/// What strays may race with anything: the stray access is the cause.
bool strays(const LaunchRecord& record) {
  return std::ranges::any_of(
      record.findings, [](const Finding& each) { return device::is_bad_access(each.error.code); });
}

/// Threads read shared memory before others have filled it, though the solution has a barrier.
Message missing_barrier(const LaunchRecord& record, const LaunchRecord& solution) {
  if (solution.total.barriers == 0) return {};
  const auto first = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::shared &&
           (is_race(each.error.code) || each.error.code == ErrorCode::uninitialised_read);
  });
  const auto fill = store_that_fills(record);
  if (first == record.findings.end() || fill == record.instructions.end()) return {};
  const std::uint32_t fills = fill->place.line;
  const Finding* between = race_between_warps(record);
  const Finding* finding = between ? between : &*first;
  const std::uint32_t reads = line_that_reads(*finding);
  const bool misplaced = record.total.barriers != 0;
  if (const std::uint32_t weak = line_of_warp_barrier(record); weak && between && !misplaced)
    return {"exercise.cause.warp-barrier",
            {{"line", std::to_string(weak)},
             {"fills", std::to_string(fills)},
             {"reads", std::to_string(reads)}},
            {}};
  if (const std::uint32_t before = misplaced ? barrier_before_fill(record, fill) : 0)
    return {"exercise.cause.barrier-before",
            {{"line", std::to_string(before)},
             {"fills", std::to_string(fills)},
             {"reads", std::to_string(reads)}},
            {}};
  // Whoever strays in global memory may well read the wrong place of shared memory, too.
  if (misplaced && strays(record)) return {};
  if (misplaced && !is_race(finding->error.code))
    return {"exercise.cause.unfilled", {{"line", std::to_string(finding->error.place.line)}}, {}};
  // Of a barrier in the wrong place, only a race of two lines names both.
  if (misplaced && (!finding->other || finding->by.place.line == finding->other->place.line))
    return {};
  std::uint32_t writes = fills;
  if (misplaced)
    writes = finding->by.kind == device::AccessKind::load ? finding->other->place.line
                                                          : finding->by.place.line;
  const bool next_round = misplaced && has_barrier_between(record, reads, writes);
  return {next_round && reads < writes ? "exercise.cause.barrier-next-round"
          : next_round                 ? "exercise.cause.barrier-after-read"
          : misplaced                  ? "exercise.cause.barrier-elsewhere"
                                       : "exercise.cause.no-barrier",
          {{"fills", std::to_string(writes)},
           {"reads", std::to_string(reads)},
           {"barrier", barrier_for(*finding)}},
          {}};
}

/// Two blocks, or two threads of one, store the same element of an output.
bool stores_same_element(const Finding& finding) {
  return finding.space == device::Space::global && finding.other &&
         (is_race(finding.error.code) || finding.error.code == ErrorCode::race_between_blocks) &&
         finding.by.kind == device::AccessKind::store &&
         finding.other->kind == device::AccessKind::store && !finding.allocation.empty();
}

/// The same; or one reads what the other stores in the same line, since `+=` does both.
bool changes_same_element(const Finding& finding) {
  const bool in_one_line =
      finding.space == device::Space::global && finding.other && !finding.allocation.empty() &&
      (is_race(finding.error.code) || finding.error.code == ErrorCode::race_between_blocks) &&
      finding.by.place.line == finding.other->place.line;
  return in_one_line || stores_same_element(finding);
}

/// Two lanes store different values to one place of shared memory in one instruction.
bool stores_same_place(const Finding& finding) {
  return finding.error.code == ErrorCode::race_one_instruction &&
         finding.space == device::Space::shared;
}

/// Who stores what: "block 0, thread 3", "block 1, thread 3", "y[3]".
MessageArguments of_same_element(const Finding& finding) {
  const auto who = [](const device::Party& party) {
    return Message{"phrase.who.thread", {{"block", party.block}, {"thread", party.thread}}, {}};
  };
  const Message place =
      finding.allocation.empty()
          ? Message{"exercise.shared-place", {}, {}}
          : Message::plain(finding.allocation + "[" + std::to_string(finding.element) + "]");
  return {{"who", who(finding.by)},
          {"other", who(*finding.other)},
          {"place", place},
          {"line", std::to_string(finding.by.place.line)}};
}

Message same_element(const LaunchRecord& record, bool (*is_such)(const Finding&)) {
  const auto finding = std::ranges::find_if(record.findings, is_such);
  if (finding == record.findings.end()) return {};
  return {"exercise.cause.same-element", of_same_element(*finding), {}};
}

/// Where an array has no elements, CUDA gives no address, and any access is one through a null pointer.
Message nothing_there(const LaunchRecord& record, const Trial& trial) {
  const bool null = std::ranges::any_of(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::null_access;
  });
  const auto empty = std::ranges::find(trial.arrays, std::uint64_t{0}, &TrialArray::count);
  if (!null || empty == trial.arrays.end()) return {};
  return {"exercise.cause.nothing-there", {{"array", empty->name}}, {}};
}

/// The solution changes what several threads share by atomic operations, and here two of them store there.
Message lost_update(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, changes_same_element);
  if (finding == record.findings.end()) return {};
  return {"exercise.cause.lost-update", of_same_element(*finding), {}};
}

Message shared_place(const LaunchRecord& record, bool own_elements) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::race_in_line;
  });
  if (finding == record.findings.end()) return {};
  return {own_elements ? "exercise.cause.own-place" : "exercise.cause.one-place",
          {{"line", std::to_string(line_that_reads(*finding))},
           {"thread", std::to_string(finding->by.thread)},
           {"other_thread", std::to_string(finding->other ? finding->other->thread : 0)},
           {"barrier", barrier_for(*finding)}},
          {}};
}

/// Threads of different warps read and write one place of shared memory in one line, which is in a loop: what one round has written, the
/// next one reads. The solution has barriers.
Message race_of_rounds(const LaunchRecord& record, const LaunchRecord& solution) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::race_in_line && each.space == device::Space::shared &&
           each.other && !is_within_warp(each) && each.by.kind != each.other->kind;
  });
  if (finding == record.findings.end() || solution.total.barriers == 0) return {};
  const std::uint32_t line = finding->by.place.line;
  const std::uint64_t warps =
      record.grid.count() * ((record.block.count() + device::kLanes - 1) / device::kLanes);
  const bool in_loop = std::ranges::any_of(record.instructions, [&](const auto& each) {
    return each.place.line == line && each.text.find("st.shared") != std::string::npos &&
           each.counters.warp_instructions > warps;
  });
  if (!in_loop) return {};
  return {"exercise.cause.round-before",
          {{"line", std::to_string(line)},
           {"thread", std::to_string(finding->by.thread)},
           {"other_thread", std::to_string(finding->other->thread)},
           {"barrier", barrier_for(*finding)}},
          {}};
}

/// A shuffle takes a value from a lane that never comes. The finding's place is the shuffle.
Message missing_lane(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::missing_lane;
  });
  if (finding == record.findings.end()) return {};
  return {"exercise.cause.missing-lane", {{"line", std::to_string(finding->by.place.line)}}, {}};
}

bool is_of_barrier(const Finding& finding) {
  return finding.error.code == ErrorCode::barrier_passed_by ||
         finding.error.code == ErrorCode::barrier_apart ||
         finding.error.code == ErrorCode::barrier_divergent;
}

}  // namespace

const Finding& telling_finding(const LaunchRecord& record) {
  const auto barrier = std::ranges::find_if(record.findings, is_of_barrier);
  if (barrier != record.findings.end()) return *barrier;
  const Finding* between = strays(record) ? nullptr : race_between_warps(record);
  return between ? *between : record.findings.front();
}

bool has_barrier_of_some(const LaunchRecord* record) {
  return record && std::ranges::any_of(record->findings, is_of_barrier);
}

Message summary_of(const Finding& finding, const TrialResult& solution) {
  if (!has_own_elements(solution) && changes_same_element(finding))
    return {"exercise.safe.lost-update", of_same_element(finding), {}};
  const bool same = stores_same_element(finding) || stores_same_place(finding);
  if (same && has_own_elements(solution))
    return {"exercise.safe.same-element", of_same_element(finding), {}};
  return message_of(finding.error);
}

bool needs_more_than(const Finding& within_warp, const Finding& between_warps) {
  const auto is_told_race = [](const Finding& finding) {
    return finding.other && is_race(finding.error.code);
  };
  const auto lines = [](const Finding& race) {
    return std::minmax(race.by.place.line, race.other->place.line);
  };
  return is_told_race(within_warp) && is_told_race(between_warps) && is_within_warp(within_warp) &&
         !is_within_warp(between_warps) && lines(within_warp) == lines(between_warps);
}

Message cause_of(const Trial& trial, const TrialResult& submission, const TrialResult& solution) {
  if (!submission.record) return {};
  const LaunchRecord& record = *submission.record;
  // A barrier that is not everybody's says itself what to do, and all else may follow from it.
  if (has_barrier_of_some(&record)) return {};
  const bool own_elements = has_own_elements(solution);
  Message cause = nothing_there(record, trial);
  if (cause.empty()) cause = missing_lane(record);
  if (cause.empty() && own_elements) cause = same_element(record, stores_same_place);
  if (cause.empty() && solution.record) cause = missing_barrier(record, *solution.record);
  if (!cause.empty() || strays(record)) return cause;
  cause = own_elements ? same_element(record, stores_same_element) : lost_update(record);
  if (cause.empty() && solution.record) cause = race_of_rounds(record, *solution.record);
  return cause.empty() && solution.record ? shared_place(record, own_elements) : cause;
}

}  // namespace warpbook::lab
