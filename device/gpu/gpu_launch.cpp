// Launches on the GPU, and their times.
#include <fmt/format.h>

#include "device/gpu/gpu_device.hpp"

namespace warpbook::device::gpu {
namespace {

/// The longest time that a request to time may take: twice the limit of each variant, and a margin.
double patience_for(std::size_t variants, const TimeLimits& limits) {
  return 60 + 4 * static_cast<double>(variants) * (limits.most_seconds + limits.warm_seconds);
}

}  // namespace

Expected<GpuDevice::Prepared> GpuDevice::prepared(const Launch& launch,
                                                  const Admitted& admitted) const {
  // A GPU cannot do some of what a caller may ask for; leaving it out silently would mislead.
  if (launch.estimate.wanted)
    return tl::unexpected(not_supported({"phrase.what.estimate", {}, {}}));
  const auto module = own(*launch.module);
  if (!module) return tl::unexpected(module.error());
  const KernelInfo& kernel = *admitted.kernel;
  Prepared prepared;
  prepared.module = std::dynamic_pointer_cast<const GpuModule>(launch.module);
  LaunchRequest& request = prepared.request;
  request.module = (*module)->number();
  request.function = kernel.mangled;
  request.kernel = kernel.name;
  request.grid = launch.grid;
  request.block = launch.block;
  // Where the kernel says its cluster itself, the launch may not.
  if (!kernel.required_cluster) request.cluster = admitted.admission.cluster;
  request.dynamic_shared = launch.dynamic_shared;
  request.cooperative = launch.cooperative;
  request.parameters.assign(reinterpret_cast<const char*>(admitted.parameters.data()),
                            admitted.parameters.size());
  request.output_bytes = launch.budget.output_bytes;
  for (const Argument& argument : launch.arguments) {
    std::uint64_t value = 0;
    if (argument.bytes.size() != sizeof value) continue;
    __builtin_memcpy(&value, argument.bytes.data(), sizeof value);
    if (argument.kind == Argument::Kind::pointer) prepared.pointers.push_back(value);
    // A handle is a number like any other: only who reads textures can mean one by it.
    if (argument.kind == Argument::Kind::scalar && (*module)->takes_objects())
      prepared.handles.push_back(value);
  }

  LaunchRecord& record = prepared.record;
  record.grid = launch.grid;
  record.block = launch.block;
  record.cluster = admitted.admission.cluster;
  record.static_shared = kernel.static_shared;
  record.dynamic_shared = launch.dynamic_shared;
  record.time = {EvidenceKind::measured, Message::plain(properties().name), {}};
  return prepared;
}

Expected<void> GpuDevice::ready(const Prepared& launch) {
  auto loaded = launch.module->ready();
  note_losses();
  if (!loaded) return loaded;
  for (const Pointer address : launch.pointers) {
    if (auto ok = memory_.check_lost(address); !ok) return ok;
  }
  for (const std::uint64_t handle : launch.handles) {
    if (auto ok = objects_.check_lost(handle); !ok) return ok;
  }
  return {};
}

Expected<QueuedDevice::LaunchWork> GpuDevice::prepare(const Launch& launch,
                                                      const Admitted& admitted) {
  auto made = prepared(launch, admitted);
  if (!made) return tl::unexpected(made.error());
  return [this, seconds = launch.budget.seconds,
          launched = std::move(*made)](std::stop_token stop) -> Expected<LaunchRecord> {
    if (const auto there = ready(launched); !there) return tl::unexpected(there.error());
    LaunchRecord record = launched.record;
    record.allocations = memory_.buffers();
    auto reply = connection_->launch(launched.request, {seconds, std::move(stop)});
    note_losses();
    if (!reply) return tl::unexpected(reply.error());
    record.seconds = reply->seconds;
    record.output = std::move(reply->output);
    if (reply->failure) record.error = std::move(reply->failure->error);
    return record;
  };
}

Expected<std::vector<Timing>> GpuDevice::time(const std::vector<TimedVariant>& variants,
                                              const TimeLimits& limits, bool hot) {
  TimeRequest request;
  request.limits = limits;
  request.hot = hot;
  finish_work();
  for (const TimedVariant& variant : variants) {
    auto& sets = request.variants.emplace_back();
    for (const TimedRun& run : variant) {
      TimedSet& set = sets.emplace_back();
      set.zeroed = run.zeroed;
      for (const Launch& launch : run.launches) {
        std::string name;
        const auto admitted = admit(launch, name);
        if (!admitted) return tl::unexpected(admitted.error());
        auto made = prepared(launch, *admitted);
        if (!made) return tl::unexpected(made.error());
        if (auto there = ready(*made); !there) return tl::unexpected(there.error());
        set.launches.push_back(std::move(made->request));
      }
    }
  }
  log("time", "", 0, 0);
  auto timings = connection_->ask<std::vector<Timing>>(MessageKind::time, to_bytes(request),
                                                       {patience_for(variants.size(), limits), {}});
  note_losses();
  return timings;
}

}  // namespace warpbook::device::gpu
