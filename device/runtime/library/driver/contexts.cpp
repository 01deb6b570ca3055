// Contexts of the driver API: those that a program makes, and the primary ones, in which the runtime works.
#include <cstddef>
#include <iterator>
#include <map>
#include <mutex>

#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

namespace {

constexpr unsigned kApiVersion = 3020;  ///< of every context that cuCtxCreate_v2 and newer make

/// One way of waiting at most, and no flag that is not known.
bool are_context_flags(unsigned flags) {
  const unsigned waiting = flags & CU_CTX_SCHED_MASK;
  return (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0 &&
         (waiting == CU_CTX_SCHED_AUTO || waiting == CU_CTX_SCHED_SPIN ||
          waiting == CU_CTX_SCHED_YIELD || waiting == CU_CTX_SCHED_BLOCKING_SYNC);
}

/// A context of the program, by its handle. Errors: cudaErrorDeviceUninitialized where it is none, cudaErrorContextIsDestroyed.
cudaError_t known_context(CUcontext handle, Context*& context) {
  context = context_of(handle);
  if (!context || !is_context(context)) return cudaErrorDeviceUninitialized;
  return context->active ? cudaSuccess : cudaErrorContextIsDestroyed;
}

cudaError_t make_context(Call& call, CUcontext* context, unsigned flags, CUdevice device) {
  if (!context || !are_context_flags(flags)) return cudaErrorInvalidValue;
  if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
  Context& made = create_context(device, flags);
  push_context(&made);
  *context = handle_of(&made);
  return cudaSuccess;
}

/// While a function of the runtime works in another context than the current one.
class InContext {
 public:
  explicit InContext(Context* context) { push_context(context); }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() { pop_context(); }
};

}  // namespace

// Contexts that the program makes

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned flags,
                     CUdevice device) {
  return once_initialised(Function::cuCtxCreate, [&](Call& call) {
    // Parts of a GPU, and contexts for graphics, are not simulated.
    if (parameters && (parameters->numExecAffinityParams != 0 || parameters->cigParams))
      return cudaErrorNotSupported;
    return make_context(call, context, flags, device);
  });
}

CUresult cuCtxDestroy(CUcontext handle) {
  return once_initialised(Function::cuCtxDestroy, [&](Call& call) {
    Context* context = nullptr;
    if (const cudaError_t error = known_context(handle, context)) return error;
    // Primary contexts end by cuDevicePrimaryCtxRelease.
    if (context->primary) return cudaErrorDeviceUninitialized;
    destroy_context(call, *context);
    if (current_context() == context) pop_context();
    return cudaSuccess;
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  return once_initialised(Function::cuCtxPushCurrent, [&](Call&) {
    Context* context = nullptr;
    if (const cudaError_t error = known_context(handle, context)) return error;
    push_context(context);
    return cudaSuccess;
  });
}

CUresult cuCtxPopCurrent(CUcontext* handle) {
  return once_initialised(Function::cuCtxPopCurrent, [&](Call&) {
    const Context* const context = pop_context();
    if (!context) return cudaErrorDeviceUninitialized;
    if (handle) *handle = handle_of(context);
    return cudaSuccess;
  });
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return once_initialised(Function::cuCtxSetCurrent, [&](Call&) {
    Context* context = nullptr;
    if (handle) {
      if (const cudaError_t error = known_context(handle, context)) return error;
    }
    set_current_context(context);
    return cudaSuccess;
  });
}

CUresult cuCtxGetCurrent(CUcontext* handle) {
  return once_initialised(Function::cuCtxGetCurrent, [&](Call&) {
    if (!handle) return cudaErrorInvalidValue;
    *handle = handle_of(current_context());
    return cudaSuccess;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context(Function::cuCtxGetDevice, [&](Call&) {
    if (!device) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  return in_context(Function::cuCtxGetDevice_v2, [&](Call&) {
    Context* context = current_context();
    if (!device) return cudaErrorInvalidValue;
    if (handle) {
      if (const cudaError_t error = known_context(handle, context)) return error;
    }
    *device = context->device;
    return cudaSuccess;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return in_context(Function::cuCtxGetFlags, [&](Call&) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = current_context()->flags;
    return cudaSuccess;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return in_context(Function::cuCtxSetFlags, [&](Call&) {
    if (!are_context_flags(flags)) return cudaErrorInvalidValue;
    current_context()->flags = flags;
    return cudaSuccess;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return in_context(Function::cuCtxGetId, [&](Call&) {
    Context* context = current_context();
    if (!id) return cudaErrorInvalidValue;
    if (handle) {
      if (const cudaError_t error = known_context(handle, context)) return error;
    }
    *id = context->id;
    return cudaSuccess;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  return once_initialised(Function::cuCtxGetApiVersion, [&](Call&) {
    Context* context = current_context();
    if (!version) return cudaErrorInvalidValue;
    if (handle) {
      if (const cudaError_t error = known_context(handle, context)) return error;
    }
    if (!context) return cudaErrorDeviceUninitialized;
    *version = kApiVersion;
    return cudaSuccess;
  });
}

CUresult cuCtxSynchronize() {
  return in_context(Function::cuCtxSynchronize, [](Call&) { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  return in_context(Function::cuCtxSynchronize_v2, [&](Call&) {
    Context* context = current_context();
    if (handle) {
      if (const cudaError_t error = known_context(handle, context)) return error;
    }
    const InContext inside(context);
    return cudaDeviceSynchronize();
  });
}

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return in_context(Function::cuCtxSetLimit,
                    [&](Call&) { return cudaDeviceSetLimit(same(limit), value); });
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return in_context(Function::cuCtxGetLimit,
                    [&](Call&) { return cudaDeviceGetLimit(value, same(limit)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context(Function::cuCtxGetCacheConfig,
                    [&](Call&) { return cudaDeviceGetCacheConfig(same(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context(Function::cuCtxSetCacheConfig,
                    [&](Call&) { return cudaDeviceSetCacheConfig(same(config)); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context(Function::cuCtxGetStreamPriorityRange,
                    [&](Call&) { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxResetPersistingL2Cache() {
  return in_context(Function::cuCtxResetPersistingL2Cache, [](Call&) { return cudaSuccess; });
}

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned flags) {
  return in_context(Function::cuCtxEnablePeerAccess, [&](Call&) {
    Context* context = nullptr;
    if (const cudaError_t error = known_context(handle, context)) return error;
    return cudaDeviceEnablePeerAccess(context->device, flags);
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  return in_context(Function::cuCtxDisablePeerAccess, [&](Call&) {
    Context* context = nullptr;
    if (const cudaError_t error = known_context(handle, context)) return error;
    return cudaDeviceDisablePeerAccess(context->device);
  });
}

// Primary contexts

CUresult cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  return once_initialised(Function::cuDevicePrimaryCtxRetain, [&](Call& call) {
    if (!handle) return cudaErrorInvalidValue;
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    Context& context = primary_context(device);
    ++context.retains;
    context.active = true;
    *handle = handle_of(&context);
    return cudaSuccess;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return once_initialised(Function::cuDevicePrimaryCtxRelease, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    Context& context = primary_context(device);
    if (context.retains == 0) return cudaErrorDeviceUninitialized;
    // The runtime keeps it, too, from its first call on.
    if (--context.retains == 0 && !context.used_by_runtime) reset_primary_context(call, device);
    return cudaSuccess;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return once_initialised(Function::cuDevicePrimaryCtxReset, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    const InContext inside(&primary_context(device));
    return cudaDeviceReset();
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return once_initialised(Function::cuDevicePrimaryCtxSetFlags, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    if (!are_context_flags(flags)) return cudaErrorInvalidValue;
    primary_context(device).flags = flags;
    return cudaSuccess;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return once_initialised(Function::cuDevicePrimaryCtxGetState, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    if (!flags || !active) return cudaErrorInvalidValue;
    const Context& context = primary_context(device);
    *flags = context.flags;
    *active = context.active ? 1 : 0;
    return cudaSuccess;
  });
}
