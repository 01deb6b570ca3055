// The run that makes a record: every rung compared with the simulator and timed, the libraries' algorithms timed. Asked for by
// its tag alone, by tests/gpu/run, which says in WARPBOOK_RECORD where the record goes.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "device/gpu/inexact.hpp"
#include "device/platform.hpp"
#include "device/records/record.hpp"
#include "lab/kernel_inputs.hpp"
#include "lab/source_text.hpp"
#include "tests/gpu/capturing_device.hpp"
#include "tests/gpu/library_times.hpp"
#include "tests/gpu/rungs.hpp"

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

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What a loaded kernel module was made for: the driver's version is not asked of the driver API.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string line; std::getline(file, line);) {
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ..."
    const std::size_t at = line.find("Module");
    if (at == line.npos) continue;
    const std::size_t begin = line.find_first_of("0123456789", at);
    if (begin == line.npos) continue;
    return line.substr(begin, line.find(' ', begin) - begin);
  }
  return {};
}

std::uint64_t bytes_of(const std::map<std::string, std::vector<std::byte>>& buffers) {
  std::uint64_t bytes = 0;
  for (const auto& [name, buffer] : buffers) bytes += buffer.size();
  return bytes;
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

/// One rung at one size, on the GPU and on the simulator with the GPU's own limits.
RecordedComparison compare(std::shared_ptr<device::Device> gpu, const Operation& operation,
                           const Rung& rung, const OperationCase& size,
                           const std::shared_ptr<const device::Program>& program) {
  RecordedComparison result{
      RecordedComparison::Outcome::differs, operation.name, rung.name, size.text(), {}};
  const std::vector<std::string> inexact = device::gpu::inexact_instructions(program->ptx);
  try {
    const auto on_gpu = lab_on(gpu);
    const auto module = lab::require(gpu->load(program));
    // Held to the truth first: a wrong result is worth no comparison.
    const lab::KernelVerdict verdict = lab::check_rung(*on_gpu, operation, rung, size, module);
    if (!verdict.passed()) {
      result.why = first_failure(verdict);
      return result;
    }
    if (!inexact.empty() || rung.float_atomics) {
      result.outcome = RecordedComparison::Outcome::within_tolerance;
      result.why = inexact.empty() ? "sums by atomics" : joined(inexact);
      return result;
    }
    const auto simulated = lab_on(device::make_simulated_device(gpu->properties()));
    const lab::MadeInputs inputs = lab::make_inputs(operation, size, lab::InputKind::normal);
    const auto theirs = lab::run_rung(*on_gpu, rung, operation, arguments_of(size, inputs, module));
    const auto ours =
        lab::run_rung(*simulated, rung, operation,
                      arguments_of(size, inputs, lab::require(simulated->device().load(program))));
    result.why = difference(theirs, ours);
    if (result.why.empty()) result.outcome = RecordedComparison::Outcome::same_bits;
  } catch (const lab::ExperimentFailed& failed) {
    result.why = failed.error.english();
  }
  return result;
}

device::RecordedTime time_of(const device::libraries::Timing& t) {
  return {t.median, t.p20, t.p80, t.minimum, t.samples, t.hot};
}

/// All rungs of an operation at the size of its ladder, in turns.
void time_ladder(device::gpu::GpuDevice& gpu, const Operation& operation,
                 const std::vector<Rung>& rungs, Record& record) {
  const auto capturing = std::make_shared<CapturingDevice>(gpu);
  const auto on_gpu = lab_on(capturing);
  const lab::MadeInputs inputs =
      lab::make_inputs(operation, operation.ladder, lab::InputKind::normal);
  const std::uint64_t bytes = std::max<std::uint64_t>(bytes_of(inputs.bytes), 1);
  const std::uint64_t wanted = kRotation * gpu.properties().l2_bytes / bytes + 1;
  const std::size_t sets = std::clamp<std::size_t>(wanted, 2, kMostSets);
  std::vector<device::gpu::TimedVariant> variants;
  std::vector<std::string> hashes;
  std::vector<std::string> names;
  for (const Rung& rung : rungs) {
    // As everybody compiles it: with fused multiply-adds.
    const auto program = compile_rung_for(gpu, rung, true);
    const auto module = lab::require(gpu.load(program));
    device::gpu::TimedVariant variant;
    for (std::size_t set = 0; set < sets; ++set) {
      lab::run_rung(*on_gpu, rung, operation, arguments_of(operation.ladder, inputs, module));
      variant.push_back(capturing->take());
    }
    if (variant.front().empty()) continue;
    variants.push_back(std::move(variant));
    names.push_back(rung.name);
    hashes.push_back(
        device::source_hash(lab::require(lab::read_source_file(WARPBOOK_SOURCE_DIR, rung.path))));
  }
  const auto timings = gpu.time(variants, {}, sets < wanted);
  if (!timings) {
    FAIL_CHECK(operation.name << ": " << timings.error().english());
    return;
  }
  for (std::size_t i = 0; i < timings->size(); ++i) {
    record.rungs.push_back(
        {operation.name, names[i], operation.ladder.text(), hashes[i], time_of((*timings)[i])});
    fmt::print("{:<14} {:<20} {:>10.2f} us\n", operation.name, names[i],
               1e6 * (*timings)[i].median);
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

}  // namespace

TEST_CASE("every rung gives the simulator's bits on the GPU, and is timed into a record",
          "[.][record]") {
  std::shared_ptr<device::gpu::GpuDevice> gpu = gpu_or_skip();
  Record record = record_of(*gpu);
  std::map<std::string, std::vector<Rung>> right;
  std::map<std::string, Operation> operations;
  for_each_rung(
      gpu->properties().compute_capability, [&](const Operation& operation, const Rung& rung) {
        const auto program = compile_rung_for(*gpu, rung, false);
        bool all_right = true;
        for (const OperationCase& size : operation.cases) {
          if (size.label == OperationCase::Label::full || !lab::admits(rung, size.scalars))
            continue;
          RecordedComparison done = compare(gpu, operation, rung, size, program);
          const bool differs = done.outcome == RecordedComparison::Outcome::differs;
          if (differs) FAIL_CHECK(rung.path << " at " << done.size << ": " << done.why);
          all_right = all_right && !differs;
          record.comparisons.push_back(std::move(done));
        }
        operations.try_emplace(operation.name, operation);
        // Correctness first: what is wrong has no time.
        if (all_right && lab::admits(rung, operation.ladder.scalars))
          right[operation.name].push_back(rung);
      });
  std::map<std::string, std::size_t> outcomes;
  for (const RecordedComparison& c : record.comparisons)
    ++outcomes[std::string(name_of(c.outcome))];
  for (const auto& [outcome, count] : outcomes) fmt::print("{:>6} {}\n", count, outcome);

  for (const auto& [name, rungs] : right) {
    try {
      time_ladder(*gpu, operations.at(name), rungs, record);
    } catch (const lab::ExperimentFailed& failed) {
      FAIL_CHECK(name << ": " << failed.error.english());
    }
  }

  time_libraries(record);

  if (const char* const folder = std::getenv("WARPBOOK_RECORD"); folder && *folder) {
    const auto file = std::filesystem::path(folder) / device::record_file_name(record.gpu);
    const auto written = device::write_file_atomically(file, device::to_json(record));
    if (!written) FAIL(written.error().english());
    fmt::print("written: {}\n", file.string());
  }
}

}  // namespace warpbook::tests::record_test
