// For tests that need a GPU: they skip where there is none, and say why.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/gpu/gpu_device.hpp"

namespace warpbook::tests {

/// The GPU of this machine. Skips the test where it has none that Warpbook can use.
inline std::unique_ptr<device::gpu::GpuDevice> gpu_or_skip() {
  auto gpu = device::gpu::GpuDevice::open();
  if (gpu) return std::move(*gpu);
  const device::ErrorCode code = gpu.error().code;
  const bool none = code == device::ErrorCode::driver_missing ||
                    code == device::ErrorCode::driver_too_old ||
                    code == device::ErrorCode::no_device;
  if (none) SKIP(gpu.error().english());
  FAIL(gpu.error().english());
  return nullptr;
}

inline std::shared_ptr<device::Compiler> gpu_compiler() {
  static const auto compiler = std::make_shared<device::Compiler>();
  return compiler;
}

/// What compiles for that GPU.
inline device::CompileRequest request_for(
    const device::Device& gpu, const std::string& name, const std::string& source, bool fmad,
    std::vector<std::pair<std::string, std::string>> defines = {}) {
  device::CompileRequest request;
  request.name = name;
  request.source = source;
  request.architecture = gpu.properties().compute_capability;
  request.fmad = fmad;
  request.defines = std::move(defines);
  return request;
}

/// Compiled for that GPU.
inline std::shared_ptr<const device::Program> compile_for(
    const device::Device& gpu, const std::string& name, const std::string& source, bool fmad,
    std::vector<std::pair<std::string, std::string>> defines = {}) {
  auto program = gpu_compiler()->compile(request_for(gpu, name, source, fmad, std::move(defines)));
  if (!program) FAIL(program.error().error.english());
  return *program;
}

inline std::shared_ptr<const device::Module> load_on(device::Device& gpu,
                                                     const std::string& source) {
  auto module = gpu.load(compile_for(gpu, "test.cu", source, true));
  if (!module) FAIL(module.error().english());
  return *module;
}

}  // namespace warpbook::tests
