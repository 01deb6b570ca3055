#include "tests/gpu/recording.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "lab/text/source_text.hpp"
#include "tests/gpu/rungs.hpp"

namespace warpbook::tests {
namespace {

using Clock = std::chrono::steady_clock;
const Clock::time_point kBeginOfProgram = Clock::now();

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

bool is_same_machine(const device::Record& a, const device::Record& b) {
  return a.gpu == b.gpu && a.driver == b.driver && a.cuda == b.cuda &&
         a.compute_capability == b.compute_capability;
}

}  // namespace

Recording::Recording(device::Record fresh) : record_(std::move(fresh)) {
  if (const std::string seconds = environment("WARPBOOK_SECONDS"); !seconds.empty())
    seconds_ = std::stod(seconds);
  const std::string folder = environment("WARPBOOK_RECORD");
  if (folder.empty()) return;
  file_ = std::filesystem::path(folder) / device::record_file_name(record_.gpu);
  if (environment("WARPBOOK_CONTINUE").empty()) return;
  auto before = device::read_record(file_);
  if (before && is_same_machine(*before, record_)) record_ = std::move(*before);
}

bool Recording::may_begin(const std::string& what) {
  const double spent = std::chrono::duration<double>(Clock::now() - kBeginOfProgram).count();
  const bool may = seconds_ == 0 || spent < seconds_;
  fmt::print("at {:.0f} s: {}{}\n", spent, may ? "" : "no time for ", what);
  if (!may) left_.push_back(what);
  return may;
}

bool Recording::has_compared(const lab::Operation& operation, const lab::Rung& rung) const {
  for (const lab::OperationCase& size : compared_sizes(operation)) {
    if (lab::admits(rung, size.scalars) && !has_comparison(operation, rung, size)) return false;
  }
  return !is_right(operation, rung) ||
         std::ranges::any_of(timed_sizes(operation),
                             [&](const auto& size) { return has_time(operation, rung, size); });
}

bool Recording::is_right(const lab::Operation& operation, const lab::Rung& rung) const {
  return std::ranges::none_of(record_.comparisons, [&](const device::RecordedComparison& c) {
    return c.operation == operation.name && c.rung == rung.name &&
           c.outcome == device::RecordedComparison::Outcome::differs;
  });
}

bool Recording::has_timed(const lab::Operation& operation, const lab::OperationCase& size) const {
  return std::ranges::all_of(operation.rungs, [&](const lab::Rung& rung) {
    return !lab::admits(rung, size.scalars) || !is_right(operation, rung) ||
           has_time(operation, rung, size);
  });
}

bool Recording::has_comparison(const lab::Operation& operation, const lab::Rung& rung,
                               const lab::OperationCase& size) const {
  return std::ranges::any_of(record_.comparisons, [&](const device::RecordedComparison& c) {
    return c.operation == operation.name && c.rung == rung.name && c.size == size.text();
  });
}

bool Recording::has_time(const lab::Operation& operation, const lab::Rung& rung,
                         const lab::OperationCase& size) const {
  const auto source = lab::read_source_file(device::root_folder(), rung.path);
  return source && record_.rung(operation.name, rung.name, size.text(), *source) != nullptr;
}

bool Recording::has(const std::string& library, const std::string& problem) const {
  return std::ranges::any_of(record_.algorithms, [&](const device::RecordedAlgorithm& a) {
    return a.library == library && a.problem == problem;
  });
}

void Recording::forget(const lab::Operation& operation, const lab::Rung& rung) {
  const auto is_its = [&](const auto& entry) {
    return entry.operation == operation.name && entry.rung == rung.name;
  };
  std::erase_if(record_.comparisons, is_its);
  std::erase_if(record_.rungs, is_its);
}

void Recording::forget_times(const lab::Operation& operation, const lab::OperationCase& size) {
  std::erase_if(record_.rungs, [&](const device::RecordedRung& rung) {
    return rung.operation == operation.name && rung.size == size.text();
  });
}

void Recording::save() const {
  std::fflush(stdout);  // what was told, too
  if (file_.empty()) return;
  const auto written = device::write_file_atomically(file_, device::to_json(record_));
  if (!written) FAIL(written.error().english());
  const auto read = device::read_record(file_);
  if (!read) FAIL(read.error().english());
  if (!(*read == record_)) FAIL(file_.string() << " is read as another record");
}

}  // namespace warpbook::tests
