#include "device/simulator/simulated_device.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "device/launch_check.hpp"
#include "device/occupancy.hpp"
#include "device/simulator/run/launch.hpp"
#include "device/simulator/run/recalled_launch.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kPinnedAlignment = 4096;

/// Whether a copy of `bytes` may start at `address`: asked before a copy that moves in pieces
/// begins.
Expected<void> check_range(const GlobalMemory& memory, Pointer address, std::uint64_t bytes,
                           std::string_view call) {
  const auto table = memory.table();
  const Allocation* a = table->at(address);
  if (bytes == 0) return {};
  if (!a || a->freed) {
    return failure(ErrorCode::bad_pointer,
                   {{"call", std::string(call)}, {"address", fmt::format("{:#x}", address)}});
  }
  if (bytes <= a->end() - address) return {};
  return failure(ErrorCode::copy_out_of_bounds, {{"call", std::string(call)},
                                                 {"bytes", std::to_string(bytes)},
                                                 {"address", fmt::format("{:#x}", address)},
                                                 {"name", a->name},
                                                 {"size", std::to_string(a->bytes)}});
}

AllocationInfo info_of(const Allocation& a) { return {a.name, a.address, a.bytes, a.type}; }

}  // namespace

SimulatedDevice::SimulatedDevice(Properties gpu, bool shared)
    : QueuedDevice(std::move(gpu)),
      memory_(std::make_shared<GlobalMemory>(properties().global_bytes, shared)) {}

bool SimulatedDevice::supports(Feature feature) const {
  switch (feature) {
    case Feature::counters:
    case Feature::findings:
    case Feature::trace:
    case Feature::cooperative:
    case Feature::peer_copy:
    case Feature::events:
    case Feature::pinned:
    case Feature::textures:
    case Feature::surfaces:
    case Feature::seeds: return true;
    case Feature::clusters: return properties().max_cluster_blocks > 0;
    case Feature::graphs: return false;
  }
  return false;
}

std::string SimulatedDevice::name_at(Pointer address) const {
  const auto table = memory_->table();
  const Allocation* a = table->at(address);
  return a ? a->name : fmt::format("{:#x}", address);
}

Expected<const SimulatedModule*> SimulatedDevice::own(const Module& module) const {
  const auto* mine = dynamic_cast<const SimulatedModule*>(&module);
  if (mine && mine->memory() == memory_.get()) return mine;
  return tl::unexpected(foreign_module());
}

Expected<Done> SimulatedDevice::check_own(const Module& module) const {
  if (const auto mine = own(module); !mine) return tl::unexpected(mine.error());
  return Done{};
}

Expected<std::shared_ptr<const Module>> SimulatedDevice::load(
    std::shared_ptr<const Program> program) {
  log("load", program->name, program->ptx.size(), 0);
  auto module = SimulatedModule::load(std::move(program), properties(), memory_);
  if (!module) return tl::unexpected(module.error());
  return std::shared_ptr<const Module>(std::move(*module));
}

Expected<AllocationInfo> SimulatedDevice::global(const Module& module, std::string_view name) {
  const auto mine = own(module);
  if (!mine) return tl::unexpected(mine.error());
  return (*mine)->loaded()->global(name);
}

Expected<Pointer> SimulatedDevice::allocate(std::string name, ElementType type,
                                            std::uint64_t count) {
  const std::uint64_t size = size_of(type);
  if (count > std::numeric_limits<std::uint64_t>::max() / size) {
    return failure(ErrorCode::out_of_memory, {{"bytes", fmt::format("{} x {}", count, size)},
                                              {"name", name},
                                              {"free", std::to_string(memory_->free_bytes())}});
  }
  log("allocate", name, count * size, 0);
  return memory_->allocate(std::move(name), type, count * size);
}

Expected<Pointer> SimulatedDevice::allocate_pages(std::string name, std::uint64_t bytes) {
  log("allocate", name, bytes, 0);
  auto address =
      memory_->allocate(std::move(name), ElementType::u8, bytes, AllocationKind::buffer, true);
  if (address) memory_->mark_valid(*address, bytes);
  return address;
}

Expected<Done> SimulatedDevice::release(Pointer address) {
  log("release", name_at(address), 0, 0);
  finish_work();
  if (auto released = memory_->release(address, "release"); !released)
    return tl::unexpected(released.error());
  return Done{};
}

Expected<std::shared_ptr<std::byte[]>> SimulatedDevice::allocate_pinned(std::uint64_t bytes) {
  constexpr std::align_val_t kAlignment{kPinnedAlignment};
  auto* memory = static_cast<std::byte*>(::operator new[](bytes, kAlignment, std::nothrow));
  if (!memory) {
    return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(bytes)},
                                              {"name", Message{"phrase.name.pinned", {}, {}}},
                                              {"free", Message{"phrase.count.few", {}, {}}}});
  }
  log("allocate_pinned", "", bytes, 0);
  return std::shared_ptr<std::byte[]>(memory,
                                      [](std::byte* p) { ::operator delete[](p, kAlignment); });
}

CopyTicket SimulatedDevice::copy_in(Pointer to, std::span<const std::byte> from, Stream stream) {
  return queue_copy({"copy_in", name_at(to), from.size(), stream.id},
                    [this, to, from] { return memory_->write(to, from, "copy_in"); });
}

CopyTicket SimulatedDevice::copy_out(std::span<std::byte> to, Pointer from, Stream stream) {
  return queue_copy({"copy_out", name_at(from), to.size(), stream.id},
                    [this, to, from] { return memory_->read(from, to, "copy_out"); });
}

CopyTicket SimulatedDevice::copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream) {
  return queue_copy({"copy", name_at(to), bytes, stream.id},
                    [this, to, from, bytes] { return memory_->copy(to, from, bytes, "copy"); });
}

CopyTicket SimulatedDevice::fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream) {
  return queue_copy({"fill", name_at(to), bytes, stream.id},
                    [this, to, value, bytes] { return memory_->fill(to, value, bytes, "fill"); });
}

CopyTicket SimulatedDevice::copy_peer(Device& to_device, Pointer to, Pointer from,
                                      std::uint64_t bytes, Stream stream) {
  if (&to_device == this) return copy(to, from, bytes, stream);
  auto* other = dynamic_cast<SimulatedDevice*>(&to_device);
  if (!other) {
    return refused(
        {ErrorCode::not_supported,
         {{"what", Message{"phrase.what.peer", {}, {}}},
          {"device", Message{"phrase.device.simulated", {{"gpu", properties().name}}, {}}}},
         {}});
  }
  // A mark in the other device's queue tells when all that was queued there before is done. Two
  // devices that copy to each other cannot wait in a circle: each puts its mark before its own
  // copy, so some copy always comes first.
  const CopyTicket reached = other->mark();
  return queue_copy({"copy_peer", name_at(from), bytes, stream.id},
                    [this, reached, to, from, bytes, target = other->memory_]() -> Expected<void> {
                      if (const auto& there = reached.wait(); !there)
                        return tl::unexpected(there.error());
                      if (auto ok = check_range(*memory_, from, bytes, "copy_peer"); !ok) return ok;
                      if (auto ok = check_range(*target, to, bytes, "copy_peer"); !ok) return ok;
                      constexpr std::uint64_t kPiece = 1u << 20;
                      std::vector<std::byte> piece(std::min(bytes, kPiece));
                      for (std::uint64_t at = 0; at < bytes; at += kPiece) {
                        const auto part = std::span(piece).first(std::min(kPiece, bytes - at));
                        if (auto ok = memory_->read(from + at, part, "copy_peer"); !ok) return ok;
                        if (auto ok = target->write(to + at, part, "copy_peer"); !ok) return ok;
                      }
                      return {};
                    });
}

Expected<QueuedDevice::LaunchWork> SimulatedDevice::prepare(const Launch& launch,
                                                            const Admitted& admitted) {
  const auto module = own(*launch.module);
  if (!module) return tl::unexpected(module.error());
  RunRequest request;
  request.module = (*module)->loaded();
  request.kernel = admitted.kernel->mangled;
  request.machine_code = (*module)->machine_code(request.kernel);
  request.grid = launch.grid;
  request.block = launch.block;
  request.cluster = admitted.admission.cluster;
  request.dynamic_shared = launch.dynamic_shared;
  request.cooperative = launch.cooperative;
  request.parameters = admitted.parameters;
  request.observe = launch.observe;
  request.budget = launch.budget;
  request.estimate = launch.estimate;
  request.registers = admitted.kernel->registers;
  request.seed = launch.seed;
  request.perturb_approximations = launch.perturb_approximations;
  request.host_threads = launch.host_threads;
  request.progress = launch.progress;
  request.resident_blocks = admitted.admission.resident_blocks;
  return [this, prepared = std::move(request), program = (*module)->fingerprint(),
          memo = launch.memo](std::stop_token stop) mutable {
    prepared.stop = std::move(stop);
    auto record = memo ? run_or_recall(prepared, program, *memo) : run(prepared);
    if (record) record->time.on = {"phrase.device.simulating", {{"gpu", properties().name}}, {}};
    return record;
  };
}

Expected<Occupancy> SimulatedDevice::occupancy(const Module& module, std::string_view kernel,
                                               std::uint32_t block_threads,
                                               std::uint32_t dynamic_shared) {
  const auto found = module.kernel(kernel);
  if (!found) return tl::unexpected(found.error());
  return occupancy_of(properties(), {.threads = block_threads,
                                     .registers = (*found)->registers,
                                     .shared = (*found)->static_shared + dynamic_shared});
}

std::vector<AllocationInfo> SimulatedDevice::allocations() const {
  std::vector<AllocationInfo> result;
  for (const auto table = memory_->table(); const Allocation& a : table->all()) {
    if (!a.freed && a.kind == AllocationKind::buffer) result.push_back(info_of(a));
  }
  return result;
}

std::unique_ptr<Device> make_simulated_device(const Properties& gpu) {
  return std::make_unique<SimulatedDevice>(gpu);
}

Error no_address_space(const Properties& gpu) {
  return {ErrorCode::address_space,
          {{"gpu", gpu.name}, {"bytes", std::to_string(gpu.global_bytes)}},
          {}};
}

}  // namespace warpbook::device
