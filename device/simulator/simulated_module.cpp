#include "device/simulator/simulated_module.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "device/compiler/composition.hpp"
#include "device/kernel_name.hpp"
#include "device/simulator/cubin/cubin.hpp"
#include "device/simulator/run/recalled_launch.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {
namespace {

/// The files that the student wrote: the program's own, and those of its headers that are in its source already
/// (own_headers.hpp), each behind a line of its own.
std::vector<std::string> own_files_of(const Program& program) {
  std::vector<std::string> files{program.name, name_in_box(program.name)};
  constexpr std::string_view kBegin = "#line 1 \"";
  const std::string_view source = program.source;
  for (std::size_t at = 0; (at = source.find(kBegin, at)) != std::string_view::npos;) {
    const bool begins_line = at == 0 || source[at - 1] == '\n';
    at += kBegin.size();
    const std::size_t end = source.find_first_of("\"\n", at);
    if (begins_line && end != std::string_view::npos && source[end] == '"')
      files.emplace_back(source.substr(at, end - at));
  }
  return files;
}

/// The name as the source says it, which the compiler knows best.
void name_kernel(KernelInfo& kernel, const Program& program) {
  kernel.name = kernel_name_of(kernel.mangled).name;
  for (const auto& [expression, mangled] : program.lowered) {
    if (mangled == kernel.mangled) kernel.name = expression;
  }
}

}  // namespace

Expected<std::shared_ptr<const SimulatedModule>> SimulatedModule::load(
    std::shared_ptr<const Program> program, const Properties& gpu,
    const std::shared_ptr<GlobalMemory>& memory) {
  auto parsed = ptx::parse(program->ptx, program->name);
  if (!parsed) return tl::unexpected(parsed.error());
  // The driver makes machine code of PTX for the same or an older architecture only.
  if (parsed->target > static_cast<std::uint32_t>(gpu.compute_capability)) {
    return failure(ErrorCode::no_kernel_image,
                   {{"file", program->name},
                    {"target", std::to_string(parsed->target)},
                    {"device", gpu.name},
                    {"architecture", std::to_string(gpu.compute_capability)}});
  }
  parsed->own_files = own_files_of(*program);
  auto loaded = load_module(std::move(*parsed), gpu, memory);
  if (!loaded) return tl::unexpected(loaded.error());

  auto module = std::make_shared<SimulatedModule>();
  module->memory_ = memory;
  module->loaded_ = std::move(*loaded);
  module->kernels_.assign(module->loaded_->kernels().begin(), module->loaded_->kernels().end());
  // A cubin that cannot be read only leaves the registers unknown.
  auto cubin = read_cubin(program->cubin);
  for (KernelInfo& kernel : module->kernels_) {
    name_kernel(kernel, *program);
    if (!cubin) continue;
    const auto found = std::ranges::find(*cubin, kernel.mangled, &CubinKernel::name);
    if (found == cubin->end()) continue;
    kernel.registers = found->registers;
    kernel.spilled_bytes = found->spilled_bytes(kernel.local_bytes);
    for (const auto& [opcode, count] : found->code.opcodes)
      kernel.machine_mix.push_back({std::string(opcode_name(opcode)), opcode, count});
    if (!found->code.empty())
      module->machine_code_[kernel.mangled] =
          std::make_shared<const MachineCode>(std::move(found->code));
  }
  module->fingerprint_ = fingerprint_of(*program);
  return module;
}

}  // namespace warpbook::device
