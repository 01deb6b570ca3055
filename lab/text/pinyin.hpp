// How Chinese is ordered and found by its sound. GB 2312 orders its 3,755 usual characters by pinyin, one reading each,
// so that no table of ours is needed.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::lab {

/// Compares as a Chinese dictionary orders: first Latin, then the usual characters by pinyin, then the others.
std::string pinyin_order(std::string_view text);

/// The first letter of each character's pinyin, and small Latin letters and digits as they stand: "xcs" of 线程束. A
/// character of several readings has the letter of one; rare ones have none.
std::string pinyin_initials(std::string_view text);

}  // namespace warpbook::lab
