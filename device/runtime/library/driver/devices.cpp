// Devices of the driver API: a CUdevice is the runtime's number of a device.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

namespace {

/// Runs a function that asks about a device: `ask` gets its properties.
template <class Ask>
CUresult about_device(Function function, CUdevice device, Ask ask) {
  return once_initialised(function, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    return ask(properties_of(call.session, device));
  });
}

}  // namespace

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return once_initialised(Function::cuDeviceGet, [&](Call& call) {
    if (!device) return cudaErrorInvalidValue;
    if (!is_device(call.session, ordinal)) return cudaErrorInvalidDevice;
    *device = ordinal;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return once_initialised(Function::cuDeviceGetCount,
                          [&](Call&) { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  return about_device(Function::cuDeviceGetName, device, [&](const cudaDeviceProp& properties) {
    if (!name || bytes <= 0) return cudaErrorInvalidValue;
    const std::size_t kept =
        std::min(std::strlen(properties.name), static_cast<std::size_t>(bytes) - 1);
    std::memcpy(name, properties.name, kept);
    name[kept] = '\0';
    return cudaSuccess;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return about_device(Function::cuDeviceGetUuid, device, [&](const cudaDeviceProp& properties) {
    if (!uuid) return cudaErrorInvalidValue;
    std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes), uuid->bytes);
    return cudaSuccess;
  });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return about_device(Function::cuDeviceTotalMem, device, [&](const cudaDeviceProp& properties) {
    if (!bytes) return cudaErrorInvalidValue;
    *bytes = properties.totalGlobalMem;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return once_initialised(Function::cuDeviceGetAttribute, [&](Call&) {
    return cudaDeviceGetAttribute(value, same(attribute), device);
  });
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return about_device(Function::cuDeviceComputeCapability, device,
                      [&](const cudaDeviceProp& properties) {
                        if (!major || !minor) return cudaErrorInvalidValue;
                        *major = properties.major;
                        *minor = properties.minor;
                        return cudaSuccess;
                      });
}

CUresult cuDeviceGetProperties(CUdevprop* to, CUdevice device) {
  return about_device(Function::cuDeviceGetProperties, device,
                      [&](const cudaDeviceProp& properties) {
                        if (!to) return cudaErrorInvalidValue;
                        to->maxThreadsPerBlock = properties.maxThreadsPerBlock;
                        std::copy(std::begin(properties.maxThreadsDim),
                                  std::end(properties.maxThreadsDim), to->maxThreadsDim);
                        std::copy(std::begin(properties.maxGridSize),
                                  std::end(properties.maxGridSize), to->maxGridSize);
                        to->sharedMemPerBlock = static_cast<int>(properties.sharedMemPerBlock);
                        to->totalConstantMemory = static_cast<int>(properties.totalConstMem);
                        to->SIMDWidth = properties.warpSize;
                        to->memPitch = static_cast<int>(properties.memPitch);
                        to->regsPerBlock = properties.regsPerBlock;
                        to->textureAlign = static_cast<int>(properties.textureAlignment);
                        return cudaDeviceGetAttribute(&to->clockRate, cudaDevAttrClockRate, device);
                      });
}

#pragma GCC diagnostic pop

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return once_initialised(Function::cuDeviceGetByPCIBusId,
                          [&](Call&) { return cudaDeviceGetByPCIBusId(device, text); });
}

CUresult cuDeviceGetPCIBusId(char* text, int bytes, CUdevice device) {
  return once_initialised(Function::cuDeviceGetPCIBusId,
                          [&](Call&) { return cudaDeviceGetPCIBusId(text, bytes, device); });
}

CUresult cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType type, CUdevice device) {
  return about_device(Function::cuDeviceGetExecAffinitySupport, device, [&](const cudaDeviceProp&) {
    if (!value || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX) return cudaErrorInvalidValue;
    *value = 0;
    return cudaSuccess;
  });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return once_initialised(Function::cuDeviceCanAccessPeer,
                          [&](Call&) { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device,
                                 CUdevice peer) {
  return once_initialised(Function::cuDeviceGetP2PAttribute, [&](Call&) {
    return cudaDeviceGetP2PAttribute(value, same(attribute), device, peer);
  });
}
