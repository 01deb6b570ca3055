// All handlers of the AVX2 build.
#include "device/simulator/execute/handlers/build.hpp"

namespace warpbook::device::isa {

const HandlerBuild kAvx2Handlers = {
    "avx2",           kCommonHandlers, avx2::bind_integer, avx2::bind_bits,
    avx2::bind_float, avx2::bind_half, avx2::bind_convert, avx2::bind_compare,
    avx2::bind_move,  avx2::bind_pack, avx2::bind_memory,  avx2::bind_atomic,
    avx2::bind_matrix};

}  // namespace warpbook::device::isa
