#include "lab/text/unicode.hpp"

#include <algorithm>
#include <array>

namespace warpbook::lab {
namespace {

constexpr std::string_view kReplacementUtf8 = "\xef\xbf\xbd";

struct Range {
  char32_t first, last;
};

// Unicode 15, EastAsianWidth.txt: W and F, neighbouring blocks joined.
constexpr std::array kWide{
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},   Range{0x2329, 0x232a},
    Range{0x23e9, 0x23ec},   Range{0x2e80, 0x303e},   Range{0x3041, 0x33ff},
    Range{0x3400, 0x4dbf},   Range{0x4e00, 0x9fff},   Range{0xa000, 0xa4cf},
    Range{0xa960, 0xa97c},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
    Range{0xfe10, 0xfe19},   Range{0xfe30, 0xfe6f},   Range{0xff01, 0xff60},
    Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff},
    Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd},
};
// Combining marks and characters of no width that ordinary text may hold.
constexpr std::array kNoWidth{
    Range{0x0300, 0x036f}, Range{0x200b, 0x200f}, Range{0x20d0, 0x20ff},
    Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}, Range{0xfeff, 0xfeff},
};

template <std::size_t kCount>
bool holds(const std::array<Range, kCount>& ranges, char32_t code_point) {
  return std::any_of(ranges.begin(), ranges.end(), [=](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

bool turns_direction(char32_t code_point) {
  return (code_point >= 0x202a && code_point <= 0x202e) ||
         (code_point >= 0x2066 && code_point <= 0x2069) || code_point == 0x200e ||
         code_point == 0x200f || code_point == 0x061c;
}

bool is_control(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) || code_point == 0x2028 ||
         code_point == 0x2029;
}

template <class Keep>
std::string rewritten(std::string_view text, Keep&& keep) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t code_point = take_code_point(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    result += code_point != kReplacement && keep(code_point) ? bytes : kReplacementUtf8;
  }
  return result;
}

}  // namespace

char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80         ? 1
                             : lead >> 5 == 0x6  ? 2
                             : lead >> 4 == 0xe  ? 3
                             : lead >> 3 == 0x1e ? 4
                                                 : 0;
  if (length == 0 || length > text.size()) {
    text.remove_prefix(1);
    return kReplacement;
  }
  char32_t code_point = length == 1 ? lead : lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      text.remove_prefix(1);
      return kReplacement;
    }
    code_point = (code_point << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < kLeast[length] || code_point > 0x10ffff || surrogate) {
    text.remove_prefix(1);
    return kReplacement;
  }
  text.remove_prefix(length);
  return code_point;
}

std::string valid_utf8(std::string_view text) {
  return rewritten(text, [](char32_t) { return true; });
}

std::string printable(std::string_view text) {
  return rewritten(text, [](char32_t code_point) {
    return code_point == '\n' || code_point == '\t' ||
           !(is_control(code_point) || turns_direction(code_point));
  });
}

std::string case_folded(std::string_view text) {
  // In UTF-8 these are one or two bytes, and so are their small letters.
  const auto small = [](char32_t c) -> char32_t {
    const bool latin = (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
    const bool greek = c >= 0x391 && c <= 0x3a9, cyrillic = c >= 0x410 && c <= 0x42f;
    if (latin || greek || cyrillic) return c + 0x20;
    return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
  };
  std::string folded(text);
  std::size_t at = 0;
  while (!text.empty()) {
    const std::size_t before = text.size();
    const char32_t code_point = take_code_point(text), lower = small(code_point);
    if (lower != code_point && lower < 0x80) {
      folded[at] = static_cast<char>(lower);
    } else if (lower != code_point) {
      folded[at] = static_cast<char>(0xc0 | (lower >> 6));
      folded[at + 1] = static_cast<char>(0x80 | (lower & 0x3f));
    }
    at += before - text.size();
  }
  return folded;
}

int columns_of(char32_t code_point) {
  if (is_control(code_point) || holds(kNoWidth, code_point)) return 0;
  return holds(kWide, code_point) ? 2 : 1;
}

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) columns += columns_of(take_code_point(text));
  return columns;
}

}  // namespace warpbook::lab
