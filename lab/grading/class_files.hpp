// The files that other programs read: a table of the class, and a submission's results in Gradescope's form.
#pragma once

#include <string>
#include <vector>

#include "lab/grading/class_grades.hpp"
#include "lab/grading/grade_class.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// A row a student: id, name, email, of each exercise the points, those that lateness cost, the state and what was special, then the total. The heads are the
/// same in every language, because programs read them.
std::string grades_csv(const ClassGrades& grades, const Strings& strings);

/// results.json as Gradescope's documentation of autograders has it ("Output format"): score, and a test for each item of each
/// check, with name, score, max_score, status and output. Empty where the student's grades are not complete, since a score has to be in it.
std::string gradescope_results(const StudentGrades& student, const GradedClass& graded,
                               const GradingSettings& settings, const Strings& strings);

/// The state in words: "passed", "not graded".
std::string state_word(const Grade& grade, const Strings& strings);
/// "late by 3 h 5 min".
std::string late_note(const Lateness& lateness, const Strings& strings);
/// What is to be said of a grade besides: late, by hand, why not graded. Empty where it is nothing.
std::string grade_note(const Grade& grade, const Strings& strings);

/// What an instructor should look at before the grades go anywhere: submissions of students who are not in the roster, a due date that could not be applied, and points by
/// hand beyond those of the exercise. `anonymous`: says codes instead of students' numbers.
std::vector<std::string> class_warnings(const GradedClass& graded, const LateRule& late,
                                        bool anonymous, const Strings& strings);

}  // namespace warpbook::lab
