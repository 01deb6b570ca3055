#include "lab/exhibits/source/source_marks.hpp"

#include <algorithm>
#include <array>

#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

// The findings that lang/ has a sentence with a count for: finding.<name>.one and .other.
constexpr std::array kCounted = {
    ErrorCode::out_of_bounds_read, ErrorCode::out_of_bounds_write,  ErrorCode::out_of_bounds_atomic,
    ErrorCode::wild_access,        ErrorCode::null_access,          ErrorCode::use_after_free,
    ErrorCode::misaligned_access,  ErrorCode::shared_out_of_bounds, ErrorCode::local_out_of_bounds,
    ErrorCode::uninitialised_read,
};
// Those that it has one sentence for: finding.<name>.
constexpr std::array kSingle = {
    ErrorCode::read_only_write,
    ErrorCode::barrier_mismatch,
    ErrorCode::sync_mask_mismatch,
    ErrorCode::deadlock,
    ErrorCode::stack_overflow,
    ErrorCode::assertion,
    ErrorCode::trap,
    ErrorCode::bad_branch,
    ErrorCode::race_in_warp,
    ErrorCode::race_in_block,
    ErrorCode::race_in_line,
    ErrorCode::race_between_blocks,
    ErrorCode::race_one_instruction,
    ErrorCode::race_same_value,
    ErrorCode::race_with_copy,
    ErrorCode::race_in_cluster,
    ErrorCode::barrier_divergent,
    ErrorCode::barrier_count,
    ErrorCode::barrier_mixed,
    ErrorCode::leaked,
    ErrorCode::budget_output,
    ErrorCode::budget_memory,
    ErrorCode::budget_instructions,
    ErrorCode::budget_time,
};

template <class Codes>
bool holds(const Codes& codes, ErrorCode code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

Message counted_message(const device::Error& first, std::uint64_t count) {
  if (!holds(kCounted, first.code)) return message_of(first);
  Message message{"finding." + std::string(name_of(first.code)), first.arguments, {}};
  std::erase_if(message.arguments, [](const auto& argument) { return argument.first == "count"; });
  message.arguments.emplace_back("count", grouped(count));
  return message;
}

// A finding's line in `file`: its own, or where the author's other file that holds it was inlined.
device::SourcePlace place_in(const std::string& file, const device::LaunchRecord& record,
                             const device::Finding& finding) {
  if (finding.error.place.file == file || finding.by.instruction >= record.instructions.size())
    return finding.error.place;
  const auto& callers = record.instructions[finding.by.instruction].inlined_at;
  const auto caller = std::ranges::find(callers, file, &device::SourcePlace::file);
  return caller == callers.end() ? finding.error.place : *caller;
}

/// Its line in `file`, or that of where it was inlined into it; 0: neither.
std::uint32_t line_in(const std::string& file, const device::InstructionCounters& instruction) {
  if (instruction.place.file == file) return instruction.place.line;
  const auto caller = std::ranges::find(instruction.inlined_at, file, &device::SourcePlace::file);
  return caller == instruction.inlined_at.end() ? 0 : caller->line;
}

}  // namespace

Message message_of(const device::Error& error) {
  if (holds(kCounted, error.code)) return counted_message(error, 1);
  if (holds(kSingle, error.code))
    return {"finding." + std::string(name_of(error.code)), error.arguments, {}};
  device::Error bare = error;
  bare.place = {};
  return Message::plain(bare.english());
}

void SourceMarks::add(std::span<const device::Diagnostic> diagnostics) {
  for (const device::Diagnostic& diagnostic : diagnostics) {
    SourceExhibit::Mark mark{0, 0, diagnostic.severity, Message::plain(diagnostic.text)};
    if (diagnostic.place.file == exhibit_.file) {
      mark.line = diagnostic.place.line;
      mark.column = diagnostic.place.column;
    } else if (!diagnostic.place.file.empty()) {
      mark.text.text = diagnostic.place.file + ":" + std::to_string(diagnostic.place.line) + ": " +
                       mark.text.text;
    }
    exhibit_.marks.push_back(std::move(mark));
  }
}

void SourceMarks::add(const device::LaunchRecord& record) {
  for (const device::LineCounters& counters : record.lines) {
    if (counters.file != exhibit_.file) continue;
    SourceExhibit::Line& line = lines_[counters.line];
    line.line = counters.line;
    line.threads += counters.threads;
    line.counters += counters.counters;
  }
  for (const device::InstructionCounters& counters : record.instructions) {
    if (counters.ptx_line == 0) continue;
    SourceExhibit::Instruction& instruction = instructions_[counters.ptx_line];
    instruction.ptx_line = counters.ptx_line;
    instruction.line = line_in(exhibit_.file, counters);
    instruction.counters += counters.counters;
  }
  const auto count = [&](const device::SourcePlace& place, const device::Error& error) {
    if (place.file != exhibit_.file || place.line == 0) return;
    Group& group = groups_[{place.line, error.code}];
    if (group.count++ == 0) group.first = error;
  };
  for (const device::Finding& finding : record.findings)
    count(place_in(exhibit_.file, record, finding), finding.error);
  for (const device::Finding& note : record.notes) {
    const device::SourcePlace place = place_in(exhibit_.file, record, note);
    if (place.file != exhibit_.file || place.line == 0) continue;
    const bool known =
        std::any_of(exhibit_.marks.begin(), exhibit_.marks.end(), [&](const auto& mark) {
          return mark.line == place.line && mark.severity == device::Severity::note;
        });
    if (!known)
      exhibit_.marks.push_back({place.line, 0, device::Severity::note, message_of(note.error)});
  }
  if (!record.error) return;
  const bool found = std::any_of(
      record.findings.begin(), record.findings.end(),
      [&](const device::Finding& finding) { return finding.error.code == record.error->code; });
  if (!found) count(record.error->place, *record.error);
}

void SourceMarks::add_executions(const device::Module& module, std::string_view kernel,
                                 const device::LaunchRecord& record) {
  if (exhibit_.sass) device::add_executions(*exhibit_.sass, module, kernel, record);
}

SourceExhibit SourceMarks::exhibit() const {
  SourceExhibit exhibit = exhibit_;
  for (const auto& [number, line] : lines_) exhibit.lines.push_back(line);
  for (const auto& [number, instruction] : instructions_)
    exhibit.instructions.push_back(instruction);
  for (const auto& [where, group] : groups_) {
    exhibit.marks.push_back(
        {where.first, 0, device::Severity::error, counted_message(group.first, group.count)});
  }
  std::stable_sort(exhibit.marks.begin(), exhibit.marks.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return exhibit;
}

}  // namespace warpbook::lab
