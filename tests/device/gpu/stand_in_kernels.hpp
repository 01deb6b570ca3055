// The kernels that the stand-in driver knows, as PTX declares them: what they do, it does itself.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <memory>

#include "device/gpu/gpu_device.hpp"

namespace warpbook::tests {

inline std::unique_ptr<device::gpu::GpuDevice> open_stand_in() {
  auto gpu = device::gpu::GpuDevice::open();
  if (!gpu) FAIL(gpu.error().english());
  return std::move(*gpu);
}

inline std::shared_ptr<const device::Module> load_stand_in_kernels(device::Device& gpu) {
  auto program = std::make_shared<device::Program>();
  program->name = "kernels.ptx";
  program->ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .entry add_one(.param .u64 x, .param .u32 n) { ret; }
.visible .entry say() { ret; }
.visible .entry read_texels(.param .u64 t, .param .u64 out, .param .u32 bytes) {
  .reg .b64 %h; .reg .b32 %r<5>;
  ld.param.u64 %h, [t];
  mov.u32 %r0, 0;
  tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%h, {%r0}];
  ret;
}
.visible .entry write_texels(.param .u64 s) { ret; }
.visible .entry describe_texture(.param .u64 t) { ret; }
)";
  auto module = gpu.load(std::move(program));
  if (!module) FAIL(module.error().english());
  return *module;
}

inline device::Launch add_one(std::shared_ptr<const device::Module> module, device::Pointer x,
                              std::uint32_t count) {
  device::Launch launch;
  launch.module = std::move(module);
  launch.kernel = "add_one";
  launch.block = {count, 1, 1};
  launch.arguments = {device::Argument::pointer(x), device::Argument::of(count)};
  return launch;
}

inline device::Launch say(std::shared_ptr<const device::Module> module, std::uint32_t blocks) {
  device::Launch launch;
  launch.module = std::move(module);
  launch.kernel = "say";
  launch.grid = {blocks, 1, 1};
  return launch;
}

}  // namespace warpbook::tests
