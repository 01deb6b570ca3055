// The list of a course's students, and the gradebook that its learning system takes back. Both are the same file:
//
// - Canvas: Grades, Export. The columns Student, ID, SIS User ID, SIS Login ID and Section, then one an assignment, "Saxpy (4711)". Rows
//   of "Points Possible" and of "Manual Posting" stand above the students. Canvas finds a student by ID and an assignment by
//   the number in its column's name, and takes a file that has a few of the columns (lib/gradebook_importer.rb of canvas-lms).
// - Moodle: the assignment's "Download grading worksheet". It needs the columns Identifier ("Participant 123"), Grade and Last modified
//   (grade) back (mod/assign/feedback/offline/importgradeslib.php).
// - Any other table with a column id, and name and email if it has them: students only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "lab/grading/csv.hpp"
#include "lab/grading/download.hpp"

namespace warpbook::lab {

enum class RosterForm : std::uint8_t { canvas, moodle, table };

class Roster {
 public:
  /// `file`: as errors call it. Errors: file_unreadable where it is no CSV, or no column says who a student is; bad_value where two rows
  /// are of the same one.
  static device::Expected<Roster> parse(std::string_view text, const std::string& file);

  [[nodiscard]] RosterForm form() const { return form_; }
  /// In the order of the rows.
  [[nodiscard]] const std::vector<Student>& students() const { return students_; }

  /// Says beforehand whether `filled` will know where the grades go. Errors: bad_value where several of Canvas's assignments fit
  /// `column`; unknown_name, with the assignments there are, where none does.
  [[nodiscard]] device::Expected<device::Done> find_column(const std::string& column) const;

  /// The file to be imported: the grades of those whom `points` names, the cells of all others as they were. Points are scaled from
  /// `possible` to what the gradebook says the assignment is worth. `column`: the assignment's, where Canvas has several, of which the
  /// number may be left out; or that of the grades, where Moodle's heads are not English. Errors: those of find_column.
  [[nodiscard]] device::Expected<std::string> filled(const std::map<std::string, double>& points,
                                                     double possible,
                                                     const std::string& column) const;

 private:
  [[nodiscard]] std::string id_in(const CsvRow& row) const;
  /// Rows that are no student's.
  [[nodiscard]] bool is_of_student(const CsvRow& row) const;
  /// A column of which no cell may change, because Moodle reads it back.
  [[nodiscard]] bool is_moodles_own(std::size_t column) const;
  /// Where the grades go.
  [[nodiscard]] device::Expected<std::size_t> grade_column(const std::string& name) const;
  [[nodiscard]] device::Expected<std::size_t> canvas_column(const std::string& name) const;

  RosterForm form_ = RosterForm::table;
  Csv csv_;
  std::size_t id_ = 0;
  std::string participant_;  ///< what stands before a number in Moodle's worksheet, in its language
  std::vector<Student> students_;
};

/// Points without trailing zeros, rounded to a hundredth: "8.75".
std::string points_text(double points);

}  // namespace warpbook::lab
