#include "lab/text/pinyin.hpp"

#include <algorithm>
#include <array>

#include <iconv.h>

#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

/// As GB 18030, of which GB 2312 is a part; as it stands where this machine cannot convert.
std::string as_gb18030(std::string_view text) {
  std::string source = valid_utf8(text);
  const iconv_t converter = iconv_open("GB18030", "UTF-8");
  if (converter == iconv_t(-1)) return source;
  std::string converted(source.size() * 4, '\0');
  char* from = source.data();
  char* to = converted.data();
  std::size_t from_left = source.size(), to_left = converted.size();
  const bool failed = iconv(converter, &from, &from_left, &to, &to_left) == std::size_t(-1);
  iconv_close(converter);
  if (failed) return source;
  converted.resize(converted.size() - to_left);
  return converted;
}

struct Initial {
  unsigned first;  ///< the first character whose pinyin begins so
  char letter;
};
constexpr std::array kInitials{
    Initial{0xb0a1, 'a'}, Initial{0xb0c5, 'b'}, Initial{0xb2c1, 'c'}, Initial{0xb4ee, 'd'},
    Initial{0xb6ea, 'e'}, Initial{0xb7a2, 'f'}, Initial{0xb8c1, 'g'}, Initial{0xb9fe, 'h'},
    Initial{0xbbf7, 'j'}, Initial{0xbfa6, 'k'}, Initial{0xc0ac, 'l'}, Initial{0xc2e8, 'm'},
    Initial{0xc4c3, 'n'}, Initial{0xc5b6, 'o'}, Initial{0xc5be, 'p'}, Initial{0xc6da, 'q'},
    Initial{0xc8bb, 'r'}, Initial{0xc8f6, 's'}, Initial{0xcbfa, 't'}, Initial{0xcdda, 'w'},
    Initial{0xcef4, 'x'}, Initial{0xd1b9, 'y'}, Initial{0xd4d1, 'z'}};
constexpr unsigned kUsualEnd = 0xd7fa;

}  // namespace

std::string pinyin_order(std::string_view text) { return as_gb18030(case_folded(text)); }

std::string pinyin_initials(std::string_view text) {
  std::string initials;
  while (!text.empty()) {
    const std::string_view before = text;
    take_code_point(text);
    const std::string_view character = before.substr(0, before.size() - text.size());
    if (character.size() == 1) {
      const char small = case_folded(character)[0];
      const bool kept = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
      if (kept) initials += small;
      continue;
    }
    const std::string code = as_gb18030(character);
    if (code.size() != 2) continue;
    const unsigned number =
        static_cast<unsigned char>(code[0]) * 256u + static_cast<unsigned char>(code[1]);
    if (number < kInitials.front().first || number >= kUsualEnd) continue;
    // GB 18030 has other characters among them, whose second byte GB 2312 does not use.
    if ((number & 0xff) < 0xa1) continue;
    const auto next = std::ranges::upper_bound(kInitials, number, {}, &Initial::first);
    initials += (next - 1)->letter;
  }
  return initials;
}

}  // namespace warpbook::lab
