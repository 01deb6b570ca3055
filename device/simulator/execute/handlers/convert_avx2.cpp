// The AVX2 build of handlers/convert.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/convert.inc"
