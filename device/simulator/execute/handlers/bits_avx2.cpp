// The AVX2 build of handlers/bits.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/bits.inc"
