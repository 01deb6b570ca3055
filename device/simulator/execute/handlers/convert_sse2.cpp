// The SSE2 build of handlers/convert.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/convert.inc"
