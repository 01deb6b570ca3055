// Messages and errors as their keys and arguments, which is what most tests hold them to: wording may change without them.
#pragma once

#include <string>

#include "device/error.hpp"
#include "device/message.hpp"

namespace warpbook::tests {

/// A text as it is; a key with its arguments as "phrase.out-of-range(index=4, name=y)"; a list's parts joined by "; ".
inline std::string keyed(const device::Message& message) {
  if (message.key.empty()) return message.text;
  const bool list = message.key.starts_with(device::kListKeys);
  std::string said, between;
  for (const device::MessageArgument& argument : message.arguments) {
    said += between + (list ? "" : argument.name + "=") + keyed(argument.value);
    between = list ? "; " : ", ";
  }
  if (list) return said;
  return said.empty() ? message.key : message.key + "(" + said + ")";
}

/// "add.cu:3:7: compile_failed(why=...)"; the place only where there is one.
inline std::string keyed(const device::Error& error) {
  std::string said, between;
  for (const device::MessageArgument& argument : error.arguments) {
    said += between + argument.name + "=" + keyed(argument.value);
    between = ", ";
  }
  const std::string name(device::name_of(error.code));
  return device::led_by_place(error.place, said.empty() ? name : name + "(" + said + ")");
}

}  // namespace warpbook::tests
