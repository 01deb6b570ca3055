// From a request to what NVRTC is given: a fixed list of options, and a text whose lines are still
// the student's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// The source's name as NVRTC sees it: never a folder in it, since quoted includes would resolve
/// against that, and no character that could end a string.
std::string name_in_box(std::string_view name);

/// A define is an identifier and a value on one line. Error: bad_define.
Expected<void> check_defines(const CompileRequest& request);

/// The slow headers that the source includes before anything else that could change their meaning,
/// in their order; the ones worth precompiling.
std::vector<std::string> leading_slow_headers(std::string_view source);

/// What NVRTC compiles. Where there are slow headers they stand in front, so that a precompiled
/// form can take their place; the defines follow them; then the source, from its line 1 and without
/// its host code. Whether a precompiled form is there changes nothing. Defines are lines of text
/// rather than options: as options they would be in force in NVRTC's own header, which `-DT=float`
/// breaks, and there is nothing to smuggle where nothing is passed.
std::string composed_source(const CompileRequest& request,
                            const std::vector<std::string>& slow_headers);

/// The text that a precompiled header is made from.
std::string precompiled_source(const std::vector<std::string>& slow_headers);

/// A fixed list, which a precompiled header must share with its users.
std::vector<std::string> options_of(const CompileRequest& request,
                                    const std::vector<std::string>& include_folders);

}  // namespace warpbook::device
