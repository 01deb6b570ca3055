// Why the kernel refuses a layer of a box.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

namespace warpbook::device {

/// Nothing where a layer holds; else what was refused, in the kernel's words.
using Refusal = std::optional<std::string>;

inline Refusal refused(const char* what, int number = errno) {
  return std::string(what) + ": " + std::generic_category().message(number);
}

}  // namespace warpbook::device
