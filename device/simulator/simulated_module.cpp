#include "device/simulator/simulated_module.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "device/compiler/composition.hpp"
#include "device/kernel_name.hpp"
#include "device/simulator/cubin/cubin.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {
namespace {

/// The facts that only the parsed PTX has, to be taken before the loaded module takes the PTX over.
struct Directives {
  std::uint32_t max_threads = 0;
  std::optional<Dim3> required_block, required_cluster;
};

std::optional<Dim3> extent_of(const std::uint32_t (&values)[3]) {
  if (values[0] == 0) return std::nullopt;
  return Dim3{values[0], std::max(values[1], 1u), std::max(values[2], 1u)};
}

std::map<std::string, Directives, std::less<>> directives_of(const ptx::Module& module) {
  std::map<std::string, Directives, std::less<>> result;
  for (const ptx::Function& f : module.functions) {
    if (!f.entry) continue;
    Directives d;
    if (const auto most = extent_of(f.max_threads)) {
      d.max_threads =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(most->count(), 0xffffffff));
    }
    d.required_block = extent_of(f.required_threads);
    d.required_cluster = extent_of(f.required_cluster);
    result.emplace(f.name, d);
  }
  return result;
}

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

void complete(KernelInfo& kernel, const Program& program) {
  const KernelName said = kernel_name_of(kernel.mangled);
  kernel.name = said.name;
  for (const auto& [expression, mangled] : program.lowered) {
    if (mangled == kernel.mangled) kernel.name = expression;
  }
  if (said.typed && said.parameters.size() == kernel.parameters.size()) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      kernel.parameters[i].declared = said.parameters[i];
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
  const auto directives = directives_of(*parsed);
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
    complete(kernel, *program);
    if (const auto d = directives.find(kernel.mangled); d != directives.end()) {
      kernel.max_threads = d->second.max_threads;
      kernel.required_block = d->second.required_block;
      kernel.required_cluster = d->second.required_cluster;
    }
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
  module->program_ = std::move(program);
  return module;
}

}  // namespace warpbook::device
