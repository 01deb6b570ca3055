#include "device/simulator/ptx/scanner.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace warpbook::device::ptx {
namespace {

enum CharacterClass : std::uint8_t { kWord = 1, kBegin = 2, kDigit = 4 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kWord | kBegin;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kWord | kBegin;
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kWord | kDigit;
  classes['_'] = classes['$'] = kWord | kBegin;
  classes['%'] = kBegin;
  return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

}  // namespace

Message syntax(std::string_view name, MessageArguments arguments) {
  return {"phrase.ptx-syntax." + std::string(name), std::move(arguments), {}};
}

Message expectation(std::string_view name, MessageArguments arguments) {
  return {"phrase.ptx-what." + std::string(name), std::move(arguments), {}};
}

Message what_message(std::string_view what) {
  return what.starts_with('.') ? Message::plain(std::string(what)) : expectation(what);
}

bool is_word_character(char c) { return (class_of(c) & kWord) != 0; }
bool begins_name(char c) { return (class_of(c) & kBegin) != 0; }
bool is_digit(char c) { return (class_of(c) & kDigit) != 0; }

Scanner::Scanner(std::string_view text, std::string_view file)
    : text_(text), file_(file), cursor_(text.data()), last_end_(text.data()) {
  skip_blanks();
}

void Scanner::skip_more() {
  for (;;) {
    switch (*cursor_) {
      case '\n': ++line_; [[fallthrough]];
      case ' ':
      case '\t':
      case '\r':
      case '\f':
      case '\v': ++cursor_; continue;
      case '@':  // an old DWARF line, @@DWARF: data that nothing here reads
        if (cursor_[1] != '@') {
          return;
        }
        [[fallthrough]];
      case '#':  // a preprocessor line
        cursor_ += std::strcspn(cursor_, "\n");
        continue;
      case '/':
        if (cursor_[1] == '/') {
          cursor_ += std::strcspn(cursor_, "\n");
          continue;
        }
        if (cursor_[1] == '*') {
          const char* close = std::strstr(cursor_ + 2, "*/");
          if (close == nullptr) {
            fail(syntax("open-comment"));
            return;
          }
          line_ += static_cast<std::uint32_t>(std::count(cursor_, close, '\n'));
          cursor_ = close + 2;
          continue;
        }
        return;
      default: return;
    }
  }
}

bool Scanner::expect(char c, std::string_view context) {
  if (accept(c)) {
    return true;
  }
  if (!failed_) {
    fail(syntax("expected-sign",
                {{"sign", std::string(1, c)},
                 {"where", Message{"phrase.ptx-where." + std::string(context), {}, {}}},
                 {"found", found()}}));
  }
  return false;
}

std::string_view Scanner::name() {
  if (!begins_name(*cursor_)) {
    return {};
  }
  const char* end = cursor_ + 1;
  while (is_word_character(*end)) {
    ++end;
  }
  const std::string_view result(cursor_, static_cast<std::size_t>(end - cursor_));
  take(result.size());
  return result;
}

std::string_view Scanner::expect_name(std::string_view what) {
  const std::string_view result = name();
  if (result.empty()) {
    fail_expected(what_message(what));
  }
  return result;
}

std::string_view Scanner::dotted() {
  if (*cursor_ != '.') {
    fail_expected(what_message("a-word-that-begins-with-a-dot"));
    return {};
  }
  const char* begin = cursor_ + 1;
  const char* end = begin;
  for (;;) {
    const char* part = end;
    while (is_word_character(*end)) {
      ++end;
    }
    if (end == part) {
      fail_expected(what_message("a-word-behind-the-dot"));
      return {};
    }
    if (end[0] != ':' || end[1] != ':') {
      break;
    }
    end += 2;
  }
  take(static_cast<std::size_t>(end - cursor_));
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view Scanner::quoted(std::string_view what) {
  if (*cursor_ != '"') {
    fail_expected(what_message(what));
    return {};
  }
  const char* begin = cursor_ + 1;
  const char* end = begin;
  while (*end != '"' && *end != '\n' && *end != '\0') {
    end += *end == '\\' && end[1] != '\0' && end[1] != '\n' ? 2 : 1;
  }
  if (*end != '"') {
    fail(syntax("open-string"));
    return {};
  }
  take(static_cast<std::size_t>(end + 1 - cursor_));
  return {begin, static_cast<std::size_t>(end - begin)};
}

void Scanner::skip_token() {
  if (*cursor_ == '"') {
    quoted("a-string");
  } else if (begins_name(*cursor_) || is_digit(*cursor_)) {
    const char* end = cursor_ + 1;
    while (is_word_character(*end)) {
      ++end;
    }
    take(static_cast<std::size_t>(end - cursor_));
  } else if (!at_end()) {
    take(1);
  }
}

void Scanner::rewind(const Mark& mark) {
  if (!failed_) {
    cursor_ = mark.cursor;
    last_end_ = mark.last_end;
    line_ = mark.line;
  }
}

void Scanner::fail_at(std::uint32_t offset, Message why, ErrorCode code) {
  if (failed_) {
    return;
  }
  failed_ = true;
  error_ = Error{code, {{"why", std::move(why)}}, place_of(offset)};
  cursor_ = text_.data() + text_.size();
}

void Scanner::fail_expected(Message what) {
  if (!failed_) {
    fail(syntax("expected", {{"what", std::move(what)}, {"found", found()}}));
  }
}

Message Scanner::found() const {
  if (at_end()) {
    return {"phrase.ptx-found.end", {}, {}};
  }
  constexpr std::size_t kShown = 40;
  const char* end = cursor_ + 1;
  if (begins_name(*cursor_) || is_digit(*cursor_) || *cursor_ == '.') {
    while (is_word_character(*end) && static_cast<std::size_t>(end - cursor_) < kShown) {
      ++end;
    }
  }
  const auto first = static_cast<unsigned char>(*cursor_);
  if (first < 0x20 || first >= 0x7f) {
    return {"phrase.ptx-found.byte", {{"byte", fmt::format("{:02x}", first)}}, {}};
  }
  return Message::plain(
      fmt::format("'{}'", std::string_view(cursor_, static_cast<std::size_t>(end - cursor_))));
}

SourcePlace Scanner::place_of(std::uint32_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file_, 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')),
          1 + static_cast<std::uint32_t>(offset - line_begin)};
}

}  // namespace warpbook::device::ptx
