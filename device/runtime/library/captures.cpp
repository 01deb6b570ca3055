#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "device/runtime/library/graph.hpp"

namespace warpbook::device::runtime {
namespace {

/// A stream that takes part in a capture: its next node depends on these.
struct Branch {
  std::vector<Node*> ends;
  bool blocking = true;
};

struct Capture {
  std::uint64_t id = 0;
  std::shared_ptr<Graph> own;  ///< unless it goes into a graph of the program
  Graph* graph = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::uint32_t origin = 0;
  bool invalid = false;
  std::map<std::uint32_t, Branch> branches;  ///< by stream
  std::set<const Node*> let_go;              ///< by cudaStreamUpdateCaptureDependencies
};

/// An event that was last recorded in a capturing stream.
struct CapturedEvent {
  std::uint64_t capture = 0;
  std::vector<Node*> ends;
};

struct Captures {
  std::mutex mutex;
  std::vector<std::unique_ptr<Capture>> all;
  std::map<cudaEvent_t, CapturedEvent> events;
  std::uint64_t last_id = 0;
  /// Captures and captured events there are: most programs never have any, and need not take the lock.
  std::atomic<std::size_t> count{0};
};
Captures& captures() {
  static auto* const all = new Captures;
  return *all;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

bool none() { return captures().count.load(std::memory_order_acquire) == 0; }

// With the mutex held:

void count() { captures().count = captures().all.size() + captures().events.size(); }

Capture* of_stream(std::uint32_t stream) {
  for (const auto& capture : captures().all)
    if (capture->branches.contains(stream)) return capture.get();
  return nullptr;
}

Capture* of_id(std::uint64_t id) {
  for (const auto& capture : captures().all)
    if (capture->id == id) return capture.get();
  return nullptr;
}

bool has_blocking(const Capture& capture) {
  return std::ranges::any_of(capture.branches, [](const auto& b) { return b.second.blocking; });
}

cudaError_t invalidate(Capture& capture, cudaError_t error) {
  capture.invalid = true;
  return error;
}

/// What stands against the use of a stream: the default stream depends on every blocking stream, and a capture that was invalidated
/// has to be ended first.
cudaError_t usable(std::uint32_t stream) {
  if (const Capture* capture = of_stream(stream))
    return capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures().all) {
    if (stream == 0 && has_blocking(*capture))
      error = invalidate(*capture, cudaErrorStreamCaptureImplicit);
  }
  return error;
}

cudaError_t unsafe() {
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures().all) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids = own ? capture->mode != cudaStreamCaptureModeRelaxed
                             : capture->mode == cudaStreamCaptureModeGlobal &&
                                   thread_mode == cudaStreamCaptureModeGlobal;
    if (forbids && thread_mode != cudaStreamCaptureModeRelaxed)
      error = invalidate(*capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

void join(std::vector<Node*>& ends, const std::vector<Node*>& more) {
  for (Node* node : more)
    if (std::ranges::find(ends, node) == ends.end()) ends.push_back(node);
}

/// Every node from which one of the ends follows, and the ends.
std::set<const Node*> before(const std::vector<Node*>& ends) {
  std::set<const Node*> all;
  std::vector<const Node*> open(ends.begin(), ends.end());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!all.insert(node).second) continue;
    open.insert(open.end(), node->from.begin(), node->from.end());
  }
  return all;
}

/// All branches have come back to the stream in which the capture began.
bool is_joined(const Capture& capture) {
  const std::set<const Node*> reached = before(capture.branches.at(capture.origin).ends);
  for (const auto& [stream, branch] : capture.branches) {
    for (const Node* node : branch.ends)
      if (!reached.contains(node) && !capture.let_go.contains(node)) return false;
  }
  return true;
}

void end(const Capture& capture) {
  std::erase_if(captures().all, [&](const auto& c) { return c.get() == &capture; });
  count();
}

cudaError_t begin(Call& call, cudaStream_t stream, cudaStreamCaptureMode mode, Graph* into,
                  std::vector<Node*> ends) {
  std::uint32_t number = 0;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  call.values(0, 0, 0, number);
  // The default stream cannot be captured.
  if (number == 0) return cudaErrorStreamCaptureUnsupported;
  const std::lock_guard lock(captures().mutex);
  if (of_stream(number)) return cudaErrorIllegalState;
  auto capture = std::make_unique<Capture>();
  capture->id = ++captures().last_id;
  if (!into) capture->own = std::make_shared<Graph>();
  capture->graph = into ? into : capture->own.get();
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = number;
  capture->branches[number] = {std::move(ends), is_blocking(stream)};
  captures().all.push_back(std::move(capture));
  count();
  return cudaSuccess;
}

cudaError_t finish(std::uint32_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(captures().mutex);
  Capture* capture = of_stream(stream);
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != stream) return invalidate(*capture, cudaErrorStreamCaptureUnmatched);
  const bool own_thread = capture->thread == std::this_thread::get_id();
  if (capture->mode != cudaStreamCaptureModeRelaxed && !own_thread)
    return cudaErrorStreamCaptureWrongThread;
  *graph = nullptr;
  const cudaError_t error = capture->invalid       ? cudaErrorStreamCaptureInvalidated
                            : !is_joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                   : cudaSuccess;
  if (error == cudaSuccess)
    *graph = capture->own ? give_to_program(capture->own) : handle_of(capture->graph);
  end(*capture);
  return error;
}

/// The nodes of handles, all of one graph.
cudaError_t nodes_of(const Graph& graph, const cudaGraphNode_t* handles, std::size_t count,
                     std::vector<Node*>& nodes) {
  if (count != 0 && !handles) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    Node* const node = find(handles[i]);
    if (!node || &node->graph != &graph) return cudaErrorInvalidValue;
    nodes.push_back(node);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t submit(Call& call, cudaStream_t stream, Work work) {
  Order order{0, false, call.number()};
  if (const cudaError_t error = stream_number(call, stream, order.stream)) return error;
  if (!none()) {
    const std::lock_guard lock(captures().mutex);
    if (const cudaError_t error = usable(order.stream)) return error;
    if (Capture* capture = of_stream(order.stream)) {
      // What is captured does not change with the executable graph that was launched.
      if (auto* child = std::get_if<ChildWork>(&work)) child->graph = clone(*child->graph);
      Branch& branch = capture->branches.at(order.stream);
      branch.ends = {capture->graph->add(std::move(work), branch.ends)};
      return cudaSuccess;
    }
  }
  return run(call, work, order);
}

cudaError_t check_unsafe() {
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  return unsafe();
}

cudaError_t check_synchronous() {
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  const cudaError_t error = usable(0);
  return error != cudaSuccess ? error : unsafe();
}

cudaError_t check_wait(std::uint32_t stream, cudaError_t where_it_captures) {
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  if (const cudaError_t error = usable(stream)) return error;
  Capture* capture = of_stream(stream);
  return capture ? invalidate(*capture, where_it_captures) : cudaSuccess;
}

bool is_capturing(std::uint32_t stream) {
  if (none()) return false;
  const std::lock_guard lock(captures().mutex);
  return of_stream(stream) != nullptr;
}

cudaError_t check_wait_for_all() {
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures().all)
    error = invalidate(*capture, cudaErrorStreamCaptureUnsupported);
  return error;
}

cudaError_t check_wait(cudaEvent_t event) {
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  const auto found = captures().events.find(event);
  if (found == captures().events.end()) return unsafe();
  if (Capture* capture = of_id(found->second.capture)) capture->invalid = true;
  return cudaErrorCapturedEvent;
}

cudaError_t capture_record(cudaEvent_t event, std::uint32_t stream, bool& captured) {
  captured = false;
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  if (const cudaError_t error = usable(stream)) return error;
  const Capture* capture = of_stream(stream);
  captured = capture != nullptr;
  if (capture)
    captures().events[event] = {capture->id, capture->branches.at(stream).ends};
  else
    captures().events.erase(event);
  count();
  return cudaSuccess;
}

cudaError_t capture_wait(cudaEvent_t event, std::uint32_t stream, bool is_blocking,
                         bool& captured) {
  captured = false;
  if (none()) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  if (const cudaError_t error = usable(stream)) return error;
  Capture* own = of_stream(stream);
  const auto found = captures().events.find(event);
  if (found == captures().events.end())
    return own ? invalidate(*own, cudaErrorStreamCaptureIsolation) : cudaSuccess;
  Capture* its = of_id(found->second.capture);
  if (!its) return own ? invalidate(*own, cudaErrorStreamCaptureIsolation) : cudaErrorCapturedEvent;
  if (its->invalid) return cudaErrorStreamCaptureInvalidated;
  if (stream == 0) return invalidate(*its, cudaErrorStreamCaptureImplicit);
  if (own && own != its) {
    own->invalid = true;
    return invalidate(*its, cudaErrorStreamCaptureMerge);
  }
  captured = true;
  Branch& branch = its->branches[stream];
  branch.blocking = is_blocking;
  join(branch.ends, found->second.ends);
  return cudaSuccess;
}

void forget_captured(cudaEvent_t event) {
  if (none()) return;
  const std::lock_guard lock(captures().mutex);
  captures().events.erase(event);
  count();
}

void forget_captured(std::uint32_t stream) {
  if (none()) return;
  const std::lock_guard lock(captures().mutex);
  Capture* capture = of_stream(stream);
  if (!capture) return;
  if (capture->origin == stream)
    end(*capture);
  else
    capture->invalid = true;
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return traced(Function::cudaStreamBeginCapture,
                [&](Call& call) { return begin(call, stream, mode, nullptr, {}); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, std::size_t count,
                                          cudaStreamCaptureMode mode) {
  return traced(Function::cudaStreamBeginCaptureToGraph, [&](Call& call) {
    Graph* const into = find(graph);
    std::vector<Node*> ends;
    if (!into) return cudaErrorInvalidValue;
    if (const cudaError_t error = nodes_of(*into, dependencies, count, ends)) return error;
    return begin(call, stream, mode, into, std::move(ends));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return traced(Function::cudaStreamEndCapture, [&](Call& call) {
    std::uint32_t number = 0;
    if (!graph) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    call.values(0, 0, 0, number);
    return finish(number, graph);
  });
}

namespace {

cudaStreamCaptureStatus status_of(const Capture* capture) {
  if (!capture) return cudaStreamCaptureStatusNone;
  return capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

/// The capture of a stream that is asked about; asking invalidates nothing. With the mutex held.
cudaError_t asked(std::uint32_t stream, const Capture*& capture) {
  capture = of_stream(stream);
  const bool implicit = stream == 0 && std::ranges::any_of(captures().all, [](const auto& c) {
                          return has_blocking(*c);
                        });
  return implicit ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return traced(Function::cudaStreamIsCapturing, [&](Call& call) {
    std::uint32_t number = 0;
    const Capture* capture = nullptr;
    if (!status) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const std::lock_guard lock(captures().mutex);
    if (const cudaError_t error = asked(number, capture)) return error;
    *status = status_of(capture);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, std::size_t* count) {
  return traced(Function::cudaStreamGetCaptureInfo, [&](Call& call) {
    std::uint32_t number = 0;
    const Capture* capture = nullptr;
    if (!status || (edges && !dependencies)) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const std::lock_guard lock(captures().mutex);
    if (const cudaError_t error = asked(number, capture)) return error;
    *status = status_of(capture);
    if (!capture || capture->invalid) return cudaSuccess;
    // Valid until the next call for the stream.
    thread_local std::vector<cudaGraphNode_t> nodes;
    thread_local std::vector<cudaGraphEdgeData> data;
    nodes.clear();
    for (Node* node : capture->branches.at(number).ends) nodes.push_back(handle_of(node));
    data.assign(nodes.size(), {});
    if (id) *id = capture->id;
    if (graph) *graph = handle_of(capture->graph);
    if (dependencies) *dependencies = nodes.data();
    if (edges) *edges = data.data();
    if (count) *count = nodes.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, std::size_t count,
                                                unsigned flags) {
  return traced(Function::cudaStreamUpdateCaptureDependencies, [&](Call& call) {
    std::uint32_t number = 0;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    const std::lock_guard lock(captures().mutex);
    Capture* capture = of_stream(number);
    if (!capture) return cudaErrorIllegalState;
    std::vector<Node*> nodes;
    if (const cudaError_t error = nodes_of(*capture->graph, dependencies, count, nodes))
      return error;
    std::vector<Node*>& ends = capture->branches.at(number).ends;
    if (flags == cudaStreamSetCaptureDependencies) {
      capture->let_go.insert(ends.begin(), ends.end());
      ends.clear();
    }
    join(ends, nodes);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return traced(Function::cudaThreadExchangeStreamCaptureMode, [&](Call&) {
    if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(*mode, thread_mode);
    return cudaSuccess;
  });
}
