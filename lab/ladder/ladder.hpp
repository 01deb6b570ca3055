// All rungs of an operation at one size, side by side: is each right, what did it cost, what would it take on the GPU.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/wire/fields.hpp"
#include "lab/operation/kernel_check.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

/// A time with its band: an estimate's, or p20 and p80 of a recorded one.
struct LadderTime {
  double seconds = 0, low = 0, high = 0;
  std::string
      limiter;  ///< of an estimate: what holds the launch up; of several launches, the longest one's
  device::Evidence evidence;
};
template <class V>
void fields(V&& visit, device::Is<LadderTime> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("limiter", v.limiter);
  visit("evidence", v.evidence);
}

/// Of launches that run one after the other. Nothing where one of them could not be estimated.
std::optional<LadderTime> estimate_of(
    const std::vector<std::shared_ptr<const device::LaunchRecord>>& records);

struct LadderRow {
  Rung rung;
  /// Why it was not run here: a GPU too old, or sizes that it does not take; then nothing else is filled.
  Message left_out;
  KernelVerdict verdict;
  std::string
      failed_at;  ///< "n = 33": right at the size that was asked for, and wrong at this one of Ladder::also
  device::Counters total;                  ///< of all its launches; counted
  std::optional<std::uint32_t> registers;  ///< a thread, of the kernel that has the most
  std::int64_t bytes = 0, flops = 0;       ///< as its block states them
  std::optional<LadderTime> estimate, record;
};

struct Ladder {
  std::string operation;
  Message gpu;  ///< "H200, simulated"
  OperationCase size;
  std::string
      size_text;  ///< "m = 64, n = 256, k = 256": as --size takes them, then what follows from them
  /// The operation's quick cases, "n = 33": a round size shows no missing guard, so every rung is checked at these as well.
  std::vector<std::string> also;
  std::vector<LadderRow> rows;
  std::vector<std::string> defines;  ///< "TILE=16": what was asked for instead of the rungs' own
  /// What libraries have for the same problem. Nothing where none computes it, or where they were not asked.
  std::optional<AlgorithmsExhibit> libraries;
  /// "products": what the results of those that ran here were held to, as the rungs' are. Empty: to nothing.
  std::string libraries_tolerance;
  Message
      no_libraries;  ///< why libraries that were asked for are left out; empty where they are not
  [[nodiscard]] bool passed() const;
};

struct LadderRequest {
  std::string operation;  ///< or a beginning that is clear: "conv"
  /// "n=1000", "1000", "256x128" (in operation.toml's order), several parted by commas; empty: the ladder's own size.
  std::string size;
  std::vector<std::string> defines;  ///< "TILE=16"
  std::string gpu{device::kDefaultGpu};
  device::Checks checks = device::kLessonChecks;
  bool libraries = true;                         ///< ask them, too: up to some seconds
  std::function<void(const Message&)> progress;  ///< may be empty; what begins now
};

/// Errors: unknown_name, bad_argument (a size that names no scalar, lacks one or is too large), no_such_gpu, and what ended it: a
/// broken `//@` block with its file and line, a missing compiler.
device::Expected<Ladder> climb(const LadderRequest& request,
                               std::shared_ptr<device::Compiler> compiler, const std::string& root,
                               std::stop_token stop = {});

/// A table for a terminal, and below it what failed.
std::string to_text(const Ladder& ladder, const Strings& strings, int width, bool colour);
/// What libraries have, as an exhibit; only where there is something.
Exhibit libraries_of(const Ladder& ladder);

}  // namespace warpbook::lab
