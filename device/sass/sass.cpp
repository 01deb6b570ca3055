#include "device/sass/sass.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "device/compiler/composition.hpp"
#include "device/kernel_name.hpp"
#include "device/sass/disassembler.hpp"
#include "device/sass/listing.hpp"
#include "device/simulator/cubin/cubin.hpp"
#include "device/simulator/cubin/elf.hpp"
#include "device/simulator/estimate/executed.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/simulated_module.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::uint16_t kBranch = 0x147, kNop = 0x118;
constexpr const char* kTool = "nvdisasm";

/// Where it is in the source called `name`, or was inlined into it; 0: nowhere.
std::uint32_t line_in(const ptx::Module& module, std::uint32_t location, std::string_view name) {
  constexpr int kDepth = 64;
  for (int depth = 0; location != ptx::kNone && depth < kDepth; ++depth) {
    const ptx::Location& at = module.locations[location];
    if (at.file < module.files.size() && module.files[at.file] == name) return at.line;
    location = at.inlined_at;
  }
  return 0;
}

/// Line of the PTX -> line of the program's source.
std::unordered_map<std::uint32_t, std::uint32_t> source_lines_of(const Program& program) {
  std::unordered_map<std::uint32_t, std::uint32_t> lines;
  const auto parsed = ptx::parse(program.ptx, program.name);
  if (!parsed) return lines;
  for (const ptx::Function& function : parsed->functions) {
    for (const ptx::Instruction& one : function.instructions) {
      std::uint32_t line = line_in(*parsed, one.location, program.name);
      if (line == 0) line = line_in(*parsed, one.location, name_in_box(program.name));
      if (line != 0) lines[one.ptx_line] = line;
    }
  }
  return lines;
}

std::string name_of_function(const Program& program, const std::string& mangled) {
  for (const auto& [expression, lowered] : program.lowered) {
    if (lowered == mangled) return expression;
  }
  return kernel_name_of(mangled).name;
}

/// As opcode_name() has it; one number has another name from Blackwell on.
std::string_view name_of_opcode(std::uint16_t opcode, int architecture) {
  constexpr std::uint16_t kHalfOrAdd = 0x035;
  constexpr int kBlackwell = 100;
  if (opcode == kHalfOrAdd) return architecture >= kBlackwell ? "IADD" : "HFMA2";
  return opcode_name(opcode);
}

/// Its name in our own table of opcodes.
std::string own_text(const MachineInstruction& one, std::uint32_t address, int architecture) {
  const std::string_view name = name_of_opcode(one.opcode, architecture);
  if (name.empty()) return fmt::format("{:#05x}", one.opcode);
  if (one.opcode != kBranch || one.jump == 0) return std::string(name);
  const std::int64_t to = std::int64_t{address} + std::int64_t{one.jump} * kInstructionBytes;
  return to < 0 ? std::string(name) : fmt::format("{} {:#x}", name, to);
}

/// Without the NOPs that fill up the end to a multiple of 128 bytes.
std::size_t used_of(const std::vector<MachineInstruction>& code) {
  const auto last = std::find_if(code.rbegin(), code.rend(),
                                 [](const MachineInstruction& one) { return one.opcode != kNop; });
  return static_cast<std::size_t>(code.rend() - last);
}

SassFunction function_of(const Program& program, const CubinKernel& kernel,
                         const std::unordered_map<std::uint32_t, std::uint32_t>& lines) {
  SassFunction function{kernel.name, name_of_function(program, kernel.name), false, {}};
  const std::size_t used = used_of(kernel.code.instructions);
  for (std::size_t i = 0; i < used; ++i) {
    const MachineInstruction& from = kernel.code.instructions[i];
    SassInstruction& one = function.instructions.emplace_back();
    one.address = static_cast<std::uint32_t>(i) * kInstructionBytes;
    one.text = own_text(from, one.address, program.architecture);
    one.ptx_line = from.ptx_line;
    if (const auto line = lines.find(from.ptx_line); line != lines.end()) one.line = line->second;
    one.stall = from.stall;
    one.wait_mask = from.wait_mask;
    one.write_barrier = from.write_barrier;
    one.read_barrier = from.read_barrier;
  }
  return function;
}

/// Gives the function the listing's texts, once each of its instructions was found there with the bits that the cubin has.
bool name_by(SassFunction& function, const Elf& elf, const Listing& listing) {
  const auto listed = listing.find(function.mangled);
  const ElfSection* section = elf.section(".text." + function.mangled);
  const auto bits = section ? elf.contents(*section) : std::nullopt;
  if (listed == listing.end() || !bits) return false;
  const auto is_there = [&](const SassInstruction& one) {
    const auto found = listed->second.find(one.address);
    return found != listed->second.end() &&
           bits->at<std::uint64_t>(one.address) == found->second.low &&
           bits->at<std::uint64_t>(one.address + 8) == found->second.high;
  };
  if (!std::ranges::all_of(function.instructions, is_there)) return false;
  for (SassInstruction& one : function.instructions)
    one.text = listed->second.find(one.address)->second.text;
  return true;
}

/// For all functions or for none, so that one program does not mix two ways of writing instructions.
std::optional<Error> name_all(std::vector<SassFunction>& functions, const Program& program,
                              const Listing& listing) {
  const auto elf = read_elf(program.cubin);
  std::vector<SassFunction> named = functions;
  for (SassFunction& function : named) {
    if (elf && name_by(function, *elf, listing)) continue;
    return Error{ErrorCode::library_refused,
                 {{"library", kTool},
                  {"why", Message{"phrase.why.not-the-code", {{"name", function.name}}, {}}},
                  {"words", Message{"phrase.words.none", {}, {}}}},
                 {}};
  }
  functions = std::move(named);
  return std::nullopt;
}

Sass unnamed(const Program& program) {
  Sass sass;
  sass.architecture = program.architecture;
  const auto kernels = read_cubin(program.cubin);
  if (!kernels) return sass;
  const auto lines = source_lines_of(program);
  for (const CubinKernel& kernel : *kernels) {
    if (!kernel.code.instructions.empty())
      sass.functions.push_back(function_of(program, kernel, lines));
  }
  return sass;
}

/// A branch to itself behind the last EXIT: it keeps a stray warp from running on, and is never reached.
bool is_end(const MachineInstruction& one) { return one.opcode == kBranch && one.jump == 0; }

}  // namespace

Sass sass_of(const Program& program, const std::stop_token& stop) {
  if (program.cubin.empty()) return unnamed(program);
  return sass_of(program, disassembled(program.cubin, stop));
}

Sass sass_of(const Program& program, const Expected<std::string>& listing) {
  Sass sass = unnamed(program);
  if (sass.functions.empty()) return sass;
  sass.why = listing ? name_all(sass.functions, program, read_listing(*listing)) : listing.error();
  if (!sass.why) sass.disassembler = kTool;
  return sass;
}

void add_executions(Sass& sass, const Module& module, std::string_view kernel,
                    const LaunchRecord& record) {
  const auto* simulated = dynamic_cast<const SimulatedModule*>(&module);
  const auto info = module.kernel(kernel);
  if (!simulated || !info || !record.counted || record.seed != 0) return;
  const std::string& mangled = (*info)->mangled;
  const auto function = std::ranges::find(sass.functions, mangled, &SassFunction::mangled);
  const auto machine = simulated->machine_code(mangled);
  if (function == sass.functions.end() || !machine) return;
  const LoadedModule& loaded = *simulated->loaded();
  const auto code = loaded.code(mangled, {});
  if (!code || (*code)->instructions.size() != record.instructions.size()) return;
  const std::uint64_t blocks = record.estimate ? record.estimate->blocks_run : record.grid.count();
  const std::uint64_t warps = blocks * ((record.block.count() + kLanes - 1) / kLanes);
  const std::vector<double> executions =
      executions_of(*machine, **code, loaded.parsed(), record, static_cast<double>(warps));
  if (executions.size() < function->instructions.size()) return;
  function->counted = true;
  for (std::size_t i = 0; i < function->instructions.size(); ++i) {
    if (!is_end(machine->instructions[i])) function->instructions[i].executed += executions[i];
  }
}

std::string_view opcode_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' '), text.size()));
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(" ."));
}

std::vector<std::pair<std::string, std::uint32_t>> opcodes_of(const SassFunction& function) {
  std::map<std::string, std::uint32_t, std::less<>> counts;
  for (const SassInstruction& one : function.instructions)
    ++counts[std::string(opcode_of(one.text))];
  std::vector<std::pair<std::string, std::uint32_t>> result(counts.begin(), counts.end());
  std::ranges::stable_sort(result, std::ranges::greater{},
                           &std::pair<std::string, std::uint32_t>::second);
  return result;
}

}  // namespace warpbook::device
