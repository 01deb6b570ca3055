// A .cu file often has headers of its own beside it, which the compile box cannot see. So they become a part of the source.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

/// `source`, the text of `file`, with its own headers in place of the lines that include them, links followed. Its own
/// headers are: quoted ones beside the file or below its folder; quoted ones elsewhere whose name is that of a header or a
/// source ("../common/book.h", "../common/timer.c"); and files in `folders`. All other includes stay for the compiler. #line
/// keeps the numbers of lines. Errors: file_unreadable, ptx_limit.
Expected<std::string> with_own_headers(const std::filesystem::path& file, std::string_view source,
                                       const std::vector<std::filesystem::path>& folders = {});

}  // namespace warpbook::device
