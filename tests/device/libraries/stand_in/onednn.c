/* A stand-in for libdnnl.so.2, for the tests, that says it is version 3.1.4 and has nothing else. */
static const struct {
  int major, minor, patch;
  const char* hash;
  unsigned cpu_runtime, gpu_runtime;
} kVersion = {3, 1, 4, "none", 0, 0};

const void* dnnl_version(void) { return &kVersion; }
