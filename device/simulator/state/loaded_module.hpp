// A module loaded on a device: its variables are allocated and initialised, and its kernels are decoded when they are first
// launched.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "device/simulator/isa/decode.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/state/memory.hpp"

namespace warpbook::device {

/// Which build of the handlers runs. Their results are the same bits.
enum class HandlerSet : std::uint8_t { best, sse2, avx2 };

/// Frees its variables when the last holder lets go. Immutable to the outside, and safe to use from several threads.
class LoadedModule {
 public:
  LoadedModule(ptx::Module module, const Properties& gpu, std::shared_ptr<GlobalMemory> memory,
               const isa::HandlerBuild& handlers);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  /// Allocates and initialises the module's variables.
  Expected<void> place();

  [[nodiscard]] std::span<const KernelInfo> kernels() const { return kernels_; }
  /// A .global or .const variable by its PTX name or its source name; no_such_global.
  [[nodiscard]] Expected<AllocationInfo> global(std::string_view name) const;
  /// Decodes `mangled` and all that it can reach: ptx_unsupported or ptx_unresolved at the source line, else nothing.
  [[nodiscard]] Expected<void> prepare(std::string_view mangled) const;
  /// The code of a kernel, decoded once for each form and then kept.
  [[nodiscard]] Expected<std::shared_ptr<const isa::Code>> code(std::string_view mangled,
                                                                isa::CodeForm form) const;

  [[nodiscard]] const ptx::Module& parsed() const { return module_; }
  [[nodiscard]] const Properties& gpu() const { return gpu_; }
  [[nodiscard]] GlobalMemory& memory() const { return *memory_; }
  /// The kernel whose address a program takes, as it does to launch it; nullptr where there is none.
  [[nodiscard]] const KernelInfo* kernel_at(Pointer address) const;
  /// The kernel's own source file, which is that of its first .loc; kNone where there is none.
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
  mutable std::map<std::pair<std::uint32_t, isa::CodeForm>, std::shared_ptr<const isa::Code>>
      codes_;
};

/// Places `module` in `memory`. ptx_unresolved where an initialiser names something that does not exist, out_of_memory.
Expected<std::shared_ptr<const LoadedModule>> load_module(ptx::Module module, const Properties& gpu,
                                                          std::shared_ptr<GlobalMemory> memory,
                                                          HandlerSet handlers = HandlerSet::best);

/// "scale<float>(float*)" from "_Z5scaleIfEvPT_", without its result and parameters: "scale<float>".
std::string plain_name(std::string_view symbol);

}  // namespace warpbook::device
