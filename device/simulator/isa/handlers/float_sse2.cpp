// The SSE2 build of handlers/float.inc.
#define WARPBOOK_HANDLERS sse2
#include "device/simulator/isa/handlers/float.inc"
