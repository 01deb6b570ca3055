// A rung held to what every kernel must do at a size (CONTRIBUTING.md, "A kernel"):
//   - outputs and workspaces are filled with NaN bytes before it runs, and stand between canaries; inputs stay as they were;
//   - small integers give the float64 truth exactly; then normal numbers, seeded, and where the operation names them edge values,
//     within its tolerance;
//   - a second run on memory that nobody filled gives the same bits (unless it adds floats by atomics), so initcheck sees what
//     reads too early;
//   - no checker finds anything in any run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/wire/fields.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/tolerance.hpp"

namespace warpbook::lab {

/// What found a kernel out. Known-wrong kernels name it in their `caught` line, as name_of spells it.
enum class Caught : std::uint8_t {
  values,         ///< an output is not the truth
  repeat,         ///< two runs differ
  input,          ///< it changed an input
  canary,         ///< it wrote beside a buffer
  bounds,         ///< memcheck: outside of every allocation, misaligned, null
  race,           ///< racecheck
  uninitialised,  ///< initcheck
  barrier,        ///< synccheck, or threads that wait for ever
  other           ///< did not compile, was refused, ran out of its budget, ...
};
constexpr auto enum_names(Caught) {
  return device::checked_names<Caught>("values", "repeat", "input", "canary", "bounds", "race",
                                       "uninitialised", "barrier", "other");
}
using device::name_of;

struct KernelFailure {
  Caught caught = Caught::other;
  std::string inputs;                  ///< "integers", "normal" or "edges"
  std::optional<device::Error> error;  ///< a finding or a refusal
  std::optional<Deviation> deviation;  ///< of Caught::values
  std::string output;                  ///< of Caught::repeat: which output
  std::uint64_t differing = 0;         ///< ... and how many elements
};
/// In a reader's language; the five worst elements follow in lines of their own.
std::string sentence(const KernelFailure& failure, const Strings& strings);

struct KernelVerdict {
  std::vector<KernelFailure> failures;  ///< empty: it passed
  std::vector<Deviation> deviations;    ///< of the last inputs, by output
  /// Of the first run; counters as they are of any.
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
  [[nodiscard]] bool passed() const { return failures.empty(); }
  [[nodiscard]] bool caught(Caught by) const;
};

/// Every checker that kernels of ours are held to.
inline constexpr device::Checks kKernelChecks{true, true, true, true, true, true};
/// A Lab on a simulated GPU of that name. `stop` cancels what runs.
device::Expected<std::unique_ptr<Lab>> checking_lab(std::shared_ptr<device::Compiler> compiler,
                                                    const std::string& root, const std::string& gpu,
                                                    std::stop_token stop = {},
                                                    const device::Checks& checks = kKernelChecks);

/// `module`: of compile_rung, or null. `estimate`: the verdict's records say how long they would take. Throws ExperimentFailed for what is no fault of the kernel's: a broken expression, an
/// operation without a reference, a missing compiler, a cancel.
KernelVerdict check_rung(Lab& lab, const Operation& operation, const Rung& rung,
                         const OperationCase& size,
                         std::shared_ptr<const device::Module> module = nullptr,
                         bool estimate = false);

}  // namespace warpbook::lab
