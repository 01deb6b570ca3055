// The machine code that ptxas made of a program's kernels, in readable form (SASS): each instruction with the lines of PTX and
// of the source that it came from, and with its control bits for the warp scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace warpbook::device {

struct SassInstruction {
  static constexpr std::uint8_t kNoBarrier = 7;

  std::uint32_t address =
      0;  ///< bytes from the begin of its function; instructions are 16 bytes apart
  std::string
      text;  ///< "@P0 FFMA R5, R2, R3, R5"; without a disassembler "FFMA", or "0x1a9" where not known
  std::uint32_t ptx_line = 0;  ///< from 1, by the cubin's line table; 0: it stems from none
  std::uint32_t line = 0;  ///< of the program's source, by the PTX's .loc; 0: it stems from none
  std::uint8_t stall = 0;  ///< clocks until the warp's next instruction
  std::uint8_t wait_mask =
      0;  ///< of the six scoreboard barriers that must be clear before it issues
  std::uint8_t write_barrier = kNoBarrier;  ///< the one that is clear once its result is there
  std::uint8_t read_barrier = kNoBarrier;   ///< the one that is clear once its operands were read
  /// Warp instructions: as often as the PTX that it stems from was counted, over all launches added. No hardware counted it.
  double executed = 0;
  friend bool operator==(const SassInstruction&, const SassInstruction&) = default;
};
template <class V>
void fields(V&& visit, Is<SassInstruction> auto& v) {
  visit("address", v.address);
  visit("text", v.text);
  visit("ptx_line", v.ptx_line);
  visit("line", v.line);
  visit("stall", v.stall);
  visit("wait_mask", v.wait_mask);
  visit("write_barrier", v.write_barrier);
  visit("read_barrier", v.read_barrier);
  visit("executed", v.executed);
}

/// The machine code of a kernel, with the functions that were not inlined into it.
struct SassFunction {
  std::string mangled;
  std::string name;                           ///< as the source says it
  bool counted = false;                       ///< `executed` is known
  std::vector<SassInstruction> instructions;  ///< by address, without the NOPs that fill up its end
  friend bool operator==(const SassFunction&, const SassFunction&) = default;
};
template <class V>
void fields(V&& visit, Is<SassFunction> auto& v) {
  visit("mangled", v.mangled);
  visit("name", v.name);
  visit("counted", v.counted);
  visit("instructions", v.instructions);
}

struct Sass {
  int architecture = 0;      ///< 90 for sm_90
  std::string disassembler;  ///< "nvdisasm"; empty: the texts are opcodes of our own table
  std::optional<Error> why;  ///< there is no text of a disassembler
  std::vector<SassFunction>
      functions;  ///< none: the program has no cubin, or one without line tables
  friend bool operator==(const Sass&, const Sass&) = default;
};
template <class V>
void fields(V&& visit, Is<Sass> auto& v) {
  visit("architecture", v.architecture);
  visit("disassembler", v.disassembler);
  visit("why", v.why);
  visit("functions", v.functions);
}

/// By NVIDIA's disassembler where it is here (disassembler.hpp) and what it writes is this program's code, bit by bit; else by
/// our own table of opcodes, and `why` says so. Takes a third of a second where the disassembler was not asked before.
Sass sass_of(const Program& program, const std::stop_token& stop = {});

/// The same with what a disassembler wrote, or why it did not.
Sass sass_of(const Program& program, const Expected<std::string>& listing);

/// Adds what a launch of `kernel` (mangled or plain) counted, where the module is simulated, the launch counted and its
/// schedule was the canonical one: else how often code was copied cannot be told, and nothing is added.
void add_executions(Sass& sass, const Module& module, std::string_view kernel,
                    const LaunchRecord& record);

/// "FFMA" of "@P0 FFMA.FTZ R5, R2, R3, R5".
std::string_view opcode_of(std::string_view text);

/// How many instructions of each opcode stand in a function: static, not how often they ran. The most frequent first.
std::vector<std::pair<std::string, std::uint32_t>> opcodes_of(const SassFunction& function);

}  // namespace warpbook::device
