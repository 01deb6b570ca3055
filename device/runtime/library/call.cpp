#include "device/runtime/library/call.hpp"

#include <cstdio>
#include <ctime>

#include "device/runtime/library/faults.hpp"

namespace warpbook::device::runtime {
namespace {

std::uint64_t now() {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kNanoseconds +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

Call*& call_of_driver() {
  thread_local Call* call = nullptr;
  return call;
}

Call::Call(Session& its_session, Function function) : session(its_session) {
  CallLog& log = session.calls();
  number_ = log.calls.fetch_add(1);
  if (number_ >= kMostCalls) return;
  record_ = &log.record[number_];
  record_->thread = thread_number(log);
  record_->frames = frames_of_program();
  record_->begin = now();
  record_->function = function;
}

void Call::values(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                  std::uint64_t e) {
  if (record_) record_->values = {a, b, c, d, e};
}

void Call::note(std::int32_t result) {
  if (!record_) return;
  record_->error = result;
  record_->end = now();
}

cudaError_t Call::end(cudaError_t error) {
  note(error);
  // "Not ready" is an answer, and no error that stays.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

cudaError_t Call::error_of(const Answer& answer) {
  if (!answer.output.empty()) std::fwrite(answer.output.data(), 1, answer.output.size(), stdout);
  if (!answer.complaints.empty())
    std::fwrite(answer.complaints.data(), 1, answer.complaints.size(), stderr);
  return static_cast<cudaError_t>(answer.error);
}

}  // namespace warpbook::device::runtime
