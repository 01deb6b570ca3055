#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::ptx::words_test {

TEST_CASE("every word is found by its own text and by no other", "[ptx]") {
  std::set<std::string_view> texts;
  for (std::size_t i = 1; i < kWordCount; ++i) {
    const auto word = static_cast<Word>(i);
    CAPTURE(text_of(word));
    CHECK(find_word(text_of(word)) == word);
    CHECK(texts.insert(text_of(word)).second);
    CHECK(find_word(std::string(text_of(word)) + "_") == Word::unknown);
  }
}

TEST_CASE("what is no word is unknown and has no text", "[ptx]") {
  CHECK(find_word("") == Word::unknown);
  CHECK(find_word("frobnicate") == Word::unknown);
  CHECK(find_word("tid") == Word::unknown);  // a special register has its %
  CHECK(text_of(Word::unknown).empty());
  CHECK(text_of(static_cast<Word>(kWordCount)).empty());
}

TEST_CASE("enumerators follow the stated rule", "[ptx]") {
  CHECK(find_word("and") == Word::and_);
  CHECK(find_word("volatile") == Word::volatile_);
  CHECK(find_word("shared::cluster") == Word::shared_cluster);
  CHECK(find_word("L2::128B") == Word::L2_128B);
  CHECK(find_word("2d") == Word::d2);
  CHECK(find_word("2dms") == Word::d2ms);
  CHECK(find_word("16x64b") == Word::shape_16x64b);
  CHECK(find_word("%lanemask_lt") == Word::sr_lanemask_lt);
  CHECK(find_word("%envreg31") == Word::sr_envreg31);
  CHECK(find_word("WARP_SZ") == Word::warp_sz);
  CHECK(find_word("mbarrier::complete_tx::bytes") == Word::mbarrier_complete_tx_bytes);
  CHECK(find_word("m64n256k16") == Word::m64n256k16);
}

}  // namespace warpbook::device::ptx::words_test
