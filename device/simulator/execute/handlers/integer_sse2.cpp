// The SSE2 build of handlers/integer.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/integer.inc"
