// The SSE2 build of handlers/float.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/float.inc"
