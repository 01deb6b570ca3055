// The AVX2 build of handlers/matrix.inc.
#define WARPBOOK_HANDLERS avx2
#include "device/simulator/execute/handlers/matrix.inc"
