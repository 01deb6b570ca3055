// What the check of a whole program is made of: runs of it, each with its arguments and what must come out, and the items that
// they are judged by. A check reads: make runs, add the items in the order of the gates.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/runtime/run_program.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exercise/kernel_stores.hpp"
#include "lab/exercise/program_devices.hpp"

namespace warpbook::lab {

/// One run.
struct ProgramTrial {
  std::string name;           ///< "n = 33"; of a hidden one it is never shown
  bool hidden = false;        ///< drawn for this check
  bool gates = false;         ///< large enough for the gates that count to be judged at it
  bool traced = false;        ///< what its kernels store is kept
  std::uint32_t devices = 1;  ///< that the program sees
  std::vector<std::string> arguments;
  /// Whole numbers that the host copies to the GPU as they are, if it copies any; empty: whatever it likes.
  std::vector<std::int64_t> inputs{};
  std::string
      output;  ///< that must come out; how its words are spaced and where lines end do not matter
};

/// A run in which something fails as the check wants it: one call, or where none is named, a kernel.
struct ProgramFailure {
  std::uint64_t allocation = 0, launch = 0,
                copy = 0;  ///< the first, the second, ...; 0: none of them
  /// Empty: those of the first trial with gates. With them, a kernel reaches for an address that there is not, or the call fails at
  /// another size.
  std::vector<std::string> arguments = {};
  [[nodiscard]] bool is_of_kernel() const { return allocation + launch + copy == 0; }
};

/// How a program has to tell a failure.
struct TellingRules {
  bool at_once = false;        ///< it begins no further work: no allocation, no copy and no launch
  std::size_t most_words = 0;  ///< all that it prints; 0: any number
  /// It prints no results, that is, no lines that are a number alone, but for the line of the call and the code of the error.
  bool no_results = false;
};

/// What the numbers that a program prints are to its inputs.
struct Results {
  bool like_inputs =
      false;  ///< small numbers of one kind, so that a result may well be an input, too, by chance
  bool sums = false;  ///< sums or counts: of inputs that are all 0 there are no others than 0
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
  std::vector<LinkUse> links;  ///< between its devices
  // Of a traced trial:
  std::vector<KernelStores> stores;  ///< in the order in which the launches ended
  std::vector<StoredRun> arrived;    ///< what copies have brought to the GPU, one after the other
  /// The line of the first launch that uses memory which is not its device's own (0: unknown); empty where none does.
  std::optional<std::uint32_t> reaching_out;
  /// It ended by itself, with exit code 0 and with the output that was asked for.
  bool right = false;
  /// Where the first word differs from what was asked for, the lines with it, and the number of the line that was asked for; empty
  /// where all words agree or one has more of them.
  std::string expected, got;
  std::uint64_t line = 0;
  /// Lines of the source from which the first call was made that returned an error, the nearest first; empty where none did.
  std::vector<std::uint32_t> failed_from;
  std::string failed_function;  ///< "cudaMemcpy"
  /// The line of the first call after it that begins work, if there is one.
  std::optional<std::uint32_t> next_work;
  bool made_twice = false;  ///< and it is the same call, written once: a macro has made it again
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
  /// launches of a traced run that store to the same memory in no order. Of a race within a warp, a later run is told in which the
  /// same lines race between warps.
  void add_safe();
  /// Item "freed": every allocation is, and none of them twice; in traced runs also those that kernels make.
  void add_freed();
  /// Item "on-gpu": a run whose kernels are left out does not come to the same output, and in runs with gates at least so many
  /// different kernels are launched; where they are several, none of them can be left out by itself.
  void add_on_gpu(std::size_t kernels = 1);
  /// The same item where a program prints what its kernels store: each number that a run with gates prints has been stored, and it
  /// changes with what is stored; it was not a result already when it was copied to the GPU. What was copied holds the trial's inputs
  /// and matters, to lines without numbers, too. These trials are traced.
  void add_printed_by_gpu(const Results& results = {});
  /// Item "home": kernels use no memory but what was allocated on their own device. Trials with gates are traced for it.
  void add_home();
  /// Item "parallel": as many threads as the gate's floor says share the work of the kernel that does the most. `results` says how
  /// many a run computes, by which work that is done several times is known: it reads or writes more of global memory than any
  /// result needs.
  void add_parallel(const std::function<std::uint64_t(const ProgramTrial&)>& results);
  /// Item "errors": a run in which one call fails does not go on as if nothing were: it ends with another exit code than 0, or
  /// by abort(), and says the error's name or text. A run that does not come to that call, or that does without it, is right.
  void add_errors_told(const std::vector<ProgramFailure>& failures, const TellingRules& rules = {});
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
  /// What a run does otherwise than a GPU would.
  enum class Change : std::uint8_t {
    none,
    kernels_left_out,
    stores_spoiled,   ///< what kernels have stored becomes something else
    copies_spoiled,   ///< what is copied to the GPU becomes something else
    copies_shuffled,  ///< what is copied to the GPU comes in another order
    copies_cleared,   ///< what is copied to the GPU becomes 0
    one_by_one        ///< the host waits for all that it asks for
  };
  static device::runtime::CopiesIn copies_in(Change change);
  ProgramResult tried(const ProgramTrial& trial, const ProgramFailure& failure = {},
                      Change change = Change::none, const std::string& without_kernel = {});
  [[nodiscard]] Item judged(const std::string& id) const;
  /// The first number that a run prints and that the host has computed, by what it is known, and what to say of it; empty where
  /// there is none.
  Message computed_by_host(std::size_t run, const Results& results);
  /// A whole number that a run prints, and that no kernel has stored, where the input comes in another order; nothing where there is none. By it
  /// is known who prints some results several times, since the input repeats itself.
  std::optional<std::int64_t> repeated_by_host(const ProgramTrial& trial);
  /// The output of a run differs from what was asked for: how, or why where that is known.
  Message differing(std::size_t run);
  /// The number of the run to be told of in place of that one.
  [[nodiscard]] std::size_t telling(std::size_t run) const;
  /// What failed and where, as in "launch 2 (tenths in line 51)".
  [[nodiscard]] Message name_of_failure(const ProgramFailure& failure,
                                        const ProgramResult& result) const;
  /// What is wrong with how a run tells the failure; empty where nothing is.
  [[nodiscard]] Message complaint(const ProgramFailure& failure, const ProgramResult& result,
                                  const TellingRules& rules) const;
  /// The first line of what a program says of a failure that looks like a result; empty where none does.
  [[nodiscard]] std::string result_in(const std::string& said, std::int32_t error,
                                      const ProgramResult& result) const;

  Checker& checker_;
  std::vector<ProgramTrial> trials_;
  std::deque<ProgramResult> results_;  ///< whoever ran one keeps a reference to it
  std::vector<ProgramResult> failed_;  ///< runs in which a call failed and the program told
};

}  // namespace warpbook::lab
