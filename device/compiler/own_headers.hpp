// Somebody's .cu may lie beside headers of its own, which the compiler's box does not let it see.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

/// `source`, the text of `file`, with its own headers in the place of their includes, links followed:
/// quoted ones that lie beside the file or below its folder, or elsewhere and are called a header or
/// a source ("../common/book.h", "../common/timer.c"); and what lies in `folders`. All others stay, for the compiler to judge. Lines
/// keep their numbers by #line. Errors: file_unreadable, ptx_limit.
Expected<std::string> with_own_headers(const std::filesystem::path& file, std::string_view source,
                                       const std::vector<std::filesystem::path>& folders = {});

}  // namespace warpbook::device
