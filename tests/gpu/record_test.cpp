// The run that makes a record: every rung compared with the simulator and timed, the libraries' algorithms timed. Asked for by
// its tag alone, by tests/gpu/run; recording.hpp tells where the record goes, and when it ends.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "device/libraries/client.hpp"
#include "device/platform.hpp"
#include "device/records/record.hpp"
#include "lab/operation/kernel_inputs.hpp"
#include "lab/text/source_text.hpp"
#include "tests/gpu/capturing_device.hpp"
#include "tests/gpu/driver_version.hpp"
#include "tests/gpu/inexact.hpp"
#include "tests/gpu/library_times.hpp"
#include "tests/gpu/recording.hpp"
#include "tests/gpu/rungs.hpp"
#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::record_test {

using namespace warpbook;
using namespace warpbook::tests;
using device::Record;
using device::RecordedComparison;
using lab::Operation;
using lab::OperationCase;
using lab::Rung;

namespace {

constexpr std::uint64_t kRotation = 3;  // times the L2: what comes round again is in no cache
constexpr std::size_t kMostSets = 1024;

std::size_t processors() { return std::max(std::thread::hardware_concurrency(), 1U); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// As the kernel module tells it; where that may not be read, as the driver's file is called.
std::string driver_version() {
  constexpr std::uint64_t kMostBytes = 65536;
  if (const auto text = device::read_file("/proc/driver/nvidia/version", kMostBytes); text) {
    if (auto version = driver_version_in(*text); !version.empty()) return version;
  }
  const auto facts = device::libraries::ask_driver();
  return facts ? driver_version_of(facts->file) : std::string();
}

lab::RungArguments arguments_of(const OperationCase& size, const lab::MadeInputs& inputs,
                                std::shared_ptr<const device::Module> module) {
  return {size.scalars, size.real_scalars, inputs.bytes, size.offset, true, std::move(module)};
}

/// Where two runs differ first; empty: nowhere.
std::string difference(const lab::RungResult& gpu, const lab::RungResult& simulated) {
  for (const auto& [name, output] : gpu.outputs) {
    const auto& other = simulated.outputs.at(name).data;
    const auto [mine, theirs] = std::ranges::mismatch(output.data, other);
    if (mine == output.data.end() && theirs == other.end()) continue;
    const auto at = static_cast<std::size_t>(mine - output.data.begin());
    return fmt::format("{}[{}]", name, at / device::size_of(output.type));
  }
  return {};
}

/// What ended one of a run's launches; its results are not whole then.
const device::Error* error_in(const lab::RungResult& run) {
  const auto failed = std::ranges::find_if(
      run.records, [](const auto& record) { return record->error.has_value(); });
  return failed == run.records.end() ? nullptr : &*(*failed)->error;
}

/// Of two runs whose bits have to be the same.
void compare_bits(const lab::RungResult& gpu, const lab::RungResult& simulated,
                  RecordedComparison& result) {
  if (const device::Error* error = error_in(gpu)) {
    result.why = "GPU: " + error->english();
  } else if (const device::Error* slow = error_in(simulated)) {
    // A size that fills a GPU may take the simulator too long. The GPU's result was held to the truth all the same.
    result.why = "simulator: " + slow->english();
    if (slow->code == device::ErrorCode::budget_time)
      result.outcome = RecordedComparison::Outcome::within_tolerance;
  } else {
    result.why = difference(gpu, simulated);
    if (result.why.empty()) result.outcome = RecordedComparison::Outcome::same_bits;
  }
}

std::string first_failure(const lab::KernelVerdict& verdict) {
  const lab::KernelFailure& failure = verdict.failures.front();
  std::string text(lab::name_of(failure.caught));
  if (failure.error) text += ": " + failure.error->english();
  if (failure.deviation) {
    text += fmt::format(": {}, {} elements, relative L2 {:.3g}", failure.deviation->name,
                        failure.deviation->bad, failure.deviation->relative_l2);
  }
  return text;
}

/// A rung as the GPU and the simulator with the GPU's own limits run it.
struct Pair {
  std::shared_ptr<device::Device> gpu, simulated;
  std::shared_ptr<const device::Program> program;
  std::shared_ptr<const device::Module> on_gpu, on_simulator;
};

Pair load_both(const std::shared_ptr<device::gpu::GpuDevice>& gpu, const Rung& rung) {
  Pair pair{gpu, device::make_simulated_device(gpu->properties()), {}, {}, {}};
  pair.program = compile_rung_for(*gpu, rung, false);
  pair.on_gpu = lab::require(gpu->load(pair.program));
  pair.on_simulator = lab::require(pair.simulated->load(pair.program));
  return pair;
}

/// One rung at one size, on both.
RecordedComparison compare(const Pair& pair, const Operation& operation, const Rung& rung,
                           const OperationCase& size) {
  RecordedComparison result{
      RecordedComparison::Outcome::differs, operation.name, rung.name, size.text(), {}};
  const std::vector<std::string> inexact = inexact_instructions(pair.program->ptx);
  try {
    const auto on_gpu = lab_on(pair.gpu);
    // Held to the truth first: a wrong result is worth no comparison.
    const lab::KernelVerdict verdict = lab::check_rung(*on_gpu, operation, rung, size, pair.on_gpu);
    if (!verdict.passed()) {
      result.why = first_failure(verdict);
      return result;
    }
    if (!inexact.empty() || rung.float_atomics) {
      result.outcome = RecordedComparison::Outcome::within_tolerance;
      result.why = inexact.empty() ? "sums by atomics" : joined(inexact);
      return result;
    }
    const auto simulated = lab_on(pair.simulated);
    const lab::MadeInputs inputs = lab::make_inputs(operation, size, lab::InputKind::normal);
    const auto theirs =
        lab::run_rung(*on_gpu, rung, operation, arguments_of(size, inputs, pair.on_gpu));
    const auto ours =
        lab::run_rung(*simulated, rung, operation, arguments_of(size, inputs, pair.on_simulator));
    compare_bits(theirs, ours, result);
  } catch (const lab::ExperimentFailed& failed) {
    result.why = failed.error.english();
  }
  return result;
}

device::RecordedTime time_of(const device::Timing& t) {
  return {t.median, t.p20, t.p80, t.minimum, t.samples, t.hot};
}

/// All of these rungs at one size, in turns.
void time_ladder(device::gpu::GpuDevice& gpu, const Operation& operation, const OperationCase& size,
                 const std::vector<Rung>& rungs, Record& record) {
  const auto capturing = std::make_shared<CapturingDevice>(gpu);
  const auto on_gpu = lab_on(capturing);
  const lab::MadeInputs inputs = lab::make_inputs(operation, size, lab::InputKind::normal);
  bool hot = false;
  std::vector<device::gpu::TimedVariant> variants;
  std::vector<std::string> hashes;
  std::vector<std::string> names;
  for (const Rung& rung : rungs) {
    if (!lab::admits(rung, size.scalars)) continue;
    // As everybody compiles it: with fused multiply-adds.
    const auto program = compile_rung_for(gpu, rung, true);
    const auto module = lab::require(gpu.load(program));
    device::gpu::TimedVariant variant;
    for (std::size_t sets = 2; variant.size() < sets;) {
      lab::run_rung(*on_gpu, rung, operation, arguments_of(size, inputs, module));
      CapturingDevice::Taken taken = capturing->take();
      if (!keeps_account(rung)) taken.run.zeroed.clear();
      variant.push_back(std::move(taken.run));
      const std::uint64_t wanted =
          kRotation * gpu.properties().l2_bytes / std::max<std::uint64_t>(taken.bytes, 1) + 1;
      sets = std::clamp<std::size_t>(wanted, 2, kMostSets);
      hot = hot || sets < wanted;
    }
    if (variant.front().launches.empty()) continue;
    variants.push_back(std::move(variant));
    names.push_back(rung.name);
    hashes.push_back(
        device::source_hash(lab::require(lab::read_source_file(device::root_folder(), rung.path))));
  }
  if (variants.empty()) return;
  const auto timings = gpu.time(variants, {}, hot);
  if (!timings) {
    FAIL_CHECK(operation.name << ": " << timings.error().english());
    return;
  }
  for (std::size_t i = 0; i < timings->size(); ++i) {
    record.rungs.push_back(
        {operation.name, names[i], size.text(), hashes[i], time_of((*timings)[i])});
    fmt::print("{:<14} {:<20} {:>10.2f} us  {}\n", operation.name, names[i],
               1e6 * (*timings)[i].median, size.text());
  }
}

Record record_of(const device::gpu::GpuDevice& gpu) {
  Record record;
  const device::Properties& p = gpu.properties();
  record.gpu = p.name;
  record.compute_capability = p.compute_capability;
  record.cuda = gpu.driver();
  record.driver = driver_version();
  record.when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  record.clock_khz = p.clock_khz;
  record.memory_clock_khz = p.memory_clock_khz;
  return record;
}

/// A rung at each size, on both.
std::vector<RecordedComparison> compare_all(const std::shared_ptr<device::gpu::GpuDevice>& gpu,
                                            const Operation& operation, const Rung& rung) {
  std::optional<Pair> pair;
  std::string why;
  try {
    pair = load_both(gpu, rung);
  } catch (const lab::ExperimentFailed& failed) {
    why = failed.error.english();
  }
  std::vector<RecordedComparison> done;
  for (const OperationCase& size : compared_sizes(operation)) {
    if (!lab::admits(rung, size.scalars)) continue;
    done.push_back(pair ? compare(*pair, operation, rung, size)
                        : RecordedComparison{RecordedComparison::Outcome::differs, operation.name,
                                             rung.name, size.text(), why});
  }
  return done;
}

bool differs(const RecordedComparison& comparison) {
  return comparison.outcome == RecordedComparison::Outcome::differs;
}

/// What a rung of an operation gave.
struct Compared {
  const Operation* operation = nullptr;
  const Rung* rung = nullptr;
  std::vector<RecordedComparison> sizes;
};

/// Every rung of these that the record lacks, several at once: nothing is timed meanwhile. Compiles what is timed later, too.
std::vector<Compared> compare_at_once(const std::shared_ptr<device::gpu::GpuDevice>& gpu,
                                      const std::vector<const Operation*>& operations,
                                      const Recording& recording) {
  std::vector<Compared> compared;
  for (const Operation* const operation : operations) {
    for (const Rung& rung : operation->rungs) {
      if (!recording.has_compared(*operation, rung)) compared.push_back({operation, &rung, {}});
    }
  }
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < compared.size(); i = next++) {
      compared[i].sizes = compare_all(gpu, *compared[i].operation, *compared[i].rung);
      try {
        (void)compile_rung_for(*gpu, *compared[i].rung, true);
      } catch (const lab::ExperimentFailed&) {
        continue;  // told when it is timed
      }
    }
  };
  std::vector<std::jthread> threads(processors());
  for (std::jthread& thread : threads) thread = std::jthread(work);
  threads.clear();
  return compared;
}

/// Those of the rungs that are right at a large size, too, where a comparison with the simulator would take too long.
std::vector<Rung> right_at(const std::shared_ptr<device::gpu::GpuDevice>& gpu,
                           const Operation& operation, const OperationCase& size,
                           const std::vector<Rung>& rungs) {
  std::vector<std::string> wrong(rungs.size());
  const auto check = [&](std::size_t i) {
    try {
      const auto on_gpu = lab_on(gpu);
      const auto module = lab::require(gpu->load(compile_rung_for(*gpu, rungs[i], true)));
      const lab::KernelVerdict verdict =
          lab::check_rung(*on_gpu, operation, rungs[i], size, module);
      if (!verdict.passed()) wrong[i] = first_failure(verdict);
    } catch (const lab::ExperimentFailed& failed) {
      wrong[i] = failed.error.english();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (lab::admits(rungs[i], size.scalars)) threads.emplace_back(check, i);
  }
  threads.clear();
  std::vector<Rung> right;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (wrong[i].empty()) {
      right.push_back(rungs[i]);
    } else {
      FAIL_CHECK(rungs[i].path << " at " << size.text() << ": " << wrong[i]);
    }
  }
  return right;
}

/// Puts what was compared into the record, in the place of what it had of these rungs.
void record_comparisons(const std::vector<Compared>& compared, Recording& recording) {
  for (const Compared& one : compared) {
    recording.forget(*one.operation, *one.rung);
    for (const RecordedComparison& c : one.sizes) {
      if (differs(c)) UNSCOPED_INFO(one.rung->path << " at " << c.size << ": " << c.why);
      recording.record().comparisons.push_back(c);
    }
    CHECK(recording.is_right(*one.operation, *one.rung));
  }
}

/// Times the rungs that are right, at each size at which the record lacks one of them: all of them, since only what was timed in
/// turns can be compared.
void record_times(const std::shared_ptr<device::gpu::GpuDevice>& gpu, const Operation& operation,
                  Recording& recording) {
  // Correctness first: what is wrong has no time.
  std::vector<Rung> right;
  std::ranges::copy_if(operation.rungs, std::back_inserter(right),
                       [&](const Rung& rung) { return recording.is_right(operation, rung); });
  for (const OperationCase& size : timed_sizes(operation)) {
    if (recording.has_timed(operation, size) ||
        !recording.may_begin(operation.name + " at " + size.text()))
      continue;
    recording.forget_times(operation, size);
    try {
      const bool large = operation.large && size.text() == operation.large->text();
      time_ladder(*gpu, operation, size, large ? right_at(gpu, operation, size, right) : right,
                  recording.record());
    } catch (const lab::ExperimentFailed& failed) {
      FAIL_CHECK(operation.name << ": " << failed.error.english());
    }
    recording.save();
  }
}

/// Whether the record lacks nothing of the operation.
bool is_whole(const Recording& recording, const Operation& operation) {
  return std::ranges::all_of(
             operation.rungs,
             [&](const Rung& rung) { return recording.has_compared(operation, rung); }) &&
         std::ranges::all_of(timed_sizes(operation), [&](const OperationCase& size) {
           return recording.has_timed(operation, size);
         });
}

void tell_outcomes(const Record& record) {
  std::map<std::string, std::size_t> outcomes;
  for (const RecordedComparison& c : record.comparisons)
    ++outcomes[std::string(name_of(c.outcome))];
  for (const auto& [outcome, count] : outcomes) fmt::print("{:>6} {}\n", count, outcome);
}

}  // namespace

TEST_CASE("every rung gives the simulator's bits on the GPU, and is timed into a record",
          "[.][record]") {
  const std::shared_ptr<device::gpu::GpuDevice> gpu = gpu_or_skip();
  Recording recording(record_of(*gpu));
  const std::vector<Operation> operations = operations_for(gpu->properties().compute_capability);
  time_libraries(recording);
  std::vector<const Operation*> left;
  for (const Operation& operation : operations) {
    if (!is_whole(recording, operation)) left.push_back(&operation);
  }
  const std::size_t batch = std::max<std::size_t>(processors() / 2, 1);
  for (std::size_t begin = 0; begin < left.size(); begin += batch) {
    std::vector<const Operation*> now;
    for (std::size_t i = begin; i < std::min(begin + batch, left.size()); ++i) {
      if (recording.may_begin(left[i]->name)) now.push_back(left[i]);
    }
    record_comparisons(compare_at_once(gpu, now, recording), recording);
    recording.save();
    for (const Operation* const operation : now) record_times(gpu, *operation, recording);
  }
  tell_outcomes(recording.record());
  if (!recording.left().empty()) FAIL_CHECK("no time was left for: " << joined(recording.left()));
}

TEST_CASE("A run that was ended before it was whole is not compared bit by bit") {
  const auto run_with = [](std::optional<device::Error> error, std::byte value) {
    device::LaunchRecord record;
    record.error = std::move(error);
    lab::RungResult run;
    run.outputs["y"] = {"y", device::ElementType::u8, {1}, {value}, {}};
    run.records = {std::make_shared<const device::LaunchRecord>(record)};
    return run;
  };
  const auto compared = [](const lab::RungResult& gpu, const lab::RungResult& simulated) {
    RecordedComparison result;
    result.outcome = RecordedComparison::Outcome::differs;
    compare_bits(gpu, simulated, result);
    return result;
  };
  const lab::RungResult whole = run_with({}, std::byte{1}), other = run_with({}, std::byte{2});
  CHECK(compared(whole, whole).outcome == RecordedComparison::Outcome::same_bits);
  CHECK(compared(whole, other).why == "y[0]");

  const lab::RungResult slow =
      run_with(device::Error{device::ErrorCode::budget_time, {}, {}}, std::byte{2});
  const RecordedComparison untimely = compared(whole, slow);
  CHECK(untimely.outcome == RecordedComparison::Outcome::within_tolerance);
  CHECK(untimely.why.starts_with("simulator: "));
  CHECK(compared(slow, whole).outcome == RecordedComparison::Outcome::differs);

  const lab::RungResult wrong =
      run_with(device::Error{device::ErrorCode::wild_access, {}, {}}, std::byte{1});
  CHECK(compared(whole, wrong).outcome == RecordedComparison::Outcome::differs);
}

}  // namespace warpbook::tests::record_test
