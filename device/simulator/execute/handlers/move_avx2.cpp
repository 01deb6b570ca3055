// The AVX2 build of handlers/move.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/move.inc"
