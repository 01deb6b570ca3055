// CUDA's declarations of the driver API, which our definitions follow, and what every function of the driver does around its own
// work. Most of that work is done by functions of the runtime, which knows the same streams, events, graphs and memory.
#pragma once

#include <bit>
#include <type_traits>

#include "device/runtime/library/api.hpp"
#include "device/runtime/library/registry.hpp"

// Behind our own headers: cuda.h gives functions other names by macros, in enumerations as well.
#pragma GCC visibility push(default)
#include <cuda.h>
// As in cudaProfiler.h, which NVIDIA has in a wheel of its own.
extern "C" {
CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStop(void);
}
#pragma GCC visibility pop

namespace warpbook::device::runtime {

/// What the driver answers where the runtime answers `error`. Most codes are the same in both.
CUresult result_of(cudaError_t error);

/// While a function of the driver runs, those of the runtime that it calls are a part of its call.
class InsideDriver {
 public:
  explicit InsideDriver(Call& call) { call_of_driver() = &call; }
  InsideDriver(const InsideDriver&) = delete;
  InsideDriver& operator=(const InsideDriver&) = delete;
  ~InsideDriver() { call_of_driver() = nullptr; }
};

/// Runs a function of the driver that needs nothing to have been called before: `body` gets the Call and returns the error.
template <class Body>
CUresult driven(Function function, Body body) {
  Session* const session = Session::get();
  if (!session) return CUDA_ERROR_NOT_INITIALIZED;
  Call call(*session, function);
  const InsideDriver inside(call);
  const cudaError_t refused = refusal();
  const CUresult result = result_of(refused != cudaSuccess ? refused : body(call));
  call.note(result);
  return result;
}

/// As driven(), for a function that needs cuInit.
template <class Body>
CUresult once_initialised(Function function, Body body) {
  return driven(function, [&](Call& call) {
    return is_driver_initialised() ? body(call) : cudaErrorInitializationError;
  });
}

/// cudaErrorDeviceUninitialized, the driver's CUDA_ERROR_INVALID_CONTEXT, where this thread has no current context.
cudaError_t check_context();

/// As driven(), for a function that needs a current context.
template <class Body>
CUresult in_context(Function function, Body body) {
  return once_initialised(function, [&](Call& call) {
    const cudaError_t error = check_context();
    return error != cudaSuccess ? error : body(call);
  });
}

/// What the two APIs have under two names, with the same values and the same layout: it becomes what the other function takes.
template <class From>
class Same {
 public:
  explicit Same(From value) : value_(value) {}
  template <class To>
  // NOLINTNEXTLINE(google-explicit-constructor): it is written where an argument is converted
  operator To() const {
    if constexpr (std::is_pointer_v<To> || std::is_pointer_v<From>)
      return reinterpret_cast<To>(value_);
    else if constexpr (std::is_class_v<To>)
      return std::bit_cast<To>(value_);
    else
      return static_cast<To>(value_);
  }

 private:
  From value_;
};
template <class From>
Same<From> same(From value) {
  return Same<From>(value);
}

inline Context* context_of(CUcontext context) { return reinterpret_cast<Context*>(context); }
inline CUcontext handle_of(const Context* context) {
  return reinterpret_cast<CUcontext>(const_cast<Context*>(context));
}

}  // namespace warpbook::device::runtime
