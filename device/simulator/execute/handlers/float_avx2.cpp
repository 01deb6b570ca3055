// The AVX2 build of handlers/float.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/float.inc"
