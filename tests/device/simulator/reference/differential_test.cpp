// Random programs on the simulator and on the reference: the same bits, the same counters.
#include <catch2/catch_test_macros.hpp>

#include <fmt/format.h>

#include "tests/device/simulator/reference/differential.hpp"

namespace warpbook::device::tests::reference::differential_test {
namespace {

void same_for_seeds(std::uint64_t from, std::uint64_t count) {
  for (std::uint64_t seed = from; seed < from + count; ++seed) {
    const Program program = generate(seed);
    const std::string different = difference(program, seed);
    if (different.empty()) continue;
    const Program small = different.starts_with("invalid") ? program : minimised(program, seed);
    FAIL(fmt::format("seed {}, grid {}, block {} x {}: {}\nat least: {}\n{}", seed, program.grid.x,
                     program.block.x, program.block.y, different, difference(small, seed),
                     small.ptx));
  }
}

}  // namespace

TEST_CASE("random programs give the reference's bits and counters", "[device][ci]") {
  same_for_seeds(1, 300);
}

TEST_CASE("a hundred thousand random programs give the reference's bits and counters",
          "[device][long]") {
  same_for_seeds(1'000'000, 100'000);
}

TEST_CASE("a seed names one program", "[device]") {
  CHECK(generate(7).ptx == generate(7).ptx);
  CHECK(generate(7).in == generate(7).in);
  CHECK(generate(7).ptx != generate(8).ptx);
}

}  // namespace warpbook::device::tests::reference::differential_test
