// The functions that this library has under a second name, and those that it does not have: a program that calls one is told
// cudaErrorNotSupported, and the call log names it.
#include "device/runtime/library/call.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's own names
#pragma GCC visibility push(default)
extern "C" {

#define WHOLE(area, name)
#define PART(area, name, note)
#define SAME(area, name, as) \
  __attribute__((naked)) void name() { __asm__("jmp " #as "@PLT"); }
#define ABSENT(area, name)                                                                 \
  cudaError_t name() {                                                                     \
    return warpbook::device::runtime::traced(warpbook::device::runtime::Function::name,    \
                                             [](auto&) { return cudaErrorNotSupported; }); \
  }
#include "device/runtime/functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
