// All handlers of the SSE2 build.
#include "device/simulator/execute/handlers/build.hpp"

namespace warpbook::device::isa {

const HandlerBuild kSse2Handlers = {
    "sse2",           kCommonHandlers, sse2::bind_integer, sse2::bind_bits,
    sse2::bind_float, sse2::bind_half, sse2::bind_convert, sse2::bind_compare,
    sse2::bind_move,  sse2::bind_pack, sse2::bind_memory,  sse2::bind_atomic,
    sse2::bind_matrix};

}  // namespace warpbook::device::isa
