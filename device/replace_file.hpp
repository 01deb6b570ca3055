// How a file is replaced that can be made again: without waiting for the disk.
#pragma once

#include <filesystem>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::device {

/// As write_file_atomically() (platform.hpp), but it returns before the bytes are on the disk, which takes up to some milliseconds. A reader
/// of this computer never sees half of a file; after a loss of power it may, so what is read has to be checked. Error: file_unwritable.
Expected<void> replace_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpbook::device
