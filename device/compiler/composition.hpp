// Turns a request into NVRTC's input: a fixed list of options, and a text whose line numbers are still the author's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// The source's name as NVRTC gets it: without a folder, because quoted includes would be looked up there, and without any
/// character that could end a string.
std::string name_in_box(std::string_view name);

/// A define is an identifier and a value on one line. Error: bad_define.
Expected<void> check_defines(const CompileRequest& request);

/// The headers that are worth precompiling: the slow ones that the source includes before anything that could change their
/// meaning, in their order.
std::vector<std::string> leading_slow_headers(std::string_view source);

/// The text that NVRTC compiles: first the slow headers, so that a precompiled form can replace them; then the defines;
/// then the source without its host code, numbered from line 1. The text is the same whether a precompiled form exists or
/// not. Defines are lines of text, not options, for two reasons: options also apply to NVRTC's own header, which `-DT=float`
/// would break; and nobody can smuggle another option into a list that holds none of the user's words.
std::string composed_source(const CompileRequest& request,
                            const std::vector<std::string>& slow_headers);

/// The text that a precompiled header is made from.
std::string precompiled_source(const std::vector<std::string>& slow_headers);

/// The options: a fixed list, because a precompiled header is good only for the options that it was made with.
std::vector<std::string> options_of(const CompileRequest& request,
                                    const std::vector<std::string>& include_folders);

}  // namespace warpbook::device
