// A GPU that remembers what was launched and set to 0, and keeps the buffers that were freed, so that the same launches can be timed
// afterwards, as often as that takes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "device/gpu/gpu_device.hpp"

namespace warpbook::tests {

class CapturingDevice final : public device::Device {
 public:
  using Pointer = device::Pointer;
  using Stream = device::Stream;
  using Done = device::Done;
  template <class T>
  using Expected = device::Expected<T>;

  explicit CapturingDevice(device::gpu::GpuDevice& gpu) : gpu_(&gpu) {}
  ~CapturingDevice() override {
    for (const Pointer address : kept_) (void)gpu_->release(address);
  }
  CapturingDevice(const CapturingDevice&) = delete;
  CapturingDevice& operator=(const CapturingDevice&) = delete;

  /// What was set to 0 and launched since the last call, and in how much memory.
  struct Taken {
    device::gpu::TimedRun run;
    std::uint64_t bytes = 0;
  };
  Taken take() { return {std::exchange(run_, {}), std::exchange(bytes_, 0)}; }

  [[nodiscard]] const device::Properties& properties() const override { return gpu_->properties(); }
  [[nodiscard]] bool supports(device::Feature f) const override { return gpu_->supports(f); }
  Expected<std::shared_ptr<const device::Module>> load(
      std::shared_ptr<const device::Program> program) override {
    return gpu_->load(std::move(program));
  }
  Expected<device::AllocationInfo> global(const device::Module& m, std::string_view name) override {
    return gpu_->global(m, name);
  }
  Expected<Pointer> allocate(std::string name, device::ElementType type,
                             std::uint64_t count) override {
    bytes_ += count * device::size_of(type);
    return gpu_->allocate(std::move(name), type, count);
  }
  Expected<Done> release(Pointer address) override {
    if (address != 0) kept_.push_back(address);
    return Done{};
  }
  Expected<std::shared_ptr<std::byte[]>> allocate_pinned(std::uint64_t bytes) override {
    return gpu_->allocate_pinned(bytes);
  }
  device::CopyTicket copy_in(Pointer to, std::span<const std::byte> from, Stream s) override {
    return gpu_->copy_in(to, from, s);
  }
  device::CopyTicket copy_out(std::span<std::byte> to, Pointer from, Stream s) override {
    return gpu_->copy_out(to, from, s);
  }
  device::CopyTicket copy(Pointer to, Pointer from, std::uint64_t bytes, Stream s) override {
    return gpu_->copy(to, from, bytes, s);
  }
  device::CopyTicket copy_peer(device::Device& other, Pointer to, Pointer from, std::uint64_t bytes,
                               Stream s) override {
    return gpu_->copy_peer(other, to, from, bytes, s);
  }
  device::CopyTicket fill(Pointer to, std::byte value, std::uint64_t bytes, Stream s) override {
    if (value == std::byte{0}) run_.zeroed[to] = bytes;
    return gpu_->fill(to, value, bytes, s);
  }
  device::LaunchTicket launch(device::Launch launch, Stream s) override {
    run_.launches.push_back(launch);
    return gpu_->launch(std::move(launch), s);
  }
  Expected<Stream> create_stream() override { return gpu_->create_stream(); }
  Expected<Done> destroy(Stream s) override { return gpu_->destroy(s); }
  Expected<device::Event> record_event(Stream s) override { return gpu_->record_event(s); }
  Expected<Done> wait(Stream s, device::Event e) override { return gpu_->wait(s, e); }
  Expected<Done> synchronise(Stream s) override { return gpu_->synchronise(s); }
  Expected<Done> synchronise() override { return gpu_->synchronise(); }
  Expected<device::Array> create_array(const device::ArrayDescription& d) override {
    return gpu_->create_array(d);
  }
  Expected<Done> destroy(device::Array a) override { return gpu_->destroy(a); }
  device::CopyTicket copy_in_array(device::Array to, std::span<const std::byte> from,
                                   device::ArrayRegion r, Stream s) override {
    return gpu_->copy_in_array(to, from, r, s);
  }
  device::CopyTicket copy_out_array(std::span<std::byte> to, device::Array from,
                                    device::ArrayRegion r, Stream s) override {
    return gpu_->copy_out_array(to, from, r, s);
  }
  Expected<device::Texture> create_texture(const device::TextureDescription& d) override {
    return gpu_->create_texture(d);
  }
  Expected<Done> destroy(device::Texture t) override { return gpu_->destroy(t); }
  Expected<device::Surface> create_surface(device::Array a, std::uint32_t level) override {
    return gpu_->create_surface(a, level);
  }
  Expected<Done> destroy(device::Surface s) override { return gpu_->destroy(s); }
  Expected<device::Occupancy> occupancy(const device::Module& m, std::string_view kernel,
                                        std::uint32_t threads, std::uint32_t shared) override {
    return gpu_->occupancy(m, kernel, threads, shared);
  }
  [[nodiscard]] std::vector<device::AllocationInfo> allocations() const override {
    return gpu_->allocations();
  }
  [[nodiscard]] std::vector<device::HostCall> host_calls() const override {
    return gpu_->host_calls();
  }

 private:
  device::gpu::GpuDevice* gpu_;
  device::gpu::TimedRun run_;
  std::uint64_t bytes_ = 0;  // allocated
  std::vector<Pointer> kept_;
};

}  // namespace warpbook::tests
