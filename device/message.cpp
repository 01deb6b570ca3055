#include "device/message.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device {
namespace {

struct EnglishRow {
  std::string_view key, pattern;
};

// Sorted by the key; made of lang/en by cmake/english.py.
constexpr std::array kEnglish{
#include "device/english_table.inc"
};

}  // namespace

Message Message::plain(std::string text) {
  Message plain;
  plain.text = std::move(text);
  return plain;
}

Message Message::list_of(std::string key, std::vector<Message> parts) {
  Message list;
  list.key = std::move(key);
  for (Message& part : parts)
    list.arguments.emplace_back(std::to_string(list.arguments.size()), std::move(part));
  return list;
}

bool operator==(const Message& a, const Message& b) {
  return a.key == b.key && a.arguments == b.arguments && a.text == b.text;
}

const Message* argument_of(const MessageArguments& arguments, std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &MessageArgument::name);
  return found == arguments.end() ? nullptr : &found->value;
}

std::optional<std::string_view> pattern_for(const PatternOf& pattern_of, std::string_view key,
                                            const MessageArguments& arguments) {
  if (const auto own = pattern_of(key)) return own;
  const Message* count = argument_of(arguments, "count");
  if (count && count->text == "1") {
    if (const auto one = pattern_of(std::string(key) + ".one")) return one;
  }
  return pattern_of(std::string(key) + ".other");
}

std::string fill(std::string_view pattern, const MessageArguments& arguments) {
  std::string filled;
  filled.reserve(pattern.size() + 64);
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    filled += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open);
    const std::size_t close = pattern.find_first_of("{}", 1);
    if (close == std::string_view::npos || pattern[close] == '{') {
      filled += pattern.substr(0, close);
      pattern.remove_prefix(std::min(close, pattern.size()));
      continue;
    }
    const Message* argument = argument_of(arguments, pattern.substr(1, close - 1));
    filled += argument ? argument->english() : std::string(pattern.substr(0, close + 1));
    pattern.remove_prefix(close + 1);
  }
  return filled;
}

std::string_view separator_of(const PatternOf& pattern_of, const std::string& key,
                              std::size_t index, std::size_t count) {
  if (index == 0) return {};
  if (index + 1 == count) {
    if (const auto last = pattern_of(key + "-last")) return *last;
  }
  return pattern_of(key).value_or(", ");
}

std::optional<std::string_view> english_pattern(std::string_view key) {
  const auto row = std::ranges::lower_bound(kEnglish, key, {}, &EnglishRow::key);
  if (row == kEnglish.end() || row->key != key) return std::nullopt;
  return row->pattern;
}

std::string Message::english() const {
  if (key.empty()) return text;
  if (key.starts_with(kListKeys)) {
    std::string joined;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      joined += separator_of(english_pattern, key, i, arguments.size());
      joined += arguments[i].value.english();
    }
    return joined;
  }
  const auto pattern = pattern_for(english_pattern, key, arguments);
  return pattern ? fill(*pattern, arguments) : "<" + key + ">";
}

}  // namespace warpbook::device
