// What C++ and CUDA offer beyond loops and arrays does on the simulator what it does in plain C++.
#include <bit>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstring>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::language_test {

using namespace warpbook::device;

TEST_CASE("Virtual functions on the device's heap find their own class's code") {
  KernelBench bench("language.cu");
  const Pointer out = bench.space<float>("out", 3 * 37);
  bench.run("areas", {{3}, {37}}, {Argument::pointer(out)});
  std::vector<float> expected;
  for (int i = 0; i < 3 * 37; ++i) {
    const auto side = static_cast<float>(i);
    expected.push_back(i % 3 == 0 ? side * side : side * 0.5f);
  }
  CHECK(first_difference(bench.get<float>(out, expected.size()), expected) == -1);
}

TEST_CASE("Lanes call through a table of functions, recurse and jump each on their own") {
  KernelBench bench("language.cu");
  const Pointer out = bench.space<int>("out", 32);
  std::vector<int> expected(32);
  bench.run("call_chosen", {{1}, {32}}, {Argument::pointer(out), Argument::of(7)});
  for (int i = 0; i < 32; ++i)
    expected[static_cast<std::size_t>(i)] = i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7;
  CHECK(first_difference(bench.get<int>(out, 32), expected) == -1);

  bench.run("recurse", {{1}, {32}}, {Argument::pointer(out)});
  for (int i = 0; i < 32; ++i) {
    const int n = i / 3;  // Ackermann's function in closed form
    expected[static_cast<std::size_t>(i)] = i % 3 == 0 ? n + 1 : i % 3 == 1 ? n + 2 : 2 * n + 3;
  }
  CHECK(first_difference(bench.get<int>(out, 32), expected) == -1);

  const int n = GENERATE(0, 3, 8);
  bench.run("jump", {{1}, {32}}, {Argument::pointer(out), Argument::of(n)});
  for (int i = 0; i < 32; ++i) {
    int r = -1;
    switch ((i * 7 + n) % 11) {
      case 0: r = i * 3; break;
      case 1: r = (i ^ 55) + i / 3; break;
      case 2: r = i / 3; break;
      case 3: r = i % 5; break;
      case 4: r = i * 8; break;
      case 5: r = -i; break;
      case 6: r = ~(i * i); break;
      case 7: r = ~0; break;
      case 8: r = i + 1000; break;
      default: break;
    }
    expected[static_cast<std::size_t>(i)] = r;
  }
  CHECK(first_difference(bench.get<int>(out, 32), expected) == -1);
}

TEST_CASE("Lists on the device's heap are built, walked and given back") {
  KernelBench bench("language.cu");
  const Pointer out = bench.space<int>("out", 5 * 41);
  bench.run("lists", {{5}, {41}}, {Argument::pointer(out), Argument::of(13)});
  std::vector<int> expected;
  for (int i = 0; i < 5 * 41; ++i) expected.push_back((i % 13) * (i % 13 - 1) / 2);
  CHECK(first_difference(bench.get<int>(out, expected.size()), expected) == -1);
}

TEST_CASE("Integers of 64 and 128 bits divide, and shift, as the host's do") {
  KernelBench bench("language.cu");
  constexpr std::uint64_t a = 18446744073709551557u;
  constexpr std::int64_t b = -987654321987;
  const Pointer out = bench.space<std::uint64_t>("out", 6 * 32);
  bench.run("wide", {{1}, {32}}, {Argument::pointer(out), Argument::of(a), Argument::of(b)});
  std::vector<std::uint64_t> expected;
  __extension__ using Wide = unsigned __int128;
  for (int i = 0; i < 32; ++i) {
    const Wide x =
        static_cast<Wide>(a) * (a - static_cast<std::uint64_t>(i)) + static_cast<std::uint64_t>(i);
    const std::uint64_t by = 1000000007ull * static_cast<std::uint64_t>(i + 1);
    expected.push_back(static_cast<std::uint64_t>(x / by >> 64));
    expected.push_back(static_cast<std::uint64_t>(x / by));
    expected.push_back(static_cast<std::uint64_t>(x % by));
    expected.push_back(static_cast<std::uint64_t>(x << i >> 70));
    expected.push_back(static_cast<std::uint64_t>(b * (i + 1) / (i - 100)));
    expected.push_back(static_cast<std::uint64_t>(b * (i + 1) % (i - 100)));
  }
  CHECK(first_difference(bench.get<std::uint64_t>(out, expected.size()), expected) == -1);
}

TEST_CASE("A structure by value arrives with its padding, in every instance of a template") {
  KernelBench bench("language.cu");
  struct Particle {
    char kind;
    double mass;
    float at[3];
  };
  const Particle p{3, 2.5, {1, 2, -4}};
  std::vector<std::byte> bytes(sizeof p);
  std::memcpy(bytes.data(), &p, sizeof p);
  const Pointer f = bench.space<float>("f", 1), l = bench.space<std::int64_t>("l", 1);
  bench.run("by_value<float, 5>", {{1}, {1}},
            {Argument::structure(bytes), Argument::pointer(f), Argument::of(std::uint8_t{1})});
  CHECK(bench.get<float>(f, 1)[0] == 2 * (2.5f + 5 - 10 + 2.5f + 5 + 15));
  bench.run("by_value<long long, 2>", {{1}, {1}},
            {Argument::structure(bytes), Argument::pointer(l), Argument::of(std::uint8_t{0})});
  CHECK(bench.get<std::int64_t>(l, 1)[0] == 2 + 5 + 6);
}

TEST_CASE("Warp intrinsics see the lanes of their mask and no others") {
  KernelBench bench("language.cu");
  const std::uint32_t mask = GENERATE(0xffffffffu, 0x00000020u, 0x0f0ff0f1u, 0xaaaaaaaau);
  CAPTURE(mask);
  const Pointer out = bench.zeros<std::uint32_t>("out", 8 * 32);
  bench.run("warp_words", {{1}, {32}}, {Argument::pointer(out), Argument::of(mask)});
  std::uint32_t thirds = 0, sum = 0, most = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!(mask >> i & 1)) continue;
    if (i % 3 == 0) thirds |= 1u << i;
    sum += i;
    most = std::max(most, i ^ 5u);
  }
  std::vector<std::uint32_t> expected(8 * 32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!(mask >> i & 1)) continue;
    std::uint32_t* const o = &expected[8 * i];
    o[0] = thirds;
    o[1] = 2 + (mask >> 5 & 1);
    o[2] = mask & 0xfu << i / 4 * 4;
    o[3] = sum;
    o[4] = static_cast<std::uint32_t>(std::countr_zero(mask)) * 10;
    o[5] = mask;
    o[6] = mask + 1;
    o[7] = most;
  }
  CHECK(first_difference(bench.get<std::uint32_t>(out, expected.size()), expected) == -1);
}

TEST_CASE("Tiles of a block sum among themselves, and a grid's barrier keeps its rounds apart",
          "[ci]") {
  KernelBench bench("language.cu");
  const Pointer out = bench.space<int>("out", 4 * 96);
  bench.run("tiles", {{1}, {96}}, {Argument::pointer(out)});
  std::vector<int> expected;
  for (int rank = 0; rank < 96; ++rank) {
    for (const int size : {4, 16, 32}) {
      const int first = rank / size * size;
      expected.push_back(size * first + size * (size - 1) / 2);
    }
    int fifths = 0;
    for (int i = rank / 32 * 32; i < rank / 32 * 32 + 32; ++i) fifths += i % 5 == 0;
    expected.push_back(rank % 5 == 0 ? fifths : 0);
  }
  CHECK(first_difference(bench.get<int>(out, expected.size()), expected) == -1);

  constexpr int kCells = 1009, kRounds = 5;
  auto cells = numbers<int>(2 * kCells, 0, 99);
  const Pointer held = bench.put("cells", cells);
  bench.run("shift_rounds", {{5}, {33}, 0, true},
            {Argument::pointer(held), Argument::of(kCells), Argument::of(kRounds)});
  for (std::size_t r = 0; r < kRounds; ++r) {
    for (std::size_t i = 0; i < kCells; ++i)
      cells[(r + 1) % 2 * kCells + i] = cells[r % 2 * kCells + (i + 7) % kCells] + 1;
  }
  CHECK(first_difference(bench.get<int>(held, cells.size()), cells) == -1);
}

TEST_CASE("printf prints every conversion as C does") {
  KernelBench bench("language.cu");
  const auto record = bench.run("print_all", {{1}, {32}}, {});
  CHECK(record->output ==
        "-5 5 7 ff FF 10 c str|    3|3    |00003|+3|-1 -1 1 1 4|1.500000 2.500000e+00 3.5e-10 "
        "3.142       "
        "2.72|% 0x1234|    42 3.14\n");
}

TEST_CASE("Pairs of halves multiply and add with one rounding each") {
  KernelBench bench("language.cu");
  // Small whole numbers and quarters: every product and sum below is a half already, but for the last.
  const std::vector<std::uint16_t> x{0x3c00, 0x4000, 0x4200,
                                     0xb800, 0x7bff, 0x3c01};  // 1 2 3 -0.5 65504 1+2^-10
  const std::vector<std::uint16_t> y{0x4400, 0x3800, 0xc000,
                                     0x3400, 0x4000, 0x3c01};  // 4 0.5 -2 0.25 2 1+2^-10
  const Pointer out = bench.space<std::uint16_t>("out", x.size());
  bench.run("halves", {{1}, {4}},
            {Argument::pointer(bench.put("x", x)), Argument::pointer(bench.put("y", y)),
             Argument::pointer(out), Argument::of(static_cast<int>(x.size()))});
  // x y + round(x x): 5, 5, 3, 0.125, infinity, and (1 + 2^-9 + 2^-20) + (1 + 2^-9) = 2 + 2^-8 + 2^-20.
  const std::vector<std::uint16_t> expected{0x4500, 0x4500, 0x4200, 0x3000, 0x7c00, 0x4002};
  CHECK(first_difference(bench.get<std::uint16_t>(out, x.size()), expected) == -1);
}

TEST_CASE("Atomics of every kind lose nothing, whatever the shape and the number of host threads") {
  KernelBench bench("language.cu");
  const std::uint32_t threads = GENERATE(8u, 65u), blocks = GENERATE(1u, 13u),
                      host_threads = GENERATE(1u, 2u);
  CAPTURE(threads, blocks, host_threads);
  std::vector<std::uint32_t> words(16);
  words[3] = words[5] = 0xffffffff;
  const Pointer global = bench.put("global", words);
  const Pointer floats = bench.zeros<float>("floats", 1),
                doubles = bench.zeros<double>("doubles", 1);
  const Pointer longs = bench.put("longs", std::vector<std::uint64_t>{0, 0, 1});
  bench.run("atomics", {{blocks}, {threads}, 0, false, host_threads},
            {Argument::pointer(global), Argument::pointer(floats), Argument::pointer(doubles),
             Argument::pointer(longs)});
  std::uint64_t product = 1;
  const auto apply = [&](std::uint32_t* p, std::uint32_t i) {
    p[0] += i;
    p[1] -= i;
    p[2] = std::max(p[2], i * 2654435761u);
    p[3] = std::min(p[3], i * 2654435761u);
    p[4] |= 1u << i % 32;
    p[5] &= ~(1u << i % 29);
    p[6] ^= i * 40503u;
    p[7] = p[7] >= 10 ? 0 : p[7] + 1;
  };
  for (std::uint32_t b = 0; b < blocks; ++b) {
    std::uint32_t shared[8] = {0, 0, 0, 0xffffffff, 0, 0xffffffff, 0, 0};
    for (std::uint32_t i = b * threads; i < (b + 1) * threads; ++i) {
      apply(words.data(), i);
      apply(shared, i);
      product *= 2 * i + 1;
    }
    for (std::size_t k = 0; k < 7; ++k) words[8 + k] += shared[k];
  }
  const std::uint64_t n = std::uint64_t{blocks} * threads;
  CHECK(first_difference(bench.get<std::uint32_t>(global, 16), words) == -1);
  CHECK(bench.get<float>(floats, 1)[0] == 0.5f * static_cast<float>(n));
  CHECK(bench.get<double>(doubles, 1)[0] == 0.25 * static_cast<double>(n));
  CHECK(first_difference(bench.get<std::uint64_t>(longs, 3),
                         {(n - 1) << 33, n * 0x100000001u, product}) == -1);
}

}  // namespace warpbook::tests::language_test
