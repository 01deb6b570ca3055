// A module loaded on a simulated device: the code and variables, and the facts about its kernels from
// its PTX, its names and its cubin.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "device/launch_memo.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/state/memory.hpp"

namespace warpbook::device {

class LoadedModule;

class SimulatedModule final : public Module {
 public:
  /// Parses the program's PTX and places it in `memory`.
  static Expected<std::shared_ptr<const SimulatedModule>> load(
      std::shared_ptr<const Program> program, const Properties& gpu,
      const std::shared_ptr<GlobalMemory>& memory);

  [[nodiscard]] std::span<const KernelInfo> kernels() const override { return kernels_; }
  [[nodiscard]] const std::shared_ptr<const LoadedModule>& loaded() const { return loaded_; }
  /// The machine code that ptxas made of a kernel, by its mangled name; nullptr where the program has no cubin.
  [[nodiscard]] std::shared_ptr<const MachineCode> machine_code(const std::string& mangled) const {
    const auto found = machine_code_.find(mangled);
    return found == machine_code_.end() ? nullptr : found->second;
  }
  /// Of the program, by which launches are recalled.
  [[nodiscard]] const Fingerprint& fingerprint() const { return fingerprint_; }
  /// The device it was loaded on, by its memory.
  [[nodiscard]] const GlobalMemory* memory() const { return memory_.get(); }

 private:
  std::shared_ptr<GlobalMemory> memory_;
  Fingerprint fingerprint_;
  std::shared_ptr<const LoadedModule> loaded_;
  std::vector<KernelInfo> kernels_;
  std::map<std::string, std::shared_ptr<const MachineCode>> machine_code_;
};

}  // namespace warpbook::device
