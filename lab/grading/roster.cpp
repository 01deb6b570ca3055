#include "lab/grading/roster.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "lab/grading/handed_files.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::Message;

constexpr std::string_view kParticipant = "Participant ";
/// What Canvas says of a student; columns between these and its totals are assignments.
constexpr std::array<std::string_view, 9> kCanvasStudent{
    "Student",      "LastName", "FirstName",      "ID",          "SIS User ID",
    "SIS Login ID", "Section",  "Integration ID", "Root Account"};

/// What Moodle and the instructor wrote into a grading worksheet, and Moodle reads back. All other cells may say what a student chose.
constexpr std::array<std::string_view, 5> kMoodlesOwn{
    "Status", "Grade", "Last modified (submission)", "Last modified (grade)", "Feedback comments"};

std::optional<std::size_t> column_of(const CsvRow& head, std::string_view name) {
  const auto at = std::ranges::find(head, name);
  if (at == head.end()) return {};
  return static_cast<std::size_t>(at - head.begin());
}

std::string cell(const CsvRow& row, std::size_t column) {
  return column < row.size() ? row[column] : std::string();
}
std::string cell(const CsvRow& row, std::optional<std::size_t> column) {
  return column ? cell(row, *column) : std::string();
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// An assignment's column ends in its number, "Saxpy (4711)"; Canvas's own totals have none.
bool is_assignment(std::string_view head) {
  const std::size_t open = head.find_last_of('(');
  if (open == head.npos || !head.ends_with(')')) return false;
  const std::string_view digits = head.substr(open + 1, head.size() - open - 2);
  return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
}

/// "Participant " of "Participant 7", "Teilnehmer/in" of "Teilnehmer/in7".
std::string_view before_number(std::string_view text) {
  return text.substr(0, text.find_last_not_of("0123456789") + 1);
}

/// What Moodle puts before the number of each participant, in its first column, whatever the language of its heads; empty where the table
/// is no worksheet of Moodle.
std::string participant_word(const Csv& csv) {
  std::string word;
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    const std::string first = cell(csv.rows[i], std::size_t{0});
    const std::string_view before = before_number(first);
    if (before.empty() || before.size() == first.size() || (i > 1 && before != word)) return {};
    word = before;
  }
  return word;
}

std::string without_number(const std::string& head) {
  std::string name = head.substr(0, head.find_last_of('('));
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

}  // namespace

device::Expected<Roster> Roster::parse(std::string_view text, const std::string& file) {
  auto csv = parse_csv(text);
  if (!csv || csv->rows.empty()) {
    return device::failure(ErrorCode::file_unreadable,
                           {{"file", file}, {"why", Message{"phrase.handed.no-csv", {}, {}}}});
  }
  Roster roster;
  roster.csv_ = std::move(*csv);
  const CsvRow& head = roster.csv_.rows.front();
  const auto moodle = column_of(head, "Identifier"), canvas = column_of(head, "ID"),
             table = column_of(head, "id");
  std::optional<std::size_t> id, name, email;
  const std::string word = participant_word(roster.csv_);
  if (moodle && column_of(head, "Grade")) {
    roster.form_ = RosterForm::moodle;
    roster.participant_ = kParticipant;
    id = moodle, name = column_of(head, "Full name"), email = column_of(head, "Email address");
  } else if (canvas && !head.empty() && (head[0] == "Student" || head[0] == "LastName")) {
    roster.form_ = RosterForm::canvas;
    id = canvas, name = 0;
  } else if (table) {
    id = table, name = column_of(head, "name"), email = column_of(head, "email");
  } else if (!word.empty()) {
    roster.form_ = RosterForm::moodle;
    roster.participant_ = word;
    id = 0, name = 1;
  } else {
    return device::failure(
        ErrorCode::file_unreadable,
        {{"file", file},
         {"why", Message{"phrase.handed.roster", {{"columns", listed(head)}}, {}}}});
  }
  roster.id_ = *id;
  std::set<std::string> seen;
  for (std::size_t i = 1; i < roster.csv_.rows.size(); ++i) {
    const CsvRow& row = roster.csv_.rows[i];
    if (!roster.is_of_student(row)) continue;
    Student student{roster.id_in(row), on_one_line(cell(row, name)), on_one_line(cell(row, email))};
    if (!seen.insert(student.id).second) {
      return device::failure(ErrorCode::bad_value,
                             {{"key", head[roster.id_]},
                              {"what", file},
                              {"got", in_quotes(on_one_line(student.id))},
                              {"expected", Message{"phrase.handed.once", {}, {}}}});
    }
    roster.students_.push_back(std::move(student));
  }
  return roster;
}

std::string Roster::id_in(const CsvRow& row) const {
  std::string id = cell(row, id_);
  if (id.starts_with(participant_)) id.erase(0, participant_.size());
  return id;
}

bool Roster::is_of_student(const CsvRow& row) const {
  if (id_in(row).empty()) return false;
  return form_ != RosterForm::canvas || row.front().find("Points Possible") == std::string::npos;
}

bool Roster::is_moodles_own(std::size_t column) const {
  return form_ == RosterForm::moodle &&
         std::ranges::find(kMoodlesOwn, cell(csv_.rows.front(), column)) != kMoodlesOwn.end();
}

device::Expected<std::size_t> Roster::canvas_column(const std::string& name) const {
  const CsvRow& head = csv_.rows.front();
  std::vector<std::size_t> fitting;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (!is_assignment(head[i])) continue;
    all.push_back(head[i]);
    if (name.empty() || head[i] == name || without_number(head[i]) == name) fitting.push_back(i);
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.size() > 1) {
    std::vector<std::string> names;
    for (const std::size_t at : fitting) names.push_back(head[at]);
    return device::failure(
        ErrorCode::bad_value,
        {{"key", "--column"},
         {"what", "warpbook grade"},
         {"got", name.empty() ? Message{"phrase.handed.not-given", {}, {}} : in_quotes(name)},
         {"expected", Message{"phrase.handed.one-column", {{"columns", listed(names)}}, {}}}});
  }
  return device::failure(
      ErrorCode::unknown_name,
      {{"kind", Message{"phrase.handed.column", {}, {}}}, {"name", name}, {"known", listed(all)}});
}

device::Expected<std::size_t> Roster::grade_column(const std::string& name) const {
  if (form_ == RosterForm::canvas) return canvas_column(name);
  const CsvRow& head = csv_.rows.front();
  const std::string wanted = name.empty() ? "Grade" : name;
  if (const auto found = column_of(head, wanted)) return *found;
  return device::failure(ErrorCode::unknown_name,
                         {{"kind", Message{"phrase.handed.grade-column", {}, {}}},
                          {"name", wanted},
                          {"known", listed(head)}});
}

device::Expected<device::Done> Roster::find_column(const std::string& column) const {
  if (form_ == RosterForm::table) return device::Done{};
  const auto found = grade_column(column);
  if (!found) return tl::unexpected(found.error());
  return device::Done{};
}

device::Expected<std::string> Roster::filled(const std::map<std::string, double>& points,
                                             double possible, const std::string& column) const {
  const CsvRow& head = csv_.rows.front();
  const auto found_column = grade_column(column);
  if (!found_column) return tl::unexpected(found_column.error());
  const std::size_t grade = *found_column;
  // In every language Moodle writes what the assignment is worth beside the grade.
  const auto own_maximum = form_ == RosterForm::moodle && participant_ != kParticipant
                               ? std::optional(grade + 1)
                               : column_of(head, "Maximum Grade");
  double worth = possible;
  Csv filled{csv_.separator, {}};
  for (std::size_t i = 0; i < csv_.rows.size(); ++i) {
    CsvRow row = csv_.rows[i];
    row.resize(std::max(row.size(), head.size()));
    if (form_ == RosterForm::canvas && row.front().find("Points Possible") != std::string::npos)
      worth = number_in(row[grade]).value_or(possible);
    if (own_maximum) worth = number_in(cell(row, own_maximum)).value_or(possible);
    const auto found = points.find(id_in(row));
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (!is_moodles_own(at)) row[at] = safe_cell(row[at]);
    }
    if (i != 0 && is_of_student(csv_.rows[i]) && found != points.end() && possible > 0)
      row[grade] = points_text(found->second * worth / possible);
    if (form_ != RosterForm::canvas) {
      filled.rows.push_back(std::move(row));
      continue;
    }
    // Canvas leaves what is not in the file as it is, so only this assignment goes back.
    CsvRow kept;
    for (std::size_t at = 0; at < head.size(); ++at) {
      const bool of_student = std::ranges::find(kCanvasStudent, head[at]) != kCanvasStudent.end();
      if (of_student || at == grade) kept.push_back(std::move(row[at]));
    }
    filled.rows.push_back(std::move(kept));
  }
  return to_csv(filled);
}

std::string points_text(double points) {
  std::string text = fmt::format("{:.2f}", points);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace warpbook::lab
