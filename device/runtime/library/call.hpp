// What every function of the runtime does around its own work: it notes itself in the call log, and keeps the thread's last error.
#pragma once

#include <driver_types.h>

#include <array>
#include <cstdint>

#include "device/runtime/library/contexts.hpp"
#include "device/runtime/library/session.hpp"

namespace warpbook::device::runtime {

/// A call under way.
class Call {
 public:
  Call(Session& its_session, Function function);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Session& session;
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// What the log keeps of the arguments; CallRecord::values says what.
  void values(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0, std::uint64_t d = 0,
              std::uint64_t e = 0);
  cudaError_t end(cudaError_t error);
  /// As end(), with the code that a function of the driver returns; the runtime's last error stays what it is.
  void note(std::int32_t result);

  /// The error of an answer, once what kernels printed stands on the program's standard output.
  static cudaError_t error_of(const Answer& answer);
  template <class R>
  cudaError_t ask(R request) {
    if constexpr (requires { request.call; }) request.call = number_;
    const auto answer = session.ask(std::move(request));
    return answer ? error_of(*answer) : cudaErrorInitializationError;
  }

 private:
  std::uint64_t number_ = 0;
  CallRecord* record_ = nullptr;
};

/// The thread's last error (cudaGetLastError).
cudaError_t& last_error();

/// The call of a function of the driver that this thread is in; null outside of such a call.
Call*& call_of_driver();

/// Runs a function of the runtime: `body` gets the Call and returns the error. Functions of the driver do their work by functions
/// of the runtime; to the program and its log that is one call, the driver's.
template <class Body>
cudaError_t traced(Function function, Body body) {
  if (Call* outer = call_of_driver()) return body(*outer);
  Session* session = Session::get();
  if (!session) return last_error() = cudaErrorInitializationError;
  Call call(*session, function);
  enter_primary_context(function);
  const cudaError_t refused = refusal();
  return call.end(refused != cudaSuccess ? refused : body(call));
}

}  // namespace warpbook::device::runtime
