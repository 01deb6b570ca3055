#include "lab/exhibits/source/source_marks.hpp"

#include <algorithm>
#include <functional>

#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

// What a finding says beside its line; the whole sentence where lang/ has no short one.
std::string key_of(const device::Error& error) {
  const std::string key = "error." + std::string(name_of(error.code));
  const bool has_short =
      device::pattern_for(device::english_pattern, key + ".short", {}).has_value();
  return key + (has_short ? ".short" : ".long");
}

Message counted_message(const device::Error& first, std::uint64_t count) {
  Message message{key_of(first), first.arguments, {}};
  // Some errors have a count of their own, which the sentence is about then.
  if (device::english_pattern(message.key)) return message;
  std::erase_if(message.arguments, [](const auto& argument) { return argument.name == "count"; });
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

/// The parts of another launch's time.
void add_parts(std::vector<device::EstimateBound>& parts,
               const std::vector<device::EstimateBound>& more) {
  for (const device::EstimateBound& part : more) {
    const auto same = std::ranges::find(parts, part.name, &device::EstimateBound::name);
    if (same == parts.end())
      parts.push_back(part);
    else
      same->seconds += part.seconds;
  }
  std::ranges::stable_sort(parts, std::greater(), &device::EstimateBound::seconds);
}

}  // namespace

Message message_of(const device::Error& error) { return counted_message(error, 1); }

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
    add_parts(line.estimated, counters.estimated);
  }
  for (const device::InstructionCounters& counters : record.instructions) {
    if (counters.ptx_line == 0) continue;
    SourceExhibit::Instruction& instruction = instructions_[counters.ptx_line];
    instruction.ptx_line = counters.ptx_line;
    instruction.line = line_in(exhibit_.file, counters);
    instruction.counters += counters.counters;
    instruction.estimated += counters.estimated;
  }
  const auto count = [&](const device::SourcePlace& place, const device::Error& error) {
    if (place.file != exhibit_.file || place.line == 0) return;
    const auto array = std::ranges::find(error.arguments, "name", &device::MessageArgument::name);
    Group& group =
        groups_[{place.line, error.code, array == error.arguments.end() ? "" : array->value.text}];
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
        {where.line, 0, device::Severity::error, counted_message(group.first, group.count)});
  }
  // Beside an error of the same line, a note that something there does no harm would be believed.
  std::erase_if(exhibit.marks, [&](const auto& mark) {
    return mark.severity == device::Severity::note &&
           std::ranges::any_of(groups_,
                               [&](const auto& group) { return group.first.line == mark.line; });
  });
  std::stable_sort(exhibit.marks.begin(), exhibit.marks.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return exhibit;
}

}  // namespace warpbook::lab
