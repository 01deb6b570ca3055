// A sentence as data: a key and its arguments, put into words where it is shown. So nothing that the program says is
// composed in one language and translated afterwards.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/wire/fields.hpp"

namespace warpbook::device {

/// What keys of lists begin with.
inline constexpr std::string_view kListKeys = "list.";

struct MessageArgument;
using MessageArguments = std::vector<MessageArgument>;

/// A string to be translated where it is shown. With `text` instead of a key it is shown as it is (a name, a number).
/// A key below "list." joins its arguments, in their order, by the string of that key; before the last stands that of
/// <key>-last where the language has one.
struct Message {
  std::string key;             ///< "report.nothing"
  MessageArguments arguments;  ///< by name, in no particular order
  std::string text;

  static Message plain(std::string text);
  /// `list_of("list.clauses", parts)` -> "one; another" in English.
  static Message list_of(std::string key, std::vector<Message> parts);
  [[nodiscard]] bool empty() const { return key.empty() && text.empty(); }
  /// In English, without files: for keys of lang/en/errors.toml and lang/en/phrases.toml. Any other key shows itself.
  [[nodiscard]] std::string english() const;
  friend bool operator==(const Message& a, const Message& b);
};

/// An argument's value is a message of its own, mostly one of plain text.
struct MessageArgument {
  std::string name;
  Message value;

  MessageArgument() = default;
  MessageArgument(std::string named, std::string text)
      : name(std::move(named)), value(Message::plain(std::move(text))) {}
  MessageArgument(std::string named, Message message)
      : name(std::move(named)), value(std::move(message)) {}
  template <std::integral Number>
  MessageArgument(std::string named, Number number)
      : MessageArgument(std::move(named), std::to_string(number)) {}
  friend bool operator==(const MessageArgument&, const MessageArgument&) = default;
};

template <class V>
void fields(V&& visit, Is<Message> auto& v) {
  visit("key", v.key);
  visit("arguments", v.arguments);
  visit("text", v.text);
}
template <class V>
void fields(V&& visit, Is<MessageArgument> auto& v) {
  visit("name", v.name);
  visit("value", v.value);
}

/// The argument of that name; nullptr: there is none.
const Message* argument_of(const MessageArguments& arguments, std::string_view name);

/// The pattern of a key in one language; nothing where the language has no such key.
using PatternOf = std::function<std::optional<std::string_view>(std::string_view key)>;

/// The pattern by which a key is said with these arguments: its own, or that of <key>.one or <key>.other by the argument
/// "count".
std::optional<std::string_view> pattern_for(const PatternOf& pattern_of, std::string_view key,
                                            const MessageArguments& arguments);

/// Puts `arguments` into the {names} of `pattern`, in English where they are messages; a name without an argument stays
/// as it is.
std::string fill(std::string_view pattern, const MessageArguments& arguments);

/// What stands before the part `index` of a list of `count` parts.
std::string_view separator_of(const PatternOf& pattern_of, const std::string& key,
                              std::size_t index, std::size_t count);

/// The pattern of a key of lang/en/errors.toml or lang/en/phrases.toml.
std::optional<std::string_view> english_pattern(std::string_view key);

}  // namespace warpbook::device
