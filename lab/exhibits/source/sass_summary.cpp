#include "lab/exhibits/source/sass_summary.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using device::Sass;
using device::SassFunction;
using device::SassInstruction;

constexpr std::uint8_t kBarriers = 6;
constexpr std::size_t kOpcodesNamed = 5;

/// "5 IMAD, 3 LDC": the most frequent of all functions together.
std::string mix_of(const Sass& sass) {
  SassFunction all;
  for (const SassFunction& function : sass.functions) {
    all.instructions.insert(all.instructions.end(), function.instructions.begin(),
                            function.instructions.end());
  }
  std::string mix;
  std::size_t named = 0;
  for (const auto& [opcode, count] : device::opcodes_of(all)) {
    if (++named > kOpcodesNamed) break;
    mix += (mix.empty() ? "" : ", ") + std::to_string(count) + " " + opcode;
  }
  return mix;
}

}  // namespace

std::vector<SassRow> rows_of(const Sass& sass) {
  std::vector<SassRow> rows;
  for (const SassFunction& function : sass.functions) {
    if (sass.functions.size() > 1) rows.push_back({&function, nullptr});
    for (const SassInstruction& one : function.instructions) rows.push_back({&function, &one});
  }
  return rows;
}

std::uint64_t instructions_of(const Sass& sass) {
  std::uint64_t count = 0;
  for (const SassFunction& function : sass.functions) count += function.instructions.size();
  return count;
}

std::string address_text(const SassInstruction& instruction) {
  return fmt::format("0x{:04x}", instruction.address);
}

std::string executed_text(const SassRow& row) {
  if (!row.instruction || !row.function->counted) return {};
  // A damaged report may hold any number.
  constexpr double kMost = 1e18;
  const double times = row.instruction->executed;
  if (!(times >= 0 && times < kMost)) return number(times, 3);
  return grouped(static_cast<std::uint64_t>(std::llround(times)));
}

std::string waits_text(const SassInstruction& instruction) {
  std::string text;
  for (std::uint8_t barrier = 0; barrier < kBarriers; ++barrier) {
    if ((instruction.wait_mask >> barrier & 1) != 0)
      text += (text.empty() ? "" : " ") + std::to_string(barrier);
  }
  return text;
}

std::string sets_text(const SassInstruction& instruction) {
  std::string text;
  if (instruction.write_barrier < kBarriers) text = std::to_string(instruction.write_barrier);
  if (instruction.read_barrier < kBarriers)
    text += (text.empty() ? "" : " ") + std::to_string(instruction.read_barrier) + "r";
  return text;
}

double most_executed(const Sass& sass) {
  double most = 0;
  for (const SassFunction& function : sass.functions) {
    for (const SassInstruction& one : function.instructions) {
      if (std::isfinite(one.executed)) most = std::max(most, one.executed);
    }
  }
  return most;
}

std::string summary_of(const Sass& sass, const Strings& strings) {
  if (sass.functions.empty()) return strings("sass.none");
  std::vector<std::string> parts;
  parts.push_back(strings(
      "sass.of",
      {{"instructions", counted(strings, "count.machine-instructions", instructions_of(sass))},
       {"architecture", "sm_" + std::to_string(sass.architecture)},
       {"mix", mix_of(sass)}}));
  if (sass.why) {
    parts.push_back(strings("sass.unnamed", {{"why", strings(*sass.why)}}));
  } else {
    parts.push_back(strings("sass.named", {{"disassembler", sass.disassembler}}));
  }
  parts.push_back(executions_note(sass, strings));
  return sentences(strings, parts);
}

std::string executions_note(const Sass& sass, const Strings& strings) {
  return strings(std::ranges::any_of(sass.functions, &SassFunction::counted) ? "sass.counted"
                                                                             : "sass.uncounted");
}

std::string meaning_of_opcode(std::string_view opcode, const Strings& strings) {
  std::string key = "sass.op.";
  for (const char c : opcode) {
    key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return strings.has(key) ? strings(key) : std::string();
}

}  // namespace warpbook::lab
