// A module on a GPU: its PTX and names, read as the simulator reads them, and the driver's facts about its functions. After a
// worker was lost, the next one loads the module again.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "device/gpu/connection.hpp"
#include "device/simulator/simulated_module.hpp"

namespace warpbook::device::gpu {

class GpuModule final : public Module {
 public:
  /// The simulator's view of the module puts its variables into `reader`; nothing runs there.
  static Expected<std::shared_ptr<const GpuModule>> load(
      std::shared_ptr<const Program> program, const Properties& gpu,
      const std::shared_ptr<GlobalMemory>& reader, std::shared_ptr<Connection> connection);
  ~GpuModule() override;
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  [[nodiscard]] std::span<const KernelInfo> kernels() const override { return kernels_; }
  [[nodiscard]] const Connection* connection() const { return connection_.get(); }
  [[nodiscard]] std::uint64_t number() const { return number_; }

  /// Whether its code has instructions of textures or surfaces.
  [[nodiscard]] bool takes_objects() const { return takes_objects_; }

  /// Loads it into the present worker, unless that has it already.
  [[nodiscard]] Expected<void> ready() const;
  /// Address, type and bytes of a variable, by its plain or its mangled name.
  [[nodiscard]] Expected<AllocationInfo> global(std::string_view name) const;

 private:
  GpuModule() = default;
  Expected<std::vector<FunctionFacts>> load_now() const;

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const Program> program_;
  std::shared_ptr<const SimulatedModule> read_;
  std::vector<KernelInfo> kernels_;
  std::uint64_t number_ = 0;
  bool takes_objects_ = false;
  mutable std::mutex mutex_;
  mutable std::uint64_t loaded_in_ = 0;  // the generation; 0: none
};

}  // namespace warpbook::device::gpu
