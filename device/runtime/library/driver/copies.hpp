// Parameters of copies, as the driver API has them and as the runtime has them.
#pragma once

#include "device/runtime/library/driver/driver_api.hpp"

namespace warpbook::device::runtime {

/// Errors: cudaErrorInvalidValue, and cudaErrorInvalidResourceHandle for an array that is not known.
cudaError_t parameters_of(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters);
CUDA_MEMCPY3D parameters_of(const cudaMemcpy3DParms& parameters);

}  // namespace warpbook::device::runtime
