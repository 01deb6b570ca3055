#include "lab/grading/class_grades.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "lab/markup/json.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using nlohmann::json;

/// phrase.regrade.NAME
Message regrade_phrase(std::string_view name, MessageArguments arguments = {}) {
  return {"phrase.regrade." + std::string(name), std::move(arguments), {}};
}

template <class E>
E value_named(const std::string& name, E otherwise) {
  constexpr auto& kNames = device::kEnumNames<E>;
  const auto found = std::ranges::find(kNames, name);
  return found == kNames.end() ? otherwise : static_cast<E>(found - kNames.begin());
}

json json_of(const Grade& grade) {
  json items = json::array();
  for (const ItemGrade& item : grade.items)
    items.push_back({{"id", item.id}, {"state", device::name_of(item.state)}});
  json earlier = json::array();
  for (const std::string& path : grade.earlier) earlier.push_back(json_text(path));
  return {{"exercise", grade.exercise},
          {"state", device::name_of(grade.state)},
          {"file", json_text(grade.file)},
          {"name", json_text(grade.name)},
          {"earlier", std::move(earlier)},
          {"source", grade.source},
          {"checked", grade.checked},
          {"possible", grade.possible},
          {"items", std::move(items)},
          {"why", json_text(grade.why.english())},
          {"late", grade.lateness.late},
          {"late_seconds", grade.lateness.seconds ? json(*grade.lateness.seconds) : json()},
          {"override", json_text(grade.override_reason)},
          {"points", grade.points}};
}

Grade grade_of(const json& from) {
  Grade grade;
  grade.exercise = from.at("exercise").get<std::string>();
  grade.state = value_named(from.at("state").get<std::string>(), GradeState::not_graded);
  grade.file = from.at("file").get<std::string>();
  grade.name = from.at("name").get<std::string>();
  grade.earlier = from.at("earlier").get<std::vector<std::string>>();
  grade.source = from.at("source").get<std::string>();
  grade.checked = from.at("checked").get<int>();
  grade.possible = from.at("possible").get<int>();
  for (const json& item : from.at("items")) {
    grade.items.push_back({item.at("id").get<std::string>(),
                           value_named(item.at("state").get<std::string>(), CheckState::waiting)});
  }
  grade.why = Message::plain(from.at("why").get<std::string>());
  grade.lateness.late = from.at("late").get<bool>();
  if (!from.at("late_seconds").is_null())
    grade.lateness.seconds = from.at("late_seconds").get<std::int64_t>();
  grade.override_reason = from.at("override").get<std::string>();
  grade.points = from.at("points").get<double>();
  return grade;
}

ClassGrades grades_of(const json& from) {
  ClassGrades grades;
  grades.seed = from.at("seed").get<std::uint64_t>();
  grades.exercises = from.at("exercises").get<std::vector<std::string>>();
  grades.possible = from.at("possible").get<int>();
  for (const json& each : from.at("students")) {
    StudentGrades student;
    student.student = {each.at("id").get<std::string>(), each.at("name").get<std::string>(),
                       each.at("email").get<std::string>()};
    student.code = each.at("code").get<std::string>();
    for (const json& grade : each.at("grades")) student.grades.push_back(grade_of(grade));
    grades.students.push_back(std::move(student));
  }
  return grades;
}

std::string item_names(const Grade& grade, CheckState state) {
  std::vector<std::string> names;
  for (const ItemGrade& item : grade.items) {
    if (item.state == state) names.push_back(item.id);
  }
  return listed(names).english();
}

/// The first thing that explains the change.
Message why_changed(const Grade& before, const Grade& after) {
  // Points by hand hide whatever else gives others.
  if (after.overridden() && before.points != after.points) return regrade_phrase("override");
  if (before.source != after.source) return regrade_phrase("another-file");
  if (before.override_reason != after.override_reason) return regrade_phrase("override");
  if (before.state == GradeState::not_graded) return regrade_phrase("graded-now");
  if (after.state == GradeState::not_graded) return regrade_phrase("not-graded-now");
  if (before.items != after.items) {
    return regrade_phrase("gates", {{"before", item_names(before, CheckState::failed)},
                                    {"after", item_names(after, CheckState::failed)}});
  }
  if (before.checked != after.checked || before.possible != after.possible)
    return regrade_phrase("worth");
  return regrade_phrase("late-rule");
}

const Grade* find_grade(const ClassGrades& grades, const std::string& student,
                        const std::string& exercise) {
  for (const StudentGrades& each : grades.students) {
    if (each.student.id != student) continue;
    const auto found = std::ranges::find(each.grades, exercise, &Grade::exercise);
    return found == each.grades.end() ? nullptr : &*found;
  }
  return nullptr;
}

}  // namespace

bool Grade::is(std::string_view item, CheckState in) const {
  return std::ranges::any_of(
      items, [&](const ItemGrade& each) { return each.id == item && each.state == in; });
}

double StudentGrades::total() const {
  double total = 0;
  for (const Grade& grade : grades) total += grade.counts() ? grade.points : 0;
  return total;
}

bool StudentGrades::complete() const {
  const bool any = std::ranges::any_of(grades, &Grade::counts);
  return any && std::ranges::none_of(grades, [](const Grade& grade) {
           return grade.state == GradeState::not_graded && !grade.overridden();
         });
}

std::string to_json_text(const ClassGrades& grades) {
  json students = json::array();
  for (const StudentGrades& each : grades.students) {
    json of_student = json::array();
    for (const Grade& grade : each.grades) of_student.push_back(json_of(grade));
    students.push_back({{"id", json_text(each.student.id)},
                        {"name", json_text(each.student.name)},
                        {"email", json_text(each.student.email)},
                        {"code", each.code},
                        {"grades", std::move(of_student)}});
  }
  const json whole = {{"seed", grades.seed},
                      {"exercises", grades.exercises},
                      {"possible", grades.possible},
                      {"students", std::move(students)}};
  return whole.dump(1) + "\n";
}

device::Expected<ClassGrades> class_grades_from_json(std::string_view text,
                                                     const std::string& file) {
  try {
    return grades_of(json::parse(text));
  } catch (const json::exception&) {
    return device::failure(device::ErrorCode::file_unreadable,
                           {{"file", file}, {"why", Message{"phrase.handed.no-results", {}, {}}}});
  }
}

std::vector<GradeChange> changes_between(const ClassGrades& before, const ClassGrades& after) {
  std::vector<GradeChange> changes;
  for (const StudentGrades& student : after.students) {
    for (const Grade& grade : student.grades) {
      const Grade* was = find_grade(before, student.student.id, grade.exercise);
      const Grade nothing{grade.exercise};
      if (!was) was = &nothing;
      if (was->state == grade.state && was->points == grade.points) continue;
      changes.push_back(
          {student.student, student.code, grade.exercise, *was, grade, why_changed(*was, grade)});
    }
  }
  return changes;
}

}  // namespace warpbook::lab
