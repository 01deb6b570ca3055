// What an instructor sets down once for a course, so that each week's grading is one short command. The file course.toml:
//
//     seed = 4711                  # the key of the hidden cases
//     roster = "grades-export.csv"
//
//     [[assignment]]
//     name = "week3"
//     exercises = ["saxpy", "crop"]
//     due = "2026-11-20T23:59+01:00"
//     grace = 10
//     late = "10%/day"
//     column = "Week 3"
//     overrides = "week3.toml"
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

/// As the flags of `warpbook grade` have them; empty: not said.
struct Assignment {
  std::string name;
  std::vector<std::string> exercises;
  std::string due, late, column;
  std::uint32_t grace = 0;  ///< minutes
  std::string overrides;    ///< a file, by its whole path
};

struct Course {
  std::optional<std::uint64_t> seed;
  std::string roster;  ///< a file, by its whole path; empty: none
  std::vector<Assignment> assignments;
};

/// Reads course.toml in that folder; names of files in it are below the folder. Errors: file_unreadable, those of TomlReader.
device::Expected<Course> load_course(const std::filesystem::path& folder);

/// The assignment of that name, or the only one there is. Error: unknown_name, with the names there are.
device::Expected<Assignment> assignment_named(const Course& course, const std::string& name);

}  // namespace warpbook::lab
