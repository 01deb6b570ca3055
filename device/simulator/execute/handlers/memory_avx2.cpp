// The AVX2 build of handlers/memory.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/memory.inc"
