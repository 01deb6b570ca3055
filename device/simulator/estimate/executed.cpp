#include "device/simulator/estimate/executed.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "device/simulator/isa/unrolling.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint8_t kScoreboards = 6;
constexpr double kOperandReadClocks = 20;  // clocks until a load or store has read its registers
constexpr std::uint16_t kBarrierOpcode = 0x11d, kCallOpcode = 0x144, kExitOpcode = 0x14d,
                        kReturnOpcode = 0x150;
constexpr std::size_t kLongestCall =
    12;  // instructions that hand over an operand, call and come back
constexpr double kBarrierClocks = 20;
constexpr double kDependentClocks = 4.5;  // from one plain instruction to the next that needs it

bool has(const ptx::Module& module, const ptx::Instruction& i, ptx::Word word) {
  const auto modifiers = module.modifiers_of(i);
  return std::ranges::find(modifiers, word) != modifiers.end();
}

bool is_float(const ptx::Module& module, const ptx::Instruction& i) {
  using ptx::Word;
  for (const Word w : {Word::f32, Word::f64, Word::f16, Word::f16x2, Word::bf16, Word::bf16x2}) {
    if (has(module, i, w)) return true;
  }
  return false;
}

/// Multiply-adds of "m16n8k8": 16 x 8 x 8.
double shape_of(std::string_view text) {
  for (std::size_t at = 0; (at = text.find(".m", at)) != text.npos; ++at) {
    double product = 1;
    const char* p = text.data() + at + 1;
    const char* const end = text.data() + text.size();
    int parts = 0;
    for (const char letter : {'m', 'n', 'k'}) {
      std::uint32_t value = 0;
      if (p == end || *p != letter) break;
      const auto [next, error] = std::from_chars(p + 1, end, value);
      if (error != std::errc{}) break;
      product *= value;
      p = next;
      ++parts;
    }
    if (parts == 3) return product;
  }
  return 0;
}

/// One warp alone on its scheduler, going through code: its clock, and when each of its scoreboards clears.
class SerialWarp {
 public:
  explicit SerialWarp(const std::function<double(const MachineInstruction&)>& latency)
      : latency_(latency) {}

  /// Clocks until the next instruction can issue.
  double step(const MachineInstruction& i) {
    double begin = now_;
    for (std::uint8_t b = 0; b < kScoreboards; ++b) {
      if ((i.wait_mask >> b & 1) != 0) begin = std::max(begin, clear_[b]);
    }
    const double end =
        begin + std::max<double>(1, i.stall) + (i.opcode == kBarrierOpcode ? kBarrierClocks : 0);
    if (i.write_barrier < kScoreboards)
      clear_[i.write_barrier] = std::max(clear_[i.write_barrier], begin + latency_(i));
    if (i.read_barrier < kScoreboards)
      clear_[i.read_barrier] = std::max(clear_[i.read_barrier], begin + kOperandReadClocks);
    const double held = end - now_;
    now_ = end;
    return held;
  }

 private:
  const std::function<double(const MachineInstruction&)>& latency_;
  double now_ = 0;
  std::array<double, kScoreboards> clear_{};
};

}  // namespace

Pipe pipe_of(std::uint16_t opcode) {
  if (opcode >= 0x020 && opcode <= 0x023) return Pipe::multiply_add;
  if (opcode >= 0x024 && opcode <= 0x027) return Pipe::integer_multiply;
  if (opcode >= 0x028 && opcode <= 0x02b) return Pipe::wide;
  if (opcode >= 0x030 && opcode <= 0x035) return Pipe::half;
  if (opcode == 0x037 || (opcode >= 0x03c && opcode <= 0x03f)) return Pipe::tensor;
  if (opcode == 0x03b) return Pipe::load_store;                  // LDSM
  if (opcode == 0x002 || opcode == 0x005) return Pipe::integer;  // MOV, CS2R
  if (opcode >= 0x006 && opcode <= 0x01f) return Pipe::integer;
  if (opcode == 0x036 || opcode == 0x045 || opcode == 0x048) return Pipe::integer;
  if (opcode >= 0x110 && opcode <= 0x113) return Pipe::wide;  // conversions from and to 64 bits
  if (opcode >= 0x100 && opcode <= 0x10f) return Pipe::special;
  if (opcode >= 0x160 && opcode <= 0x17f) return Pipe::texture;
  if (opcode == 0x182) return Pipe::control;  // LDC: a path of its own
  if (opcode == 0x18f || opcode == 0x192 || opcode == 0x1ab) return Pipe::control;  // CCTL, MEMBAR
  if (opcode >= 0x180 && opcode <= 0x1af) return Pipe::load_store;
  return Pipe::control;
}

namespace {

/// The pipe of the machine instruction that a PTX instruction becomes, if it is known to become exactly one.
std::optional<Pipe> one_of(const ptx::Module& module, const isa::CodeInstruction& info,
                           std::uint32_t index) {
  using ptx::Word;
  if (info.memo != kNone) {
    const bool alone = info.issued_with == index && info.issues == 1 && !info.atomic;
    return alone ? std::optional(Pipe::load_store) : std::nullopt;
  }
  switch (info.source->opcode) {
    case Word::add:
    case Word::sub:
    case Word::mul:
    case Word::fma:
      if (has(module, *info.source, Word::f32)) return Pipe::multiply_add;
      if (has(module, *info.source, Word::f64)) return Pipe::wide;
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// Division, reciprocal and square root call a subroutine of ptxas for operands that are rare: subnormal, infinite, very large.
/// It stands behind the kernel's last EXIT, ends with RET, and all of it has one line of PTX, which the code before it has, too. The
/// simulator does not count such operands, so neither the subroutine nor the call is taken to run.
void leave_out_rare_operands(const MachineCode& machine, std::vector<double>& executions) {
  const auto& code = machine.instructions;
  const auto is = [](std::uint16_t opcode) {
    return [opcode](const MachineInstruction& i) { return i.opcode == opcode; };
  };
  const auto after_exit = std::find_if(code.rbegin(), code.rend(), is(kExitOpcode)).base();
  bool any = false;
  for (auto begin = after_exit;;) {
    const auto end = std::find_if(begin, code.end(), is(kReturnOpcode));
    if (end == code.end()) break;
    const auto of_line = [line = begin->ptx_line](const MachineInstruction& i) {
      return i.ptx_line == line;
    };
    if (std::all_of(begin, end, of_line) && std::any_of(code.begin(), begin, of_line)) {
      std::fill(executions.begin() + (begin - code.begin()),
                executions.begin() + (end - code.begin()) + 1, 0.0);
      any = true;
    }
    begin = end + 1;
  }
  if (!any) return;
  // A branch leads past the call where the operand is a usual one.
  for (std::size_t k = 0; k < code.size(); ++k) {
    const auto past = static_cast<std::size_t>(std::max(0, code[k].jump));
    if (past > kLongestCall || k + past > code.size()) continue;
    const auto skipped = std::span(code).subspan(k, past);
    if (std::ranges::find_if(skipped, is(kCallOpcode)) == skipped.end()) continue;
    for (std::size_t s = 1; s < past; ++s) executions[k + s] = 0;
  }
}

}  // namespace

std::vector<double> executions_of(const MachineCode& machine, const isa::Code& code,
                                  const ptx::Module& module, const LaunchRecord& record,
                                  double warps) {
  const std::vector<std::uint32_t> copies = copies_of(code, module, machine);
  std::unordered_map<std::uint32_t, PipeCounts> made;  // by line of PTX
  for (const MachineInstruction& i : machine.instructions)
    at(made.try_emplace(i.ptx_line, PipeCounts{}).first->second, pipe_of(i.opcode)) += 1;
  std::unordered_map<std::uint32_t, double> of_line;
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    const BasicBlock& block = code.blocks[b];
    for (std::uint32_t k = block.first_instruction;
         k < block.first_instruction + block.instructions; ++k) {
      const std::uint32_t line = record.instructions[k].ptx_line;
      double written = std::max(1u, copies[b]);
      if (const auto pipe = one_of(module, code.instructions[k], k); pipe && made.contains(line)) {
        if (const double there = at(made.at(line), *pipe); there > 0) written = there;
      }
      of_line[line] +=
          static_cast<double>(record.instructions[k].counters.warp_instructions) / written;
    }
  }
  std::vector<double> executions;
  executions.reserve(machine.instructions.size());
  for (const MachineInstruction& i : machine.instructions) {
    const auto line = of_line.find(i.ptx_line);
    executions.push_back(line != of_line.end() ? line->second : warps);
  }
  leave_out_rare_operands(machine, executions);
  return executions;
}

void repeat_retries(const MachineCode& machine,
                    const std::unordered_map<std::uint32_t, double>& times,
                    std::vector<double>& executions) {
  const auto& code = machine.instructions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto found = times.find(code[i].ptx_line);
    if (found == times.end() || code[i].jump >= 0 || static_cast<std::size_t>(-code[i].jump) > i)
      continue;
    const std::size_t begin = i - static_cast<std::size_t>(-code[i].jump);
    const auto of_line = [&](std::size_t k) { return code[k].ptx_line == code[i].ptx_line; };
    bool whole = true;
    for (std::size_t k = begin; k < i; ++k) whole &= of_line(k);
    for (std::size_t k = begin; whole && k <= i; ++k) executions[k] *= found->second;
  }
}

PipeCounts pipes_of(const MachineCode& machine, std::span<const double> executions) {
  PipeCounts counts{};
  for (std::size_t i = 0; i < machine.instructions.size(); ++i)
    at(counts, pipe_of(machine.instructions[i].opcode)) += executions[i];
  return counts;
}

std::vector<double> serial_clocks_by_instruction(
    const MachineCode& machine, std::span<const double> executions,
    const std::function<double(const MachineInstruction&)>& latency) {
  const auto& code = machine.instructions;
  // An innermost loop is the code from the target of a backward branch to that branch, if no other backward branch is in between.
  std::vector<std::size_t> begins_at(code.size(), code.size());  // by index of the branch
  std::size_t last_branch = 0;
  bool any = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].jump >= 0 || static_cast<std::size_t>(-code[i].jump) > i) continue;
    const std::size_t begin = i - static_cast<std::size_t>(-code[i].jump);
    if (!any || begin > last_branch) begins_at[i] = begin;
    last_branch = i;
    any = true;
  }
  std::vector<bool> in_loop(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    for (std::size_t k = begins_at[i]; k <= i && begins_at[i] < code.size(); ++k) in_loop[k] = true;
  }
  std::vector<double> clocks(code.size());
  SerialWarp warp(latency);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const double held = warp.step(code[i]);
    if (!in_loop[i]) clocks[i] += held * executions[i];
    if (begins_at[i] == code.size()) continue;
    for (std::size_t k = begins_at[i]; k <= i; ++k) clocks[k] += warp.step(code[k]) * executions[k];
  }
  return clocks;
}

double serial_warp_clocks(const MachineCode& machine, std::span<const double> executions,
                          const std::function<double(const MachineInstruction&)>& latency) {
  const std::vector<double> clocks = serial_clocks_by_instruction(machine, executions, latency);
  return std::accumulate(clocks.begin(), clocks.end(), 0.0);
}

void add_pipes_of_ptx(const isa::Code& code, const LaunchRecord& record, std::uint32_t k,
                      PipeCounts& counts) {
  using ptx::Word;
  const isa::CodeInstruction& info = code.instructions[k];
  const auto n = static_cast<double>(record.instructions[k].counters.warp_instructions);
  const std::string& text = record.instructions[k].text;
  const bool floating = text.find(".f32") != text.npos, wide = text.find(".f64") != text.npos,
             half = text.find("f16") != text.npos;
  if (info.memo != kNone) {
    if (info.issued_with == k) at(counts, Pipe::load_store) += n * info.issues;
    return;
  }
  if (info.counts_as == isa::CountedAs::tensor) {
    at(counts, Pipe::tensor) += n;
    return;
  }
  if (info.counts_as == isa::CountedAs::shuffle) {
    at(counts, Pipe::load_store) += n;
    return;
  }
  switch (info.source->opcode) {
    case Word::add:
    case Word::sub:
    case Word::mul:
    case Word::mad:
    case Word::fma:
      at(counts, wide       ? Pipe::wide
                 : floating ? Pipe::multiply_add
                 : half     ? Pipe::half
                 : info.source->opcode == Word::mul || info.source->opcode == Word::mad
                     ? Pipe::integer_multiply
                     : Pipe::integer) += n;
      break;
    case Word::cvt: at(counts, Pipe::special) += n; break;
    case Word::ld:
    case Word::mov:
    case Word::cvta: break;  // parameters and copies, most of which ptxas removes
    case Word::bra:
    case Word::ret:
    case Word::bar: at(counts, Pipe::control) += n; break;
    default: at(counts, text.find(".approx") != text.npos ? Pipe::special : Pipe::integer) += n;
  }
}

PipeCounts pipes_of_ptx(const isa::Code& code, const LaunchRecord& record) {
  PipeCounts counts{};
  for (std::uint32_t k = 0; k < code.instructions.size(); ++k)
    add_pipes_of_ptx(code, record, k, counts);
  return counts;
}

double serial_clocks_of_ptx(const isa::Code& code, const LaunchRecord& record, std::uint32_t k,
                            double latency) {
  const auto n = static_cast<double>(record.instructions[k].counters.warp_instructions);
  // Loads that follow each other wait at the same time, so each counts a quarter of its latency.
  const bool access = code.instructions[k].memo != kNone,
             first = code.instructions[k].issued_with == k;
  if (access && code.instructions[k].load && first) return n * latency / 4;
  return first || !access ? n * kDependentClocks : 0;
}

double serial_warp_clocks_of_ptx(const isa::Code& code, const LaunchRecord& record,
                                 const std::function<double(std::uint32_t)>& latency) {
  double clocks = 0;
  for (std::uint32_t k = 0; k < code.instructions.size(); ++k)
    clocks += serial_clocks_of_ptx(code, record, k, latency(k));
  return clocks;
}

double operations_of(const isa::Code& code, const ptx::Module& module, const LaunchRecord& record) {
  using ptx::Word;
  double operations = 0;
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    const ptx::Instruction& i = *code.instructions[k].source;
    if (code.instructions[k].counts_as == isa::CountedAs::tensor ||
        code.instructions[k].memo != kNone)
      continue;
    double each = 0;
    switch (i.opcode) {
      case Word::fma:
      case Word::mad: each = 2; break;
      case Word::add:
      case Word::sub:
      case Word::mul:
      case Word::div:
      case Word::min:
      case Word::max:
      case Word::sqrt:
      case Word::rsqrt:
      case Word::rcp:
      case Word::ex2:
      case Word::lg2:
      case Word::sin:
      case Word::cos:
      case Word::tanh: each = 1; break;
      default: continue;
    }
    if (!is_float(module, i)) continue;
    if (has(module, i, Word::f16x2) || has(module, i, Word::bf16x2)) each *= 2;
    operations += each * static_cast<double>(record.instructions[k].counters.thread_instructions);
  }
  const TensorWork tensor = tensor_work_of(code, module, record);
  return operations + 2 * (tensor.half + tensor.single);
}

TensorWork tensor_work_of(const isa::Code& code, const ptx::Module& module,
                          const LaunchRecord& record, std::size_t k) {
  TensorWork work;
  if (code.instructions[k].counts_as != isa::CountedAs::tensor) return work;
  const double each = shape_of(record.instructions[k].text) *
                      static_cast<double>(record.instructions[k].counters.warp_instructions);
  (has(module, *code.instructions[k].source, ptx::Word::tf32) ? work.single : work.half) = each;
  return work;
}

TensorWork tensor_work_of(const isa::Code& code, const ptx::Module& module,
                          const LaunchRecord& record) {
  TensorWork work;
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    const TensorWork one = tensor_work_of(code, module, record, k);
    work.half += one.half;
    work.single += one.single;
  }
  return work;
}

}  // namespace warpbook::device
