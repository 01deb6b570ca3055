#include "device/simulator/simulated_device.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "device/launch_check.hpp"
#include "device/simulator/estimate/occupancy.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxHostCalls = 1u << 20;
constexpr std::size_t kPinnedAlignment = 4096;

Expected<Done> done_or_error(const std::optional<Error>& error) {
  if (error) return tl::unexpected(*error);
  return Done{};
}

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

SimulatedDevice::SimulatedDevice(Properties gpu)
    : gpu_(std::move(gpu)), memory_(std::make_shared<GlobalMemory>(gpu_.global_bytes)) {}

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
    case Feature::clusters: return gpu_.max_cluster_blocks > 0;
    case Feature::graphs: return false;
  }
  return false;
}

void SimulatedDevice::log(std::string call, std::string subject, std::uint64_t bytes,
                          std::uint32_t stream) {
  std::lock_guard lock(mutex_);
  if (calls_.size() < kMaxHostCalls)
    calls_.push_back({std::move(call), std::move(subject), bytes, stream});
}

std::string SimulatedDevice::name_at(Pointer address) const {
  const auto table = memory_->table();
  const Allocation* a = table->at(address);
  return a ? a->name : fmt::format("{:#x}", address);
}

Expected<Done> SimulatedDevice::check(Stream stream) const {
  std::lock_guard lock(mutex_);
  if (stream.id == 0 || streams_.contains(stream.id)) return Done{};
  return failure(ErrorCode::invalid_handle,
                 {{"what", "stream"}, {"id", std::to_string(stream.id)}, {"device", gpu_.name}});
}

Expected<const SimulatedModule*> SimulatedDevice::own(const Module& module) const {
  const auto* mine = dynamic_cast<const SimulatedModule*>(&module);
  if (mine && mine->memory() == memory_.get()) return mine;
  return failure(ErrorCode::invalid_value,
                 {{"why", fmt::format("this module was loaded on another device; load it on "
                                      "this {} too",
                                      gpu_.name)}});
}

Expected<std::shared_ptr<const Module>> SimulatedDevice::load(
    std::shared_ptr<const Program> program) {
  log("load", program->name, program->ptx.size(), 0);
  auto module = SimulatedModule::load(std::move(program), gpu_, memory_);
  if (!module) return tl::unexpected(module.error());
  return std::shared_ptr<const Module>(std::move(*module));
}

Expected<AllocationInfo> SimulatedDevice::global(const Module& module, std::string_view name) {
  const auto mine = own(module);
  if (!mine) return tl::unexpected(mine.error());
  return (*mine)->image()->global(name);
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

Expected<Done> SimulatedDevice::release(Pointer address) {
  log("release", name_at(address), 0, 0);
  if (!queue_.on_own_thread()) queue_.wait_idle();
  if (auto released = memory_->release(address, "release"); !released)
    return tl::unexpected(released.error());
  return Done{};
}

Expected<std::shared_ptr<std::byte[]>> SimulatedDevice::allocate_pinned(std::uint64_t bytes) {
  constexpr std::align_val_t kAlignment{kPinnedAlignment};
  auto* memory = static_cast<std::byte*>(::operator new[](bytes, kAlignment, std::nothrow));
  if (!memory) {
    return failure(
        ErrorCode::out_of_memory,
        {{"bytes", std::to_string(bytes)}, {"name", "pinned host memory"}, {"free", "few"}});
  }
  log("allocate_pinned", "", bytes, 0);
  return std::shared_ptr<std::byte[]>(memory,
                                      [](std::byte* p) { ::operator delete[](p, kAlignment); });
}

CopyTicket SimulatedDevice::queue_copy(HostCall call, CopyWork work) {
  CopyTicket ticket;
  const Stream stream{call.stream};
  log(std::move(call.call), std::move(call.subject), call.bytes, call.stream);
  if (const auto exists = check(stream); !exists) {
    ticket.deliver(tl::unexpected(exists.error()));
    return ticket;
  }
  queue_.push({.stream = stream.id,
               .run = [this, ticket, copy = std::move(work)](
                          const std::stop_token&) mutable -> std::optional<Error> {
                 const auto copied = copy(*memory_);
                 ticket.deliver(copied ? Expected<Done>(Done{}) : tl::unexpected(copied.error()));
                 return copied ? std::nullopt : std::optional(copied.error());
               },
               .drop = [ticket]() mutable { ticket.deliver(failure(ErrorCode::cancelled)); }});
  return ticket;
}

CopyTicket SimulatedDevice::copy_in(Pointer to, std::span<const std::byte> from, Stream stream) {
  return queue_copy({"copy_in", name_at(to), from.size(), stream.id},
                    [to, from](GlobalMemory& memory) { return memory.write(to, from, "copy_in"); });
}

CopyTicket SimulatedDevice::copy_out(std::span<std::byte> to, Pointer from, Stream stream) {
  return queue_copy({"copy_out", name_at(from), to.size(), stream.id},
                    [to, from](GlobalMemory& memory) { return memory.read(from, to, "copy_out"); });
}

CopyTicket SimulatedDevice::copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream) {
  return queue_copy(
      {"copy", name_at(to), bytes, stream.id},
      [to, from, bytes](GlobalMemory& memory) { return memory.copy(to, from, bytes, "copy"); });
}

CopyTicket SimulatedDevice::fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream) {
  return queue_copy(
      {"fill", name_at(to), bytes, stream.id},
      [to, value, bytes](GlobalMemory& memory) { return memory.fill(to, value, bytes, "fill"); });
}

CopyTicket SimulatedDevice::copy_peer(Device& to_device, Pointer to, Pointer from,
                                      std::uint64_t bytes, Stream stream) {
  if (&to_device == this) return copy(to, from, bytes, stream);
  auto* other = dynamic_cast<SimulatedDevice*>(&to_device);
  if (!other) {
    CopyTicket ticket;
    ticket.deliver(
        failure(ErrorCode::not_supported, {{"what", "a copy from a simulated GPU to a real one"},
                                           {"device", gpu_.name + ", simulated"}}));
    return ticket;
  }
  // A mark in the other device's queue tells when all that was queued there before is done. Two
  // devices that copy to each other cannot wait in a circle: each puts its mark before its own
  // copy, so some copy always comes first.
  CopyTicket mark;
  other->queue_.push({.stream = 0,
                      .run = [mark](const std::stop_token&) mutable -> std::optional<Error> {
                        mark.deliver(Done{});
                        return std::nullopt;
                      },
                      .drop = [mark]() mutable { mark.deliver(failure(ErrorCode::cancelled)); }});
  return queue_copy(
      {"copy_peer", name_at(from), bytes, stream.id},
      [mark, to, from, bytes, target = other->memory_](GlobalMemory& source) -> Expected<void> {
        if (const auto& reached = mark.wait(); !reached) return tl::unexpected(reached.error());
        if (auto ok = check_range(source, from, bytes, "copy_peer"); !ok) return ok;
        if (auto ok = check_range(*target, to, bytes, "copy_peer"); !ok) return ok;
        constexpr std::uint64_t kPiece = 1u << 20;
        std::vector<std::byte> piece(std::min(bytes, kPiece));
        for (std::uint64_t at = 0; at < bytes; at += kPiece) {
          const auto part = std::span(piece).first(std::min(kPiece, bytes - at));
          if (auto ok = source.read(from + at, part, "copy_peer"); !ok) return ok;
          if (auto ok = target->write(to + at, part, "copy_peer"); !ok) return ok;
        }
        return {};
      });
}

Expected<RunRequest> SimulatedDevice::admit(const Launch& launch, std::string& kernel_name) const {
  if (!launch.module) {
    return failure(ErrorCode::invalid_value,
                   {{"why", "a launch without a module; load one first"}});
  }
  const auto module = own(*launch.module);
  if (!module) return tl::unexpected(module.error());
  const auto kernel = (*module)->kernel(launch.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  kernel_name = (*kernel)->name;
  if (auto ok = check_arguments(**kernel, launch.arguments); !ok) return tl::unexpected(ok.error());
  const auto admission = check_geometry(gpu_, **kernel, launch);
  if (!admission) return tl::unexpected(admission.error());

  RunRequest request;
  request.image = (*module)->image();
  request.kernel = (*kernel)->mangled;
  request.machine_code = (*module)->machine_code(request.kernel);
  request.grid = launch.grid;
  request.block = launch.block;
  request.cluster = admission->cluster;
  request.dynamic_shared = launch.dynamic_shared;
  request.cooperative = launch.cooperative;
  request.parameters = pack_arguments(**kernel, launch.arguments);
  request.observe = launch.observe;
  request.budget = launch.budget;
  request.estimate = launch.estimate;
  request.registers = (*kernel)->registers;
  request.seed = launch.seed;
  request.workers = launch.workers;
  request.progress = launch.progress;
  request.resident_blocks = admission->resident_blocks;
  return request;
}

LaunchTicket SimulatedDevice::launch(Launch launch, Stream stream) {
  LaunchTicket ticket;
  std::string kernel_name = launch.kernel;
  const auto exists = check(stream);
  auto request = exists ? admit(launch, kernel_name) : tl::unexpected(exists.error());
  log("launch", kernel_name, 0, stream.id);
  if (!request) {
    queue_.note(stream.id, request.error());
    ticket.deliver(tl::unexpected(request.error()));
    return ticket;
  }
  // The launch's own stop request and the device's end are one to the machine.
  auto work = [ticket, kernel_name, gpu_name = gpu_.name, module = launch.module,
               user_stop = launch.stop, prepared = std::move(*request)](
                  const std::stop_token& device_stop) mutable -> std::optional<Error> {
    std::stop_source stop;
    const auto pass_on = [&stop] { stop.request_stop(); };
    const std::stop_callback on_user(user_stop, pass_on);
    const std::stop_callback on_device(device_stop, pass_on);
    prepared.stop = stop.get_token();
    auto record = run(prepared);
    if (!record) {
      ticket.deliver(tl::unexpected(record.error()));
      return record.error();
    }
    record->kernel = kernel_name;
    record->time.on = "this CPU, simulating " + gpu_name;
    std::optional<Error> error = record->error;
    ticket.deliver(std::make_shared<const LaunchRecord>(std::move(*record)));
    return error;
  };
  queue_.push({.stream = stream.id, .run = std::move(work), .drop = [ticket]() mutable {
                 ticket.deliver(failure(ErrorCode::cancelled));
               }});
  return ticket;
}

Expected<Stream> SimulatedDevice::create_stream() {
  std::lock_guard lock(mutex_);
  streams_.insert(++last_stream_);
  return Stream{last_stream_};
}

Expected<Done> SimulatedDevice::destroy(Stream stream) {
  std::lock_guard lock(mutex_);
  if (streams_.erase(stream.id) == 1) return Done{};
  return failure(ErrorCode::invalid_handle,
                 {{"what", "stream"}, {"id", std::to_string(stream.id)}, {"device", gpu_.name}});
}

Expected<Event> SimulatedDevice::record_event(Stream stream) {
  if (auto exists = check(stream); !exists) return tl::unexpected(exists.error());
  log("record_event", "", 0, stream.id);
  std::lock_guard lock(mutex_);
  return Event{++last_event_};
}

Expected<Done> SimulatedDevice::wait(Stream stream, Event event) {
  if (auto exists = check(stream); !exists) return exists;
  log("wait", "", 0, stream.id);
  // What the event stands for was queued before what comes next, and the queue keeps that order
  // (stream_queue.hpp).
  std::lock_guard lock(mutex_);
  if (event.id >= 1 && event.id <= last_event_) return Done{};
  return failure(ErrorCode::invalid_handle,
                 {{"what", "event"}, {"id", std::to_string(event.id)}, {"device", gpu_.name}});
}

Expected<Done> SimulatedDevice::synchronise(Stream stream) {
  if (auto exists = check(stream); !exists) return exists;
  log("synchronise", "", 0, stream.id);
  if (queue_.on_own_thread()) {
    return failure(ErrorCode::invalid_value,
                   {{"why", "the device's own thread cannot wait for the device"}});
  }
  return done_or_error(queue_.synchronise(stream.id));
}

Expected<Done> SimulatedDevice::synchronise() {
  log("synchronise", "", 0, 0);
  if (queue_.on_own_thread()) {
    return failure(ErrorCode::invalid_value,
                   {{"why", "the device's own thread cannot wait for the device"}});
  }
  return done_or_error(queue_.synchronise());
}

Expected<Occupancy> SimulatedDevice::occupancy(const Module& module, std::string_view kernel,
                                               std::uint32_t block_threads,
                                               std::uint32_t dynamic_shared) {
  const auto found = module.kernel(kernel);
  if (!found) return tl::unexpected(found.error());
  return occupancy_of(gpu_, {.threads = block_threads,
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

std::vector<HostCall> SimulatedDevice::host_calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

std::unique_ptr<Device> make_simulated_device(const Properties& gpu) {
  return std::make_unique<SimulatedDevice>(gpu);
}

}  // namespace warpbook::device
