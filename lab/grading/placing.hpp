// Which exercise a file is for, and which of several files of one student counts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise.hpp"
#include "lab/grading/download.hpp"

namespace warpbook::lab {

/// The file that is graded, and those of earlier attempts, which are only named.
struct Placed {
  HandedIn counts;
  std::vector<std::string> earlier;  ///< their paths, in their order
};

struct Unplaced {
  std::string student, path;
  std::string name;  ///< as the student called it
  Message why;
};

struct Placing {
  std::map<std::pair<std::string, std::string>, Placed> placed;  ///< by student and exercise
  std::vector<Unplaced> unplaced;
};

/// A file is for the exercise that its name says ("saxpy-2.cu", "my_saxpy.cu"), else for the one whose kernel it defines, else for the
/// only one there is. Of several, the one that was handed in last counts.
Placing place(const Download& download, std::span<const ExerciseText> exercises);

}  // namespace warpbook::lab
