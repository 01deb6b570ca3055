#include "lab/exercise/diagnosis.hpp"

#include <algorithm>

#include "device/bad_access.hpp"

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

/// Of the first instruction that stores to shared memory; 0 where none does.
std::uint32_t line_that_fills(const LaunchRecord& record) {
  const auto store = std::ranges::find_if(record.instructions, [](const auto& instruction) {
    return instruction.counters.shared_requests != 0 &&
           instruction.text.find("st.shared") != std::string::npos;
  });
  return store == record.instructions.end() ? 0 : store->place.line;
}

/// The line of the finding's read; of a race between two writes, of one of them.
std::uint32_t line_that_reads(const Finding& finding) {
  if (finding.other && finding.other->kind == device::AccessKind::load)
    return finding.other->place.line;
  return finding.by.place.line != 0 ? finding.by.place.line : finding.error.place.line;
}

/// Threads read shared memory before others have filled it, though the solution has a barrier.
Message missing_barrier(const LaunchRecord& record, const LaunchRecord& solution) {
  if (solution.total.barriers == 0) return {};
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::shared &&
           (is_race(each.error.code) || each.error.code == ErrorCode::uninitialised_read);
  });
  const std::uint32_t fills = line_that_fills(record);
  if (finding == record.findings.end() || fills == 0) return {};
  const std::uint32_t reads = line_that_reads(*finding);
  const bool misplaced = record.total.barriers != 0;
  if (misplaced && !is_race(finding->error.code))
    return {"exercise.cause.unfilled", {{"line", std::to_string(finding->error.place.line)}}, {}};
  // Of a barrier in the wrong place, only a race of two lines names both.
  if (misplaced && (!finding->other || finding->by.place.line == finding->other->place.line))
    return {};
  std::uint32_t writes = fills;
  if (misplaced)
    writes = finding->by.kind == device::AccessKind::load ? finding->other->place.line
                                                          : finding->by.place.line;
  return {misplaced ? "exercise.cause.barrier-elsewhere" : "exercise.cause.no-barrier",
          {{"fills", std::to_string(writes)}, {"reads", std::to_string(reads)}},
          {}};
}

/// Two blocks, or two threads of one, store the same element of an output.
Message same_element(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::global && each.other &&
           (is_race(each.error.code) || each.error.code == ErrorCode::race_between_blocks) &&
           each.by.kind == device::AccessKind::store &&
           each.other->kind == device::AccessKind::store && !each.allocation.empty();
  });
  if (finding == record.findings.end()) return {};
  const auto who = [](const device::Party& party) {
    return Message{"phrase.who.thread", {{"block", party.block}, {"thread", party.thread}}, {}};
  };
  return {"exercise.cause.same-element",
          {{"who", who(finding->by)},
           {"other", who(*finding->other)},
           {"place", finding->allocation + "[" + std::to_string(finding->element) + "]"},
           {"line", std::to_string(finding->by.place.line)}},
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

Message shared_place(const LaunchRecord& record) {
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.error.code == ErrorCode::race_in_line;
  });
  if (finding == record.findings.end()) return {};
  return {"exercise.cause.one-place",
          {{"line", std::to_string(line_that_reads(*finding))},
           {"thread", std::to_string(finding->by.thread)},
           {"other_thread", std::to_string(finding->other ? finding->other->thread : 0)}},
          {}};
}

bool is_of_barrier(const Finding& finding) {
  return finding.error.code == ErrorCode::barrier_passed_by ||
         finding.error.code == ErrorCode::barrier_apart ||
         finding.error.code == ErrorCode::barrier_divergent;
}

}  // namespace

const Finding& telling_finding(const LaunchRecord& record) {
  const auto barrier = std::ranges::find_if(record.findings, is_of_barrier);
  return barrier != record.findings.end() ? *barrier : record.findings.front();
}

Message cause_of(const Trial& trial, const TrialResult& submission, const TrialResult& solution) {
  if (!submission.record) return {};
  const LaunchRecord& record = *submission.record;
  // A barrier that is not everybody's says itself what to do, and all else may follow from it.
  if (std::ranges::any_of(record.findings, is_of_barrier)) return {};
  Message cause = nothing_there(record, trial);
  if (cause.empty() && solution.record) cause = missing_barrier(record, *solution.record);
  // What strays may race with anything: the stray access is the cause.
  const bool strays = std::ranges::any_of(
      record.findings, [](const Finding& each) { return device::is_bad_access(each.error.code); });
  if (cause.empty() && !strays) cause = same_element(record);
  return cause.empty() && solution.record ? shared_place(record) : cause;
}

}  // namespace warpbook::lab
