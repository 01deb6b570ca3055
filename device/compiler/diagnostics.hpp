// NVRTC's log, parsed into diagnostics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// The end of a diagnostic about a name expression.
inline constexpr std::string_view kOfNameExpression = " (in the name of the kernel)";

/// Every diagnostic of a log, at a line of the author's own source. A diagnostic inside a header gets the line whose include
/// led there, and the header's place at the end of its text. What is missing at the end of the source belongs to its last line. A line number that a #line directive made up becomes line 0, and
/// the text quotes it. `name` is the source's name as requested; `include_folders` are cut off the front of headers' names.
std::vector<Diagnostic> diagnostics_from(std::string_view log, std::string_view name,
                                         std::string_view source,
                                         const std::vector<std::string>& include_folders);

/// The PTX without the folders in its .file directives, so that it names nothing of this computer.
std::string without_folders(std::string ptx, const std::vector<std::string>& include_folders);

}  // namespace warpbook::device
