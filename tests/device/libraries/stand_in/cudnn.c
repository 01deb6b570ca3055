/* A stand-in for libcudnn.so.9, for the tests, that says it is version WARPBOOK_CUDNN_VERSION and has nothing else. */
#include <stddef.h>

size_t cudnnGetVersion(void) { return WARPBOOK_CUDNN_VERSION; }
