// Launching and timing on the GPU.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "device/gpu/context.hpp"
#include "device/measure.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr std::uint32_t kFreeShared = 49152;  // bytes of shared memory without opting in
constexpr int kMostLaunchesInBatch = 4096;

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Failure Context::failed(cuda::Status status, const LaunchRequest& launch) const {
  return {launch_error(status, driver_.name_of(status),
                       {launch.kernel, launch.grid, launch.block, 0}, {}),
          harm_of(status)};
}

Result<void> Context::opt_in(const LaunchRequest& request, void* function) {
  // Never less than before: another launch that is timed may want it.
  std::uint32_t& bytes = opted_in_[function];
  if (request.dynamic_shared <= bytes) return {};
  // A kernel's own arrays and the memory that a launch adds share the bytes that are free.
  int own = 0;
  if (auto ok = check(driver_.api().FuncGetAttribute(&own, cuda::kFunctionStaticShared, function),
                      "cuFuncGetAttribute");
      !ok)
    return ok;
  if (static_cast<std::uint64_t>(own) + request.dynamic_shared <= kFreeShared) return {};
  const cuda::Status status = driver_.api().FuncSetAttribute(
      function, cuda::kFunctionMaxDynamicShared, static_cast<int>(request.dynamic_shared));
  if (status == cuda::kSuccess) {
    bytes = request.dynamic_shared;
    return {};
  }
  return tl::unexpected(failed(status, request));
}

cuda::Status Context::queue(const LaunchRequest& request, void* function) {
  std::array<cuda::LaunchAttribute, 2> attributes;
  cuda::LaunchConfig config{
      request.grid.x,  request.grid.y,         request.grid.z, request.block.x,   request.block.y,
      request.block.z, request.dynamic_shared, stream_,        attributes.data(), 0};
  if (request.cooperative) {
    cuda::LaunchAttribute& attribute = attributes.at(config.attribute_count++);
    attribute.id = cuda::LaunchAttribute::kCooperative;
    attribute.value.cooperative = 1;
  }
  if (request.cluster != Dim3{}) {
    cuda::LaunchAttribute& attribute = attributes.at(config.attribute_count++);
    attribute.id = cuda::LaunchAttribute::kClusterDimension;
    attribute.value.cluster = {request.cluster.x, request.cluster.y, request.cluster.z};
  }
  std::string parameters = request.parameters;
  std::size_t bytes = parameters.size();
  void* extra[] = {reinterpret_cast<void*>(cuda::kParameterBuffer), parameters.data(),
                   reinterpret_cast<void*>(cuda::kParameterBytes), &bytes,
                   reinterpret_cast<void*>(cuda::kParameterEnd)};
  return driver_.api().LaunchKernelEx(&config, function, nullptr, bytes == 0 ? nullptr : extra);
}

Result<LaunchReply> Context::launch(const LaunchRequest& request) {
  const DriverApi& api = driver_.api();
  const auto found = function(request.module, request.function);
  if (!found) return tl::unexpected(found.error());
  if (auto ready = opt_in(request, *found); !ready) return tl::unexpected(ready.error());
  FaultedLaunch about{request.kernel, request.grid, request.block, 0};
  const auto begin = std::chrono::steady_clock::now();
  if (auto ok = check(api.EventRecord(begin_, stream_), "cuEventRecord"); !ok)
    return tl::unexpected(ok.error());
  capture_.begin();
  cuda::Status status = queue(request, *found);
  const bool started = status == cuda::kSuccess;
  if (started) status = api.EventRecord(end_, stream_);
  if (started && status == cuda::kSuccess) status = api.EventSynchronize(end_);
  // The driver prints a kernel's output, and the text of a failed assertion, when the context is waited for, not the event.
  if (const cuda::Status all = started ? api.CtxSynchronize() : cuda::kSuccess;
      status == cuda::kSuccess)
    status = all;
  about.seconds = since(begin);
  Capture::Said said = capture_.end(request.output_bytes);

  LaunchReply reply;
  reply.output = std::move(said.output);
  reply.seconds = about.seconds;
  if (status != cuda::kSuccess) {
    Failure failed{launch_error(status, driver_.name_of(status), about, said.errors),
                   harm_of(status)};
    if (!started && failed.harm == Harm::none) return tl::unexpected(std::move(failed));
    reply.failure = std::move(failed);
    return reply;
  }
  float milliseconds = 0;
  if (auto ok = check(api.EventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime"); !ok)
    return tl::unexpected(ok.error());
  reply.seconds = milliseconds * 1e-3;
  if (said.cut) {
    reply.failure =
        Failure{{ErrorCode::budget_output, {{"bytes", std::to_string(request.output_bytes)}}, {}},
                Harm::none};
  }
  return reply;
}

Result<void> Context::queue_run(const TimedSet& run) {
  for (const auto& [address, bytes] : run.zeroed) {
    const cuda::Status status = driver_.api().MemsetD8Async(address, 0, bytes, stream_);
    if (auto ok = check(status, "cuMemsetD8Async"); !ok) return ok;
  }
  for (const LaunchRequest& launch : run.launches) {
    const auto found = function(launch.module, launch.function);
    if (!found) return tl::unexpected(found.error());
    const cuda::Status status = queue(launch, *found);
    if (status != cuda::kSuccess) return tl::unexpected(failed(status, launch));
  }
  return {};
}

/// Seconds of one run: of one that is as short as a clock's tick, over a batch of them, which stays as large for the next.
Result<double> Context::sample(Timed& variant) {
  const DriverApi& api = driver_.api();
  while (true) {
    if (wants_lead(variant.seconds)) {
      if (auto led = queue_run(variant.take()); !led) return tl::unexpected(led.error());
    }
    if (auto ok = check(api.EventRecord(begin_, stream_), "cuEventRecord"); !ok)
      return tl::unexpected(ok.error());
    for (int i = 0; i < variant.batch; ++i) {
      if (auto queued = queue_run(variant.take()); !queued) return tl::unexpected(queued.error());
    }
    if (auto ok = check(api.EventRecord(end_, stream_), "cuEventRecord"); !ok)
      return tl::unexpected(ok.error());
    if (const cuda::Status status = api.EventSynchronize(end_); status != cuda::kSuccess)
      return tl::unexpected(failed(status, variant.take().launches.back()));
    float milliseconds = 0;
    if (auto ok = check(api.EventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime");
        !ok)
      return tl::unexpected(ok.error());
    const double seconds = milliseconds * 1e-3;
    if (seconds >= kShortestSample || variant.batch >= kMostLaunchesInBatch) {
      variant.seconds = seconds / variant.batch;
      return variant.seconds;
    }
    variant.batch *= 4;
  }
}

Result<std::vector<Timing>> Context::time(const TimeRequest& request) {
  std::vector<Timed> timed;
  for (const auto& sets : request.variants) timed.push_back({sets});
  std::vector<Sample> samples;
  std::optional<Failure> failure;
  for (std::size_t v = 0; v < request.variants.size(); ++v) {
    const auto& sets = request.variants[v];
    const bool runs = !sets.empty() && std::ranges::none_of(sets, [](const TimedSet& set) {
      return set.launches.empty();
    });
    if (!runs)
      return tl::unexpected(Failure{{ErrorCode::worker_protocol,
                                     {{"detail", Message{"phrase.protocol.nothing-to-time", {}}}},
                                     {}},
                                    Harm::none});
    for (const TimedSet& set : sets) {
      for (const LaunchRequest& launch : set.launches) {
        const auto found = function(launch.module, launch.function);
        if (!found) return tl::unexpected(found.error());
        if (auto ready = opt_in(launch, *found); !ready) return tl::unexpected(ready.error());
      }
    }
    samples.emplace_back([this, &failure, &variant = timed[v]]() -> Expected<double> {
      const auto seconds = sample(variant);
      if (seconds) return *seconds;
      failure = seconds.error();
      return tl::unexpected(seconds.error().error);
    });
  }
  capture_.begin();
  auto timings = measure(samples, request.limits);
  (void)capture_.end(1);
  if (!timings) return tl::unexpected(failure.value_or(Failure{timings.error(), Harm::none}));
  for (Timing& timing : *timings) {
    timing.hot = request.hot;
    timing.on = properties_.name;
  }
  return *timings;
}

}  // namespace warpbook::device::gpu
