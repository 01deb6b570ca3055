// Streams, events, host functions and captures of the driver API: those of the runtime.
#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

// Streams

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return in_context(Function::cuStreamCreate,
                    [&](Call&) { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return in_context(Function::cuStreamCreateWithPriority,
                    [&](Call&) { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return in_context(Function::cuStreamGetPriority,
                    [&](Call&) { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return in_context(Function::cuStreamGetDevice,
                    [&](Call&) { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return in_context(Function::cuStreamGetFlags,
                    [&](Call&) { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return in_context(Function::cuStreamGetId, [&](Call&) { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return in_context(Function::cuStreamGetCtx, [&](Call& call) {
    std::uint32_t number = 0;
    if (!context) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    *context = handle_of(context_of(stream));
    return cudaSuccess;
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return in_context(Function::cuStreamWaitEvent,
                    [&](Call&) { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                             unsigned flags) {
  return in_context(Function::cuStreamAddCallback, [&](Call&) {
    return cudaStreamAddCallback(stream, same(callback), data, flags);
  });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                              const CUstreamAttrValue* value) {
  return in_context(Function::cuStreamSetAttribute, [&](Call&) {
    return cudaStreamSetAttribute(stream, same(attribute), same(value));
  });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return in_context(Function::cuStreamGetAttribute, [&](Call&) {
    return cudaStreamGetAttribute(stream, same(attribute), same(value));
  });
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return in_context(Function::cuStreamCopyAttributes,
                    [&](Call&) { return cudaStreamCopyAttributes(to, from); });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, std::size_t length,
                                unsigned flags) {
  return in_context(Function::cuStreamAttachMemAsync, [&](Call&) {
    return cudaStreamAttachMemAsync(stream, same(pointer), length, flags);
  });
}

CUresult cuStreamQuery(CUstream stream) {
  return in_context(Function::cuStreamQuery, [&](Call&) { return cudaStreamQuery(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return in_context(Function::cuStreamSynchronize,
                    [&](Call&) { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return in_context(Function::cuStreamDestroy, [&](Call&) { return cudaStreamDestroy(stream); });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context(Function::cuLaunchHostFunc,
                    [&](Call&) { return cudaLaunchHostFunc(stream, function, data); });
}

// Events

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return in_context(Function::cuEventCreate,
                    [&](Call&) { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context(Function::cuEventRecord, [&](Call&) { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return in_context(Function::cuEventRecordWithFlags,
                    [&](Call&) { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return in_context(Function::cuEventQuery, [&](Call&) { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return in_context(Function::cuEventSynchronize,
                    [&](Call&) { return cudaEventSynchronize(event); });
}

CUresult cuEventDestroy(CUevent event) {
  return in_context(Function::cuEventDestroy, [&](Call&) { return cudaEventDestroy(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return in_context(Function::cuEventElapsedTime,
                    [&](Call&) { return cudaEventElapsedTime(milliseconds, begin, end); });
}

// Captures

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return in_context(Function::cuStreamBeginCapture,
                    [&](Call&) { return cudaStreamBeginCapture(stream, same(mode)); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     std::size_t count, CUstreamCaptureMode mode) {
  return in_context(Function::cuStreamBeginCaptureToGraph, [&](Call&) {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, same(edges), count,
                                         same(mode));
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return in_context(Function::cuThreadExchangeStreamCaptureMode,
                    [&](Call&) { return cudaThreadExchangeStreamCaptureMode(same(mode)); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return in_context(Function::cuStreamEndCapture,
                    [&](Call&) { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return in_context(Function::cuStreamIsCapturing,
                    [&](Call&) { return cudaStreamIsCapturing(stream, same(status)); });
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** dependencies,
                                const CUgraphEdgeData** edges, std::size_t* count) {
  return in_context(Function::cuStreamGetCaptureInfo, [&](Call&) {
    return cudaStreamGetCaptureInfo(stream, same(status), same(id), graph, dependencies,
                                    same(edges), count);
  });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                           const CUgraphEdgeData* edges, std::size_t count,
                                           unsigned flags) {
  return in_context(Function::cuStreamUpdateCaptureDependencies, [&](Call&) {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, same(edges), count, flags);
  });
}
