#include "lab/document/text_layout.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// Never at the start of a line.
constexpr std::u32string_view kClosing = U"，。、；：？！）》」』】〕〉”’…—·％,.;:?!)]}%";
// Never at the end of a line.
constexpr std::u32string_view kOpening = U"（《「『【〔〈“‘([{";

bool is_combining(char32_t c) {
  return (c >= 0x300 && c < 0x370) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff;
}

}  // namespace

char32_t next_character(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(position++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;
  if (more == 0 || lead >= 0xf5) return kReplacement;
  char32_t c = lead & (0x3f >> more);
  if (position + static_cast<std::size_t>(more) > text.size()) return kReplacement;
  for (int i = 0; i < more; ++i) {
    const unsigned char next = byte(position + static_cast<std::size_t>(i));
    if ((next & 0xc0) != 0x80) return kReplacement;
    c = (c << 6) | (next & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};  // longer spellings of a character are no UTF-8
  if (c < kSmallest[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return kReplacement;
  position += static_cast<std::size_t>(more);
  return c;
}

bool is_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t start = position;
    if (next_character(text, position) == kReplacement && text.substr(start, 3) != "\xef\xbf\xbd") return false;
  }
  return true;
}

char32_t first_character(std::string_view text) {
  std::size_t position = 0;
  return text.empty() ? 0 : next_character(text, position);
}

char32_t last_character(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t start = text.size() - 1;
  while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
  return next_character(text, start);
}

bool is_wide(char32_t c) {
  // East Asian Width W and F (Unicode Standard Annex 11), by the blocks that they fill.
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) || (c >= 0x3041 && c <= 0xa4cf) ||
         (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
         (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = next_character(text, position);
    if (c < 0x20 || c == 0x7f || is_combining(c)) continue;
    width += is_wide(c) ? 2 : 1;
  }
  return width;
}

bool may_break(char32_t before, char32_t after) {
  if (!is_wide(before) && !is_wide(after)) return false;
  return kClosing.find(after) == kClosing.npos && kOpening.find(before) == kOpening.npos;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent) {
  const std::string lead(indent, ' ');
  const std::size_t room = std::max<std::size_t>(width > indent ? width - indent : 0, 8);
  std::vector<std::string> lines;
  const auto flush = [&](std::string_view line) {
    while (line.ends_with(' ')) line.remove_suffix(1);
    lines.push_back(line.empty() ? "" : lead + std::string(line));
  };

  std::size_t line_start = 0, break_end = 0, next_start = 0, used = 0;
  char32_t before = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t at = position;
    const char32_t c = next_character(text, position);
    if (c == '\n') {
      flush(text.substr(line_start, at - line_start));
      line_start = break_end = next_start = position;
      used = 0;
      before = 0;
      continue;
    }
    if (c == ' ' && before != ' ') {
      break_end = at;
      next_start = position;
    } else if (c == ' ') {
      next_start = position;
    } else if (before != 0 && before != ' ' && may_break(before, c)) {
      break_end = next_start = at;
    }
    const std::size_t wide = c < 0x20 || is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
    if (used + wide > room && c != ' ') {
      if (break_end <= line_start) break_end = next_start = at;  // one word longer than the line
      flush(text.substr(line_start, break_end - line_start));
      line_start = next_start;
      used = columns(text.substr(line_start, at - line_start));
      break_end = line_start;
    }
    used += wide;
    before = c;
  }
  if (line_start < text.size() || lines.empty()) flush(text.substr(line_start));
  return lines;
}

}  // namespace warpbook::lab
