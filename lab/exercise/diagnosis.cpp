#include "lab/exercise/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "device/bad_access.hpp"
#include "lab/exhibits/source/source_marks.hpp"
#include "lab/model/race_width.hpp"

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

bool is_within_warp(const Finding& finding) { return width_of_race(finding) == RaceWidth::in_warp; }

std::string barrier_for(const Finding& finding) {
  return is_within_warp(finding) ? "__syncwarp()" : "__syncthreads()";
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

/// The instruction of a __syncwarp(), or of a fence such as __threadfence_block(), that ran on a line which `stands_there` takes; null
/// where none did.
const device::InstructionCounters* weaker_barrier(
    const LaunchRecord& record, const std::function<bool(std::uint32_t line)>& stands_there) {
  const auto found = std::ranges::find_if(record.instructions, [&](const auto& each) {
    const auto is = [&](const char* opcode) { return each.text.find(opcode) != std::string::npos; };
    return each.counters.warp_instructions != 0 &&
           (is("bar.warp.sync") || is("membar.") || is("fence.")) && stands_there(each.place.line);
  });
  return found == record.instructions.end() ? nullptr : &*found;
}

/// More warps ran the stores of that place than the launch has: they are in a loop, unrolled or not.
bool is_in_loop(const LaunchRecord& record, const device::SourcePlace& place) {
  const std::uint64_t warps =
      record.grid.count() * ((record.block.count() + device::kLanes - 1) / device::kLanes);
  std::uint64_t ran = 0;
  for (const device::InstructionCounters& each : record.instructions) {
    const bool same = each.place.line == place.line && each.place.column == place.column;
    if (same && each.text.find("st.") != std::string::npos) ran += each.counters.warp_instructions;
  }
  return ran > warps;
}

/// Barriers behind the line run at least as often as the stores on it, so each round of their loop passes one.
bool has_barrier_in_each_round(const LaunchRecord& record, std::uint32_t line) {
  std::uint64_t stores = 0, barriers = 0;
  for (const device::InstructionCounters& each : record.instructions) {
    if (each.place.line == line && each.text.find("st.shared") != std::string::npos)
      stores += each.counters.warp_instructions;
    if (each.place.line > line) barriers += each.counters.barriers;
  }
  return barriers >= stores;
}

/// The line of the last barrier before the instruction that fills shared memory, where none follows it; else 0.
std::uint32_t barrier_before_fill(const LaunchRecord& record, Instructions::const_iterator fills) {
  const auto is_barrier = [](const auto& each) { return each.counters.barriers != 0; };
  if (std::any_of(fills, record.instructions.end(), is_barrier)) return 0;
  const auto last =
      std::find_if(std::reverse_iterator(fills), record.instructions.rend(), is_barrier);
  return last == record.instructions.rend() ? 0 : last->place.line;
}

/// The line of the finding's read; of a race between two writes, of the second party.
std::uint32_t line_that_reads(const Finding& finding) {
  if (finding.other && finding.by.kind != device::AccessKind::load)
    return finding.other->place.line;
  return finding.by.place.line != 0 ? finding.by.place.line : finding.error.place.line;
}

/// The place of the write that a race is about.
const device::SourcePlace& place_that_writes(const Finding& race) {
  return race.by.kind == device::AccessKind::load ? race.other->place : race.by.place;
}

/// Two lines race in shared memory, between warps where `between` says so; null where none do.
const Finding* race_of_two_lines(const LaunchRecord& record, bool between) {
  const auto found = std::ranges::find_if(record.findings, [&](const Finding& each) {
    return each.space == device::Space::shared && is_race(each.error.code) && each.other &&
           !(between && is_within_warp(each)) && each.by.place.line != each.other->place.line;
  });
  return found == record.findings.end() ? nullptr : &*found;
}

/// The race of two lines in shared memory that says most: one between warps, because what orders them orders lanes of one warp, too. It
/// says more than a read of what nobody has written, which may follow from it. Null where there is none.
const Finding* telling_race(const LaunchRecord& record) {
  const Finding* between = race_of_two_lines(record, true);
  return between ? between : race_of_two_lines(record, false);
}

/// The first access that strays. It may race with anything, so it is the cause. Null where none does.
const Finding* first_stray(const LaunchRecord& record) {
  const auto found = std::ranges::find_if(
      record.findings, [](const Finding& each) { return device::is_bad_access(each.error.code); });
  return found == record.findings.end() ? nullptr : &*found;
}
bool strays(const LaunchRecord& record) { return first_stray(record) != nullptr; }

/// Threads read shared memory before others have filled it, though the solution has a barrier.
Message missing_barrier(const LaunchRecord& record, const LaunchRecord& solution) {
  if (solution.total.barriers == 0) return {};
  const auto first = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::shared &&
           (is_race(each.error.code) || each.error.code == ErrorCode::uninitialised_read);
  });
  const auto fill = store_that_fills(record);
  if (first == record.findings.end()) return {};
  if (fill == record.instructions.end()) {
    // Whoever stores nothing leaves nothing to read.
    if (is_race(first->error.code) || strays(record)) return {};
    return {"exercise.cause.unfilled", {{"line", std::to_string(first->error.place.line)}}, {}};
  }
  const Finding* race = telling_race(record);
  const Finding* finding = race ? race : &*first;
  const std::uint32_t reads = line_that_reads(*finding);
  const bool misplaced = record.total.barriers != 0;
  std::uint32_t fills = fill->place.line;
  const auto caused = [&](const char* kind, std::uint32_t line = 0) {
    Message cause{std::string("exercise.cause.") + kind,
                  {{"fills", std::to_string(fills)},
                   {"reads", std::to_string(reads)},
                   {"barrier", barrier_for(*finding)}},
                  {}};
    if (line != 0) cause.arguments.emplace_back("line", std::to_string(line));
    return cause;
  };
  const auto weaker = [&](const std::function<bool(std::uint32_t line)>& stands_there) -> Message {
    const auto* weak = race ? weaker_barrier(record, stands_there) : nullptr;
    if (!weak) return {};
    const bool of_warp = weak->text.find("bar.warp.sync") != std::string::npos;
    if (of_warp && is_within_warp(*race)) return {};
    return caused(of_warp ? "warp-barrier" : "fence", weak->place.line);
  };
  if (!misplaced) {
    Message weak = weaker([](std::uint32_t) { return true; });
    return weak.empty() ? caused("no-barrier") : weak;
  }
  if (const std::uint32_t before = barrier_before_fill(record, fill))
    return caused("barrier-before", before);
  // Whoever strays in global memory may well read the wrong place of shared memory, too.
  if (strays(record)) return {};
  if (!is_race(finding->error.code)) return caused("unfilled", finding->error.place.line);
  // Of a barrier in the wrong place, only a race of two lines names both.
  if (!race) return {};
  fills = place_that_writes(*race).line;
  const bool in_rounds = reads < fills && is_in_loop(record, place_that_writes(*race)),
             between = has_barrier_between(record, reads, fills);
  const auto [upper, lower] = std::minmax(reads, fills);
  Message weak = weaker([upper = upper, lower = lower, in_rounds](std::uint32_t line) {
    return upper < line && (line < lower || in_rounds);
  });
  if (!weak.empty()) return weak;
  if (between) return caused(reads < fills ? "barrier-next-round" : "barrier-after-read");
  return caused(in_rounds && !has_barrier_in_each_round(record, fills) ? "barrier-each-round"
                                                                       : "barrier-elsewhere");
}

/// Two blocks, or two threads of one, store the same element of an output on one line.
bool stores_same_element(const Finding& finding) {
  return finding.space == device::Space::global && finding.other && width_of_race(finding) &&
         finding.by.kind == device::AccessKind::store &&
         finding.other->kind == device::AccessKind::store && !finding.allocation.empty() &&
         finding.by.place.line == finding.other->place.line;
}

/// The same, also where one reads what the other stores in the same line, since `+=` does both.
bool changes_same_element(const Finding& finding) {
  return finding.space == device::Space::global && finding.other && !finding.allocation.empty() &&
         width_of_race(finding) && finding.by.place.line == finding.other->place.line;
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

/// A single variable that is declared outside of the kernel: no array of the trial has its name.
bool is_of_single_variable(const LaunchRecord& record, const Trial& trial, const Finding& finding) {
  if (std::ranges::find(trial.arrays, finding.allocation, &TrialArray::name) != trial.arrays.end())
    return false;
  const auto held =
      std::ranges::find(record.allocations, finding.allocation, &device::AllocationInfo::name);
  return held != record.allocations.end() && held->bytes == finding.bytes;
}

Message same_element(const LaunchRecord& record, const Trial& trial,
                     bool (*is_such)(const Finding&)) {
  const auto finding = std::ranges::find_if(record.findings, is_such);
  if (finding == record.findings.end()) return {};
  const bool same_number = finding->by.thread == finding->other->thread;
  const char* kind = is_of_single_variable(record, trial, *finding) ? "shared-variable"
                     : is_in_loop(record, finding->by.place)        ? "same-element-in-turns"
                     : same_number                                  ? "same-element-of-blocks"
                                                                    : "same-element";
  return {std::string("exercise.cause.") + kind, of_same_element(*finding), {}};
}

/// Two threads change one element on two lines, one of them perhaps by an atomic operation. The solution has one thread for it.
Message two_writers(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return width_of_race(each) && each.other && each.space == device::Space::global &&
           !each.allocation.empty() && each.by.kind != device::AccessKind::load &&
           each.other->kind != device::AccessKind::load &&
           each.by.place.line != each.other->place.line;
  });
  if (finding == record.findings.end()) return {};
  MessageArguments arguments = of_same_element(*finding);
  arguments.emplace_back("other_line", std::to_string(finding->other->place.line));
  return {"exercise.cause.two-writers", std::move(arguments), {}};
}

/// A block reads what another one changes in the same launch, each by a line of its own or both by one. No barrier waits for blocks.
Message other_block(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::race_between_blocks && each.other &&
           each.space == device::Space::global && !each.allocation.empty() &&
           (each.by.kind == device::AccessKind::load) !=
               (each.other->kind == device::AccessKind::load);
  });
  if (finding == record.findings.end()) return {};
  const bool reads = finding->by.kind == device::AccessKind::load;
  const device::Party &reader = reads ? finding->by : *finding->other,
                      &writer = reads ? *finding->other : finding->by;
  return {"exercise.cause.other-block",
          {{"place", finding->allocation + "[" + std::to_string(finding->element) + "]"},
           {"reader", reader.block},
           {"reads", reader.place.line},
           {"writer", writer.block},
           {"writes", writer.place.line}},
          {}};
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

/// An access beyond the end of an array, or before its beginning. Of a hidden case the array's size stays untold.
Message beyond_array(const LaunchRecord& record, const Trial& trial) {
  const Finding& finding = telling_finding(record);
  const ErrorCode code = finding.error.code;
  const bool beyond = code == ErrorCode::out_of_bounds_read ||
                      code == ErrorCode::out_of_bounds_write ||
                      code == ErrorCode::out_of_bounds_atomic;
  const auto array = std::ranges::find(trial.arrays, finding.allocation, &TrialArray::name);
  if (!beyond || trial.hidden || array == trial.arrays.end() || array->count == 0) return {};
  return {finding.element < 0 ? "exercise.cause.before-array" : "exercise.cause.beyond-array",
          {{"trial", trial.name},
           {"array", array->name},
           {"count", grouped(array->count)},
           {"last", std::to_string(array->count - 1)},
           {"index", std::to_string(finding.element)},
           {"line", std::to_string(finding.error.place.line)}},
          {}};
}

/// An array without a size in shared memory, of which the launch asks for none.
Message no_dynamic_shared(const LaunchRecord& record, const Trial& trial) {
  const Finding& finding = telling_finding(record);
  const device::Message* size = device::argument_of(finding.error.arguments, "size");
  if (finding.error.code != ErrorCode::shared_out_of_bounds || trial.dynamic_shared != 0 || !size ||
      size->text != "0")
    return {};
  return {"exercise.cause.no-shared", {{"line", std::to_string(finding.error.place.line)}}, {}};
}

/// The solution changes what several threads share by atomic operations, and here two of them store there.
Message lost_update(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, changes_same_element);
  if (finding == record.findings.end()) return {};
  // A line that never reads the element cannot add to it: `=` stands where `+=` was meant.
  const bool adds = std::ranges::any_of(record.findings, [&](const Finding& each) {
    return changes_same_element(each) && each.by.place.line == finding->by.place.line &&
           !stores_same_element(each);
  });
  return {adds ? "exercise.cause.lost-update" : "exercise.cause.overwritten",
          of_same_element(*finding),
          {}};
}

/// A thread reads on one line what another one changes on another line of the launch, perhaps by an atomic operation. The solution changes
/// what several threads share by atomic operations.
bool reads_and_changes(const Finding& finding) {
  return finding.space == device::Space::global && finding.other && width_of_race(finding) &&
         !finding.allocation.empty() && finding.by.place.line != finding.other->place.line &&
         (finding.by.kind == device::AccessKind::load) !=
             (finding.other->kind == device::AccessKind::load);
}

/// Who reads and who changes what.
MessageArguments of_reading_and_changing(const Finding& finding) {
  const bool reads = finding.by.kind == device::AccessKind::load;
  const device::Party &reader = reads ? finding.by : *finding.other,
                      &writer = reads ? *finding.other : finding.by;
  const auto who = [](const device::Party& party) {
    return Message{"phrase.who.thread", {{"block", party.block}, {"thread", party.thread}}, {}};
  };
  return {{"place", finding.allocation + "[" + std::to_string(finding.element) + "]"},
          {"reader", who(reader)},
          {"reads", reader.place.line},
          {"writer", who(writer)},
          {"writes", writer.place.line}};
}

Message read_before_change(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, reads_and_changes);
  if (finding == record.findings.end()) return {};
  return {"exercise.cause.read-before-change", of_reading_and_changing(*finding), {}};
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

/// Threads read and write one place of shared memory in one line, which is in a loop: what one round has written, the next one reads. The
/// solution has barriers.
Message race_of_rounds(const LaunchRecord& record, const LaunchRecord& solution) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::race_in_line && each.space == device::Space::shared &&
           each.other && each.by.kind != each.other->kind;
  });
  if (finding == record.findings.end() || solution.total.barriers == 0) return {};
  const device::SourcePlace& writes = place_that_writes(*finding);
  const std::uint32_t line = writes.line;
  if (!is_in_loop(record, writes)) return {};
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

/// What the cause recommends is not the barrier between the two lines that the finding's own sentence asks for.
bool wants_another_place(const Message& cause) {
  constexpr std::array<std::string_view, 9> kKeys{
      "exercise.cause.warp-barrier",       "exercise.cause.fence",
      "exercise.cause.barrier-before",     "exercise.cause.barrier-each-round",
      "exercise.cause.barrier-next-round", "exercise.cause.barrier-after-read",
      "exercise.cause.round-before",       "exercise.cause.own-place",
      "exercise.cause.one-place"};
  return std::ranges::find(kKeys, cause.key) != kKeys.end();
}

bool is_of_barrier(const Finding& finding) {
  return finding.error.code == ErrorCode::barrier_passed_by ||
         finding.error.code == ErrorCode::barrier_apart ||
         finding.error.code == ErrorCode::barrier_divergent;
}

/// One of the lines that race in the first race in the second, too.
bool have_common_line(const Finding& one, const Finding& other) {
  const auto is_of_other = [&](std::uint32_t line) {
    return line == other.by.place.line || line == other.other->place.line;
  };
  return is_of_other(one.by.place.line) || is_of_other(one.other->place.line);
}

}  // namespace

const Finding& telling_finding(const LaunchRecord& record) {
  const auto barrier = std::ranges::find_if(record.findings, is_of_barrier);
  if (barrier != record.findings.end()) return *barrier;
  if (const Finding* stray = first_stray(record)) return *stray;
  if (const Finding* between = race_of_two_lines(record, true)) return *between;
  const Finding& first = record.findings.front();
  const bool unwritten =
      first.error.code == ErrorCode::uninitialised_read && first.space == device::Space::shared;
  const Finding* race = unwritten ? race_of_two_lines(record, false) : nullptr;
  return race ? *race : first;
}

bool has_barrier_of_some(const LaunchRecord* record) {
  return record && std::ranges::any_of(record->findings, is_of_barrier);
}

Message summary_of(const Finding& finding, const Message& cause, const TrialResult& solution) {
  if (cause.key.starts_with("exercise.cause.same-element") ||
      cause.key == "exercise.cause.two-writers" || cause.key == "exercise.cause.shared-variable")
    return {"exercise.safe.same-element", cause.arguments, {}};
  if (cause.key == "exercise.cause.other-block")
    return {"exercise.safe.other-block", cause.arguments, {}};
  if (cause.key == "exercise.cause.read-before-change")
    return {"exercise.safe.read-and-changed", cause.arguments, {}};
  if (finding.other && wants_another_place(cause)) {
    const bool one_line = finding.by.place.line == finding.other->place.line;
    return {one_line ? "exercise.safe.in-one-line" : "exercise.safe.in-no-order",
            finding.error.arguments,
            {}};
  }
  if (!has_own_elements(solution) && changes_same_element(finding))
    return {"exercise.safe.lost-update", of_same_element(finding), {}};
  return message_of(finding.error);
}

bool says_more(const Finding& finding, const Finding& told) {
  if (finding.error.code == ErrorCode::misaligned_access)
    return finding.by.place.line == told.by.place.line &&
           (told.error.code == ErrorCode::out_of_bounds_read ||
            told.error.code == ErrorCode::out_of_bounds_write);
  const auto width = width_of_race(finding), told_width = width_of_race(told);
  return width && told_width && *width > *told_width && finding.space == told.space &&
         have_common_line(finding, told);
}

Message cause_of(const Trial& trial, const TrialResult& submission, const TrialResult& solution) {
  if (!submission.record) return {};
  const LaunchRecord& record = *submission.record;
  // A barrier that is not everybody's says itself what to do, and all else may follow from it.
  if (has_barrier_of_some(&record)) return {};
  const bool own_elements = has_own_elements(solution);
  Message cause = nothing_there(record, trial);
  if (cause.empty()) cause = missing_lane(record);
  if (cause.empty() && own_elements) cause = same_element(record, trial, stores_same_place);
  if (cause.empty() && solution.record) cause = missing_barrier(record, *solution.record);
  if (!cause.empty()) return cause;
  if (strays(record)) {
    cause = beyond_array(record, trial);
    return cause.empty() ? no_dynamic_shared(record, trial) : cause;
  }
  cause = own_elements ? same_element(record, trial, stores_same_element) : lost_update(record);
  if (cause.empty() && !own_elements) cause = read_before_change(record);
  if (cause.empty() && own_elements) cause = two_writers(record);
  if (cause.empty() && own_elements) cause = other_block(record);
  if (cause.empty() && solution.record) cause = race_of_rounds(record, *solution.record);
  return cause.empty() && solution.record ? shared_place(record, own_elements) : cause;
}

}  // namespace warpbook::lab
