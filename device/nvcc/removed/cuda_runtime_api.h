// In front of CUDA's own header of this name: adds what CUDA 12 and 13 removed from it.
#pragma once

#include_next <cuda_runtime_api.h>

#include "removed_functions.h"
