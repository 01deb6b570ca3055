#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {
namespace {

/// An event of the program, as cudaEvent_t points to it.
struct EventHandle {
  std::uint32_t id = 0;
  unsigned flags = 0;
  int device = 0;
  const Context* context = nullptr;
};

using Attributes = std::map<cudaStreamAttrID, cudaStreamAttrValue>;

struct Handles {
  std::mutex mutex;
  std::set<const void*> streams, events;
  std::map<std::uint32_t, Attributes> attributes;  ///< by the number of a stream
};
Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

StreamHandle* handle_of(cudaStream_t stream) { return reinterpret_cast<StreamHandle*>(stream); }
EventHandle* handle_of(cudaEvent_t event) { return reinterpret_cast<EventHandle*>(event); }

bool is_event(cudaEvent_t event) {
  const std::lock_guard lock(handles().mutex);
  return handles().events.contains(event);
}

cudaError_t create_stream(Call& call, cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
  const auto made = call.session.ask(CreateStream{flags != cudaStreamNonBlocking});
  if (!made) return cudaErrorInitializationError;
  if (made->error != 0) return static_cast<cudaError_t>(made->error);
  auto* handle =
      new StreamHandle{made->stream, flags, priority, current_device(), current_context()};
  const std::lock_guard lock(handles().mutex);
  handles().streams.insert(handle);
  *stream = reinterpret_cast<cudaStream_t>(handle);
  call.values(0, 0, 0, made->stream);
  return cudaSuccess;
}

cudaError_t create_event(Call& call, cudaEvent_t* event, unsigned flags) {
  constexpr unsigned kKnown =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!event || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  // Between processes there is no timing.
  if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0)
    return cudaErrorInvalidValue;
  static std::atomic<std::uint32_t> last{0};
  auto* handle = new EventHandle{++last, flags, current_device(), current_context()};
  const std::lock_guard lock(handles().mutex);
  handles().events.insert(handle);
  *event = reinterpret_cast<cudaEvent_t>(handle);
  (void)call;
  return cudaSuccess;
}

void forget_attributes(std::uint32_t stream) {
  const std::lock_guard lock(handles().mutex);
  handles().attributes.erase(stream);
}

/// What a stream keeps for its launches. It changes nothing that a simulated GPU can tell apart, and programs may ask for it again.
bool is_stream_attribute(cudaStreamAttrID attribute) {
  return attribute == cudaStreamAttributeAccessPolicyWindow ||
         attribute == cudaStreamAttributeSynchronizationPolicy ||
         attribute == cudaStreamAttributeMemSyncDomainMap ||
         attribute == cudaStreamAttributeMemSyncDomain;
}

cudaError_t record(Call& call, cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  std::uint32_t number = 0;
  if (!is_event(event)) return cudaErrorInvalidResourceHandle;
  if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  if (handle_of(event)->device != device_of(stream)) return cudaErrorInvalidResourceHandle;
  call.values(handle_of(event)->id, 0, 0, number);
  // An external event is recorded each time that the graph runs; another one stands for its place in the graph.
  if (flags == cudaEventRecordExternal) return submit(call, stream, RecordWork{event});
  bool captured = false;
  if (const cudaError_t error = capture_record(event, number, captured)) return error;
  return captured ? cudaSuccess : run(call, RecordWork{event}, {number, false, call.number()});
}

cudaError_t wait(Call& call, cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  std::uint32_t number = 0;
  if (!is_event(event)) return cudaErrorInvalidResourceHandle;
  if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  call.values(handle_of(event)->id, 0, 0, number);
  if (flags == cudaEventWaitExternal) return submit(call, stream, WaitWork{event});
  bool captured = false;
  if (const cudaError_t error = capture_wait(event, number, is_blocking(stream), captured))
    return error;
  return captured ? cudaSuccess : run(call, WaitWork{event}, {number, false, call.number()});
}

/// A function of the program that a stream is to reach: one that hears of errors, or one that is not called after them. Deleted by
/// the call.
struct HostCall {
  cudaHostFn_t function = nullptr;
  cudaStreamCallback_t callback = nullptr;
  cudaStream_t stream = nullptr;
  void* data = nullptr;
};

void call_back(void* argument, std::int32_t error) {
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(argument));
  if (call->callback)
    call->callback(call->stream, static_cast<cudaError_t>(error), call->data);
  else if (error == cudaSuccess)
    call->function(call->data);
}

cudaError_t queue(Call& call, const HostCall& wanted, const Order& order) {
  if (!call.session.serve_callbacks()) return cudaErrorInitializationError;
  auto kept = std::make_unique<HostCall>(wanted);
  const cudaError_t error =
      call.ask(QueueHostFunction{reinterpret_cast<std::uint64_t>(&call_back),
                                 address_of(kept.get()), order.stream, order.call});
  if (error == cudaSuccess) (void)kept.release();
  return error;
}

}  // namespace

bool is_blocking(cudaStream_t stream) {
  const std::lock_guard lock(handles().mutex);
  return !handles().streams.contains(stream) || handle_of(stream)->flags != cudaStreamNonBlocking;
}

cudaError_t run(Call& call, const RecordWork& work, const Order& order) {
  if (!is_event(work.event)) return cudaErrorInvalidResourceHandle;
  return call.ask(RecordEvent{handle_of(work.event)->id, order.stream, order.call});
}

cudaError_t run(Call& call, const WaitWork& work, const Order& order) {
  if (!is_event(work.event)) return cudaErrorInvalidResourceHandle;
  return call.ask(WaitEvent{handle_of(work.event)->id, order.stream});
}

cudaError_t run(Call& call, const HostWork& work, const Order& order) {
  return queue(call, {work.function, nullptr, nullptr, work.argument}, order);
}

cudaError_t stream_number(Call& call, cudaStream_t stream, std::uint32_t& number) {
  number = 0;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaSuccess;
  if (stream == cudaStreamPerThread) {
    thread_local std::uint32_t own = 0;
    if (own == 0) {
      const auto made = call.session.ask(CreateStream{true});
      if (!made) return cudaErrorInitializationError;
      own = made->stream;
    }
    number = own;
    return cudaSuccess;
  }
  const std::lock_guard lock(handles().mutex);
  if (!handles().streams.contains(stream)) return cudaErrorInvalidResourceHandle;
  number = handle_of(stream)->id;
  return cudaSuccess;
}

int device_of(cudaStream_t stream) {
  const bool made =
      stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
  return made ? handle_of(stream)->device : current_device();
}

const Context* context_of(cudaStream_t stream) {
  const bool made =
      stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
  return made ? handle_of(stream)->context : current_context();
}

void forget_streams_of(const Context& context) {
  const std::lock_guard lock(handles().mutex);
  std::erase_if(handles().streams, [&](const void* handle) {
    return static_cast<const StreamHandle*>(handle)->context == &context;
  });
  std::erase_if(handles().events, [&](const void* handle) {
    return static_cast<const EventHandle*>(handle)->context == &context;
  });
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return traced(Function::cudaStreamCreate,
                [&](Call& call) { return create_stream(call, stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return traced(Function::cudaStreamCreateWithFlags,
                [&](Call& call) { return create_stream(call, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return traced(Function::cudaStreamCreateWithPriority, [&](Call& call) {
    return create_stream(call, stream, flags, std::clamp(priority, kGreatestPriority, 0));
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return traced(Function::cudaStreamDestroy, [&](Call& call) {
    {
      const std::lock_guard lock(handles().mutex);
      if (handles().streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    }
    const std::unique_ptr<StreamHandle> gone(handle_of(stream));
    forget_captured(gone->id);
    forget_attributes(gone->id);
    call.values(0, 0, 0, gone->id);
    return call.ask(DestroyStream{gone->id});
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return traced(Function::cudaStreamSynchronize, [&](Call& call) {
    std::uint32_t number = 0;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    call.values(0, 0, 0, number);
    if (const cudaError_t error = check_wait(number)) return error;
    return call.ask(Synchronise{number});
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return traced(Function::cudaStreamQuery, [&](Call& call) {
    std::uint32_t number = 0;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    call.values(0, 0, 0, number);
    if (const cudaError_t error = check_wait(number)) return error;
    return call.ask(QueryStream{number});
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return traced(Function::cudaStreamWaitEvent,
                [&](Call& call) { return wait(call, stream, event, flags); });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return traced(Function::cudaStreamGetFlags, [&](Call& call) {
    std::uint32_t number = 0;
    if (!flags) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const bool made =
        stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
    *flags = made ? handle_of(stream)->flags : unsigned{cudaStreamDefault};
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return traced(Function::cudaStreamGetPriority, [&](Call& call) {
    std::uint32_t number = 0;
    if (!priority) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const bool made =
        stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
    *priority = made ? handle_of(stream)->priority : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return traced(Function::cudaStreamGetId, [&](Call& call) {
    std::uint32_t number = 0;
    if (!id) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    *id = number;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return traced(Function::cudaStreamGetDevice, [&](Call& call) {
    std::uint32_t number = 0;
    if (!device) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    *device = device_of(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return traced(Function::cudaStreamSetAttribute, [&](Call& call) {
    std::uint32_t number = 0;
    if (!value || !is_stream_attribute(attribute)) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const std::lock_guard lock(handles().mutex);
    handles().attributes[number][attribute] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return traced(Function::cudaStreamGetAttribute, [&](Call& call) {
    std::uint32_t number = 0;
    if (!value || !is_stream_attribute(attribute)) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const std::lock_guard lock(handles().mutex);
    const Attributes& known = handles().attributes[number];
    const auto set = known.find(attribute);
    *value = set == known.end() ? cudaStreamAttrValue{} : set->second;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return traced(Function::cudaStreamCopyAttributes, [&](Call& call) {
    std::uint32_t target = 0, source = 0;
    if (const cudaError_t error = stream_number(call, to, target)) return error;
    if (const cudaError_t error = stream_number(call, from, source)) return error;
    const std::lock_guard lock(handles().mutex);
    const Attributes copied = handles().attributes[source];
    handles().attributes[target] = copied;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return traced(Function::cudaLaunchHostFunc, [&](Call& call) {
    std::uint32_t number = 0;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    if (!function) return cudaErrorInvalidValue;
    call.values(0, 0, 0, number);
    return submit(call, stream, HostWork{function, data});
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
  return traced(Function::cudaStreamAddCallback, [&](Call& call) {
    std::uint32_t number = 0;
    if (!function || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    // Unlike cudaLaunchHostFunc it cannot be captured: its callback is called once.
    if (const cudaError_t error = check_wait(number)) return error;
    call.values(0, 0, 0, number);
    return queue(call, {nullptr, function, stream, data}, {number, false, call.number()});
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return traced(Function::cudaEventCreate,
                [&](Call& call) { return create_event(call, event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return traced(Function::cudaEventCreateWithFlags,
                [&](Call& call) { return create_event(call, event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return traced(Function::cudaEventDestroy, [&](Call&) {
    const std::lock_guard lock(handles().mutex);
    if (handles().events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
    forget_captured(event);
    delete handle_of(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return traced(Function::cudaEventRecord,
                [&](Call& call) { return record(call, event, stream, 0); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return traced(Function::cudaEventRecordWithFlags,
                [&](Call& call) { return record(call, event, stream, flags); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return traced(Function::cudaEventQuery, [&](Call& call) {
    if (!is_event(event)) return cudaErrorInvalidResourceHandle;
    call.values(handle_of(event)->id);
    if (const cudaError_t error = check_wait(event)) return error;
    const auto state = call.session.ask(AskEvent{handle_of(event)->id, false, call.number()});
    if (!state) return cudaErrorInitializationError;
    if (const cudaError_t error = Call::error_of(state->answer)) return error;
    return state->complete ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return traced(Function::cudaEventSynchronize, [&](Call& call) {
    if (!is_event(event)) return cudaErrorInvalidResourceHandle;
    call.values(handle_of(event)->id);
    if (const cudaError_t error = check_wait(event)) return error;
    const auto state = call.session.ask(AskEvent{handle_of(event)->id, true, call.number()});
    return state ? Call::error_of(state->answer) : cudaErrorInitializationError;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return traced(Function::cudaEventElapsedTime, [&](Call& call) {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!is_event(begin) || !is_event(end)) return cudaErrorInvalidResourceHandle;
    if (handle_of(begin)->device != handle_of(end)->device) return cudaErrorInvalidResourceHandle;
    if (((handle_of(begin)->flags | handle_of(end)->flags) & cudaEventDisableTiming) != 0)
      return cudaErrorInvalidResourceHandle;
    call.values(handle_of(begin)->id, handle_of(end)->id);
    if (const cudaError_t error = check_wait(begin)) return error;
    if (const cudaError_t error = check_wait(end)) return error;
    const auto first = call.session.ask(AskEvent{handle_of(begin)->id, false, call.number()});
    const auto last = call.session.ask(AskEvent{handle_of(end)->id, false, call.number()});
    if (!first || !last) return cudaErrorInitializationError;
    if (const cudaError_t error = Call::error_of(last->answer)) return error;
    if (!first->recorded || !last->recorded) return cudaErrorInvalidResourceHandle;
    if (!first->complete || !last->complete) return cudaErrorNotReady;
    constexpr double kMilliseconds = 1e3;
    *milliseconds = static_cast<float>((last->seconds - first->seconds) * kMilliseconds);
    return cudaSuccess;
  });
}
