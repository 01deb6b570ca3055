// Words of our own beside the compiler's, for the mistakes that beginners make most.
#pragma once

#include <span>
#include <string_view>

#include "lab/exhibits/source/source.hpp"

namespace warpbook::lab {

/// What the first error most likely means and what to do: a key below compile.*; empty where we know nothing better than
/// the compiler does. `source` is what was compiled.
Message compile_advice(std::span<const device::Diagnostic> diagnostics, std::string_view source);

/// What to do about a warning where the result is wrong as well; empty where it says nothing of that.
Message warning_advice(std::string_view warning, std::uint32_t line);

}  // namespace warpbook::lab
