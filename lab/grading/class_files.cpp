#include "lab/grading/class_files.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "lab/grading/csv.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using nlohmann::json;

/// What the check says of an item, in sentences.
std::string item_output(const CheckExhibit::Item& item, const Strings& strings) {
  std::vector<std::string> parts;
  for (const Message* message : {&item.got, &item.advice}) {
    if (std::string text = strings(*message); !text.empty()) parts.push_back(std::move(text));
  }
  return sentences(strings, parts);
}

json test_of(const CheckExhibit::Item& item, const CheckExhibit& check,
             const ExerciseText& exercise, const Strings& strings) {
  const bool fits = item.state == CheckState::passed || item.state == CheckState::warning;
  const auto gate = std::ranges::find(exercise.gates, item.id, &Gate::id);
  const bool counts = gate != exercise.gates.end();
  return {{"name", json_text(exercise.title + ": " + strings(item.sentence))},
          {"score", counts ? points_for(*gate, exercise, check) : 0},
          {"max_score", counts ? gate->points : 0},
          {"status", fits ? "passed" : "failed"},
          {"output", json_text(item_output(item, strings))}};
}

}  // namespace

std::string state_word(const Grade& grade, const Strings& strings) {
  // A student who handed in what no exercise takes did hand something in.
  if (grade.state == GradeState::missing && !grade.why.empty())
    return strings("grading.state.no-file");
  return strings("grading.state." + std::string(device::name_of(grade.state)));
}

std::string late_note(const Lateness& lateness, const Strings& strings) {
  if (!lateness.seconds) return strings("grading.late-marked");
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute;
  return strings("grading.late-by", {{"hours", *lateness.seconds / kHour},
                                     {"minutes", *lateness.seconds % kHour / kMinute}});
}

std::string grade_note(const Grade& grade, const Strings& strings) {
  std::vector<std::string> notes;
  if (grade.lateness.late) notes.push_back(late_note(grade.lateness, strings));
  if (grade.deduction() > 0)
    notes.push_back(strings("grading.deducted", {{"points", points_text(grade.deduction())},
                                                 {"checked", grade.checked}}));
  if (grade.overridden())
    notes.push_back(strings("grading.by-hand", {{"reason", grade.override_reason}}));
  if (!grade.why.empty()) notes.push_back(strings(grade.why));
  if (grade.is(kPrintsItem, CheckState::warning)) notes.push_back(strings("grading.prints"));
  if (!grade.earlier.empty()) {
    const bool compiles = !grade.is("compiles", CheckState::failed);
    notes.push_back(counted(strings, compiles ? "grading.earlier" : "grading.earlier-uncompiled",
                            grade.earlier.size()));
  }
  return joined(strings, notes);
}

std::vector<std::string> class_warnings(const GradedClass& graded, const LateRule& late,
                                        bool anonymous, const Strings& strings) {
  std::vector<std::string> warnings;
  if (late.due && graded.form != DownloadForm::gradescope)
    warnings.push_back(strings("grading.no-times"));
  if (graded.strangers > 0) {
    warnings.push_back(graded.strangers == graded.handed_in
                           ? strings("grading.other-roster")
                           : counted(strings, "grading.strangers", graded.strangers));
  }
  for (const StudentGrades& each : graded.grades.students) {
    for (const Grade& grade : each.grades) {
      if (!grade.overridden() || grade.points <= grade.possible) continue;
      warnings.push_back(
          strings("grading.too-many-points", {{"student", anonymous ? each.code : each.student.id},
                                              {"exercise", grade.exercise},
                                              {"points", points_text(grade.points)},
                                              {"possible", grade.possible}}));
    }
  }
  return warnings;
}

std::string grades_csv(const ClassGrades& grades, const Strings& strings) {
  CsvRow head{"id", "name", "email", "code"};
  for (const std::string& exercise : grades.exercises) {
    head.push_back(exercise);
    head.push_back(exercise + ".deduction");
    head.push_back(exercise + ".state");
    head.push_back(exercise + ".note");
  }
  head.insert(head.end(), {"total", "possible"});
  Csv csv{',', {std::move(head)}};
  for (const StudentGrades& each : grades.students) {
    CsvRow row{safe_cell(each.student.id), safe_cell(each.student.name),
               safe_cell(each.student.email), each.code};
    for (const Grade& grade : each.grades) {
      row.push_back(grade.counts() ? points_text(grade.points) : "");
      row.push_back(grade.counts() ? points_text(grade.deduction()) : "");
      row.emplace_back(device::name_of(grade.state));
      row.push_back(safe_cell(grade_note(grade, strings)));
    }
    row.push_back(each.complete() ? points_text(each.total()) : "");
    row.push_back(std::to_string(grades.possible));
    csv.rows.push_back(std::move(row));
  }
  return to_csv(csv);
}

std::string gradescope_results(const StudentGrades& student, const GradedClass& graded,
                               const GradingSettings& settings, const Strings& strings) {
  if (!student.complete()) return {};
  json tests = json::array();
  std::vector<std::string> notes;
  for (const Grade& grade : student.grades) {
    const ExerciseText& exercise =
        *std::ranges::find(settings.exercises, grade.exercise, &ExerciseText::id);
    if (const std::string note = grade_note(grade, strings); !note.empty())
      notes.push_back(exercise.title + ": " + note);
    const auto report = graded.reports.find({student.student.id, grade.exercise});
    const CheckExhibit* check = report == graded.reports.end()
                                    ? nullptr
                                    : report->second.report.find_as<CheckExhibit>("check");
    if (!check) continue;
    for (const CheckExhibit::Item& item : check->items)
      tests.push_back(test_of(item, *check, exercise, strings));
  }
  std::string output;
  for (const std::string& note : notes) output += note + "\n";
  const json whole = {{"score", student.total()},
                      {"output", json_text(output)},
                      {"visibility", "visible"},
                      {"stdout_visibility", "hidden"},
                      {"tests", std::move(tests)}};
  return whole.dump(1) + "\n";
}

}  // namespace warpbook::lab
