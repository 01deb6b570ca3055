// The table of rooms and sub-rooms (rooms.toml): who may include whom, and what is wrong with an #include.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture {

/// What each sub-room of one room may include: [inside."lab"].
using SubRooms = std::map<std::string, std::vector<std::string>>;

struct Rooms {
  /// Headers from outside that only some rooms may include.
  struct Outside {
    std::string what;
    std::vector<std::string> headers;  ///< beginnings of names
    std::vector<std::string> rooms;
    std::vector<std::string> not_in;  ///< sub-rooms of these rooms that may not
  };
  std::map<std::string, std::vector<std::string>> rooms;
  std::map<std::string, SubRooms> inside;  ///< by the folder that they divide: "device/simulator"
  std::map<std::string, std::vector<std::string>> files;
  std::vector<Outside> outside;
  std::vector<std::string> generated;  ///< headers that a build step writes
  std::vector<std::string>
      test_folders;  ///< folders of tests/<room>/ that mirror no folder of the room
};

/// Reads a table in the form of rooms.toml. Throws where it has another form.
Rooms read_rooms(std::string_view toml);

/// What is wrong with this #include in this file; nothing if nothing is.
std::optional<std::string> violation(const Rooms& rooms, std::string_view file,
                                     const Include& include);

/// What is wrong with the table itself: a circle of rooms or of sub-rooms, a line that names a sub-room which is not there.
std::vector<std::string> faults(const Rooms& rooms);

/// The folders that hold a file of `files` but that the table divides without naming them, and the names in the table that
/// are no such folder.
std::vector<std::string> strangers(const Rooms& rooms, const std::vector<SourceFile>& files);

}  // namespace warpbook::architecture
