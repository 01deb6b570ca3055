// The characters of a PTX text as tokens: blanks and comments removed, lines counted, the first error
// kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::device::ptx {

/// phrase.ptx-syntax.NAME: why a text does not parse.
Message syntax(std::string_view name, MessageArguments arguments = {});
/// phrase.ptx-what.NAME: what was expected at a place.
Message expectation(std::string_view name, MessageArguments arguments = {});
/// The same; a name that begins with a dot is a directive's and is shown as it is.
Message what_message(std::string_view what);

/// The characters of a word of PTX (4.4): letters, digits, _ and $.
bool is_word_character(char c);
/// The characters with which a name may begin: a letter, _, $ or %.
bool begins_name(char c);
bool is_digit(char c);

/// Its cursor is always at the beginning of a token or at the end of the text. After the first failure the
/// text reads as ended, so that every loop over it ends soon and no caller has to look at failed() in
/// between.
class Scanner {
 public:
  /// `text` ends with a NUL beyond its end and holds none before.
  Scanner(std::string_view text, std::string_view file);

  [[nodiscard]] bool at_end() const { return *cursor_ == '\0'; }
  /// The character here; NUL at the end.
  [[nodiscard]] char peek() const { return *cursor_; }
  [[nodiscard]] char peek_next() const { return *cursor_ == '\0' ? '\0' : cursor_[1]; }
  /// Bytes from the start of the text.
  [[nodiscard]] std::uint32_t offset() const {
    return static_cast<std::uint32_t>(cursor_ - text_.data());
  }
  /// Where the last token ended.
  [[nodiscard]] std::uint32_t end_of_last() const {
    return static_cast<std::uint32_t>(last_end_ - text_.data());
  }
  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Takes `c` if it is the next character.
  bool accept(char c) {
    if (*cursor_ != c) {
      return false;
    }
    take(1);
    return true;
  }
  /// Takes `c`, or fails: "expected 'c' WHERE, found ..", where WHERE is phrase.ptx-where.<context>.
  bool expect(char c, std::string_view context);
  /// Takes `count` characters of one token and the blanks behind them; nothing after a failure.
  void take(std::size_t count) {
    if (failed_) {
      return;
    }
    cursor_ += count;
    last_end_ = cursor_;
    skip_blanks();
  }

  /// Takes a name; empty where there is none.
  std::string_view name();
  /// Takes a name, or fails: "expected WHAT, found ..", where WHAT is what_message(what).
  std::string_view expect_name(std::string_view what);
  /// At a dot: takes it and the word behind it, which is the result: "shared::cluster". Empty after
  /// a failure.
  std::string_view dotted();
  /// Takes ".."; the result is the text between the quotation marks. Fails where there is none.
  std::string_view quoted(std::string_view what);
  /// Takes one token of any kind; always advances before the end.
  void skip_token();
  /// A token to come back to.
  struct Mark {
    const char* cursor;
    const char* last_end;
    std::uint32_t line;
  };
  [[nodiscard]] Mark mark() const { return {cursor_, last_end_, line_}; }
  /// Goes back to a token passed earlier; after a failure nothing moves.
  void rewind(const Mark& mark);

  /// Keeps the first error, at the token here.
  void fail(Message why) { fail_at(offset(), std::move(why)); }
  void fail_at(std::uint32_t offset, Message why, ErrorCode code = ErrorCode::ptx_syntax);
  /// "expected WHAT, found .."
  void fail_expected(Message what);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] SourcePlace place_of(std::uint32_t offset) const;

 private:
  void skip_blanks() {
    while (*cursor_ == ' ' || *cursor_ == '\t') {
      ++cursor_;
    }
    // Nearly every token is followed by a plain character: only what may begin a comment or a line
    // takes the long way.
    if (*cursor_ <= ' ' || *cursor_ == '/' || *cursor_ == '#' || *cursor_ == '@') {
      skip_more();
    }
  }
  void skip_more();
  [[nodiscard]] Message found() const;

  std::string_view text_;
  std::string file_;
  const char* cursor_;
  const char* last_end_;
  std::uint32_t line_ = 1;
  bool failed_ = false;
  Error error_;
};

}  // namespace warpbook::device::ptx
