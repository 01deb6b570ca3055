// The grades of a class, as plain data: what is written into every file of the results, and what a later run compares itself with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exercise/exercise.hpp"
#include "lab/grading/download.hpp"
#include "lab/grading/late.hpp"

namespace warpbook::lab {

enum class GradeState : std::uint8_t {
  missing,     ///< nothing was handed in for the exercise
  refused,     ///< what was handed in is no text of a program, so nothing was run
  not_graded,  ///< the machine failed; no points are given, and none are taken
  failed,
  passed
};
constexpr auto enum_names(GradeState) {
  return device::checked_names<GradeState>("missing", "refused", "not-graded", "failed", "passed");
}

/// One item of the check.
struct ItemGrade {
  std::string id;
  CheckState state = CheckState::waiting;
  friend bool operator==(const ItemGrade&, const ItemGrade&) = default;
};

/// One student's grade in one exercise.
struct Grade {
  std::string exercise;
  GradeState state = GradeState::missing;
  std::string file;                  ///< in the download
  std::string name;                  ///< of the file, as the student called it
  std::vector<std::string> earlier;  ///< attempts that were replaced by it
  std::string source;                ///< a hash of what was handed in
  int checked = 0, possible = 0;     ///< points of the check
  std::vector<ItemGrade> items;
  Message
      why;  ///< of one that was refused or not graded, or of which only files for no exercise are there
  Lateness lateness;
  std::string override_reason;  ///< not empty: the points were given by hand
  double points = 0;            ///< after the rule for late ones, or by hand

  [[nodiscard]] bool overridden() const { return !override_reason.empty(); }
  /// Points that it lost because it was late. By hand nothing is taken off.
  [[nodiscard]] double deduction() const { return overridden() ? 0 : checked - points; }
  /// Whether the check has an item of the name in that state.
  [[nodiscard]] bool is(std::string_view item, CheckState in) const;
  /// Points that may be written into a gradebook: nothing was handed in, or the machine failed, is no 0.
  [[nodiscard]] bool counts() const {
    return overridden() || (state != GradeState::missing && state != GradeState::not_graded);
  }
};

struct StudentGrades {
  Student student;
  std::string code;           ///< by which pages call an anonymous student
  std::vector<Grade> grades;  ///< one for each exercise, in their order

  [[nodiscard]] double total() const;
  /// Every exercise that was handed in counts, and at least one was.
  [[nodiscard]] bool complete() const;
};

struct ClassGrades {
  std::uint64_t seed = 0;              ///< the key of the hidden cases
  std::vector<std::string> exercises;  ///< ids
  int possible = 0;                    ///< points of all of them
  std::vector<StudentGrades> students;
};

/// What a later run needs of it, and back. Error: file_unreadable.
std::string to_json_text(const ClassGrades& grades);
device::Expected<ClassGrades> class_grades_from_json(std::string_view json,
                                                     const std::string& file);

/// A grade that is not what it was.
struct GradeChange {
  Student student;
  std::string code, exercise;
  Grade before, after;
  Message why;
};
std::vector<GradeChange> changes_between(const ClassGrades& before, const ClassGrades& after);

}  // namespace warpbook::lab
