// More of C++ and of CUDA's own words: what they give, with every checker on.
#include <algorithm>
#include <array>
#include <bit>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::language_more_test {

using namespace warpbook::device;

TEST_CASE("Templates, lambdas, unions, bit-fields and placement new work as in C++") {
  KernelBench bench("language_more.cu");
  const Pointer y = bench.space<int>("y", 10 * 32);
  bench.run_checked("words", {{1}, {32}}, {Argument::pointer(y)});
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) {
    const int table[5] = {1, 9, 81, 1024, -32};
    const auto bits = std::bit_cast<std::uint32_t>(0.5f * static_cast<float>(i));
    int indexed[8];
    for (int k = 0; k < 8; ++k) indexed[(k * 5 + i) % 8] = k * i;
    for (const int v :
         {table[i % 5], i + 2 + 97 + 7, i + 6 * i + 2, (i & 31) + (i * 77 & 2047) * 100 - i * 100,
          static_cast<int>(bits >> 24) * 256 + static_cast<int>(bits >> 16 & 255), 11,
          indexed[i * i % 8], 2 * i, 2 * i, i * i})
      expected.push_back(v);
  }
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
}

TEST_CASE("Virtual bases, members' pointers and functions in memory find their code") {
  KernelBench bench("language_more.cu");
  const Pointer y = bench.space<int>("y", 32);
  bench.run_checked("classes", {{1}, {32}}, {Argument::pointer(y)});
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) {
    const int name = i % 2 ? 9 : 1, size = i % 2 ? 2 * i : 5;
    expected.push_back(name * 100 + size + size * 10000 + (i % 2 ? -i : i + 1));
  }
  CHECK(first_difference(bench.get<int>(y, 32), expected) == -1);
}

TEST_CASE("A function's own static variable counts on, and a warp adds as one") {
  KernelBench bench("language_more.cu");
  std::vector<std::byte> settings;
  for (int k = 0; k < 24; ++k)
    for (const std::byte b : std::bit_cast<std::array<std::byte, 4>>(k + 1)) settings.push_back(b);
  const Pointer counter = bench.zeros<int>("counter", 1), tickets = bench.space<int>("tickets", 64);
  bench.run_checked(
      "counters", {{1}, {64}},
      {Argument::structure(settings), Argument::pointer(counter), Argument::pointer(tickets)});
  // Threads 0, 3, ... 30 are eleven, led by 0; threads 33, ... 63 are eleven, led by 33.
  CHECK(bench.get<int>(counter, 1)[0] == 11 * 1 + 11 * (33 % 24 + 1));
  auto given = bench.get<int>(tickets, 64);
  std::sort(given.begin(), given.end());
  for (int k = 0; k < 64; ++k)
    CHECK(given[static_cast<std::size_t>(k)] == (k < 42 ? 0 : 100 + k - 42));
}

TEST_CASE("Loads and stores by every cache policy move the same bytes") {
  KernelBench bench("language_more.cu");
  const auto x = numbers<int>(4 * 37, -1000, 1000);
  const auto d = numbers<double>(37, -1, 1);
  const Pointer y = bench.space<int>("y", 8 * 37), e = bench.space<double>("e", 2 * 37);
  bench.run_checked("caches", {{1}, {37}},
                    {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
                     Argument::pointer(bench.put("d", d)), Argument::pointer(e)});
  std::vector<int> expected;
  std::vector<double> doubles;
  for (std::size_t i = 0; i < 37; ++i) {
    for (std::size_t k = 0; k < 8; ++k) expected.push_back(x[4 * i + k % 4]);
    doubles.push_back(d[i]);
    doubles.push_back(-d[i]);
  }
  CHECK(first_difference(bench.get<int>(y, expected.size()), expected) == -1);
  CHECK(first_difference(bench.get<double>(e, doubles.size()), doubles) == -1);
}

TEST_CASE("Inline PTX reads special registers, carries, jumps and mixes") {
  KernelBench bench("language_more.cu");
  const Pointer y = bench.space<std::uint32_t>("y", 9 * 45);
  bench.run_checked("assembly", {{1}, {45}}, {Argument::pointer(y)});
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 45; ++i) {
    const std::uint32_t lane = i % 32;
    for (const std::uint32_t v :
         {lane, i / 32, 1u, (1u << lane) - 1, std::uint32_t{i >= 16},
          static_cast<std::uint32_t>(std::uint64_t{i << 28} * 64 >> 32) + i, i > 20 ? 2u : 1u,
          i ^ i * 5 ^ 0x55u,
          static_cast<std::uint32_t>(std::uint64_t{i + 0xffff0000u} * 0x10001u >> 32)})
      expected.push_back(v);
  }
  CHECK(first_difference(bench.get<std::uint32_t>(y, expected.size()), expected) == -1);
  const Pointer ticks = bench.space<std::int64_t>("ticks", 2);
  bench.run_checked("clocks", {{1}, {1}}, {Argument::pointer(ticks)});
  CHECK(bench.get<std::int64_t>(ticks, 2)[0] > 0);
  CHECK(bench.get<std::int64_t>(ticks, 2)[1] >= 0);
}

TEST_CASE("A failed assertion and a trap end the launch and say where") {
  KernelBench bench("language_more.cu");
  std::vector<int> x(40, 4);
  bench.run_checked("asserted", {{1}, {40}}, {Argument::pointer(bench.put("x", x))});
  x[33] = 5;
  const auto failed =
      bench.run_anyhow("asserted", {{1}, {40}}, {Argument::pointer(bench.put("x", x))});
  REQUIRE(failed->error);
  CAPTURE(failed->error->english());
  CHECK(failed->error->english().find("x[threadIdx.x] < 5") != std::string::npos);
  CHECK(failed->error->english().find("thread 33") != std::string::npos);
  const auto trapped = bench.run_anyhow("trapped", {{1}, {40}}, {Argument::of(7)});
  REQUIRE(trapped->error);
  CHECK(trapped->error->code == ErrorCode::trap);
}

TEST_CASE("Dynamic shared memory follows the static, up to what a GPU opts in to") {
  KernelBench bench("language_more.cu");
  for (const int n : {1, 500, 18000}) {
    CAPTURE(n);
    const Pointer y = bench.space<float>("y", static_cast<std::size_t>(n));
    bench.run_checked("dynamic", {{1}, {96}, static_cast<std::uint32_t>(12 * n)},
                      {Argument::pointer(y), Argument::of(n)});
    std::vector<float> expected;
    for (int i = 0; i < n; ++i)
      expected.push_back(static_cast<float>(n - 1 - i) * 0.5f + static_cast<float>(i * 7 % n) +
                         static_cast<float>(i % 33));
    CHECK(first_difference(bench.get<float>(y, expected.size()), expected) == -1);
  }
}

}  // namespace warpbook::tests::language_more_test
