// The student's own folder of exercises: one file for each exercise that was begun, and progress.toml. The window and the
// command line work in the same folder, and any editor may change its files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// What a student has reached in one exercise.
struct ExerciseProgress {
  int points = 0;      ///< the most of any check
  int possible = 0;    ///< what the exercise was worth at that check; 0: never checked
  std::string passed;  ///< when it was first passed, ISO 8601 in UTC; empty: not yet
  std::map<std::string, int> hints;  ///< by gate: tiers seen

  /// Takes in another record of the same exercise: the most points, the earlier day, the more hints.
  void merge(const ExerciseProgress& other);
  /// Takes in a check; one that was not graded changes nothing.
  void take(const CheckReport& checked);
  friend bool operator==(const ExerciseProgress&, const ExerciseProgress&) = default;
};
using Progress = std::map<std::string, ExerciseProgress>;  ///< by the exercise's id

/// What progress.toml holds, and back. Errors: bad_value and the others of TomlReader, with the line.
std::string progress_to_toml(const Progress& progress);
device::Expected<Progress> progress_from_toml(const std::string& text, const std::string& file);

/// No call ever replaces what somebody wrote without keeping a copy beside it, "saxpy.before-1.cu".
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path file_of(const ExerciseText& text) const {
    return folder_ / submission_name(text.id, text.submission);
  }
  [[nodiscard]] bool begun(const ExerciseText& text) const;

  /// Puts the starter there, unless the exercise was begun already: true where it did. Error: file_unwritable.
  [[nodiscard]] device::Expected<bool> begin(const ExerciseText& text) const;
  /// Puts the starter there again. Gives back the copy of what was there; an empty path where there was nothing to keep.
  [[nodiscard]] device::Expected<std::filesystem::path> reset(const ExerciseText& text) const;

  /// The exercises' files with what they hold, by name ("saxpy.cu"); copies and all else that is there are left out. A file
  /// that cannot be read is left out, too.
  [[nodiscard]] std::map<std::string, std::string> files() const;
  /// Writes a file that held `known` (empty: was not there) when it was last looked at. Where somebody else has changed it
  /// since, theirs is kept as a copy first.
  [[nodiscard]] device::Expected<void> write(const std::string& name, std::string_view text,
                                             std::string_view known) const;
  /// Writes a copy of this text beside the file of that name, and says where.
  [[nodiscard]] device::Expected<std::filesystem::path> keep_copy(const std::string& name,
                                                                  std::string_view text) const;

  /// Empty where there is no progress.toml yet. Errors: those of progress_from_toml, file_unreadable.
  [[nodiscard]] device::Expected<Progress> progress() const;
  /// Changes progress.toml, one process after the other. A file that cannot be read is never replaced.
  [[nodiscard]] device::Expected<void> change(const std::function<void(Progress&)>& edit) const;

 private:
  std::filesystem::path folder_;
};

/// The exercise that is called "saxpy.cu", as its id; empty where no submission is called so ("saxpy.before-1.cu").
std::string exercise_of_file(std::string_view name);

}  // namespace warpbook::lab
