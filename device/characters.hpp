// ASCII characters and blanks, whatever the locale.
#pragma once

#include <string_view>

namespace warpbook::device {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// As C++ has them, of ASCII: a letter or _, then letters, digits and _.
constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return false;
  for (const char c : text) {
    if (c != '_' && !is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

/// `text` without the blanks, tabs and carriage returns before and after it.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace warpbook::device
