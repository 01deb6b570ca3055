// The SSE2 build of handlers/move.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/isa/handlers/move.inc"
