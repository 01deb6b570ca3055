// What the commands that check an exercise share: check, watch and hint.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exercise/work_folder.hpp"

namespace warpbook::cli {

/// The flags that say how a submission is checked.
struct CheckFlags {
  std::string checks = kLessonCheckWords, gpu{device::kDefaultGpu};
  std::optional<std::uint64_t> seed;  ///< none: another in every check
  std::string student;                ///< whose hidden cases these are; empty: not one student's
  bool trust = false;
  void add_to(Verb& verb);
  /// Those that are the same for a whole class, in which each student has hidden cases of their own.
  void add_to_class(Verb& verb);
  [[nodiscard]] device::Expected<lab::CheckSetting> setting(const std::string& exercise) const;
};

/// Exercises in the tree that this program was built without: those that were linked or written since the last build.
std::vector<std::string> unbuilt_exercises();
/// What to do about one of them.
device::Error not_built(const std::string& id);
/// The exercise of that name, in this language; unknown_name, with the names there are.
device::Expected<lab::ExerciseText> exercise_named(const std::string& id,
                                                   const std::string& language);
/// The first exercise of the book that has not been passed; empty where all have.
std::string next_exercise(const lab::Progress& progress);
/// The exercise of that name; without one the next, with an empty id where all have been passed.
device::Expected<lab::ExerciseText> exercise_named_or_next(const std::string& id,
                                                           const std::string& language);
/// The folder of this user's exercises.
lab::WorkFolder own_work();

/// box_missing where a stranger's kernel would be compiled without a box, and --trust does not allow it.
device::Expected<device::Done> boxed_or_trusted(const lab::ExerciseText& text,
                                                const CheckFlags& flags,
                                                const std::string& file_name);
/// Checks a file in a child. Errors: it cannot be read; box_missing without --trust.
device::Expected<lab::CheckReport> check_file(const lab::ExerciseText& text,
                                              const std::filesystem::path& file,
                                              const CheckFlags& flags, std::stop_token stop = {});
/// What the check found, for a terminal, and its one line of verdict.
void print_check(const lab::CheckReport& checked, const lab::ExerciseText& text,
                 const lab::Strings& strings);
/// Puts the check of the user's own file into progress.toml, and complains where that cannot be.
void record(const lab::ExerciseText& text, const lab::CheckReport& checked,
            const lab::Strings& strings);
/// After an exercise was passed: which one comes next, or that none is left.
void print_next(const lab::Strings& strings, const std::string& language);
/// The task as its chapter shows it.
void print_task(const lab::ExerciseText& text, const lab::Strings& strings,
                const std::string& language);

}  // namespace warpbook::cli
