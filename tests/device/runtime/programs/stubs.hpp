// The kernels of kernels.cu as a program sees them.
#pragma once

#include "tests/device/runtime/programs/program.hpp"

namespace program {

struct Mixed {
  char first;
  double second;
  short third[3];
};

// What nvcc makes of a kernel's name in host code is a function; its address is all that is used of it here. Each has a body of
// its own, so that no linker takes two for one.
#define STUB(name, ...)           \
  inline void name(__VA_ARGS__) { \
    static volatile int here = 0; \
    here = here + 1;              \
  }
STUB(add_one, int*, int)
STUB(add_one_pitched, char*, std::size_t, int, int, int)
STUB(scale_by_symbols, int*)
STUB(add_to_managed, int)
STUB(write_wild)
STUB(write_misaligned, char*)
STUB(fail_assertion, int)
STUB(trap)
STUB(print_threads)
STUB(through_shared, int*, int)
STUB(static_shared, int*)
STUB(bounded, int*)
STUB(wait_for_host, volatile int*, volatile int*)
STUB(spin_for_ever, volatile int*)
STUB(work, float*, int)
STUB(append, int*, int*, int)
STUB(count_cluster, int*)
STUB(set_to, int*, int)
STUB(add_to, int*, int)
STUB(multiply_by, int*, int)
STUB(sample_2d, cudaTextureObject_t, float*, int)
STUB(fetch_1d, cudaTextureObject_t, float*)
STUB(double_surface, cudaSurfaceObject_t)
STUB(take_mixed, double*, char, Mixed, short, float)
STUB(never_registered, int)
STUB(not_in_code, int)
#undef STUB

inline int counter;
inline int factors[4];
inline int* shared_flag;

/// All of kernels.cu, registered.
inline void register_all(Kernels& kernels) {
  kernels.function(add_one, "add_one");
  kernels.function(add_one_pitched, "add_one_pitched");
  kernels.function(scale_by_symbols, "scale_by_symbols");
  kernels.function(add_to_managed, "add_to_managed");
  kernels.function(write_wild, "write_wild");
  kernels.function(write_misaligned, "write_misaligned");
  kernels.function(fail_assertion, "fail_assertion");
  kernels.function(trap, "trap");
  kernels.function(print_threads, "print_threads");
  kernels.function(through_shared, "through_shared");
  kernels.function(static_shared, "static_shared");
  kernels.function(bounded, "bounded");
  kernels.function(wait_for_host, "wait_for_host");
  kernels.function(spin_for_ever, "spin_for_ever");
  kernels.function(work, "work");
  kernels.function(append, "append");
  kernels.function(count_cluster, "count_cluster");
  kernels.function(set_to, "set_to");
  kernels.function(add_to, "add_to");
  kernels.function(multiply_by, "multiply_by");
  kernels.function(sample_2d, "sample_2d");
  kernels.function(fetch_1d, "fetch_1d");
  kernels.function(double_surface, "double_surface");
  kernels.function(take_mixed, "take_mixed");
  kernels.function(not_in_code, "not_in_code");
  kernels.variable(counter, "counter");
  kernels.variable(factors, "factors");
  kernels.managed(shared_flag, "shared_flag");
  kernels.registered();
}

/// The main of a program of these tests: PROGRAM PTX CASE.
inline int main_of(int argc, char** argv, std::initializer_list<Case> cases) {
  if (argc < 3) return 101;
  if (std::string_view(argv[2]) == "--cases") return list_cases(cases);
  Kernels kernels(argv[1]);
  register_all(kernels);
  kernels.initialise();
  const int failed = run_case(argv[2], cases);
  std::fflush(stdout);
  return failed;
}

}  // namespace program
