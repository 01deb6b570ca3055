#include "lessons/failures/host_program.hpp"

#include <algorithm>
#include <utility>

#include "lab/text/strings.hpp"

namespace warpbook::lessons::failures {

using device::runtime::kSuccess;

namespace {

/// `CHECK(cudaFree(d_t));` for `cudaFree(d_t);`
std::string in_macro(std::string code) {
  code.pop_back();
  return "CHECK(" + code + ");";
}

/// What CUDA says of a kernel: nothing where it only read or wrote a little outside.
HostProgram::CudaError failure_of(const device::LaunchRecord& record) {
  if (record.error) {
    if (const auto error = device::runtime::cuda_error_of(record.error->code)) return error;
  }
  for (const device::Finding& finding : record.findings) {
    if (const auto error = device::runtime::cuda_error_of(finding.error.code)) return error;
  }
  return kSuccess;
}

lab::Message words(const std::string& key, lab::MessageArguments arguments) {
  return {"failures.how." + key, std::move(arguments), {}};
}

/// How a launch was wrong that CUDA refuses.
lab::Message how_refused(const device::Launch& launch, HostProgram::CudaError error) {
  if (error == device::runtime::kInvalidConfiguration)
    return words("refused", {{"threads", lab::grouped(launch.block.count())}});
  return words("shared", {{"bytes", lab::grouped(launch.dynamic_shared)}});
}

/// Dynamic shared memory that a block may have without asking for more (CUDA Programming Guide, "Shared Memory").
constexpr std::uint32_t kSharedWithoutAsking = 48 * 1024;

}  // namespace

bool HostProgram::begin(const std::string& code) {
  trail_.steps.push_back({code, "", false, !ended_});
  return !ended_;
}

void HostProgram::returned(CudaError error) {
  lab::TrailExhibit::Step& step = trail_.steps.back();
  step.returned = device::runtime::name_of_cuda_error(error);
  step.failed = error != kSuccess;
  if (!step.failed) return;
  last_ = error;
  if (!trail_.told) {
    trail_.told = static_cast<std::uint32_t>(trail_.steps.size() - 1);
    told_ = error;
  }
  ended_ = checked_;
}

void HostProgram::call(const std::string& code, CudaError own) {
  if (begin(checked_ ? in_macro(code) : code)) returned(sticky_ != kSuccess ? sticky_ : own);
}

void HostProgram::wait(const std::string& code, const std::function<void()>& then) {
  if (!begin(checked_ ? in_macro(code) : code)) return;
  for (; waited_ < trail_.kernels.size(); ++waited_)
    trail_.kernels[waited_].done = static_cast<std::uint32_t>(trail_.steps.size() - 1);
  if (sticky_ == kSuccess) sticky_ = running_;
  returned(sticky_);
  if (then && sticky_ == kSuccess) then();
}

void HostProgram::ask(const std::string& code) {
  if (!begin(checked_ ? in_macro(code) : code)) return;
  const CudaError error = last_;
  returned(error);
  last_ = kSuccess;
}

std::shared_ptr<const device::LaunchRecord> HostProgram::launch(const std::string& code,
                                                                const device::Launch& launch) {
  if (!begin(code)) return nullptr;
  if (sticky_ != kSuccess) {
    last_ = sticky_;
    return nullptr;
  }
  const auto refused = [&](CudaError error) {
    last_ = error;
    blame(how_refused(launch, error));
    return nullptr;
  };
  if (launch.dynamic_shared > kSharedWithoutAsking) return refused(device::runtime::kInvalidValue);
  std::shared_ptr<const device::LaunchRecord> record;
  // What waits behind a kernel that fails never begins.
  if (running_ == kSuccess) {
    try {
      record = lab_.launch(launch);
    } catch (const lab::ExperimentFailed& failed) {
      if (failed.error.code == device::ErrorCode::cancelled) throw;
      return refused(device::runtime::cuda_error_of(failed.error.code));
    }
  }
  const auto step = static_cast<std::uint32_t>(trail_.steps.size() - 1);
  trail_.kernels.push_back({code.substr(0, code.find('<')), step, step, false});
  if (record) note_failure(*record);
  return record;
}

void HostProgram::note_failure(const device::LaunchRecord& record) {
  if (record.findings.empty() && !record.error) return;
  running_ = failure_of(record);
  trail_.kernels.back().failed = true;
  if (trail_.cause || record.findings.empty()) return;
  const device::Finding& first = record.findings.front();
  lab::MessageArguments arguments{{"line", first.by.place.line},
                                  {"block", lab::grouped(first.by.block)},
                                  {"thread", lab::grouped(first.by.thread)}};
  const bool near = !first.allocation.empty();
  if (near) {
    arguments.emplace_back("name", first.allocation);
    arguments.emplace_back("element", lab::typeset(std::to_string(first.element)));
  }
  blame(words(near ? "near" : "far", std::move(arguments)));
  trail_.cause_kernel = static_cast<std::uint32_t>(trail_.kernels.size() - 1);
}

void HostProgram::host(const std::string& code) { (void)begin(code); }

void HostProgram::blame(lab::Message how) {
  if (trail_.cause) return;
  trail_.cause = static_cast<std::uint32_t>(trail_.steps.size() - 1);
  trail_.how = std::move(how);
}

}  // namespace warpbook::lessons::failures
