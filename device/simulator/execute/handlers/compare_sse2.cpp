// The SSE2 build of handlers/compare.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/compare.inc"
