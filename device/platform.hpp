// The folders of this computer, and how to replace a file so that a reader never sees half of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::device {

/// The folder of what the window remembers: answers, edits of the kernels, settings. $WARPBOOK_HOME/state, else
/// $XDG_DATA_HOME/warpbook, else ~/.local/share/warpbook. Not created here.
std::filesystem::path state_folder();

/// The folder of the user's exercises, to be opened with any editor. $WARPBOOK_HOME/exercises, else
/// ~/warpbook-exercises. Not created here.
std::filesystem::path work_folder();

/// The folder of files that can be made again. $WARPBOOK_HOME/cache, else $XDG_CACHE_HOME/warpbook, else
/// ~/.cache/warpbook. Not created here.
std::filesystem::path cache_folder();

/// The file of this program.
std::filesystem::path executable_path();

/// The folder that holds lessons/, exercises/ and kernels/: $WARPBOOK_ROOT, else the nearest folder
/// above the program that has them, else the current folder.
std::filesystem::path root_folder();

/// The whole of a regular file of at most `limit` bytes. Never blocks on a pipe. Error:
/// file_unreadable.
Expected<std::string> read_file(const std::filesystem::path& path,
                                std::uint64_t limit = 256u << 20);

/// Replaces `path` by `bytes`, creating its folder: a temporary file beside it, fsync, rename.
/// After a kill at any moment the old or the new content is there, whole. Error: file_unwritable.
Expected<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpbook::device
