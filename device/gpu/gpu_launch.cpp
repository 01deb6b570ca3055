// Launches on the GPU, and their times.
#include <fmt/format.h>

#include "device/gpu/gpu_device.hpp"
#include "device/launch_check.hpp"

namespace warpbook::device::gpu {
namespace {

/// The longest that a request to time may take: each variant for its own limit, twice, and what surrounds them.
double patience_for(std::size_t variants, const libraries::TimeLimits& limits) {
  return 60 + 4 * static_cast<double>(variants) * (limits.most_seconds + limits.warm_seconds);
}

}  // namespace

Expected<GpuDevice::Admitted> GpuDevice::admit(const Launch& launch,
                                               std::string& kernel_name) const {
  if (!launch.module) {
    return failure(ErrorCode::invalid_value,
                   {{"why", "a launch without a module; load one first"}});
  }
  // What is wanted and not to be had must not be left out silently.
  if (launch.estimate.wanted) return tl::unexpected(not_supported("an estimate of a launch"));
  const auto module = own(*launch.module);
  if (!module) return tl::unexpected(module.error());
  const auto kernel = (*module)->kernel(launch.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  kernel_name = (*kernel)->name;
  if (auto ok = check_arguments(**kernel, launch.arguments); !ok) return tl::unexpected(ok.error());
  const auto admission = check_geometry(gpu_, **kernel, launch);
  if (!admission) return tl::unexpected(admission.error());

  Admitted admitted;
  admitted.module = std::dynamic_pointer_cast<const GpuModule>(launch.module);
  LaunchRequest& request = admitted.request;
  request.module = (*module)->number();
  request.function = (*kernel)->mangled;
  request.kernel = kernel_name;
  request.grid = launch.grid;
  request.block = launch.block;
  // Where the kernel says its cluster itself, the launch may not.
  if (!(*kernel)->required_cluster) request.cluster = admission->cluster;
  request.dynamic_shared = launch.dynamic_shared;
  request.cooperative = launch.cooperative;
  const std::vector<std::byte> packed = pack_arguments(**kernel, launch.arguments);
  request.parameters.assign(reinterpret_cast<const char*>(packed.data()), packed.size());
  request.output_bytes = launch.budget.output_bytes;
  for (const Argument& argument : launch.arguments) {
    if (argument.kind != Argument::Kind::pointer || argument.bytes.size() != sizeof(Pointer))
      continue;
    Pointer address = 0;
    __builtin_memcpy(&address, argument.bytes.data(), sizeof address);
    admitted.pointers.push_back(address);
  }

  LaunchRecord& record = admitted.record;
  record.kernel = kernel_name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.cluster = admission->cluster;
  record.static_shared = (*kernel)->static_shared;
  record.dynamic_shared = launch.dynamic_shared;
  record.time = {Evidence::measured, gpu_.name, {}};
  return admitted;
}

Expected<void> GpuDevice::ready(const Admitted& launch) {
  auto loaded = launch.module->ready();
  note_losses();
  if (!loaded) return loaded;
  for (const Pointer address : launch.pointers) {
    if (auto ok = memory_.check_lost(address); !ok) return ok;
  }
  return {};
}

LaunchTicket GpuDevice::launch(Launch launch, Stream stream) {
  LaunchTicket ticket;
  std::string kernel_name = launch.kernel;
  const auto exists = check(stream);
  auto admitted = exists ? admit(launch, kernel_name) : tl::unexpected(exists.error());
  log("launch", kernel_name, 0, stream.id);
  if (!admitted) {
    queue_.note(stream.id, admitted.error());
    ticket.deliver(tl::unexpected(admitted.error()));
    return ticket;
  }
  auto work = [this, ticket, user_stop = launch.stop, seconds = launch.budget.seconds,
               prepared = std::move(*admitted)](
                  const std::stop_token& device_stop) mutable -> std::optional<Error> {
    // The launch's own request to stop and the device's end are one to the worker.
    std::stop_source stop;
    const auto pass_on = [&stop] { stop.request_stop(); };
    const std::stop_callback on_user(user_stop, pass_on);
    const std::stop_callback on_device(device_stop, pass_on);
    const auto refuse = [&](const Error& error) {
      ticket.deliver(tl::unexpected(error));
      return error;
    };
    if (const auto there = ready(prepared); !there) return refuse(there.error());
    LaunchRecord record = prepared.record;
    record.allocations = memory_.buffers();
    auto reply = connection_->launch(prepared.request, {seconds, stop.get_token()});
    note_losses();
    if (!reply) return refuse(reply.error());
    record.seconds = reply->seconds;
    record.output = std::move(reply->output);
    if (reply->failure) record.error = std::move(reply->failure->error);
    std::optional<Error> error = record.error;
    ticket.deliver(std::make_shared<const LaunchRecord>(std::move(record)));
    return error;
  };
  queue_.push({.stream = stream.id, .run = std::move(work), .drop = [ticket]() mutable {
                 ticket.deliver(failure(ErrorCode::cancelled));
               }});
  return ticket;
}

Expected<std::vector<libraries::Timing>> GpuDevice::time(const std::vector<TimedVariant>& variants,
                                                         const libraries::TimeLimits& limits,
                                                         bool hot) {
  TimeRequest request;
  request.limits = limits;
  request.hot = hot;
  queue_.wait_idle();
  for (const TimedVariant& variant : variants) {
    auto& sets = request.variants.emplace_back();
    for (const TimedRun& run : variant) {
      auto& launches = sets.emplace_back();
      for (const Launch& launch : run) {
        std::string name;
        auto admitted = admit(launch, name);
        if (!admitted) return tl::unexpected(admitted.error());
        if (auto there = ready(*admitted); !there) return tl::unexpected(there.error());
        launches.push_back(std::move(admitted->request));
      }
    }
  }
  log("time", "", 0, 0);
  auto timings = connection_->ask<std::vector<libraries::Timing>>(
      Frame::time, to_bytes(request), {patience_for(variants.size(), limits), {}});
  note_losses();
  return timings;
}

}  // namespace warpbook::device::gpu
