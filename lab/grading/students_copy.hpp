// What students get of an instructor's Warpbook: the book and its exercises, without what would answer them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exercise/exercise.hpp"
#include "lab/grading/zip.hpp"

namespace warpbook::lab {

/// exercise.toml without its mutants, alternatives and equals: they name wrong solutions, and say why they are wrong.
std::string without_answers(std::string_view exercise_toml);

/// Makes the PTX of a kernel exercise's solution (sealed_solution.hpp).
using Seal = std::function<device::Expected<std::string>(const ExerciseText&)>;

/// Every file of the tree below `root` that students get, in the order of their paths, in a folder `warpbook`. Only what the tree is known
/// to hold goes along, so grades that lie beside it stay where they are. Solutions go as `seal` makes them; hidden.toml, teach.md, mutants,
/// alternatives and tests do not go at all. Errors: file_unreadable; those of `seal`.
device::Expected<std::vector<ZipEntry>> students_copy(const std::filesystem::path& root,
                                                      const std::vector<ExerciseText>& exercises,
                                                      const Seal& seal);

}  // namespace warpbook::lab
