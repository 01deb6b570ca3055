// Contexts of the driver API. The runtime works in the primary context of a device; a program that uses both finds in one what it
// made in the other.
#pragma once

#include <cstdint>

#include "device/runtime/call_log.hpp"

namespace warpbook::device::runtime {

class Call;

/// As CUcontext points to it. It is never deleted, so that a thread to which it was current can be told that it was destroyed.
struct Context {
  int device = 0;
  bool primary = false;
  unsigned flags = 0;
  std::uint64_t id = 0;
  bool active =
      true;  ///< not yet destroyed; a primary context becomes active again when it is next used
  // Of a primary context, which ends when nobody needs it any more:
  std::uint32_t retains = 0;  ///< by cuDevicePrimaryCtxRetain
  bool used_by_runtime = false;
};

/// The one that is current to this thread; null where none is.
Context* current_context();
/// Replaces the current context; null takes it away.
void set_current_context(Context* context);
void push_context(Context* context);
/// Null where there is none.
Context* pop_context();

/// The device of the current context, or the first one.
int current_device();

/// The primary context of a device, active or not.
Context& primary_context(int device);
/// What most functions of the runtime do first: without a current context the thread gets its device's primary one, which is active
/// from then on.
void enter_primary_context(Function function);

Context& create_context(int device, unsigned flags);
/// Whether the program was given this context, which may have been destroyed since.
bool is_context(const Context* context);
/// Frees what belongs to the context. It stays known, so that those who still use it are told.
void destroy_context(Call& call, Context& context);
/// Frees what belongs to the device's primary context (cudaDeviceReset, cuDevicePrimaryCtxReset).
void reset_primary_context(Call& call, int device);

/// Whether cuInit, or a function of the runtime in its place, was called.
bool is_driver_initialised();
void initialise_driver();

}  // namespace warpbook::device::runtime
