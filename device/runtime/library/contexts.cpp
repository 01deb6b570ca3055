#include "device/runtime/library/contexts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device/runtime/library/api.hpp"
#include "device/runtime/library/registry.hpp"

namespace warpbook::device::runtime {
namespace {

struct Contexts {
  std::mutex mutex;
  std::map<int, std::unique_ptr<Context>> primary;  ///< by device
  std::vector<std::unique_ptr<Context>> made;
  std::uint64_t last_id = 0;
};
Contexts& contexts() {
  static auto* const all = new Contexts;
  return *all;
}

/// This thread's contexts, the current one on top. A plain list, because a program may still call the runtime when its thread_local
/// objects are gone.
struct Entry {
  Context* context = nullptr;
  Entry* below = nullptr;
};
thread_local Entry* top = nullptr;
std::atomic<bool> initialised{false};

/// Functions that ask about the computer, and so need no context.
bool needs_no_context(Function function) {
  constexpr auto kAsking = std::to_array<Function>({
      Function::cudaChooseDevice,
      Function::cudaDeviceCanAccessPeer,
      Function::cudaDeviceGetAttribute,
      Function::cudaDeviceGetByPCIBusId,
      Function::cudaDeviceGetP2PAttribute,
      Function::cudaDeviceGetPCIBusId,
      Function::cudaDriverGetVersion,
      Function::cudaGetDevice,
      Function::cudaGetDeviceCount,
      Function::cudaGetDeviceProperties,
      Function::cudaGetDriverEntryPoint,
      Function::cudaGetDriverEntryPointByVersion,
      Function::cudaRuntimeGetVersion,
      Function::cudaSetDevice,
      Function::cudaSetDeviceFlags,
      Function::cudaSetValidDevices,
  });
  return std::ranges::find(kAsking, function) != kAsking.end();
}

}  // namespace

Context* current_context() { return top ? top->context : nullptr; }

void set_current_context(Context* context) {
  pop_context();
  if (context) push_context(context);
}

void push_context(Context* context) { top = new Entry{context, top}; }

Context* pop_context() {
  const std::unique_ptr<Entry> popped(top);
  if (!popped) return nullptr;
  top = popped->below;
  return popped->context;
}

int current_device() {
  const Context* const context = current_context();
  return context ? context->device : 0;
}

Context& primary_context(int device) {
  const std::lock_guard lock(contexts().mutex);
  auto& context = contexts().primary[device];
  if (!context)
    context = std::make_unique<Context>(Context{device, true, 0, ++contexts().last_id, false});
  return *context;
}

void enter_primary_context(Function function) {
  initialised.store(true, std::memory_order_relaxed);
  Context* context = current_context();
  if (context && context->active && context->used_by_runtime) return;
  if (needs_no_context(function)) return;
  if (!context) push_context(context = &primary_context(0));
  if (context->primary) context->active = context->used_by_runtime = true;
}

Context& create_context(int device, unsigned flags) {
  const std::lock_guard lock(contexts().mutex);
  contexts().made.push_back(
      std::make_unique<Context>(Context{device, false, flags, ++contexts().last_id, true}));
  return *contexts().made.back();
}

bool is_context(const Context* context) {
  const std::lock_guard lock(contexts().mutex);
  const auto is_it = [context](const auto& known) { return known.get() == context; };
  return std::ranges::any_of(contexts().made, is_it) ||
         std::ranges::any_of(contexts().primary,
                             [&](const auto& entry) { return is_it(entry.second); });
}

void destroy_context(Call& call, Context& context) {
  release_memory_of(call, context);
  forget_streams_of(context);
  unload_modules_of(context);
  context.active = context.used_by_runtime = false;
}

void reset_primary_context(Call& call, int device) {
  Context& context = primary_context(device);
  if (context.active) destroy_context(call, context);
}

bool is_driver_initialised() { return initialised.load(std::memory_order_relaxed); }

void initialise_driver() { initialised.store(true, std::memory_order_relaxed); }

}  // namespace warpbook::device::runtime
