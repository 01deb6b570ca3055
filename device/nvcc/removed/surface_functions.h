// A header that CUDA 13 removed. What it had for texture and surface objects comes with cuda_runtime.h.
#pragma once

#include <cuda_runtime.h>
