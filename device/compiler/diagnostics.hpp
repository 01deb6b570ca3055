// NVRTC's log as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// Ends what NVRTC says of a name expression.
inline constexpr std::string_view kOfNameExpression = " (in the name of the kernel)";

/// Every diagnostic of a log, at the student's own line: what is reported inside a header stands at
/// the line that led there, with the header's place at the end of the text. A line that a #line
/// directive made up stands at line 0, its claim in the text. `name` is the source's name as
/// requested; `include_folders` are cut off the front of headers' names.
std::vector<Diagnostic> diagnostics_from(std::string_view log, std::string_view name,
                                         std::string_view source,
                                         const std::vector<std::string>& include_folders);

/// The PTX with the folders cut off the names in its .file directives: nothing of this machine
/// stays in it.
std::string without_folders(std::string ptx, const std::vector<std::string>& include_folders);

}  // namespace warpbook::device
