// A whole class graded: every file that counts is checked in a child process of its own, several at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "lab/grading/class_grades.hpp"
#include "lab/grading/overrides.hpp"
#include "lab/grading/placing.hpp"
#include "lab/grading/roster.hpp"

namespace warpbook::lab {

/// One of `of` parts into which a class's checks are dealt out, so that several machines can make them; from 1.
struct Part {
  std::uint32_t number = 1, of = 1;
};

struct GradingSettings {
  std::vector<ExerciseText> exercises;  ///< that the class was set, in the order of the files
  std::string root;                     ///< of the book
  device::Checks checks = device::kLessonChecks;
  std::string gpu = Inputs{}.gpu;
  std::uint64_t seed = 0;  ///< the key of the hidden cases, of which each student has their own
  LateRule late;
  Overrides overrides;
  unsigned jobs = 1;  ///< checks at once
  CheckLimits limits;
  std::filesystem::path
      kept;  ///< a folder: a check that is there is not made again, and each is put there
  bool resume = false;  ///< what is there may be taken
  /// Called from several threads, one at a time: so many of so many checks are done.
  std::function<void(std::size_t done, std::size_t all)> progress;
};

struct GradedClass {
  ClassGrades grades;
  /// By student and exercise: the reports of what was checked, without times, so that the same submission has the same bytes.
  std::map<std::pair<std::string, std::string>, CheckReport> reports;
  Placing placing;
  DownloadForm form = DownloadForm::folders;
  std::vector<std::string> nobodys;
  std::size_t handed_in = 0;  ///< students with a submission
  std::size_t strangers = 0;  ///< those of them who are not in the roster, if there is one
};

/// `roster` may be null: then the class is whoever handed in. Students come in the roster's order, others after them by their ids. A
/// check that the machine broke off is made again when no other runs, and then is "not graded".
/// Errors: unknown_name, where an override is for nobody; file_unwritable.
device::Expected<GradedClass> grade_class(const Download& download, const Roster* roster,
                                          const GradingSettings& settings,
                                          const std::stop_token& stop = {});

struct PartDone {
  std::size_t checks = 0, not_graded = 0;
};

/// Makes the checks of one part and keeps them, for a grade_class with `resume` on any machine that sees the same folder. What the
/// machine broke off is not kept, so whoever comes next makes it anew. Error: file_unwritable.
device::Expected<PartDone> check_part(const Download& download, const Part& part,
                                      const GradingSettings& settings,
                                      const std::stop_token& stop = {});

}  // namespace warpbook::lab
