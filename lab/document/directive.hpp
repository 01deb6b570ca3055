// Directives: fenced blocks whose info string is their name and whose body is TOML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/document/document.hpp"
#include "lab/document/markdown.hpp"

namespace warpbook::lab {

/// "step", "predict", ...
const std::vector<std::string>& directive_names();
/// The languages that a block of code may be marked with.
const std::vector<std::string>& code_languages();
/// The names of a chapter's eight steps, in order.
const std::vector<std::string>& step_names();

/// A directive, or a code block. `line` is the fence's own. Errors: unknown_directive, toml_syntax, unknown_key,
/// missing_key, bad_value, bad_markdown; each with file and line.
device::Expected<DocumentNode> parse_fence(const Fence& fence, const std::string& file,
                                           std::uint32_t line);

/// "predict", ...; empty where the block is none.
std::string_view directive_kind(const DocumentNode& block);

}  // namespace warpbook::lab
