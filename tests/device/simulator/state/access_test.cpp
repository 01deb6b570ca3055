// device/simulator/state/access.hpp against counts of sets of words.
#include "device/simulator/state/access.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::device::tests::access_test {

TEST_CASE("an access to shared memory passes over the banks once for each word of the fullest one",
          "[device]") {
  const std::uint32_t bytes = GENERATE(1u, 2u, 4u, 8u, 16u);
  // Words of one bank beside each other, over all rows that one word of bits holds and some more, and far apart.
  const std::uint64_t extent = GENERATE(128u, 1024u, 63u * 128u, 65u * 128u, 200u * 1024u);
  std::mt19937 random(bytes + static_cast<std::uint32_t>(extent));
  for (int sample = 0; sample < 50; ++sample) {
    const auto mask = sample == 0 ? ~0u : static_cast<std::uint32_t>(random()) | 1u;
    std::array<std::uint64_t, kLanes> offset{};
    for (std::uint64_t& at : offset) at = 128 * 1024 + random() % (extent / bytes) * bytes;

    Wavefronts expected;
    const int together = std::min(kLanes, kLanes * 4 / static_cast<int>(bytes));
    for (int first = 0; first < kLanes; first += together) {
      std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
      for (int lane = first; lane < first + together; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint64_t at = offset[static_cast<std::size_t>(lane)];
        for (std::uint64_t b = at; b < at + bytes; ++b) words[b / 4 % 32].insert(b / 4);
      }
      std::size_t all = 0, most = 0;
      for (const auto& [bank, of] : words) {
        all += of.size();
        most = std::max(most, of.size());
      }
      expected.taken += static_cast<std::uint32_t>(most);
      expected.ideal += static_cast<std::uint32_t>((all + 31) / 32);
      expected.words += static_cast<std::uint32_t>(all);
    }

    CAPTURE(bytes, extent, mask);
    const Wavefronts got = count_wavefronts(offset.data(), mask, bytes);
    CHECK(got.taken == expected.taken);
    CHECK(got.ideal == expected.ideal);
    CHECK(got.words == expected.words);
  }
}

TEST_CASE("lanes that ask for one word of shared memory share a pass, also in wide accesses",
          "[device]") {
  std::uint64_t at[kLanes];
  const auto passes = [&](std::uint64_t stride, std::uint32_t bytes) {
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) at[lane] = lane * stride;
    return count_bank_words(at, ~0u, bytes).fullest;
  };
  CHECK(passes(4, 4) == 1);
  CHECK(passes(0, 4) == 1);
  CHECK(passes(8, 4) == 2);
  CHECK(passes(128, 4) == 32);
  CHECK(passes(16, 16) == 4);
  CHECK(passes(0, 16) == 1);
  CHECK(passes(132, 4) == 1);
  CHECK(count_bank_words(at, 0, 4).fullest == 0);
}

}  // namespace warpbook::device::tests::access_test
