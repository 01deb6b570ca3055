// device/sectors.hpp against a count byte by byte.
#include "device/sectors.hpp"

#include <array>
#include <map>
#include <random>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::sectors_test {

using namespace warpbook::device;

TEST_CASE("an access touches every sector that holds one of its bytes") {
  const std::uint64_t bytes = GENERATE(1u, 2u, 4u, 8u, 16u, 31u, 32u, 33u, 128u, 300u);
  for (std::uint64_t address = 1024; address < 1024 + 2 * kLineBytes; ++address) {
    CAPTURE(address, bytes);
    std::map<std::uint64_t, std::uint32_t> touched;  // bytes of it, by sector
    for (std::uint64_t b = address; b < address + bytes; ++b)
      touched[b / kSectorBytes] |= std::uint32_t{1} << b % kSectorBytes;

    const SectorRange range = sectors_of(address, bytes);
    REQUIRE(range.first == touched.begin()->first);
    REQUIRE(range.last == touched.rbegin()->first);
    REQUIRE(range.count() == touched.size());
    for (const auto& [sector, used] : touched)
      REQUIRE(bytes_of_sector(sector, address, bytes) == used);

    std::set<std::uint64_t> of_lines;
    each_line(range, [&](std::uint64_t line, std::uint32_t sectors) {
      REQUIRE(sectors != 0);
      REQUIRE(sectors < 1u << kSectorsPerLine);
      for (std::uint32_t i = 0; i < kSectorsPerLine; ++i) {
        if ((sectors >> i & 1) != 0) of_lines.insert(line * kSectorsPerLine + i);
      }
    });
    REQUIRE(of_lines.size() == touched.size());
    REQUIRE(*of_lines.begin() == range.first);
    REQUIRE(*of_lines.rbegin() == range.last);
  }
}

TEST_CASE("a warp's request counts every sector once, whichever lanes touch it") {
  std::mt19937_64 random(7);
  const std::uint32_t bytes = GENERATE(1u, 2u, 4u, 8u, 16u);
  const std::uint64_t spread = GENERATE(16u, 256u, 4096u, 1u << 20);
  for (int round = 0; round < 200; ++round) {
    std::array<std::uint64_t, kLanes> delta{};
    for (auto& d : delta) d = random() % spread;
    if (round % 4 == 0) std::ranges::sort(delta);  // ascending, as most are
    const std::uint64_t base = random() % 4096;
    const auto mask = static_cast<std::uint32_t>(random());
    std::set<std::uint64_t> touched;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint64_t b = 0; (mask >> lane & 1) != 0 && b < bytes; ++b)
        touched.insert((base + delta[lane] + b) / kSectorBytes);
    }
    CAPTURE(bytes, spread, round, mask);
    REQUIRE(count_sectors(delta.data(), base, mask, bytes) == touched.size());
  }
}

TEST_CASE("32 neighbouring words are four sectors, and five where they begin within one") {
  std::array<std::uint64_t, kLanes> delta{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) delta[lane] = 4 * lane;
  CHECK(count_sectors(delta.data(), 4096, ~0u, 4) == 4);
  CHECK(count_sectors(delta.data(), 4096 + 16, ~0u, 4) == 5);
  CHECK(count_sectors(delta.data(), 4096, 1, 4) == 1);
  CHECK(count_sectors(delta.data(), 4096, 0, 4) == 0);
}

}  // namespace warpbook::tests::sectors_test
