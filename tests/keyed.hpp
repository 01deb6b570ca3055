// Messages and errors as their keys and arguments, which is what most tests hold them to: wording may change without them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/message.hpp"

namespace warpbook::tests {

inline std::string keyed(const device::Message& message);

/// "key(first=1, second=2)", the arguments sorted by name; the key alone where there are none.
inline std::string keyed(std::string_view key, const device::MessageArguments& arguments) {
  std::vector<std::string> said;
  for (const device::MessageArgument& argument : arguments)
    said.push_back(argument.name + "=" + keyed(argument.value));
  std::ranges::sort(said);
  std::string all;
  for (const std::string& one : said) all += (all.empty() ? "(" : ", ") + one;
  return std::string(key) + all + (all.empty() ? "" : ")");
}

/// A text as it is; a key with its arguments as "phrase.out-of-range(index=4, name=y)"; a list's parts joined by "; ".
inline std::string keyed(const device::Message& message) {
  if (message.key.empty()) return message.text;
  if (!message.key.starts_with(device::kListKeys)) return keyed(message.key, message.arguments);
  std::string parts;
  for (const device::MessageArgument& part : message.arguments)
    parts += (parts.empty() ? "" : "; ") + keyed(part.value);
  return parts;
}

/// "add.cu:3:7: compile_failed(why=...)"; the place only where there is one.
inline std::string keyed(const device::Error& error) {
  return device::led_by_place(error.place, keyed(device::name_of(error.code), error.arguments));
}

}  // namespace warpbook::tests
