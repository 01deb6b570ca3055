#include "device/runtime/device_clock.hpp"

#include <algorithm>

#include "device/gpu_table.hpp"

namespace warpbook::device::runtime {
namespace {

// "The H100" is an NVIDIA H100 80GB HBM3 with driver 580.159.04, whose host calls were timed on 26 November 2026
// (tests/gpu/host_calls.cu; tests/device/runtime/measured_calls_test.cpp holds this model against all that it printed).

// PCI Express moves so many bytes a second in one direction over 16 lanes (PCI-SIG: 8, 16 and 32 GT/s), of which large copies of
// pinned memory reach four fifths: 54 of 63 GB/s on the H100.
constexpr double kPcie3 = 15.75e9, kPcie4 = 31.5e9, kPcie5 = 63e9;
constexpr double kReached = 0.8;
/// Memory that is not pinned is copied through a pinned buffer, which takes half of the link's rate, and no faster than a thread of
/// the host copies into that buffer: 7 to 13.5 GB/s on the H100, although its link moves four times as much.
constexpr double kThroughBuffer = 0.5, kHostThread = 12.5e9;
/// A copy's fixed cost on the device, and a launch's, of the order that is measured with CUDA's own samples. Until a program knows
/// that a small copy is done, more goes by: cudaMemcpy of 4 bytes to 4 KB took 5 to 9 microseconds in all on the H100.
constexpr Duration kCopyLatency{1.5e-6, 1e-6, 5e-6};
constexpr double kLaunchLatency = 2e-6;
/// Pages that move on demand come as fast as faults are answered, whatever the link: 8.2 GB/s on a GTX 1080 over PCI Express 3
/// (github.com/parallelArchitect/pascal-um-benchmark), 6.7 GB/s to the H100 and 7.6 GB/s back.
constexpr double kByFaults = 7.5e9;
/// cudaMalloc took 50 microseconds for 4 to 512 KB, and more above (University of Virginia, "Memory Allocation Overhead"); on the
/// H100 37 for 1 MB and 74 for 256 MB, but 1 up to 64 KB, for which the driver still had room. So the band is wide.
constexpr double kAllocation = 50e-6, kAllocationLow = 0.02, kAllocationHigh = 10;
/// What is left open of a copy's bytes: the host's memory, the lanes that the slot has, the size from which a copy is a large one.
constexpr double kCopyLow = 0.75, kCopyHigh = 2;

double pcie_of(int compute_capability) {
  if (compute_capability < 80) return kPcie3;
  return compute_capability < 90 ? kPcie4 : kPcie5;
}

Duration banded(double seconds, double low_factor, double high_factor) {
  return {seconds, seconds * low_factor, seconds * high_factor};
}

/// A copy: its fixed cost, and its bytes at a rate.
Duration copy_at(double bytes_per_second, std::uint64_t bytes) {
  const Duration moved = banded(static_cast<double>(bytes) / bytes_per_second, kCopyLow, kCopyHigh);
  return {kCopyLatency.seconds + moved.seconds, kCopyLatency.low + moved.low,
          kCopyLatency.high + moved.high};
}

}  // namespace

Duration allocation_time() { return banded(kAllocation, kAllocationLow, kAllocationHigh); }

CopyModel::CopyModel(const Properties& gpu)
    : link_rate_(kReached * pcie_of(gpu.compute_capability)), memory_rate_(memory_rate(gpu)) {}

Duration CopyModel::over_link(std::uint64_t bytes, bool pinned) const {
  return copy_at(link_rate(pinned), bytes);
}

double CopyModel::link_rate(bool pinned) const {
  return pinned ? link_rate_ : std::min(link_rate_ * kThroughBuffer, kHostThread);
}

Duration CopyModel::by_faults(std::uint64_t bytes) const { return copy_at(kByFaults, bytes); }

Duration CopyModel::in_memory(std::uint64_t bytes) const {
  return copy_at(kReached * memory_rate_, bytes);
}

Interval DeviceClock::call(double seconds) {
  const double begin = host_;
  host_ += seconds;
  return {begin, host_};
}

double DeviceClock::time_of(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second;
}

double DeviceClock::ready(std::uint32_t stream) const {
  double at = std::max(host_, time_of(stream));
  const auto independent = [this](std::uint32_t s) { return independent_.contains(s); };
  if (independent(stream)) return at;
  if (stream != 0) return std::max(at, time_of(0));
  for (const auto& [other, time] : streams_) {
    if (!independent(other)) at = std::max(at, time);
  }
  return at;
}

double DeviceClock::multiprocessors_free(double from, double share) {
  std::erase_if(kernels_, [from](const Running& k) { return k.end <= from; });
  std::ranges::sort(kernels_, {}, &Running::end);
  double taken = share;
  for (const Running& k : kernels_) taken += k.share;
  double at = from;
  for (const Running& k : kernels_) {
    if (taken <= 1) break;
    taken -= k.share;
    at = k.end;
  }
  return at;
}

Interval DeviceClock::run(std::uint32_t stream, Engine engine, double seconds, double share) {
  double begin = ready(stream);
  if (engine == Engine::kernel) {
    begin = multiprocessors_free(begin + kLaunchLatency, share);
    kernels_.push_back({begin + seconds, share});
  } else if (engine != Engine::host) {
    double& free = engines_[engine];
    begin = std::max(begin, free);
    free = begin + seconds;
  }
  streams_[stream] = begin + seconds;
  return {begin, begin + seconds};
}

Interval DeviceClock::wait(std::uint32_t stream) {
  return wait_until(stream == 0 ? ready(0) : time_of(stream));
}

Interval DeviceClock::wait_all() {
  double last = host_;
  for (const auto& [stream, time] : streams_) last = std::max(last, time);
  return wait_until(last);
}

Interval DeviceClock::wait_until(double seconds) {
  const double begin = host_;
  host_ = std::max(host_, seconds);
  return {begin, host_};
}

void DeviceClock::hold(std::uint32_t stream, double seconds) {
  double& time = streams_[stream];
  time = std::max(time, seconds);
}

}  // namespace warpbook::device::runtime
