// A loaded module, as the machine sees it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/simulator/isa/decode.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {

class PlacedModule : public LoadedModule {
 public:
  PlacedModule(ptx::Module module, const Properties& gpu, std::shared_ptr<GlobalMemory> memory,
               const isa::HandlerBuild& handlers);
  ~PlacedModule() override;
  PlacedModule(const PlacedModule&) = delete;
  PlacedModule& operator=(const PlacedModule&) = delete;

  /// Allocates and initialises the module's variables.
  Expected<void> place();

  [[nodiscard]] std::span<const KernelInfo> kernels() const override { return kernels_; }
  [[nodiscard]] Expected<AllocationInfo> global(std::string_view name) const override;
  [[nodiscard]] Expected<void> prepare(std::string_view mangled) const override;

  /// Decoded once, then kept. `split` as decode() has it.
  [[nodiscard]] Expected<std::shared_ptr<const isa::Code>> code(std::string_view mangled,
                                                                bool split) const;

  [[nodiscard]] const ptx::Module& module() const { return module_; }
  [[nodiscard]] const Properties& gpu() const { return gpu_; }
  [[nodiscard]] GlobalMemory& memory() const { return *memory_; }
  /// The kernel's own source file: that of its first .loc; kNone where there is none.
  [[nodiscard]] std::uint32_t own_file(std::uint32_t function) const;

 private:
  Expected<void> initialise(const ptx::Variable& variable, Pointer address);
  void describe_kernels();

  ptx::Module module_;
  Properties gpu_;
  std::shared_ptr<GlobalMemory> memory_;
  const isa::HandlerBuild& handlers_;
  isa::Placement placement_;
  std::vector<KernelInfo> kernels_;
  std::vector<std::uint32_t> kernel_functions_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint32_t, bool>, std::shared_ptr<const isa::Code>> codes_;
};

/// "scale<float>(float*)" from "_Z5scaleIfEvPT_", without what it returns and takes: "scale<float>".
std::string plain_name(std::string_view mangled);

}  // namespace warpbook::device
