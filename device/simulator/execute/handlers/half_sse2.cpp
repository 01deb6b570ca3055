// The SSE2 build of handlers/half.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/half.inc"
