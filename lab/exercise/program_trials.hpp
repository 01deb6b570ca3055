// What the check of a whole program is made of: runs of it, each with its arguments and what must come out, and the items that
// they are judged by. A check reads: make runs, add the items in the order of the gates.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "device/runtime/run_program.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exercise/kernel_stores.hpp"

namespace warpbook::lab {

/// One run.
struct ProgramTrial {
  std::string name;     ///< "n = 33"; of a hidden one it is never shown
  bool hidden = false;  ///< drawn for this check
  bool gates = false;   ///< large enough for the gates that count to be judged at it
  bool traced = false;  ///< what its kernels store is kept
  std::vector<std::string> arguments;
  std::string
      output;  ///< that must come out; how its words are spaced and where lines end do not matter
};

/// One call of a run that fails as the check wants it.
struct ProgramFailure {
  std::uint64_t allocation = 0, launch = 0,
                copy = 0;  ///< the first, the second, ...; 0: none of them
  std::vector<std::string> arguments =
      {};  ///< with which a kernel reaches for an address that there is not; empty: those of the trial
};

/// All copies of one direction that one line of the program asks for.
struct CopiesOfLine {
  device::runtime::Engine direction{};
  std::uint32_t line = 0;  ///< 0: unknown
  std::uint64_t bytes = 0, calls = 0;
};

struct ProgramResult {
  device::runtime::ProgramOutcome outcome;
  std::string output, errors;  ///< what it wrote, up to a bound
  CheckExhibit found;          ///< as `warpbook program` reports it
  std::vector<CopiesOfLine> copies;
  std::vector<KernelStores>
      stores;  ///< of a traced trial, in the order in which the launches ended
  /// It ended by itself, with exit code 0 and with the output that was asked for.
  bool right = false;
  /// The first word that differs from what was asked for; empty where all words agree or one has more of them.
  std::string expected, got;
  /// Lines of the source from which the first call was made that returned an error, the nearest first; empty where none did.
  std::vector<std::uint32_t> failed_from;
};

/// Compiles a submitted program, as a file of the name "<exercise>.cu". Throws ExperimentFailed: compile_error with what the
/// compilers said, build_error where they ended without a word, or what the machine lacks to build it.
std::filesystem::path built_program(const std::string& exercise, const std::string& source,
                                    const std::string& gpu);

/// The runs of one check.
class ProgramTrials {
 public:
  using Item = CheckExhibit::Item;

  explicit ProgramTrials(Checker& checker) : checker_(checker) {}
  const ProgramResult& run(ProgramTrial trial);
  [[nodiscard]] bool right() const;

  /// Item "right": how many runs are, a case each, and of the first wrong one where its output differs.
  void add_right();
  /// Item "safe": the first thing that a run's report fails at: an access of a kernel or of the host, a race, a copy, a launch; or
  /// launches of a traced run that store to the same memory in no order.
  void add_safe();
  /// Item "freed": every allocation is.
  void add_freed();
  /// Item "on-gpu": a run whose kernels are left out does not come to the same output.
  void add_on_gpu();
  /// Item "parallel": as many threads as the gate's floor says share the work of the kernel that does the most. `results` says how
  /// many a run computes, by which work that is done several times is known.
  void add_parallel(const std::function<std::uint64_t(const ProgramTrial&)>& results);
  /// Item "errors": a run in which one call fails does not go on as if nothing were: it ends with another exit code than 0, or
  /// by abort(), and says the error's name or text. A run that does not come to that call, or that does without it, is right.
  void add_errors_told(const std::vector<ProgramFailure>& failures);
  /// Item "place": in each of the runs of add_errors_told(), which comes first, the program names its file and the line of the call
  /// that failed, or one nearby.
  void add_places_told();
  /// Item `id`: the bytes that the program's copies move in one direction, as a multiple of what is needed, keep within the
  /// gate's bounds.
  void add_copies(const std::string& id, device::runtime::Engine direction,
                  const std::function<std::uint64_t(const ProgramTrial&)>& needed);
  /// An item for a gate of the exercise's own: passed so far, or waiting until everything is right.
  [[nodiscard]] Item judged(const std::string& id, Message sentence) const;
  [[nodiscard]] const Gate& gate_of(const std::string& id) const;

 private:
  using State = CheckExhibit::State;
  ProgramResult tried(const ProgramTrial& trial, const ProgramFailure& failure = {},
                      bool without_kernels = false);
  [[nodiscard]] Item judged(const std::string& id) const;

  Checker& checker_;
  std::vector<ProgramTrial> trials_;
  std::deque<ProgramResult> results_;  ///< whoever ran one keeps a reference to it
  std::vector<ProgramResult> failed_;  ///< runs in which a call failed and the program told
};

}  // namespace warpbook::lab
