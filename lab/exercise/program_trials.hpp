// What the check of a whole program is made of: runs of it, each with its arguments and what must come out, and the items that
// they are judged by. A check reads: make runs, add the items in the order of the gates.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/runtime/run_program.hpp"
#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// One run.
struct ProgramTrial {
  std::string name;     ///< "n = 33"; of a hidden one it is never shown
  bool hidden = false;  ///< drawn for this check
  std::vector<std::string> arguments;
  std::string
      output;  ///< that must come out; how its words are spaced and where lines end do not matter
};

struct ProgramResult {
  device::runtime::ProgramOutcome outcome;
  std::string output, errors;  ///< what it wrote, up to a bound
  CheckExhibit found;          ///< as `warpbook program` reports it
  /// It ended by itself, with exit code 0 and with the output that was asked for.
  bool right = false;
  /// The first word that differs from what was asked for; empty where all words agree or one has more of them.
  std::string expected, got;
};

/// Compiles a submitted program. Throws ExperimentFailed where it does not build, or the machine lacks what builds it.
std::filesystem::path built_program(const std::string& file_name, const std::string& source,
                                    const std::string& gpu);

/// The runs of one check.
class ProgramTrials {
 public:
  explicit ProgramTrials(Checker& checker) : checker_(checker) {}
  const ProgramResult& run(ProgramTrial trial);
  [[nodiscard]] bool right() const;
  [[nodiscard]] const std::vector<ProgramResult>& results() const { return results_; }

  /// Item "right": how many runs are, a case each, and of the first wrong one where its output differs.
  void add_right();
  /// Item "safe": the first thing that a run's report fails at: an access of a kernel or of the host, a race, a copy, a launch.
  void add_safe();
  /// Item "freed": every allocation is.
  void add_freed();
  /// Item "on-gpu": a run whose kernels are left out does not come to the same output.
  void add_on_gpu();
  /// Item `id`: every run's calls satisfy `holds`; `advice` says what to do where one does not.
  void add_calls(const std::string& id, const Message& sentence, const Message& advice,
                 const std::function<bool(const ProgramResult&)>& holds);
  /// Item `id`: a run in which one call fails does not go on as if nothing were: it ends with another exit code than 0 and
  /// says the error's name or text.
  struct Failure {
    std::uint64_t allocation = 0, launch = 0;  ///< the first, the second, ...; 0: none of them
  };
  void add_errors_told(const std::string& id, const std::vector<Failure>& failures);

 private:
  using Item = CheckExhibit::Item;
  using State = CheckExhibit::State;
  ProgramResult tried(const ProgramTrial& trial, const Failure& failure = {0, 0},
                      bool without_kernels = false);
  /// Passed, or waiting until the output is right.
  Item judged(const std::string& id) const;

  Checker& checker_;
  std::vector<ProgramTrial> trials_;
  std::vector<ProgramResult> results_;
};

}  // namespace warpbook::lab
