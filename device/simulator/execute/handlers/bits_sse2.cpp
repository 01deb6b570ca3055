// The SSE2 build of handlers/bits.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/bits.inc"
