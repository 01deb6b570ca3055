// The common base of the simulated device and the GPU: work is queued in the order in which the host asks for it, and a launch is
// checked against CUDA's rules before it is.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/launch_check.hpp"
#include "device/stream_queue.hpp"

namespace warpbook::device {

class QueuedDevice : public Device {
 public:
  [[nodiscard]] const Properties& properties() const final { return gpu_; }

  LaunchTicket launch(Launch launch, Stream stream) final;

  Expected<Stream> create_stream() final;
  using Device::destroy;
  Expected<Done> destroy(Stream stream) final;
  /// Calls `function` on the device's thread when the work is done that was queued in the stream before (cudaLaunchHostFunc).
  /// It may not wait for the device.
  CopyTicket call_host(std::function<void()> function, Stream stream);
  Expected<Event> record_event(Stream stream) final;
  Expected<Done> wait(Stream stream, Event event) final;
  Expected<Done> synchronise(Stream stream) final;
  Expected<Done> synchronise() final;

  [[nodiscard]] std::vector<HostCall> host_calls() const final;

 protected:
  /// The work of a copy, on the device's thread.
  using CopyWork = std::function<Expected<void>()>;
  /// The work of a launch there. It returns a record also where the kernel failed, and an error where nothing ran.
  using LaunchWork = std::function<Expected<LaunchRecord>(std::stop_token)>;

  /// A launch that CUDA would take.
  struct Admitted {
    const KernelInfo* kernel = nullptr;  ///< of the launch's module
    Admission admission;
    std::vector<std::byte> parameters;
  };

  explicit QueuedDevice(Properties gpu) : gpu_(std::move(gpu)) {}

  /// Stops running work and drops waiting work. A derived device calls it first in its destructor, because the queue uses
  /// its members.
  void end_work() { queue_.end(); }
  /// Before something goes that queued work may use.
  void finish_work();

  [[nodiscard]] virtual Expected<Done> check_own(const Module& module) const = 0;
  /// The work of an admitted launch.
  virtual Expected<LaunchWork> prepare(const Launch& launch, const Admitted& admitted) = 0;
  /// The module is ours, the kernel is there, arguments and geometry are right. `kernel_name` is then the plain name.
  [[nodiscard]] Expected<Admitted> admit(const Launch& launch, std::string& kernel_name) const;

  CopyTicket queue_copy(HostCall call, CopyWork work);
  [[nodiscard]] static CopyTicket refused(Error error);
  /// Ready when all that is queued now is done.
  CopyTicket mark();

  void log(std::string call, std::string subject, std::uint64_t bytes, std::uint32_t stream);
  /// invalid_value of a module that another device loaded.
  [[nodiscard]] Error foreign_module() const;

 private:
  [[nodiscard]] Expected<Done> check(Stream stream) const;
  [[nodiscard]] Error unknown(const char* what, std::uint32_t id) const;
  Expected<Done> waited(const std::function<std::optional<Error>()>& wait);

  const Properties gpu_;
  mutable std::mutex mutex_;  // guards the members below
  std::set<std::uint32_t> streams_;
  std::uint32_t last_stream_ = 0, last_event_ = 0;
  std::vector<HostCall> calls_;
  StreamQueue queue_;
};

}  // namespace warpbook::device
