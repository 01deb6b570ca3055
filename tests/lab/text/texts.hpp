// What is asked of a rendered text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "lab/text/strings.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::tests {

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline std::uint64_t count_of(const std::string& text, std::string_view part) {
  std::uint64_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Whether a message is said by this key; with `argument`, whether that argument of it is.
inline bool has_key(const lab::Message& message, std::string_view key,
                    std::string_view argument = {}) {
  if (argument.empty()) return message.key == key;
  const lab::Message* value = device::argument_of(message.arguments, argument);
  return value && value->key == key;
}

/// Its arguments by name, each in English.
inline std::map<std::string, std::string> args_of(const device::MessageArguments& arguments) {
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : arguments) values[name] = value.english();
  return values;
}
inline std::map<std::string, std::string> args_of(const lab::Message& message) {
  return args_of(message.arguments);
}

/// For Says (tests/says.hpp), which by itself knows the keys of errors and phrases.
inline device::PatternOf patterns_of(const lab::Strings& strings) {
  return [&strings](std::string_view key) -> std::optional<std::string_view> {
    const auto found = strings.all().find(key);
    if (found == strings.all().end()) return std::nullopt;
    return found->second;
  };
}

/// In columns of a terminal.
inline int widest_line(const std::string& text) {
  int widest = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    widest = std::max(widest, lab::columns_of(text.substr(from, end - from)));
    from = end + 1;
  }
  return widest;
}

}  // namespace warpbook::tests
