// The AVX2 build of handlers/half.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/half.inc"
