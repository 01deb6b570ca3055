// The functions of the driver that this library has under a second name, and those that it does not have: a program that calls one
// is told CUDA_ERROR_NOT_SUPPORTED, and the call log names it. Without cuda.h, whose macros give these names other meanings.
#include "device/runtime/cuda_error.hpp"
#include "device/runtime/library/call.hpp"

namespace {

int answer_for_absent(warpbook::device::runtime::Function function) {
  using namespace warpbook::device::runtime;
  if (Session* const session = Session::get()) Call(*session, function).note(kNotSupported);
  return kNotSupported;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): CUDA's own names
#pragma GCC visibility push(default)
extern "C" {

#define WHOLE(area, name)
#define PART(area, name, note)
#define SAME(area, name, as) \
  __attribute__((naked)) void name() { __asm__("jmp " #as "@PLT"); }
#define ABSENT(area, name) \
  int name() { return answer_for_absent(warpbook::device::runtime::Function::name); }
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
}
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
