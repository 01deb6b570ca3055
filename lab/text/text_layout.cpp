#include "lab/text/text_layout.hpp"

#include <algorithm>

#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

// Never at the start of a line.
constexpr std::u32string_view kClosing = U"，。、；：？！）》」』】〕〉〗．］｝～”’…—·％,.;:?!)]}%";
// Never at the end of a line.
constexpr std::u32string_view kOpening = U"（《「『【〔〈〖［｛“‘([{";

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const bool spelled_out = text.starts_with("\xef\xbf\xbd");
    if (take_code_point(text) == kReplacement && !spelled_out) return false;
  }
  return true;
}

char32_t first_character(std::string_view text) { return text.empty() ? 0 : take_code_point(text); }

char32_t last_character(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t start = text.size() - 1;
  while (start > 0 && text.size() - start < 4 &&
         (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
    --start;
  text.remove_prefix(start);
  return take_code_point(text);
}

bool is_wide(char32_t c) { return columns_of(c) == 2; }

bool is_closing(char32_t c) { return kClosing.find(c) != kClosing.npos; }
bool is_opening(char32_t c) { return kOpening.find(c) != kOpening.npos; }

bool may_break(char32_t before, char32_t after) {
  if (!is_wide(before) && !is_wide(after)) return false;
  return !is_closing(after) && !is_opening(before);
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
    std::string_view rest = text.substr(position);
    const char32_t c = take_code_point(rest);
    position = text.size() - rest.size();
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
    const auto wide = static_cast<std::size_t>(columns_of(c));
    if (used + wide > room && c != ' ') {
      if (break_end <= line_start) break_end = next_start = at;  // one word longer than the line
      flush(text.substr(line_start, break_end - line_start));
      line_start = next_start;
      used = static_cast<std::size_t>(columns_of(text.substr(line_start, at - line_start)));
      break_end = line_start;
    }
    used += wide;
    before = c;
  }
  if (line_start < text.size() || lines.empty()) flush(text.substr(line_start));
  return lines;
}

std::vector<std::string> lines_within(double room, std::string_view text,
                                      const std::function<double(std::string_view)>& width) {
  const auto trimmed = [](std::string_view line) {
    while (line.ends_with(' ')) line.remove_suffix(1);
    return line;
  };
  std::vector<std::string> lines;
  std::size_t start = 0, end = 0;  // of the line so far, up to the last place where it may end
  const auto take_piece = [&](std::size_t next) {
    if (end > start && width(trimmed(text.substr(start, next - start))) > room) {
      lines.emplace_back(trimmed(text.substr(start, end - start)));
      start = end;
    }
    end = next;
  };
  char32_t before = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t at = text.size() - rest.size();
    const char32_t here = take_code_point(rest);
    if (at > 0 && ((before == U' ' && here != U' ') || may_break(before, here))) take_piece(at);
    before = here;
  }
  take_piece(text.size());
  if (start < text.size()) lines.emplace_back(trimmed(text.substr(start)));
  return lines;
}

}  // namespace warpbook::lab
