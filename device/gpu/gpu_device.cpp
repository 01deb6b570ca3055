#include "device/gpu/gpu_device.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "device/occupancy.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr int kMaxHeld = 64;  // blocks kept back because lost memory had their addresses

}  // namespace

GpuDevice::GpuDevice(std::shared_ptr<Connection> connection, const Opened& opened)
    : QueuedDevice(opened.properties),
      connection_(std::move(connection)),
      driver_(opened.driver),
      reader_(std::make_shared<GlobalMemory>(properties().global_bytes)),
      objects_(properties().name) {
  make_pinned();
}

Expected<std::unique_ptr<GpuDevice>> GpuDevice::open() {
  auto connection = std::make_shared<Connection>();
  const auto opened = connection->open();
  if (!opened) return tl::unexpected(opened.error());
  return std::unique_ptr<GpuDevice>(new GpuDevice(std::move(connection), *opened));
}

bool GpuDevice::supports(Feature feature) const {
  switch (feature) {
    case Feature::cooperative:
    case Feature::peer_copy:
    case Feature::events:
    case Feature::textures:
    case Feature::surfaces:
    case Feature::pinned: return true;
    case Feature::clusters: return properties().max_cluster_blocks > 0;
    case Feature::counters:
    case Feature::findings:
    case Feature::trace:
    case Feature::graphs:
    case Feature::seeds: return false;
  }
  return false;
}

Expected<const GpuModule*> GpuDevice::own(const Module& module) const {
  const auto* mine = dynamic_cast<const GpuModule*>(&module);
  if (mine && mine->connection() == connection_.get()) return mine;
  return tl::unexpected(foreign_module());
}

Expected<Done> GpuDevice::check_own(const Module& module) const {
  if (const auto mine = own(module); !mine) return tl::unexpected(mine.error());
  return Done{};
}

void GpuDevice::note_losses() {
  memory_.lose(connection_->generation(), connection_->last_loss());
  objects_.lose(connection_->generation(), connection_->last_loss());
}

Expected<std::shared_ptr<const Module>> GpuDevice::load(std::shared_ptr<const Program> program) {
  log("load", program->name, program->ptx.size(), 0);
  auto module = GpuModule::load(std::move(program), properties(), reader_, connection_);
  note_losses();
  if (!module) return tl::unexpected(module.error());
  return std::shared_ptr<const Module>(std::move(*module));
}

Expected<AllocationInfo> GpuDevice::global(const Module& module, std::string_view name) {
  const auto mine = own(module);
  if (!mine) return tl::unexpected(mine.error());
  const auto alone = connection_->hold();
  const auto info = (*mine)->global(name);
  note_losses();
  if (info) memory_.add(*info, connection_->generation(), true);
  return info;
}

Expected<Pointer> GpuDevice::allocate(std::string name, ElementType type, std::uint64_t count) {
  const std::uint64_t size = size_of(type);
  if (name.empty()) name = "unnamed";
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    return failure(ErrorCode::out_of_memory, {{"bytes", fmt::format("{} x {}", count, size)},
                                              {"name", name},
                                              {"free", Message{"phrase.count.few", {}, {}}}});
  }
  log("allocate", name, bytes, 0);
  const auto alone = connection_->hold();  // so that the generation is that of the answer
  // Who holds an address of lost memory must not meet another's buffer there.
  std::vector<Pointer> held;
  Expected<Pointer> result = Pointer{0};
  while (true) {
    auto answer = connection_->ask<Numbers>(MessageKind::allocate, to_bytes(Numbers{bytes}));
    note_losses();
    if (!answer) {
      Error error = answer.error();
      for (auto& [key, value] : error.arguments) {
        if (error.code == ErrorCode::out_of_memory && key == "name") value = Message::plain(name);
      }
      result = tl::unexpected(std::move(error));
      break;
    }
    if (answer->size() != 1) {
      result =
          failure(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.address", {}}}});
      break;
    }
    const Pointer address = answer->front();
    if (static_cast<int>(held.size()) == kMaxHeld || !memory_.was_lost(address, bytes)) {
      memory_.add({std::move(name), address, bytes, type}, connection_->generation(), false);
      result = address;
      break;
    }
    held.push_back(address);
  }
  for (const Pointer address : held)
    (void)connection_->tell(MessageKind::release, to_bytes(Numbers{address}));
  return result;
}

Expected<Done> GpuDevice::release(Pointer address) {
  log("release", memory_.name_at(address), 0, 0);
  if (address == 0) return Done{};
  finish_work();
  const auto there = memory_.take(address, "release");
  if (!there) return tl::unexpected(there.error());
  if (!*there) return Done{};
  const auto released = connection_->tell(MessageKind::release, to_bytes(Numbers{address}));
  note_losses();
  if (!released) return tl::unexpected(released.error());
  return Done{};
}

Expected<Occupancy> GpuDevice::occupancy(const Module& module, std::string_view kernel,
                                         std::uint32_t block_threads,
                                         std::uint32_t dynamic_shared) {
  const auto mine = own(module);
  if (!mine) return tl::unexpected(mine.error());
  const auto found = module.kernel(kernel);
  if (!found) return tl::unexpected(found.error());
  if (auto there = (*mine)->ready(); !there) return tl::unexpected(there.error());
  // The driver says how many blocks fit; our own count of the same resources says what stops the next one.
  Occupancy result =
      occupancy_of(properties(), {.threads = block_threads,
                                  .registers = (*found)->registers,
                                  .shared = (*found)->static_shared + dynamic_shared});
  const auto blocks = connection_->ask<Numbers>(
      MessageKind::occupancy, to_bytes(OccupancyRequest{(*mine)->number(), (*found)->mangled,
                                                        block_threads, dynamic_shared}));
  note_losses();
  if (!blocks) return tl::unexpected(blocks.error());
  if (blocks->size() != 1)
    return failure(ErrorCode::worker_protocol,
                   {{"detail", Message{"phrase.protocol.occupancy", {}}}});
  result.blocks = static_cast<std::uint32_t>(blocks->front());
  const std::uint32_t warps = (block_threads + kLanes - 1) / kLanes;
  const std::uint32_t most = properties().max_threads_per_multiprocessor / kLanes;
  result.fraction = most == 0 ? 0 : static_cast<double>(result.blocks) * warps / most;
  return result;
}

std::vector<AllocationInfo> GpuDevice::allocations() const { return memory_.buffers(); }

Error GpuDevice::not_supported(Message what) const {
  return {ErrorCode::not_supported,
          {{"what", std::move(what)},
           {"device", Message{"phrase.device.simulator-has", {{"gpu", properties().name}}, {}}}},
          {}};
}

}  // namespace warpbook::device::gpu
