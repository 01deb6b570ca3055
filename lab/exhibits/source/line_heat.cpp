#include "lab/exhibits/source/line_heat.hpp"

#include <algorithm>
#include <cmath>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

/// Of a damaged report, a line may be any number: no more are kept than the text has.
std::vector<std::uint64_t> zeros_for(std::string_view text) {
  return std::vector<std::uint64_t>(lines_of(text).size() + 1, 0);
}

std::uint64_t counter_of(Heat heat, const device::Counters& counters) {
  switch (heat) {
    case Heat::threads: return counters.thread_instructions;
    case Heat::instructions: return counters.warp_instructions;
    case Heat::divergent: return counters.divergent_branches;
    case Heat::sectors: return counters.global_sectors;
    case Heat::conflicts:
      return counters.shared_wavefronts -
             std::min(counters.shared_wavefronts, counters.shared_wavefronts_ideal);
    case Heat::time: return 0;  // no counter
  }
  __builtin_unreachable();
}

/// Of a damaged report, a time may be any number.
std::uint64_t picoseconds(double seconds) {
  constexpr double kMost = 1e6;  // seconds: far longer than any launch
  return seconds > 0
             ? static_cast<std::uint64_t>(std::llround(std::min(seconds, kMost) * kPicoseconds))
             : 0;
}

std::string_view key_of(Heat heat) {
  switch (heat) {
    case Heat::threads: return "source.heat.threads";
    case Heat::instructions: return "source.heat.instructions";
    case Heat::divergent: return "source.heat.divergent";
    case Heat::sectors: return "source.heat.sectors";
    case Heat::conflicts: return "source.heat.conflicts";
    case Heat::time: return "source.heat.time";
  }
  __builtin_unreachable();
}

}  // namespace

std::string heat_name(Heat heat, const Strings& strings) { return strings(key_of(heat)); }

std::uint64_t heat_of(Heat heat, const SourceExhibit::Line& line) {
  if (heat == Heat::time) {
    double seconds = 0;
    for (const device::EstimateBound& part : line.estimated) seconds += part.seconds;
    return picoseconds(seconds);
  }
  return heat == Heat::threads ? line.threads : counter_of(heat, line.counters);
}

std::uint64_t heat_of(Heat heat, const SourceExhibit::Instruction& instruction) {
  return heat == Heat::time ? picoseconds(instruction.estimated)
                            : counter_of(heat, instruction.counters);
}

std::string heat_text(Heat heat, std::uint64_t value) {
  if (value == 0) return {};
  return heat == Heat::time ? duration(static_cast<double>(value) / kPicoseconds) : grouped(value);
}

std::string waits_for(const SourceExhibit::Line& line, const Strings& strings) {
  if (line.estimated.empty()) return {};
  const std::string& part = line.estimated.front().name;
  // No launch as a whole is held up by barriers alone, so they are no part among an estimate's.
  return strings(part == "barrier" ? "source.barriers" : "estimate.part." + part);
}

std::vector<Heat> heats_of(const SourceExhibit& source) {
  std::vector<Heat> heats;
  for (const Heat heat : kHeats) {
    const bool any = std::ranges::any_of(
        source.lines, [&](const SourceExhibit::Line& line) { return heat_of(heat, line) != 0; });
    if (any || heat == Heat::threads) heats.push_back(heat);
  }
  return heats;
}

LineHeat::LineHeat(const SourceExhibit& source, Heat heat)
    : heat_(heat), lines_(zeros_for(source.text)), ptx_(zeros_for(source.ptx)) {
  const auto put = [&](std::vector<std::uint64_t>& values, std::uint32_t line,
                       std::uint64_t value) {
    if (line >= values.size()) return;
    values[line] += value;
    most_ = std::max(most_, values[line]);
  };
  for (const SourceExhibit::Line& line : source.lines) put(lines_, line.line, heat_of(heat, line));
  for (const SourceExhibit::Instruction& one : source.instructions)
    put(ptx_, one.ptx_line, heat_of(heat, one));
}

std::vector<std::uint32_t> ptx_lines_of(const SourceExhibit& source, std::uint32_t line) {
  std::vector<std::uint32_t> lines;
  for (const SourceExhibit::Instruction& one : source.instructions) {
    if (line != 0 && one.line == line) lines.push_back(one.ptx_line);
  }
  return lines;
}

}  // namespace warpbook::lab
