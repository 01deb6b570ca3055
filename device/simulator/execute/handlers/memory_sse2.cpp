// The SSE2 build of handlers/memory.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/memory.inc"
