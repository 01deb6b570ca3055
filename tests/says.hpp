// Texts in English, as a program prints them, held to the key and the arguments of a sentence: its wording may change without the test.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/matchers/catch_matchers_templated.hpp>

#include "device/message.hpp"

namespace warpbook::tests {

/// The same text on one line, with one space where it had several or a line's end: a terminal breaks lines as it likes.
inline std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const bool blank = letter == ' ' || letter == '\n';
    if (!blank) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

/// Whether `text` holds `pattern` with these arguments in it. What is between braces after that may be any text.
inline bool follows(std::string_view text, std::string_view pattern,
                    const device::MessageArguments& arguments) {
  const std::string whole = on_one_line(text);
  const std::string wanted = on_one_line(device::fill(pattern, arguments));
  std::size_t reached = 0, letters = 0;
  for (std::size_t from = 0; from < wanted.size();) {
    const std::size_t open = std::min(wanted.find('{', from), wanted.size());
    const std::string part = wanted.substr(from, open - from);
    const std::size_t found = whole.find(part, reached);
    if (found == std::string::npos) return false;
    reached = found + part.size();
    letters += part.size();
    from = std::min(wanted.find('}', open), wanted.size() - 1) + 1;
  }
  if (letters == 0) throw std::logic_error("a pattern of arguments alone is in every text");
  return true;
}

/// `CHECK_THAT(text, Says("error.unknown_name.long", {{"name", "pool"}}))`: an argument that is not named may have any value.
/// Keys are those of lang/en/errors.toml and lang/en/phrases.toml, or of the patterns that are given.
class Says : public Catch::Matchers::MatcherGenericBase {
 public:
  explicit Says(std::string key, device::MessageArguments arguments = {},
                device::PatternOf patterns = device::english_pattern)
      : key_(std::move(key)), arguments_(std::move(arguments)), patterns_(std::move(patterns)) {}
  bool match(std::string_view text) const {
    const auto pattern = device::pattern_for(patterns_, key_, arguments_);
    if (!pattern) throw std::logic_error("no string has the key " + key_);
    return follows(text, *pattern, arguments_);
  }
  std::string describe() const override {
    std::string said;
    for (const auto& [name, value] : arguments_)
      said += (said.empty() ? "" : ", ") + name + "=" + value.english();
    return "says " + key_ + "(" + said + ")";
  }

 private:
  std::string key_;
  device::MessageArguments arguments_;
  device::PatternOf patterns_;
};

}  // namespace warpbook::tests
