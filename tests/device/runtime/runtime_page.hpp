// docs/cuda-runtime.md and docs/cuda-driver.md, as the tables of functions say it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::tests {

enum class Support : std::uint8_t { whole, part, same, absent };

/// A line of device/runtime/functions.inc or of driver_functions.inc.
struct TableFunction {
  Support support;
  std::string_view area, name;
  std::string_view note;  ///< of a part: what is missing; of another name: the function's first one
};
const std::vector<TableFunction>& runtime_functions();
const std::vector<TableFunction>& driver_functions();

std::string runtime_page();
std::string driver_page();

}  // namespace warpbook::tests
