// The SSE2 build of handlers/bits.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/isa/handlers/bits.inc"
