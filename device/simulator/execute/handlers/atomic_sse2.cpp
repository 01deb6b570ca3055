// The SSE2 build of handlers/atomic.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/atomic.inc"
