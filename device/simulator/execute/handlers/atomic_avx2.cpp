// The AVX2 build of handlers/atomic.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/atomic.inc"
