// How often each machine instruction ran, on which pipe, and how long one warp alone would take for all of them. The simulator runs
// PTX, so the cubin's line table is what leads from the counted PTX instructions to machine instructions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device {

/// Where a machine instruction executes. `control`: it takes an issue slot and nothing else that counts.
enum class Pipe : std::uint8_t {
  control,
  multiply_add,      ///< FFMA, FADD, FMUL
  integer_multiply,  ///< IMAD, on the multiply-add pipe
  integer,           ///< IADD3, LOP3, ISETP, FMNMX, ...
  half,              ///< HFMA2, ...
  wide,              ///< DFMA, ...
  special,           ///< MUFU, conversions
  tensor,            ///< HMMA, ...
  load_store,        ///< LDG, STS, SHFL, ATOM, ...
  texture            ///< TEX, ...
};
inline constexpr std::size_t kPipes = 10;
/// By the low 9 bits of an instruction word, as nvdisasm 12.9 names them for sm_75 to sm_90.
Pipe pipe_of(std::uint16_t opcode);

using PipeCounts = std::array<double, kPipes>;  ///< warp instructions
inline double& at(PipeCounts& counts, Pipe pipe) { return counts[static_cast<std::size_t>(pipe)]; }
inline double at(const PipeCounts& counts, Pipe pipe) {
  return counts[static_cast<std::size_t>(pipe)];
}

/// By machine instruction: executions, of all warps of the launch together. The subroutines that ptxas has for rare operands of
/// division and square root are taken not to run. Where the cubin has several copies of a PTX line (of an unrolled
/// loop), all copies together ran as often as the PTX did. The line itself tells how many copies there are if it becomes one machine
/// instruction, and the other lines of its loop tell otherwise. Code that belongs to no PTX line ran once for each of `warps`.
std::vector<double> executions_of(const MachineCode& machine, const isa::Code& code,
                                  const ptx::Module& module, const LaunchRecord& record,
                                  double warps);

PipeCounts pipes_of(const MachineCode& machine, std::span<const double> executions);

/// Multiplies the executions of loops within one line of PTX: no PTX instruction counts their rounds (an atomic operation that retries for
/// each lane, for example), so `times` gives them by line.
void repeat_retries(const MachineCode& machine,
                    const std::unordered_map<std::uint32_t, double>& times,
                    std::vector<double>& executions);

/// Without a cubin: each PTX instruction counts as the machine instruction that it mostly becomes.
PipeCounts pipes_of_ptx(const isa::Code& code, const LaunchRecord& record);
/// Adds those of one PTX instruction.
void add_pipes_of_ptx(const isa::Code& code, const LaunchRecord& record, std::uint32_t instruction,
                      PipeCounts& counts);

/// Clocks that all warps together would take if each ran alone on its scheduler, so that nothing hid its waiting: the stalls that ptxas
/// wrote into the instructions, and the waits for scoreboards. `latency` gives the clocks from issue to result of an instruction that
/// sets a scoreboard. Innermost loops count as in their later rounds, when results of the round before are awaited, too.
double serial_warp_clocks(const MachineCode& machine, std::span<const double> executions,
                          const std::function<double(const MachineInstruction&)>& latency);
/// The same by machine instruction. A warp waits for a result where it needs it, so that is where the clocks count.
std::vector<double> serial_clocks_by_instruction(
    const MachineCode& machine, std::span<const double> executions,
    const std::function<double(const MachineInstruction&)>& latency);

/// Without a cubin: every instruction waits for the one before it.
double serial_warp_clocks_of_ptx(const isa::Code& code, const LaunchRecord& record,
                                 const std::function<double(std::uint32_t instruction)>& latency);
/// Those of one PTX instruction, whose latency that is.
double serial_clocks_of_ptx(const isa::Code& code, const LaunchRecord& record,
                            std::uint32_t instruction, double latency);

/// Floating-point operations of all lanes: a multiply-add counts as two, a tensor instruction as many as its shape has.
double operations_of(const isa::Code& code, const ptx::Module& module, const LaunchRecord& record);

/// Multiply-adds of tensor instructions, of all lanes together, by type of operand: `half` for 16 bits and less, `single` for tf32.
struct TensorWork {
  double half = 0, single = 0;
};
TensorWork tensor_work_of(const isa::Code& code, const ptx::Module& module,
                          const LaunchRecord& record);
/// That of one PTX instruction.
TensorWork tensor_work_of(const isa::Code& code, const ptx::Module& module,
                          const LaunchRecord& record, std::size_t instruction);

}  // namespace warpbook::device
