// docs/cuda-runtime.md, as the table of functions says it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::tests {

enum class Support : std::uint8_t { whole, part, same, absent };

/// A line of device/runtime/functions.inc.
struct RuntimeFunction {
  Support support;
  std::string_view area, name;
  std::string_view note;  ///< of a part: what is missing; of another name: the function's first one
};
const std::vector<RuntimeFunction>& runtime_functions();

std::string runtime_page();

}  // namespace warpbook::tests
