// What an exercise is: its text, its gates, and the check that runs a submission in a child process with limits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

struct Hint {
  std::string gate;  ///< the item it helps with
  std::vector<std::string>
      tiers;  ///< four: a question; a line and exhibit of your run; the idea; a skeleton with one blank
};

struct Gate {
  std::string id;  ///< "longest-warp": stable
  int points = 0;
  bool given = false;  ///< passed by the untouched starter already
  std::optional<double> floor,
      ceiling;  ///< bounds of the counter, in the unit the check states; floor proves the mechanism
};

/// What a student hands in: kernels in CUDA C++, settings as TOML, which no compiler sees, or a whole program, main and all.
enum class Submission : std::uint8_t { kernel, settings, program };
constexpr auto enum_names(Submission) {
  return device::checked_names<Submission>("kernel", "settings", "program");
}
inline constexpr std::uint64_t kLargestSubmission = 1u << 20;  ///< bytes
/// "saxpy.cu": how a submission to the exercise `id` is called.
std::string submission_name(const std::string& id, Submission submission);
/// What a code block calls its language: "cuda", "toml".
std::string_view language_of(Submission submission);

/// exercise.toml and, in one language, the texts beside it.
struct ExerciseText {
  std::string id, chapter;
  Submission submission = Submission::kernel;
  std::string title;  ///< in the language asked for
  int points = 0;
  std::vector<Gate> gates;  ///< in the order in which feedback names them
  std::vector<Hint> hints;
  std::string reveal;   ///< "after-pass", "after-due", "never"
  std::string starter;  ///< starter.cu or starter.toml
  std::string task;     ///< <code>.md
  struct Mutant {
    std::string file;   ///< below the exercise's folder: "mutants/no_guard.cu"
    std::string fails;  ///< the item id it must fail at
    std::string why;
  };
  std::vector<Mutant> mutants;
  /// A change of the solution that means the same, so that no check can notice it.
  struct Equal {
    std::string line;  ///< the changed line, without indentation
    std::string why;
  };
  std::vector<Equal> equals;
  std::vector<std::string>
      alternatives;  ///< right solutions unlike ours: "alternatives/four_at_once.cu"
};
device::Expected<ExerciseText> load_exercise(const std::string& root, const std::string& id,
                                             const std::string& language);
device::Expected<std::string> load_solution(const std::string& root, const ExerciseText& text);

/// The points that a submission gets for a gate. The first gate of an exercise says whether the results are right, and without it no
/// gate gives any, because an empty kernel is in order, too, wherever nothing has to come out. What the starter passes already counts
/// only beside a gate that it does not pass, so nobody has points for having done nothing.
int points_for(const Gate& gate, const ExerciseText& text, const CheckExhibit& check);

/// The item, a warning, of a submission that prints.
inline constexpr const char* kPrintsItem = "prints";

/// What a check is given: the submission, if it is a kernel compiled and loaded on a simulated device, and a place for its
/// findings.
struct Checker {
  Lab& lab;
  std::shared_ptr<const device::Module> submission;  ///< what the student wrote; null: settings
  std::shared_ptr<const device::Module>
      reference;  ///< solutions/<id>.cu: gates compare with its counters
  const ExerciseText& text;
  const std::string &file_name, &source;  ///< as it was handed in
  std::filesystem::path program;          ///< a whole program, built; else empty
  device::Checks checks;                  ///< that are on
  /// Draws the hidden cases: other sizes and values in every check, the same ones for the same seed.
  std::mt19937_64 draw;
  CheckExhibit result;
  /// Of the accesses that are not allowed, the one that the items tell of.
  std::optional<device::Error> told;
  /// A line of the submission with a printf that a thread came to; 0: none.
  std::uint32_t printing_line = 0;
  /// A whole number from `least` to `most`.
  std::int64_t drawn(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
  }
};

/// One exercise, as check.cpp defines it. The generated catalogue lists one of these a folder.
struct Exercise {
  std::string id;
  std::function<void(Checker&)> check;
};

/// A check's outcome.
struct CheckReport {
  Report report;       ///< one check exhibit "check", the source exhibit "submission"
  bool graded = true;  ///< false: the machine failed, not the submission
  bool passed = false;
  int points = 0, points_possible = 0;
};

/// What a submission is checked on, and for.
struct CheckSetting {
  device::Checks checks = device::kLessonChecks;
  std::string gpu = Inputs{}.gpu;  ///< the simulated one
  bool sass = false;               ///< whether the submission is shown with its machine code
  std::uint64_t seed = 0;          ///< of the hidden cases
};
/// A seed that nobody can know beforehand.
std::uint64_t seed_of_this_check();
/// The seed of a student's hidden cases of an exercise: who does not know the key cannot tell it.
std::uint64_t seed_of_student(std::uint64_t key, std::string_view student,
                              std::string_view exercise);

/// Checks `source` on the calling thread. Budgets bound what the submission can do.
CheckReport check(const Exercise& exercise, const ExerciseText& text, const std::string& file_name,
                  const std::string& source, const std::string& root,
                  std::shared_ptr<device::Compiler> compiler, std::stop_token stop = {},
                  std::function<void(double, const Message&)> progress = {},
                  const CheckSetting& setting = {});

/// What a check's child may use of the machine. Verdicts never hang on these: they are backstops.
struct CheckLimits {
  double seconds = 120;
  std::uint64_t resident_bytes = 4ull << 30;
};

/// The same in a child process with limits on memory, time and output (`warpbook check-worker`): what the window and
/// `warpbook check` use. The child killed or out of time: repeated once alone, then "not graded", never zero.
CheckReport check_in_child(const std::string& exercise_id, const std::string& file_name,
                           const std::string& source, const std::string& root,
                           std::stop_token stop = {},
                           std::function<void(double, const Message&)> progress = {},
                           const CheckLimits& limits = {}, const CheckSetting& setting = {});
/// The child's side: its standard input is one end of a channel, on which it reads the request and writes the report;
/// its exit code.
int check_worker_main(std::span<const Exercise> exercises, const std::string& root);

}  // namespace warpbook::lab
