// What of the file system a program in a box may use.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/box/landlock.hpp"

namespace warpbook::device::runtime {

/// The files and folders that every program needs, and those of this one. Paths are real ones, without links, but for those at
/// the root (/lib) and in /etc. A place inside another that allows as much is left out.
/// @param readable  files and folders, which need not exist
/// @param writable  folders
std::vector<Place> places_of_program(const std::vector<std::filesystem::path>& readable,
                                     const std::vector<std::filesystem::path>& writable);

/// As places_of_program(), for a tool that reads what strangers wrote and quotes it: without the list of the computer's users.
std::vector<Place> places_of_tool(const std::vector<std::filesystem::path>& readable,
                                  const std::vector<std::filesystem::path>& writable);

/// Whether all of the user's own files are in `folder`, which is a real path: whoever may write there may change what the user
/// runs next.
bool holds_home(const std::filesystem::path& folder);

/// The folders in a list as LD_LIBRARY_PATH has it.
std::vector<std::filesystem::path> folders_in(std::string_view list);

}  // namespace warpbook::device::runtime
