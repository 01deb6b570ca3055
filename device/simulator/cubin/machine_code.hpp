// What ptxas made of a kernel, read from its cubin: memory instructions and branches by line of PTX, the mix of opcodes, and
// what each instruction waits for. Of operands, only the targets of branches are read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"

namespace warpbook::device {

struct Elf;

/// The machine instructions that stem from one line of PTX. Static: how many there are, not how often
/// they run. A loop that ptxas unrolled has as many copies of each.
struct MachineLine {
  std::uint32_t ptx_line = 0;  ///< from 1
  AccessInstructions accesses;
  std::uint32_t branches = 0;
  std::uint32_t others = 0;
};

/// One machine instruction, as the scheduler of a warp sees it.
struct MachineInstruction {
  static constexpr std::uint8_t kNoBarrier = 7;

  std::uint32_t ptx_line = 0;  ///< from 1; 0: it stems from none
  std::uint16_t opcode = 0;    ///< low 9 bits of the instruction word
  std::uint8_t stall = 0;      ///< cycles until the warp's next instruction
  std::uint8_t wait_mask = 0;  ///< of the six scoreboards that must be clear before it issues
  std::uint8_t write_barrier = kNoBarrier;  ///< the scoreboard that its result clears
  std::uint8_t read_barrier = kNoBarrier;   ///< the one that is clear when its operands were read
  std::int32_t jump =
      0;  ///< of a branch: instructions from this one to its target; 0: none, or unknown
};

struct MachineCode {
  std::vector<MachineLine> lines;                ///< by ptx_line
  std::vector<MachineInstruction> instructions;  ///< in the order of addresses
  std::map<std::uint16_t, std::uint32_t>
      opcodes;  ///< low 9 bits of the instruction word -> how many

  [[nodiscard]] bool empty() const { return lines.empty(); }
  /// nullptr: no machine instruction stems from that line.
  [[nodiscard]] const MachineLine* at(std::uint32_t ptx_line) const;
};

/// From the section `text` (".text.<kernel>") and .nv_debug_line_sass, which maps machine code to lines of the PTX
/// that it was made from. Empty where either is missing or damaged.
std::optional<MachineCode> read_machine_code(const Elf& elf, std::string_view text);

/// "FFMA" for 0x023; empty where the opcode is not known. As nvdisasm 13.2 names what ptxas 13.0 emits for sm_75 to
/// sm_120, where one number has one name in all of them.
std::string_view opcode_name(std::uint16_t opcode);

}  // namespace warpbook::device
