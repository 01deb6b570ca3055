// What people read of a graded class: a page for each student, and one of the whole class for the instructor. Each is one file of HTML
// that needs nothing from elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/grading/class_grades.hpp"
#include "lab/grading/grade_class.hpp"
#include "lab/grading/likeness.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// Two submissions to one exercise that resemble each other.
struct LikePair {
  std::string exercise;
  const StudentGrades *a = nullptr, *b = nullptr;
  std::string source_a, source_b;
  Likeness likeness;
};
/// Of all exercises, each compared within itself. The pairs point into `graded`.
std::vector<LikePair> like_pairs(const GradedClass& graded, const GradingSettings& settings);

class ClassPages {
 public:
  /// `anonymous`: pages say codes instead of names.
  ClassPages(const GradedClass& graded, const GradingSettings& settings, const Strings& strings,
             bool anonymous)
      : graded_(graded), settings_(settings), strings_(strings), anonymous_(anonymous) {}

  /// "123.html": how a student's page is called. No id leads out of the folder.
  [[nodiscard]] std::string file_name(const StudentGrades& student) const;
  [[nodiscard]] std::string student_page(const StudentGrades& student) const;
  /// `pages`: the folder of the students' pages, as a link names it. `changes`: since the results that were there.
  [[nodiscard]] std::string overview(const std::string& pages,
                                     const std::vector<GradeChange>& changes) const;

 private:
  [[nodiscard]] std::string called(const Student& student, const std::string& code) const;
  [[nodiscard]] std::string called(const StudentGrades& student) const {
    return called(student.student, student.code);
  }
  /// Of a student who handed something in.
  [[nodiscard]] const std::string& code_of(const std::string& student) const;
  [[nodiscard]] std::string grade_section(const StudentGrades& student, const Grade& grade) const;
  /// What each gate gave, and what lateness took; empty where nothing was run.
  [[nodiscard]] std::string gate_points(const Grade& grade, const CheckReport& checked) const;
  [[nodiscard]] const ExerciseText& exercise_of(const std::string& id) const;
  [[nodiscard]] const std::string& title_of(const std::string& exercise) const;
  [[nodiscard]] std::string heading(const char* key) const;
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string students_table(const std::string& pages) const;
  [[nodiscard]] std::string gates_table() const;
  [[nodiscard]] std::string histogram() const;
  [[nodiscard]] std::string leftovers() const;
  [[nodiscard]] std::string changes_table(const std::vector<GradeChange>& changes) const;
  [[nodiscard]] std::string likeness() const;
  [[nodiscard]] std::string like_pair(const LikePair& pair) const;

  const GradedClass& graded_;
  const GradingSettings& settings_;
  const Strings& strings_;
  bool anonymous_;
};

}  // namespace warpbook::lab
