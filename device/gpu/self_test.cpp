#include "device/gpu/self_test.hpp"

#include <vector>

#include <fmt/format.h>

namespace warpbook::device::gpu {
namespace {

constexpr std::uint32_t kThreads = 256, kBlocks = 8;
constexpr std::uint32_t kFactor =
    2654435761u;  // of Fibonacci hashing: every bit of the product moves
constexpr double kSeconds = 10;

// For the oldest GPU and driver that serve. Thread t of a block stores index * kFactor ^ index into the block's tile at t,
// and writes the value at 255 - t to its own element.
constexpr const char* kPtx = R"(.version 6.3
.target sm_75
.address_size 64

.visible .entry warpbook_self_test(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[1024];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 256, %r1;
  mul.lo.u32 %r4, %r3, 2654435761;
  xor.b32 %r4, %r4, %r3;
  mov.u32 %r5, tile;
  mad.lo.u32 %r6, %r1, 4, %r5;
  st.shared.u32 [%r6], %r4;
  bar.sync 0;
  sub.u32 %r7, 255, %r1;
  mad.lo.u32 %r7, %r7, 4, %r5;
  ld.shared.u32 %r8, [%r7];
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r8;
  ret;
}
)";

std::uint32_t expected_at(std::uint32_t index) {
  const std::uint32_t mirrored = index / kThreads * kThreads + (kThreads - 1 - index % kThreads);
  return mirrored * kFactor ^ mirrored;
}

Expected<void> run(Device& device) {
  auto program = std::make_shared<Program>();
  program->name = "self_test.ptx";
  program->ptx = kPtx;
  const auto module = device.load(std::move(program));
  if (!module) return tl::unexpected(module.error());
  constexpr std::uint32_t kCount = kThreads * kBlocks;
  const auto address = device.allocate("out", ElementType::u32, kCount);
  if (!address) return tl::unexpected(address.error());
  const Buffer out(device, {"out", *address, kCount * sizeof(std::uint32_t), ElementType::u32});
  Launch launch;
  launch.module = *module;
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  launch.arguments = {Argument::pointer(*address)};
  launch.budget.seconds = kSeconds;
  const auto record = device.launch(std::move(launch)).wait();
  if (!record) return tl::unexpected(record.error());
  if ((*record)->error) return tl::unexpected(*(*record)->error);
  std::vector<std::uint32_t> got(kCount);
  if (const auto copied = device.copy_out(std::as_writable_bytes(std::span(got)), *address).wait();
      !copied)
    return tl::unexpected(copied.error());
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (got[i] == expected_at(i)) continue;
    return failure(ErrorCode::gpu_self_test,
                   {{"gpu", device.properties().name},
                    {"why", Message{"phrase.why.self-test",
                                    {{"index", i}, {"got", got[i]}, {"expected", expected_at(i)}},
                                    {}}}});
  }
  return {};
}

}  // namespace

Expected<void> self_test(Device& device) {
  auto done = run(device);
  if (done || done.error().code == ErrorCode::gpu_self_test) return done;
  return failure(ErrorCode::gpu_self_test,
                 {{"gpu", device.properties().name}, {"why", done.error().english()}});
}

}  // namespace warpbook::device::gpu
