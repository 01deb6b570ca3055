#include "lab/text/pinyin.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::pinyin_test {

TEST_CASE("Chinese is found by the first letters of its pinyin") {
  CHECK(pinyin_initials("线程束") == "xcs");
  CHECK(pinyin_initials("网格跨步循环（grid-stride loop）") == "wgkbxhgridstrideloop");
  CHECK(pinyin_initials("啊座") == "az");  // the first and the last of their letters
  CHECK(pinyin_initials("AoS 与 SoA") == "aosysoa");
  CHECK(pinyin_initials("") == "");
  CHECK(pinyin_initials("é\xFF\xE4\xBD") == "");
}

TEST_CASE("Chinese is ordered by its sound, after Latin") {
  std::vector<std::string> words = {"线程", "warp", "内核", "Block", "驻留", "网格"};
  std::ranges::sort(words, {}, pinyin_order);
  CHECK(words == std::vector<std::string>{"Block", "warp", "内核", "网格", "线程", "驻留"});
}

}  // namespace warpbook::lab::pinyin_test
