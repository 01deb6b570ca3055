#include "lab/markup/terminal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

/// Punctuation that may not begin a line (GB/T 15834).
bool closes(char32_t code_point) {
  constexpr std::u32string_view kClosing = U"，。、；：？！）》」』】”’…,.;:?!)]}";
  return kClosing.find(code_point) != std::u32string_view::npos;
}

/// Punctuation that may not end a line.
bool opens(char32_t code_point) {
  constexpr std::u32string_view kOpening = U"（《「『【“‘([{";
  return kOpening.find(code_point) != std::u32string_view::npos;
}

/// The places in one line where it may be broken, as byte offsets.
std::vector<std::size_t> breaks_of(std::string_view line) {
  std::vector<std::size_t> breaks;
  char32_t before = U' ';
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t offset = line.size() - rest.size();
    const char32_t here = take_code_point(rest);
    const bool beside_wide = columns_of(before) == 2 || columns_of(here) == 2;
    const bool after_space = before == U' ' && here != U' ';
    if (offset != 0 &&
        (after_space || (beside_wide && !closes(here) && !opens(before) && here != U' '))) {
      breaks.push_back(offset);
    }
    before = here;
  }
  breaks.push_back(line.size());
  return breaks;
}

std::string without_end_spaces(std::string_view text) {
  const std::size_t last = text.find_last_not_of(' ');
  return std::string(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::strong: return "\x1b[1m";
    case Ink::quiet: return "\x1b[2m";
    case Ink::good: return "\x1b[32m";
    case Ink::bad: return "\x1b[31m";
    case Ink::warn: return "\x1b[33m";
    case Ink::accent: return "\x1b[34m";
  }
  __builtin_unreachable();
}

}  // namespace

std::string clipped(std::string_view text, int columns) {
  int used = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t offset = text.size() - rest.size();
    used += columns_of(take_code_point(rest));
    if (used > columns || (used == columns && !rest.empty())) {
      return std::string(text.substr(0, offset)) + "…";
    }
  }
  return std::string(text);
}

std::string padded(std::string text, int columns) {
  const int missing = columns - columns_of(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string padded_left(std::string text, int columns) {
  const int missing = columns - columns_of(text);
  if (missing > 0) text.insert(0, static_cast<std::size_t>(missing), ' ');
  return text;
}

std::vector<std::string> wrapped(std::string_view text, int columns) {
  std::vector<std::string> lines;
  for (const std::string_view source : lines_of(text)) {
    std::size_t start = 0, end = 0;
    int used = 0;
    for (const std::size_t next : breaks_of(source)) {
      const std::string_view piece = source.substr(end, next - end);
      const int needed = columns_of(without_end_spaces(piece));
      if (end > start && used + needed > columns) {
        lines.push_back(without_end_spaces(source.substr(start, end - start)));
        start = end;
        used = 0;
      }
      used += columns_of(piece);
      end = next;
    }
    lines.push_back(without_end_spaces(source.substr(start)));
  }
  return lines;
}

std::string bar(double fraction, int columns) {
  constexpr std::array kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(fraction > 0) || columns < 1) return {};
  const auto eighths = static_cast<int>(std::lround(std::min(fraction, 1.0) * columns * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[static_cast<std::size_t>(eighths % 8)];
  return text.empty() ? kEighths[1] : text;
}

std::string Page::ink(Ink ink, std::string_view text) const {
  std::string clean = printable(text);
  std::ranges::replace_if(
      clean, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (!colour_ || ink == Ink::plain || clean.empty()) return clean;
  return std::string(code_of(ink)) + clean + "\x1b[0m";
}

void Page::line(std::string_view text) {
  text_ += without_end_spaces(text);
  text_ += '\n';
}

void Page::paragraph(std::string_view text, int indent, Ink in) {
  for (const std::string& one : wrapped(printable(text), width_ - indent)) {
    line(std::string(static_cast<std::size_t>(indent), ' ') + ink(in, one));
  }
}

}  // namespace warpbook::lab
