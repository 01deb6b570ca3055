// The name in an #include line.
#pragma once

#include <string_view>

namespace warpbook::device {

struct IncludeLine {
  std::string_view name;  ///< empty: the line is no #include of a name in quotes or angles
  bool quoted = false;
  std::string_view rest;  ///< the text after the name
};

/// Of one line, or of one directive with its continuations.
IncludeLine include_in(std::string_view line);

}  // namespace warpbook::device
