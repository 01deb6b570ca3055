#include "lab/exercise/diagnosis.hpp"

#include <algorithm>

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

Message missing_barrier(const LaunchRecord& record, const LaunchRecord& solution) {
  if (record.total.barriers != 0 || solution.total.barriers == 0) return {};
  const auto finding = std::ranges::find_if(record.findings, [](const Finding& each) {
    return each.space == device::Space::shared &&
           (is_race(each.error.code) || each.error.code == ErrorCode::uninitialised_read);
  });
  const std::uint32_t fills = line_that_fills(record);
  if (finding == record.findings.end() || fills == 0) return {};
  return {"exercise.cause.no-barrier",
          {{"fills", std::to_string(fills)}, {"reads", std::to_string(line_that_reads(*finding))}},
          {}};
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

}  // namespace

Message cause_of(const TrialResult& submission, const TrialResult& solution) {
  if (!submission.record || !solution.record) return {};
  Message cause = missing_barrier(*submission.record, *solution.record);
  return cause.empty() ? shared_place(*submission.record) : cause;
}

}  // namespace warpbook::lab
