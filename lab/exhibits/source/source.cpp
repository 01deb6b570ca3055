#include "lab/exhibits/source/source.hpp"

#include <algorithm>
#include <map>

#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_summary.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr int kQuotedColumns = 100;  ///< of a line of output that a sentence repeats

/// The line of one kind of mark that stands first, and how many there are.
struct MarkCount {
  std::uint64_t count = 0;
  const SourceExhibit::Mark* first = nullptr;
};

MarkCount marks_of(const SourceExhibit& source, device::Severity severity) {
  MarkCount found;
  for (const SourceExhibit::Mark& mark : source.marks) {
    if (mark.severity != severity) continue;
    ++found.count;
    if (found.first == nullptr || mark.line < found.first->line) found.first = &mark;
  }
  return found;
}

/// A quoted line without its own full stop: the sentence around it has one.
std::string without_stop(std::string text) {
  for (const std::string_view stop : {".", "。"}) {
    if (text.ends_with(stop)) text.resize(text.size() - stop.size());
  }
  return text;
}

std::string sentence_of(const MarkCount& marks, std::string_view key, const SourceExhibit& source,
                        const Strings& strings) {
  if (marks.count == 0) return {};
  return strings(key,
                 {{"count", grouped(marks.count)},
                  {"file", source.file},
                  {"line", std::to_string(marks.first->line)},
                  {"text", without_stop(first_line(strings(marks.first->text), kQuotedColumns))}});
}

/// The line with most of the estimated time; empty where none was estimated.
std::string slowest_of(const SourceExhibit& source, const Strings& strings) {
  std::uint64_t total = 0, most = 0;
  std::uint32_t slowest = 0;
  for (const SourceExhibit::Line& line : source.lines) {
    const std::uint64_t time = heat_of(Heat::time, line);
    total += time;
    if (time > most) {
      most = time;
      slowest = line.line;
    }
  }
  if (most == 0) return {};
  return strings("source.slowest", {{"file", source.file},
                                    {"line", std::to_string(slowest)},
                                    {"part", heat_text(Heat::time, most)},
                                    {"total", heat_text(Heat::time, total)}});
}

std::string cost_of(const SourceExhibit& source, const Strings& strings) {
  const SourceExhibit::Line *costliest = nullptr, *widest = nullptr, *narrowest = nullptr;
  std::uint64_t total = 0;
  for (const SourceExhibit::Line& line : source.lines) {
    total += line.counters.thread_instructions;
    if (!costliest || line.counters.thread_instructions > costliest->counters.thread_instructions)
      costliest = &line;
    if (!widest || line.threads > widest->threads) widest = &line;
    if (!narrowest || line.threads < narrowest->threads) narrowest = &line;
  }
  if (total == 0) {
    return strings("source.uncounted",
                   {{"file", source.file},
                    {"lines", counted(strings, "count.lines", lines_of(source.text).size())}});
  }
  std::string text = slowest_of(source, strings);
  if (text.empty()) {
    text = strings("source.cost", {{"file", source.file},
                                   {"line", std::to_string(costliest->line)},
                                   {"part", grouped(costliest->counters.thread_instructions)},
                                   {"total", grouped(total)}});
  }
  if (narrowest->threads < widest->threads) {
    text += strings("list.sentences");
    text +=
        strings("source.reach", {{"widest", std::to_string(widest->line)},
                                 {"many", counted(strings, "count.threads", widest->threads)},
                                 {"narrowest", std::to_string(narrowest->line)},
                                 {"few", counted(strings, "count.threads", narrowest->threads)}});
  }
  return text;
}

/// Programs read tables: a time is in seconds.
std::string cell_of(const LineHeat& heat, std::uint32_t line) {
  const std::uint64_t value = heat.of_line(line);
  return heat.kind() == Heat::time ? exact_text(static_cast<double>(value) / kPicoseconds)
                                   : std::to_string(value);
}

/// The rows of `other` below those of `table`. Both have their first column in common, and no other.
void add_below(Table& table, const Table& other) {
  const std::size_t before = table.head.size(), more = other.head.size() - 1;
  table.head.insert(table.head.end(), other.head.begin() + 1, other.head.end());
  for (auto& row : table.rows) row.resize(before + more);
  for (const auto& below : other.rows) {
    std::vector<std::string> row(before);
    row.front() = below.front();
    row.insert(row.end(), below.begin() + 1, below.end());
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string sentence_of(const SourceExhibit& source, const Strings& strings) {
  const MarkCount errors = marks_of(source, device::Severity::error);
  const MarkCount warnings = marks_of(source, device::Severity::warning);
  // Without PTX an error is the compiler's; with it, the kernel ran and a checker found something. Settings are never compiled, and a
  // whole program's PTX is not shown.
  if (source.settings && errors.count != 0)
    return sentence_of(errors, "source.findings", source, strings);
  if (source.ptx.empty() && errors.count != 0)
    return sentence_of(errors, "source.broken", source, strings);
  const std::vector<std::string> parts{sentence_of(errors, "source.findings", source, strings),
                                       sentence_of(warnings, "source.warnings", source, strings),
                                       cost_of(source, strings)};
  return sentences(strings, parts);
}

Table table_of(const SourceExhibit& source, const Strings& strings) {
  Table table{{strings("table.line"), strings("table.source")}, {}};
  std::vector<LineHeat> heats;
  for (const Heat heat : heats_of(source)) {
    heats.emplace_back(source, heat);
    table.head.push_back(heat_name(heat, strings));
  }
  table.head.push_back(strings("table.said"));
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(source.text)) {
    ++number;
    std::string said;
    for (const SourceExhibit::Mark& mark : source.marks) {
      if (mark.line == number) said += (said.empty() ? "" : "; ") + strings(mark.text);
    }
    std::vector<std::string> row{std::to_string(number), std::string(line)};
    for (const LineHeat& heat : heats) row.push_back(cell_of(heat, number));
    row.push_back(std::move(said));
    table.rows.push_back(std::move(row));
  }
  if (source.sass) add_below(table, table_of(*source.sass, strings));
  return table;
}

// Sources are compared by their slots, also where a run did not get to show them: compare() of two reports does it.
void compare(const SourceExhibit&, const SourceExhibit&, Comparer&) {}

std::string markdown_of(const SourceExhibit& source, const Strings& strings) {
  std::string text =
      "```cuda\n" + source.text + (source.text.ends_with('\n') ? "" : "\n") + "```\n";
  if (!source.sass) return text;
  text += "\n**" + strings("sass.title") + "**\n\n" + summary_of(*source.sass, strings) + "\n";
  if (instructions_of(*source.sass) != 0)
    text +=
        "\n" + to_markdown(table_of(*source.sass, strings)) + "\n" + strings("sass.legend") + "\n";
  return text;
}

void extras(JsonExtras& json, const device::SassFunction& function) {
  json("opcodes", [&] {
    std::map<std::string, std::uint64_t> opcodes;
    for (const auto& [opcode, count] : device::opcodes_of(function)) opcodes[opcode] = count;
    return opcodes;
  });
}

void extras(JsonExtras& json, const device::SassInstruction& instruction) {
  const auto barrier = [](std::uint8_t number) {
    return number == device::SassInstruction::kNoBarrier ? std::nullopt
                                                         : std::optional(std::uint32_t{number});
  };
  json.leave_out("wait_mask");
  json("waits", [&] {
    std::vector<std::uint32_t> waits;
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      if ((instruction.wait_mask >> bit & 1) != 0) waits.push_back(bit);
    }
    return waits;
  });
  json("write_barrier", [&] { return barrier(instruction.write_barrier); });
  json("read_barrier", [&] { return barrier(instruction.read_barrier); });
}

std::string_view style_of(std::type_identity<SourceExhibit> /*kind*/) {
  return R"css(.wb-source { border-collapse: collapse; width: 100%; font-size: 15px; line-height: 24px; }
.wb-source th { color: var(--t3); font-size: 13px; font-weight: 400; text-align: left; }
.wb-code { white-space: pre; tab-size: 4; }
.wb-number { width: 40px; color: var(--t4); }
.wb-threads { text-align: right; white-space: nowrap; }
.wb-mark.wb-bad td { background: var(--bad-tint); }
.wb-mark.wb-warn td { background: var(--warn-tint); }
)css";
}

}  // namespace warpbook::lab
