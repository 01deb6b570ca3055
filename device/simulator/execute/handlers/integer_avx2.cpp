// The AVX2 build of handlers/integer.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/integer.inc"
