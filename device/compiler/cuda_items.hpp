// A CUDA program as a list of declarations, exact enough to tell which of them belong to device code.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "device/compiler/cuda_tokens.hpp"

namespace warpbook::device {

using CudaNames = std::unordered_set<std::string_view>;

/// A declaration or definition at namespace scope, a macro, or a member of a class.
struct CudaItem {
  std::size_t begin = 0, end = 0;       ///< tokens
  std::vector<std::string_view> names;  ///< none: unknown, and then the item is kept
  bool device = false;                  ///< marked as device code, directly or through a macro
  bool kernel = false;                  ///< marked as a kernel, likewise
  bool macro = false;
  bool kept = false;
};

/// The tokens, where some have become empty so that the brackets of the others match: tokens in branches that the text itself
/// shows to be dead (as when a guarded header is included twice), and brackets of #else and #elif branches that do not match
/// by themselves, as in `#if A  f() { #else  g() { #endif`.
std::vector<CudaToken> with_matching_branches(std::vector<CudaToken> tokens);

/// All items but macros, in order. Nothing where the braces do not match.
std::optional<std::vector<CudaItem>> cuda_items(const std::vector<CudaToken>& tokens);

/// The macros' definitions.
std::vector<CudaItem> macro_items(const std::vector<CudaToken>& tokens);

/// Whether only the host can use it: a function, a member function or a variable without any of `device_words`. A variable
/// that may be a constant does not count, because kernels may use constants of the host.
bool is_of_the_host(const std::vector<CudaToken>& tokens, const CudaItem& item,
                    const CudaNames& device_words);

/// Whether it declares or defines a function, or a variable with arguments in parentheses.
bool is_function(const std::vector<CudaToken>& tokens, const CudaItem& item);

/// The members of a class, without `public:` and the like; empty if the item is not a class.
std::vector<CudaItem> members_of(const std::vector<CudaToken>& tokens, const CudaItem& item);

/// The token after the angle brackets that open at `at`. They nest, and `>>` closes two.
std::size_t after_angles(const std::vector<CudaToken>& tokens, std::size_t at);

}  // namespace warpbook::device
