/* A libcuda.so.1 that asks the program for its functions: tests/gpu/simulated_driver.cpp has them, and only test_gpu has that. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): glibc's own name */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

int cuInit(unsigned int flags) {
  (void)flags;
  return dlsym(RTLD_DEFAULT, "warpbook_simulated_driver") != NULL ? 0 : 100;
}

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}

int cuGetProcAddress_v2(const char* name, void** function, int cuda, uint64_t flags, int* state) {
  void* (*find)(const char*) = NULL;
  (void)cuda, (void)flags;
  *(void**)&find = dlsym(RTLD_DEFAULT, "warpbook_simulated_driver");
  *function = find != NULL ? find(name) : NULL;
  *state = *function != NULL ? 0 : 1;
  return *function != NULL ? 0 : 500;
}
