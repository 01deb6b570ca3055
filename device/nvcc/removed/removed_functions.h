// Functions of the CUDA runtime that CUDA 13 removed, or to which it gave other parameters, each in terms of the one that
// replaced it. Public programs still call them, and all that is here can be done exactly.
//
// What cannot: texture and surface references (`texture<float, 2>`, cudaBindTexture), which the compiler itself no longer
// knows; the members clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled, maxTexture1DLinear,
// singleToDoublePrecisionPerfRatio and cooperativeMultiDeviceLaunch of cudaDeviceProp (cudaDeviceGetAttribute still has most of
// them); cudaLaunchCooperativeKernelMultiDevice; the warp functions without _sync (__shfl, __ballot, __any, __all), which GPUs
// since Volta cannot keep the promise of.
#pragma once

#include_next <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000

static inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
static inline cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
// They converted for GPUs without double precision, and had done nothing since.
static inline cudaError_t cudaSetDoubleForDevice(double* value) {
  (void)value;
  return cudaSuccess;
}
static inline cudaError_t cudaSetDoubleForHost(double* value) {
  (void)value;
  return cudaSuccess;
}

// CUDA 12 had the present parameters under these names, and CUDA 13 has them under the plain ones.
#define cudaEventElapsedTime_v2 cudaEventElapsedTime
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties
#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphAddNode_v2 cudaGraphAddNode
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
#define cudaMemAdvise_v2 cudaMemAdvise
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies

#ifdef __cplusplus

// Where a device's number said the place: cudaCpuDeviceId is the host.
static inline cudaMemLocation warpbook_location_of(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
  return cudaMemAdvise(pointer, bytes, advice, warpbook_location_of(device));
}
static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, bytes, warpbook_location_of(device), 0, stream);
}

// Graphs whose edges have no data. As in CUDA 12, asking for edges that have some is an error, of the function that is called.
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, NULL, count, parameters);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, NULL, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, NULL, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                            cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, NULL, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t* dependencies,
                                                       size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, NULL, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t* dependents,
                                                         size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, NULL, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                      cudaStreamCaptureStatus* status,
                                                      unsigned long long* id = NULL,
                                                      cudaGraph_t* graph = NULL,
                                                      const cudaGraphNode_t** dependencies = NULL,
                                                      size_t* count = NULL) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, NULL, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                              cudaGraphNode_t* dependencies,
                                                              size_t count, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, NULL, count, flags);
}

#endif  // __cplusplus
#endif  // CUDART_VERSION
