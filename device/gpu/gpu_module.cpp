#include "device/gpu/gpu_module.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "device/simulator/ptx/parser.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device::gpu {
namespace {

/// PTX ISA, "Texture Instructions" and "Surface Instructions".
bool has_object_instructions(std::string_view ptx) {
  constexpr std::array<std::string_view, 7> kInstructions{"tex.",  "tld4.",  "txq.", "suld.",
                                                          "sust.", "sured.", "suq."};
  return std::ranges::any_of(kInstructions,
                             [&](std::string_view name) { return ptx.find(name) != ptx.npos; });
}

}  // namespace

Expected<std::shared_ptr<const GpuModule>> GpuModule::load(
    std::shared_ptr<const Program> program, const Properties& gpu,
    const std::shared_ptr<GlobalMemory>& reader, std::shared_ptr<Connection> connection) {
  static std::atomic<std::uint64_t> last_number = 0;
  auto read = SimulatedModule::load(program, gpu, reader);
  if (!read) return tl::unexpected(read.error());
  std::shared_ptr<GpuModule> module(new GpuModule);
  module->connection_ = std::move(connection);
  module->program_ = std::move(program);
  module->read_ = std::move(*read);
  module->number_ = ++last_number;
  module->takes_objects_ = has_object_instructions(module->program_->ptx);
  module->kernels_.assign(module->read_->kernels().begin(), module->read_->kernels().end());
  const auto facts = module->load_now();
  if (!facts) return tl::unexpected(facts.error());
  for (std::size_t i = 0; i < facts->size() && i < module->kernels_.size(); ++i) {
    module->kernels_[i].registers = (*facts)[i].registers;
    module->kernels_[i].static_shared = (*facts)[i].static_shared;
    module->kernels_[i].local_bytes = (*facts)[i].local_bytes;
  }
  return std::shared_ptr<const GpuModule>(std::move(module));
}

GpuModule::~GpuModule() {
  if (connection_ && loaded_in_ != 0) connection_->unload(number_, loaded_in_);
}

Expected<std::vector<FunctionFacts>> GpuModule::load_now() const {
  if (auto opened = connection_->open(); !opened) return tl::unexpected(opened.error());
  const std::uint64_t generation = connection_->generation();
  LoadRequest request{number_, program_->name, program_->ptx, {}};
  for (const KernelInfo& kernel : kernels_) request.functions.push_back(kernel.mangled);
  auto facts = connection_->ask<std::vector<FunctionFacts>>(MessageKind::load, to_bytes(request));
  if (facts) loaded_in_ = generation;
  return facts;
}

Expected<void> GpuModule::ready() const {
  const std::lock_guard lock(mutex_);
  if (loaded_in_ == connection_->generation()) return {};
  if (auto facts = load_now(); !facts) return tl::unexpected(facts.error());
  return {};
}

Expected<AllocationInfo> GpuModule::global(std::string_view name) const {
  auto variable = read_->loaded()->global(name);
  if (!variable) return tl::unexpected(variable.error());
  // The driver knows it by its name in the PTX alone.
  const auto parsed = ptx::parse(program_->ptx, program_->name);
  if (!parsed) return tl::unexpected(parsed.error());
  std::string mangled(name);
  for (const ptx::Variable& v : parsed->variables) {
    if (v.name == name || plain_name(v.name) == name) mangled = v.name;
  }
  if (auto there = ready(); !there) return tl::unexpected(there.error());
  const auto place =
      connection_->ask<Numbers>(MessageKind::global, to_bytes(SymbolRequest{number_, mangled}));
  if (!place) return tl::unexpected(place.error());
  if (place->size() != 2)
    return failure(ErrorCode::worker_protocol,
                   {{"detail", Message{"phrase.protocol.variable", {}}}});
  variable->address = place->front();
  variable->bytes = place->back();
  return *variable;
}

}  // namespace warpbook::device::gpu
