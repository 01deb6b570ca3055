// The clock of a program's devices: when each copy and each kernel would begin and end on the GPU. Kernels last as long as the
// timing model says, copies as long as the link takes; what runs beside what follows from CUDA's rules for streams and events. The
// host's own work between its calls is not in it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/device.hpp"

namespace warpbook::device::runtime {

/// What carries an operation out. There is one engine of each kind for copies, and kernels share the multiprocessors.
enum class Engine : std::uint8_t { copy_in, copy_out, copy, fill, kernel, host };

struct Interval {
  double begin = 0, end = 0;  ///< seconds since the program's first call
};

/// How long something takes, with a band round it.
struct Duration {
  double seconds = 0, low = 0, high = 0;
};

/// A call's fixed cost on the host, of the order that is measured with CUDA's own samples: on an H100 (tests/gpu/host_calls.cu) from
/// 0.4 microseconds for one that finds nothing to do to 3.8 for a launch.
inline constexpr Duration kOneCall{2e-6, 0.35e-6, 4e-6};

class DeviceClock {
 public:
  /// A stream that neither waits for the legacy default stream nor is waited for.
  void make_independent(std::uint32_t stream) { independent_[stream] = true; }
  /// The host makes a call, which takes it that long; gives when.
  Interval call(double seconds = kOneCall.seconds);
  /// An operation of a stream that occupies `share` of the multiprocessors (of kernels; 0 to 1).
  Interval run(std::uint32_t stream, Engine engine, double seconds, double share = 1);
  /// The host waits for a stream, or for all work, or until a time; gives when.
  Interval wait(std::uint32_t stream);
  Interval wait_all();
  Interval wait_until(double seconds);
  /// The time at which what is in the stream now will be done.
  [[nodiscard]] double time_of(std::uint32_t stream) const;
  /// Later work of the stream begins no sooner than at `seconds`.
  void hold(std::uint32_t stream, double seconds);
  [[nodiscard]] double host() const { return host_; }

 private:
  struct Running {
    double end = 0, share = 0;
  };

  [[nodiscard]] double ready(std::uint32_t stream) const;
  [[nodiscard]] double multiprocessors_free(double from, double share);

  double host_ = 0;
  std::map<std::uint32_t, double> streams_;
  std::map<std::uint32_t, bool> independent_;
  std::map<Engine, double> engines_;
  std::vector<Running> kernels_;
};

/// How long one call of cudaMalloc or cudaFree occupies the host. What else is in the way (cudaFree waits for the device) comes
/// on top of it.
Duration allocation_time();

/// How long copies take on a GPU.
class CopyModel {
 public:
  explicit CopyModel(const Properties& gpu);
  /// Bytes a second of large copies between host and device.
  [[nodiscard]] double link_rate(bool pinned) const;
  /// Between host and device; `pinned` memory goes at the link's full rate, other memory through a buffer that the host fills.
  [[nodiscard]] Duration over_link(std::uint64_t bytes, bool pinned) const;
  /// Pages of managed memory that move because the other side touches them.
  [[nodiscard]] Duration by_faults(std::uint64_t bytes) const;
  /// Within the device's own memory, which moves so many bytes in all.
  [[nodiscard]] Duration in_memory(std::uint64_t bytes) const;

 private:
  double link_rate_ = 0, memory_rate_ = 0;  ///< bytes a second
};

/// The clock three times: as estimated, and with everything as short and as long as its band allows.
class BandedClock {
 public:
  /// Calls `act` with each clock; gives what the first one gives.
  template <class Act>
  auto operator()(const Act& act) {
    act(low_);
    act(high_);
    return act(estimated_);
  }
  Interval run(std::uint32_t stream, Engine engine, const Duration& duration, double share = 1) {
    low_.run(stream, engine, duration.low, share);
    high_.run(stream, engine, duration.high, share);
    return estimated_.run(stream, engine, duration.seconds, share);
  }
  /// The host is busy with a call.
  Interval call(const Duration& duration = kOneCall) {
    low_.call(duration.low);
    high_.call(duration.high);
    return estimated_.call(duration.seconds);
  }
  /// When what is in the stream now will be done, by each clock.
  [[nodiscard]] Duration time_of(std::uint32_t stream) const {
    return {estimated_.time_of(stream), low_.time_of(stream), high_.time_of(stream)};
  }
  /// Later work of the stream begins no sooner.
  void hold(std::uint32_t stream, const Duration& until) {
    estimated_.hold(stream, until.seconds);
    low_.hold(stream, until.low);
    high_.hold(stream, until.high);
  }
  [[nodiscard]] const DeviceClock& estimated() const { return estimated_; }
  [[nodiscard]] Duration host() const { return {estimated_.host(), low_.host(), high_.host()}; }

 private:
  DeviceClock estimated_, low_, high_;
};

}  // namespace warpbook::device::runtime
