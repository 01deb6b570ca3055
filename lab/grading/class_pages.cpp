#include "lab/grading/class_pages.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "device/records/record.hpp"
#include "lab/grading/class_files.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kLongestFileName = 80;
constexpr std::size_t kBuckets = 10;        // of the histogram
constexpr std::size_t kMostLikePairs = 30;  // that are shown; the rest is counted

std::string cell(const std::string& text, std::string_view css_class = {}) {
  return tagged("td", css_class, escaped(text));
}
std::string row(const std::string& cells) { return tagged("tr", "", cells) + "\n"; }
std::string table(const std::vector<std::string>& head, const std::string& rows) {
  return tagged("table", "wb-table", table_head(head) + rows) + "\n";
}

std::string_view class_of(const Grade& grade) {
  switch (grade.state) {
    case GradeState::passed: return "wb-good";
    case GradeState::failed:
    case GradeState::refused: return "wb-bad";
    case GradeState::not_graded: return "wb-warn";
    case GradeState::missing: break;
  }
  return "wb-quiet";
}

/// How many failed at a gate: as the first thing that was wrong with their submission, and at all.
struct Failures {
  std::size_t first = 0, all = 0;
};

/// The lines of a source with their numbers; those of a common part stand out.
std::string marked_lines(std::string_view source, const std::vector<LineRange>& parts) {
  std::string html;
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(source)) {
    ++number;
    const bool common = std::ranges::any_of(
        parts, [&](const LineRange& part) { return part.first <= number && number <= part.last; });
    const std::string text = fmt::format("{:>4} ", number) + escaped(line);
    html += (common ? tagged("mark", "", text) : text) + "\n";
  }
  return tagged("pre", "", html);
}

}  // namespace

std::vector<LikePair> like_pairs(const GradedClass& graded, const GradingSettings& settings) {
  std::vector<LikePair> pairs;
  for (std::size_t at = 0; at < settings.exercises.size(); ++at) {
    const ExerciseText& exercise = settings.exercises[at];
    std::vector<const StudentGrades*> students;
    std::vector<std::string_view> sources;
    for (const StudentGrades& student : graded.grades.students) {
      const auto placed = graded.placing.placed.find({student.student.id, exercise.id});
      if (placed == graded.placing.placed.end() || placed->second.counts.text.empty()) continue;
      students.push_back(&student);
      sources.push_back(placed->second.counts.text);
    }
    for (Likeness& likeness : likenesses(sources, exercise.starter)) {
      pairs.push_back({exercise.id, students[likeness.a], students[likeness.b],
                       std::string(sources[likeness.a]), std::string(sources[likeness.b]),
                       std::move(likeness)});
    }
  }
  return pairs;
}

std::string ClassPages::called(const Student& student, const std::string& code) const {
  if (anonymous_) return code;
  return student.name.empty() ? student.id : student.name;
}

std::string ClassPages::file_name(const StudentGrades& student) const {
  if (anonymous_) return student.code + ".html";
  const std::string& id = student.student.id;
  const bool plain = !id.empty() && id.size() <= kLongestFileName && id.front() != '.' &&
                     std::ranges::all_of(id, [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
                     });
  return (plain ? id : "student-" + device::source_hash(id)) + ".html";
}

const ExerciseText& ClassPages::exercise_of(const std::string& id) const {
  return *std::ranges::find(settings_.exercises, id, &ExerciseText::id);
}

const std::string& ClassPages::title_of(const std::string& exercise) const {
  return exercise_of(exercise).title;
}

std::string ClassPages::heading(const char* key) const {
  return tagged("h2", "", escaped(strings_(key))) + "\n";
}

std::string ClassPages::gate_points(const Grade& grade, const CheckReport& checked) const {
  const auto* check = checked.report.find_as<CheckExhibit>("check");
  if (!check || !checked.graded || grade.is("compiles", CheckState::failed)) return {};
  const ExerciseText& exercise = exercise_of(grade.exercise);
  const auto of = [&](const std::string& points, int possible) {
    return cell(strings_("grading.points", {{"points", points}, {"possible", possible}}));
  };
  std::string rows;
  for (const Gate& gate : exercise.gates) {
    const auto item = std::ranges::find(check->items, gate.id, &CheckExhibit::Item::id);
    rows += row(cell(strings_(item->sentence)) +
                of(points_text(points_for(gate, exercise, *check)), gate.points));
  }
  if (grade.deduction() > 0)
    rows += row(cell(late_note(grade.lateness, strings_)) +
                cell("\u2212" + points_text(grade.deduction())));
  return table({strings_("grading.gate"), strings_("grading.histogram")}, rows);
}

std::string ClassPages::grade_section(const StudentGrades& student, const Grade& grade) const {
  std::string html = tagged("h2", "", escaped(title_of(grade.exercise))) + "\n";
  const std::string points = strings_(
      "grading.points", {{"points", points_text(grade.points)}, {"possible", grade.possible}});
  std::string verdict = state_word(grade, strings_);
  if (grade.overridden())
    verdict = strings_("grading.points-by-hand", {{"points", points}, {"state", verdict}});
  else if (grade.counts())
    verdict += ": " + points;
  html += tagged("p", grade.overridden() ? "" : class_of(grade), escaped(verdict)) + "\n";
  if (!grade.name.empty()) {
    html +=
        tagged("p", "wb-quiet", escaped(strings_("grading.file", {{"file", grade.name}}))) + "\n";
  }
  if (const std::string note = grade_note(grade, strings_); !note.empty())
    html += tagged("p", "", escaped(note)) + "\n";
  const auto report = graded_.reports.find({student.student.id, grade.exercise});
  if (report == graded_.reports.end()) return html;
  html += gate_points(grade, report->second);
  for (const Exhibit& exhibit : report->second.report.exhibits) html += to_html(exhibit, strings_);
  std::string errors;
  for (const device::Error& error : report->second.report.errors)
    errors += tagged("li", "wb-bad", escaped(strings_(error)));
  return html + (errors.empty() ? "" : tagged("ul", "wb-errors", errors) + "\n");
}

std::string ClassPages::student_page(const StudentGrades& student) const {
  std::string body;
  if (student.complete()) {
    const std::string total = strings_("grading.total", {{"points", points_text(student.total())},
                                                         {"possible", graded_.grades.possible}});
    body += tagged("p", "wb-ask", escaped(total)) + "\n";
  }
  for (const Grade& grade : student.grades) body += grade_section(student, grade);
  return to_html_page(called(student), body, strings_);
}

std::string ClassPages::summary() const {
  std::map<GradeState, std::map<std::string, std::size_t>> states;  // and in words
  for (const StudentGrades& student : graded_.grades.students) {
    for (const Grade& grade : student.grades) ++states[grade.state][state_word(grade, strings_)];
  }
  std::vector<std::string> parts;
  for (const GradeState state : {GradeState::passed, GradeState::failed, GradeState::refused,
                                 GradeState::not_graded, GradeState::missing}) {
    for (const auto& [word, count] : states[state])
      parts.push_back(strings_("grading.of-state", {{"state", word}, {"number", count}}));
  }
  std::string html = tagged("p", "wb-ask", escaped(joined(strings_, parts))) + "\n";
  for (const std::string& warning : class_warnings(graded_, settings_.late, anonymous_, strings_))
    html += tagged("p", "wb-warn", escaped(warning)) + "\n";
  return html;
}

std::string ClassPages::students_table(const std::string& pages) const {
  std::vector<std::string> head{strings_("grading.student")};
  for (const std::string& exercise : graded_.grades.exercises) head.push_back(title_of(exercise));
  head.push_back(strings_("grading.sum"));
  head.push_back(strings_("grading.note"));
  std::string rows;
  for (const StudentGrades& student : graded_.grades.students) {
    std::string cells = tagged("td", "",
                               "<a href=\"" + escaped(pages + "/" + file_name(student)) + "\">" +
                                   escaped(called(student)) + "</a>");
    std::vector<std::string> notes;
    for (const Grade& grade : student.grades) {
      const std::string points = grade.counts() ? points_text(grade.points) + " " : "";
      cells += cell(points + state_word(grade, strings_), class_of(grade));
      if (std::string note = grade_note(grade, strings_); !note.empty())
        notes.push_back(std::move(note));
    }
    cells += cell(student.complete() ? points_text(student.total()) : "");
    rows += row(cells + cell(joined(strings_, notes)));
  }
  return table(head, rows);
}

std::string ClassPages::gates_table() const {
  std::map<std::pair<std::string, std::string>, Failures> gates;
  std::map<std::pair<std::string, std::string>, std::string> sentences_of;
  for (const auto& [key, checked] : graded_.reports) {
    const auto* check = checked.report.find_as<CheckExhibit>("check");
    if (!check) continue;
    bool first = true;
    for (const CheckExhibit::Item& item : check->items) {
      if (item.state != CheckState::failed) continue;
      const std::pair gate(key.second, item.id);
      ++gates[gate].all;
      gates[gate].first += first;
      sentences_of.try_emplace(gate, strings_(item.sentence));
      first = false;
    }
  }
  std::vector<std::pair<std::pair<std::string, std::string>, Failures>> order(gates.begin(),
                                                                              gates.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return std::pair(a.second.first, a.second.all) > std::pair(b.second.first, b.second.all);
  });
  std::string rows;
  for (const auto& [gate, count] : order) {
    rows += row(cell(title_of(gate.first)) + cell(sentences_of[gate]) +
                cell(std::to_string(count.first)) + cell(std::to_string(count.all)));
  }
  if (rows.empty()) return {};
  return heading("grading.gates") +
         table({strings_("grading.exercise"), strings_("grading.gate"),
                strings_("grading.first-failed"), strings_("grading.failed")},
               rows);
}

std::string ClassPages::histogram() const {
  std::array<std::size_t, kBuckets + 1> counts{};
  for (const StudentGrades& student : graded_.grades.students) {
    if (!student.complete() || graded_.grades.possible == 0) continue;
    const double share = student.total() / graded_.grades.possible;
    const auto bucket = static_cast<std::size_t>(share * kBuckets);
    ++counts[std::min(bucket, kBuckets)];
  }
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(counts));
  std::string rows;
  for (std::size_t i = 0; i <= kBuckets; ++i) {
    const std::string range =
        i == kBuckets ? std::string("100 %")
                      : fmt::format("{} - {} %", 100 * i / kBuckets, 100 * (i + 1) / kBuckets - 1);
    const double width = static_cast<double>(counts[i]) / static_cast<double>(most);
    rows += row(cell(range) + cell(std::to_string(counts[i])) + "<td style=\"min-width: 320px\">" +
                svg_bar(width, 0, 0) + "</td>");
  }
  return heading("grading.histogram") +
         table({strings_("grading.share"), strings_("grading.students"), ""}, rows);
}

const std::string& ClassPages::code_of(const std::string& student) const {
  const auto& students = graded_.grades.students;
  return std::ranges::find(students, student,
                           [](const StudentGrades& each) { return each.student.id; })
      ->code;
}

std::string ClassPages::leftovers() const {
  std::string items;
  for (const Unplaced& file : graded_.placing.unplaced) {
    const std::string path = anonymous_ ? code_of(file.student) + ", " + file.name : file.path;
    items += tagged("li", "", escaped(path + ": " + strings_(file.why)));
  }
  for (const std::string& path : graded_.nobodys)
    items += tagged("li", "", escaped(path + ": " + strings_("grading.nobodys")));
  if (items.empty()) return {};
  return heading("grading.leftovers") + tagged("ul", "", items) + "\n";
}

std::string ClassPages::changes_table(const std::vector<GradeChange>& changes) const {
  if (changes.empty()) return {};
  const auto said = [&](const Grade& grade) {
    return (grade.counts() ? points_text(grade.points) + " " : "") + state_word(grade, strings_);
  };
  std::string rows;
  for (const GradeChange& change : changes) {
    rows += row(cell(called(change.student, change.code)) + cell(title_of(change.exercise)) +
                cell(said(change.before)) + cell(said(change.after)) + cell(strings_(change.why)));
  }
  return heading("grading.changes") +
         table({strings_("grading.student"), strings_("grading.exercise"),
                strings_("grading.before"), strings_("grading.after"), strings_("grading.why")},
               rows);
}

std::string ClassPages::like_pair(const LikePair& pair) const {
  std::vector<LineRange> of_a, of_b;
  for (const LikePart& part : pair.likeness.parts) {
    of_a.push_back(part.a);
    of_b.push_back(part.b);
  }
  const std::string title =
      strings_("grading.like-pair", {{"a", called(*pair.a)},
                                     {"b", called(*pair.b)},
                                     {"exercise", title_of(pair.exercise)},
                                     {"percent", fmt::format("{:.0f}", 100 * pair.likeness.share)},
                                     {"shared", pair.likeness.shared}});
  const auto side = [&](const StudentGrades& student, const std::string& source,
                        const std::vector<LineRange>& parts) {
    return tagged("div", "",
                  tagged("p", "wb-title", escaped(called(student))) + marked_lines(source, parts));
  };
  return "<details class=\"wb-veil\">" + tagged("summary", "", escaped(title)) +
         tagged("div", "wb-compare",
                side(*pair.a, pair.source_a, of_a) + side(*pair.b, pair.source_b, of_b)) +
         "</details>\n";
}

std::string ClassPages::likeness() const {
  const std::vector<LikePair> pairs = like_pairs(graded_, settings_);
  if (pairs.empty()) return {};
  std::string html = heading("grading.likeness") +
                     tagged("p", "", escaped(strings_("grading.likeness-means"))) + "\n";
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostLikePairs); ++i)
    html += like_pair(pairs[i]);
  if (pairs.size() > kMostLikePairs)
    html += tagged("p", "wb-more",
                   escaped(counted(strings_, "grading.more-pairs", pairs.size() - kMostLikePairs)));
  return html;
}

std::string ClassPages::overview(const std::string& pages,
                                 const std::vector<GradeChange>& changes) const {
  return to_html_page(strings_("grading.overview"),
                      summary() + changes_table(changes) + students_table(pages) + gates_table() +
                          histogram() + leftovers() + likeness(),
                      strings_);
}

}  // namespace warpbook::lab
