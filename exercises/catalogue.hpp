// The exercises, one a folder. The list itself is generated from the folders (cmake/exercises.cmake): a folder
// exercises/<id>/ with exercise.toml and check.cpp, which defines `warpbook::lab::Exercise warpbook::exercises::<id with _ for ->()`.
#pragma once

#include <span>
#include <string_view>

#include "lab/exercise/exercise.hpp"

namespace warpbook::exercises {

std::span<const lab::Exercise> catalogue();
const lab::Exercise* find(std::string_view id);

}  // namespace warpbook::exercises
