// The driver's handles are numbers.
#pragma once
#ifndef CUDA_VERSION
#define CUDA_VERSION (1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__)
#endif
typedef unsigned long long CUdeviceptr, CUdeviceptr_v2, CUtexObject, CUsurfObject;
