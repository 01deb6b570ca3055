// The SSE2 build of handlers/matrix.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/execute/handlers/matrix.inc"
