#include "lab/operation/reference/random.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::random_test {

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("random: Philox4x32-10 gives the words that its authors publish") {
  // The known answers that come with their library Random123.
  CHECK(lab::reference::philox({0, 0, 0, 0}, {0, 0}) ==
        Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(lab::reference::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                               {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(lab::reference::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                               {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

}  // namespace warpbook::tests::random_test
