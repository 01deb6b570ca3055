// Hidden cases that an instructor wrote down, beside those that every check draws. exercises/<id>/hidden.toml:
//
//     [[case]]
//     n = 4097
//     block = 128
//
// They are data and no code, because `warpbook course export` leaves this file out of the students' copies, and the check has to run
// there all the same: without the file there are none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// The numbers of one case, by name.
struct HiddenCase {
  std::map<std::string, std::int64_t> numbers;
  /// Ends the check with "not graded" where the case has no such number: that is the instructor's slip, and no student's.
  [[nodiscard]] std::int64_t number(const std::string& name) const;
};

std::filesystem::path hidden_cases_file(const std::filesystem::path& root, const std::string& id);

/// A file that cannot be read ends the check with "not graded".
std::vector<HiddenCase> hidden_cases_of(const std::filesystem::path& root, const std::string& id);
/// Of the exercise that is being checked.
std::vector<HiddenCase> hidden_cases(const Checker& checker);

}  // namespace warpbook::lab
