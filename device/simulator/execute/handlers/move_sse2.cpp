// The SSE2 build of handlers/move.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/move.inc"
