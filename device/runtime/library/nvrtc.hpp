// Cubins that the program had NVRTC make. They hold machine code, which the simulator does not run; but NVRTC makes each of them
// from PTX, and gives that as well.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::device::runtime {

/// The PTX from which NVRTC made a cubin of these bytes in this process; null where it made none.
const std::string* ptx_of_cubin(std::string_view cubin);

}  // namespace warpbook::device::runtime
