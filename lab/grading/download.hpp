// Whose a file of a download is. The forms, with what they rest on:
//
// - Canvas, "Download Submissions": ada_LATE_123_456_saxpy-2.cu is name, mark, user and attachment, and what the student called the
//   file. (lib/content_zipper.rb of canvas-lms: get_filename, add_upload_submission. A name keeps no "_digits_", so the first
//   such place is the user's number, whatever stands in the file's own name. With anonymous grading there is no name and the
//   number is anon_XYZ12.) Canvas gives out the last attempt only, and numbers a file that was handed in again: "-1", "-2".
// - Moodle, "Download all submissions": Ada L_123_assignsubmission_file_/saxpy.cu, or without folders all in one name. The number is
//   the participant's in this assignment, as in the grading worksheet's "Participant 123" (mod/assign/locallib.php).
// - Gradescope, "Export Submissions": submission_123/saxpy.cu, and submission_metadata.yml says whose and when.
// - Anything else: one folder a student, or one file a student, named after them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/grading/handed_files.hpp"

namespace warpbook::lab {

enum class DownloadForm : std::uint8_t { canvas, moodle, gradescope, folders };
constexpr auto enum_names(DownloadForm) {
  return device::checked_names<DownloadForm>("canvas", "moodle", "gradescope", "folders");
}

struct Student {
  std::string id;           ///< by which the learning system knows them
  std::string name, email;  ///< as far as they are known
  friend bool operator==(const Student&, const Student&) = default;
};

/// One file of one student.
struct HandedIn {
  std::string student;       ///< their id
  std::string name;          ///< as they called it: "saxpy-2.cu"
  std::string path;          ///< in the download
  std::string text;          ///< empty where there is a problem
  device::Message problem;   ///< why it cannot be graded
  std::uint64_t number = 0;  ///< grows from attempt to attempt, where the system numbers them
  bool marked_late = false;  ///< by the system
  std::optional<std::int64_t> when;  ///< handed in, in seconds since 1970, where the system says
};

struct Download {
  DownloadForm form = DownloadForm::folders;
  std::map<std::string, Student> students;  ///< by id
  std::vector<HandedIn> files;
  std::vector<std::string> nobodys;  ///< paths that say no student
};

/// Errors: bad_value, where Gradescope's metadata cannot be read.
device::Expected<Download> sort_download(std::vector<HandedFile> files);

/// "2026-11-20T23:59+01:00" and other forms of ISO 8601 in seconds since 1970. A time without its zone is none.
std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace warpbook::lab
