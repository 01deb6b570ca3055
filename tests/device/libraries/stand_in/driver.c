/* A stand-in for libcuda.so.1, for the tests: a driver that says it is for WARPBOOK_DRIVER_CUDA, whose cuInit gives
   WARPBOOK_DRIVER_INIT, or dies where that is negative. It has nothing else. */
#include <stdlib.h>

int cuInit(unsigned int flags) {
  (void)flags;
  if (WARPBOOK_DRIVER_INIT < 0) abort();
  return WARPBOOK_DRIVER_INIT;
}

int cuDriverGetVersion(int* version) {
  *version = WARPBOOK_DRIVER_CUDA;
  return 0;
}

int cuGetErrorName(int status, const char** name) {
  *name = status == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
