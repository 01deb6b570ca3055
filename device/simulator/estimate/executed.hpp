// How often each machine instruction ran, and on which pipe; and how long a warp alone would take for them.
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

/// By machine instruction: executions, all warps of the launch together. A line of PTX that the cubin has several copies of (a loop
/// that was unrolled) ran as often as its PTX, all copies together; how many there are says the line itself where it becomes one
/// instruction, else its loop. What stems from no instruction of PTX ran once for each of `warps`.
std::vector<double> executions_of(const MachineCode& machine, const isa::Code& code,
                                  const ptx::Module& module, const LaunchRecord& record,
                                  double warps);

PipeCounts pipes_of(const MachineCode& machine, std::span<const double> executions);

/// The loops within one line of PTX that `times` names, which no instruction of PTX counts: gone round so often.
void repeat_retries(const MachineCode& machine,
                    const std::unordered_map<std::uint32_t, double>& times,
                    std::vector<double>& executions);

/// Where there is no cubin: each PTX instruction as the one that its kind mostly becomes.
PipeCounts pipes_of_ptx(const isa::Code& code, const LaunchRecord& record);

/// Clocks that `warps` warps spend on the instructions if each runs alone on its scheduler, all together: stalls that ptxas wrote
/// into the code, and waits for what the scoreboards stand for. `latency` tells the clocks from issue to result of an instruction
/// that sets one. Innermost loops are gone through as if they had been going for a while.
double lonely_clocks(const MachineCode& machine, std::span<const double> executions,
                     const std::function<double(const MachineInstruction&)>& latency);

/// Without a cubin: every instruction waits for the one before.
double lonely_clocks_of_ptx(const isa::Code& code, const LaunchRecord& record,
                            const std::function<double(std::uint32_t instruction)>& latency);

/// Floating-point operations, all lanes: a multiply-add counts two, a tensor instruction as its shape says.
double operations_of(const isa::Code& code, const ptx::Module& module, const LaunchRecord& record);

/// Multiply-adds of tensor instructions, all lanes together, by operand: f16 and bf16 (and all narrower); tf32.
struct TensorWork {
  double half = 0, single = 0;
};
TensorWork tensor_work_of(const isa::Code& code, const ptx::Module& module,
                          const LaunchRecord& record);

}  // namespace warpbook::device
