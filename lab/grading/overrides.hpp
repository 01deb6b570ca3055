// Points that the instructor gives by hand, each with the reason. The file:
//
//     [[override]]
//     student = "123"
//     exercise = "saxpy"
//     points = 8
//     reason = "the guard was there, one line too low"
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "device/error.hpp"

namespace warpbook::lab {

struct Override {
  double points = 0;
  std::string reason;
};
using Overrides =
    std::map<std::pair<std::string, std::string>, Override>;  ///< by student and exercise

/// Errors: those of TomlReader, with the line; bad_value where one is given twice.
device::Expected<Overrides> parse_overrides(std::string_view toml, const std::string& file);

}  // namespace warpbook::lab
