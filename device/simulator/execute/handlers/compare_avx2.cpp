// The AVX2 build of handlers/compare.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/compare.inc"
