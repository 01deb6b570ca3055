// Every rung once at the size of its ladder, for a profiler that counts beside it. Asked for by its tag alone, by tests/gpu/counters.
#include <catch2/catch_test_macros.hpp>

#include <fmt/format.h>

#include "lab/operation/kernel_inputs.hpp"
#include "tests/gpu/on_gpu.hpp"
#include "tests/gpu/rungs.hpp"

namespace warpbook::tests::counters_test {

using namespace warpbook;
using namespace warpbook::tests;

TEST_CASE("every rung runs once on the GPU, for a profiler", "[.][counters]") {
  const std::shared_ptr<device::gpu::GpuDevice> gpu = gpu_or_skip();
  const auto on_gpu = lab_on(gpu);
  for (const lab::Operation& operation : operations_for(gpu->properties().compute_capability)) {
    const lab::OperationCase& size = operation.ladder;
    const lab::MadeInputs inputs = lab::make_inputs(operation, size, lab::InputKind::normal);
    for (const lab::Rung& rung : operation.rungs) {
      if (!lab::admits(rung, size.scalars)) continue;
      INFO(rung.path);
      try {
        // As everybody compiles it: with fused multiply-adds.
        const auto module = lab::require(gpu->load(compile_rung_for(*gpu, rung, true)));
        lab::run_rung(*on_gpu, rung, operation,
                      {size.scalars, size.real_scalars, inputs.bytes, size.offset, true, module});
        fmt::print("ran {} {}\n", operation.name, rung.name);
      } catch (const lab::ExperimentFailed& failed) {
        FAIL_CHECK(failed.error.english());
      }
    }
  }
}

}  // namespace warpbook::tests::counters_test
