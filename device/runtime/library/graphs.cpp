#include <algorithm>
#include <cstddef>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "device/runtime/library/graph.hpp"
#include "device/runtime/library/graph_memory.hpp"
#include "device/runtime/library/registry.hpp"

namespace warpbook::device::runtime {
namespace {

/// A graph that can be launched, as cudaGraphExec_t points to it: a copy of the one it was made from.
struct Executable {
  std::shared_ptr<Graph> graph;
  unsigned long long flags = 0;
};

struct Owned {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<Graph>> graphs;
  std::map<const void*, std::unique_ptr<Executable>> executables;
};
Owned& owned() {
  static auto* const all = new Owned;
  return *all;
}

Executable* find_executable(cudaGraphExec_t executable) {
  const std::lock_guard lock(owned().mutex);
  const auto found = owned().executables.find(executable);
  return found == owned().executables.end() ? nullptr : found->second.get();
}

/// The node of the copy that was made from `original`, which may be in a graph inside it.
Node* copy_of(const Graph& graph, const Node* original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original) return node.get();
    const auto* child = std::get_if<ChildWork>(&node->work);
    if (Node* inside = child ? copy_of(*child->graph, original) : nullptr) return inside;
  }
  return nullptr;
}

cudaGraphNodeType type_of(const Node& node) {
  // In the order of Work's alternatives.
  constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,
                                          cudaGraphNodeTypeMemset,      cudaGraphNodeTypeHost,
                                          cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
                                          cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeGraph,
                                          cudaGraphNodeTypeMemAlloc,    cudaGraphNodeTypeMemFree};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[node.work.index()];
}

// Nodes

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, Work work) {
  Graph* const to = find(graph);
  if (!node || !to || (count != 0 && !dependencies)) return cudaErrorInvalidValue;
  std::vector<Node*> from;
  for (std::size_t i = 0; i < count; ++i) {
    Node* const one = find(dependencies[i]);
    if (!one || &one->graph != to || std::ranges::find(from, one) != from.end())
      return cudaErrorInvalidValue;
    from.push_back(one);
  }
  *node = handle_of(to->add(std::move(work), std::move(from)));
  return cudaSuccess;
}

/// Replaces a node's work by other work of its kind.
template <class W>
cudaError_t set_work(Node* node, W work) {
  if (!node || !std::holds_alternative<W>(node->work)) return cudaErrorInvalidValue;
  node->work = std::move(work);
  return cudaSuccess;
}

/// The work of a node, where it is of that kind.
template <class W>
W* work_in(cudaGraphNode_t handle) {
  Node* const node = find(handle);
  return node ? std::get_if<W>(&node->work) : nullptr;
}

/// The executable's copy of a node.
Node* in_executable(cudaGraphExec_t executable, cudaGraphNode_t node) {
  const Executable* const known = find_executable(executable);
  return known && node ? copy_of(*known->graph, reinterpret_cast<const Node*>(node)) : nullptr;
}

// Work from parameters

cudaError_t copy_work(Call& call, const cudaMemcpy3DParms* parameters, CopyWork& work) {
  Transfer transfer;
  if (!parameters) return cudaErrorInvalidValue;
  if (const cudaError_t error = transfer_of(*parameters, transfer)) return error;
  if (const cudaError_t error = work_of(call, transfer, work)) return error;
  work.parameters = *parameters;
  return cudaSuccess;
}

cudaError_t copy_work(Call& call, void* to, const void* from, std::size_t count,
                      cudaMemcpyKind kind, CopyWork& work) {
  if (count == 0) return cudaErrorInvalidValue;
  return work_of(call, {to, from, line(count), kind}, work);
}

/// A place in a symbol's memory, of which `count` bytes are copied.
cudaError_t symbol_place(Call& call, const void* symbol, std::size_t count, std::size_t offset,
                         char*& at) {
  MemoryPlace place;
  if (const cudaError_t error = find_variable(call, symbol, place)) return error;
  if (offset > place.bytes || count > place.bytes - offset) return cudaErrorInvalidValue;
  at = reinterpret_cast<char*>(place.address) + offset;
  return cudaSuccess;
}

cudaError_t to_symbol_work(Call& call, const void* symbol, const void* from, std::size_t count,
                           std::size_t offset, cudaMemcpyKind kind, CopyWork& work) {
  char* to = nullptr;
  if (const cudaError_t error = symbol_place(call, symbol, count, offset, to)) return error;
  return copy_work(call, to, from, count, kind, work);
}

cudaError_t from_symbol_work(Call& call, void* to, const void* symbol, std::size_t count,
                             std::size_t offset, cudaMemcpyKind kind, CopyWork& work) {
  char* from = nullptr;
  if (const cudaError_t error = symbol_place(call, symbol, count, offset, from)) return error;
  return copy_work(call, to, from, count, kind, work);
}

cudaError_t kernel_work(Call& call, const cudaKernelNodeParams* parameters, KernelWork& work) {
  return parameters ? work_of(call, *parameters, work) : cudaErrorInvalidValue;
}

cudaError_t fill_work(const cudaMemsetParams* parameters, FillWork& work) {
  return parameters ? work_of(*parameters, work) : cudaErrorInvalidValue;
}

cudaError_t host_work(const cudaHostNodeParams* parameters, HostWork& work) {
  if (!parameters || !parameters->fn) return cudaErrorInvalidValue;
  work = {parameters->fn, parameters->userData};
  return cudaSuccess;
}

/// Whether a graph, without those inside it, allocates or frees memory: each launch of such a graph gets the same addresses, so that
/// there can be no second one of it.
bool has_memory(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const auto& node) {
    return std::holds_alternative<AllocationWork>(node->work) ||
           std::holds_alternative<FreeingWork>(node->work);
  });
}

cudaError_t child_work(cudaGraph_t graph, ChildWork& work) {
  const Graph* const child = find(graph);
  if (!child) return cudaErrorInvalidValue;
  if (has_memory(*child)) return cudaErrorNotSupported;
  work.graph = clone(*child);
  return cudaSuccess;
}

/// Sets memory aside; its address goes into the parameters. They have two names for one structure.
template <class Parameters>
cudaError_t allocation_work(Call& call, Parameters* parameters, Work& work) {
  std::shared_ptr<GraphMemory> memory;
  if (!parameters) return cudaErrorInvalidValue;
  const cudaMemAllocNodeParams wanted{parameters->poolProps, parameters->accessDescs,
                                      parameters->accessDescCount, parameters->bytesize, nullptr};
  if (const cudaError_t error = make_graph_memory(call, wanted, memory)) return error;
  parameters->dptr = memory->parameters.dptr;
  work = AllocationWork{std::move(memory)};
  return cudaSuccess;
}

cudaError_t freeing_work(void* pointer, Work& work) {
  if (!is_graph_memory(address_of(pointer))) return cudaErrorInvalidValue;
  work = FreeingWork{address_of(pointer)};
  return cudaSuccess;
}

/// The work of a node of any type (cudaGraphAddNode).
cudaError_t any_work(Call& call, cudaGraphNodeParams* parameters, Work& work) {
  const auto made = [&work](cudaError_t error, auto& one) {
    if (error == cudaSuccess) work = std::move(one);
    return error;
  };
  if (!parameters) return cudaErrorInvalidValue;
  KernelWork kernel;
  CopyWork copy;
  FillWork fill;
  HostWork host;
  ChildWork child;
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& p = parameters->kernel;
      const cudaKernelNodeParams same{p.func,           p.gridDim,      p.blockDim,
                                      p.sharedMemBytes, p.kernelParams, p.extra};
      return made(work_of(call, same, kernel), kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return made(copy_work(call, &parameters->memcpy.copyParams, copy), copy);
    case cudaGraphNodeTypeMemset: {
      const auto& p = parameters->memset;
      return made(work_of({p.dst, p.pitch, p.value, p.elementSize, p.width, p.height}, fill), fill);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams same{parameters->host.fn, parameters->host.userData};
      return made(host_work(&same, host), host);
    }
    case cudaGraphNodeTypeGraph: return made(child_work(parameters->graph.graph, child), child);
    case cudaGraphNodeTypeMemAlloc: return allocation_work(call, &parameters->alloc, work);
    case cudaGraphNodeTypeMemFree: return freeing_work(parameters->free.dptr, work);
    case cudaGraphNodeTypeEmpty: work = EmptyWork{}; return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent: work = WaitWork{parameters->eventWait.event}; break;
    case cudaGraphNodeTypeEventRecord: work = RecordWork{parameters->eventRecord.event}; break;
    default: return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

// Parameters from work

cudaMemcpy3DParms parameters_of(const CopyWork& work) {
  if (work.parameters) return *work.parameters;
  const auto& [to, from, shape, kind] = work.transfer;
  const auto pitched = [&shape = shape](void* memory, std::uint64_t pitch, std::uint64_t slice) {
    return cudaPitchedPtr{memory, pitch, shape.width, pitch == 0 ? 1 : slice / pitch};
  };
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = pitched(const_cast<void*>(from), shape.from_pitch, shape.from_slice);
  parameters.dstPtr = pitched(to, shape.to_pitch, shape.to_slice);
  parameters.extent = {shape.width, shape.height, shape.depth};
  parameters.kind = kind;
  return parameters;
}

cudaKernelNodeParams parameters_of(Node& node, KernelWork& work) {
  node.arguments.clear();
  for (std::string& argument : work.request.arguments) node.arguments.push_back(argument.data());
  const auto extent = [](const Dim3& d) { return dim3(d.x, d.y, d.z); };
  return {const_cast<void*>(work.function), extent(work.request.grid), extent(work.request.block),
          work.request.dynamic_shared,      node.arguments.data(),     nullptr};
}

// Lists

/// As the functions that list nodes do: without a place for them, how many there are; else as many as fit, and null where there are
/// fewer.
template <class T>
cudaError_t give_list(const std::vector<T>& all, T* to, std::size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (to) {
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : T{};
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

std::vector<cudaGraphNode_t> handles_of(const std::vector<Node*>& nodes) {
  std::vector<cudaGraphNode_t> handles;
  for (Node* node : nodes) handles.push_back(handle_of(node));
  return handles;
}

cudaError_t give_nodes(const std::vector<Node*>& nodes, cudaGraphNode_t* to,
                       cudaGraphEdgeData* edges, std::size_t* count) {
  if (edges && !to) return cudaErrorInvalidValue;
  const cudaError_t error = give_list(handles_of(nodes), to, count);
  // All edges are ordinary ones.
  if (error == cudaSuccess && edges) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return error;
}

// Edges

cudaError_t edge_of(const Graph* graph, cudaGraphNode_t from, cudaGraphNode_t to, Node*& first,
                    Node*& second) {
  first = find(from);
  second = find(to);
  const bool here = graph && first && second && &first->graph == graph && &second->graph == graph;
  return here && first != second ? cudaSuccess : cudaErrorInvalidValue;
}

template <class Change>
cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         std::size_t count, bool present, const Change& change) {
  const Graph* const graph = find(handle);
  if (!graph || (count != 0 && (!from || !to))) return cudaErrorInvalidValue;
  Node *first = nullptr, *second = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    if (const cudaError_t error = edge_of(graph, from[i], to[i], first, second)) return error;
    const bool there = std::ranges::find(second->from, first) != second->from.end();
    if (there != present) return cudaErrorInvalidValue;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (const cudaError_t error = edge_of(graph, from[i], to[i], first, second)) return error;
    change(*first, *second);
  }
  return cudaSuccess;
}

// Executables

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle, unsigned long long flags) {
  constexpr unsigned long long kKnown =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
  const Graph* const graph = find(handle);
  if (!executable || !graph || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) return cudaErrorNotSupported;
  if (!in_order(*graph)) return cudaErrorInvalidValue;
  auto made = std::make_unique<Executable>(Executable{clone(*graph), flags});
  const std::lock_guard lock(owned().mutex);
  *executable = reinterpret_cast<cudaGraphExec_t>(made.get());
  owned().executables[made.get()] = std::move(made);
  return cudaSuccess;
}

/// Where two graphs differ so that one cannot take the other's parameters. Nodes are paired in the order in which they were added.
cudaGraphExecUpdateResultInfo compare(const Graph& graph, const Graph& with) {
  using Info = cudaGraphExecUpdateResultInfo;
  if (graph.nodes.size() != with.nodes.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  std::map<const Node*, const Node*> pairs;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    pairs[with.nodes[i].get()] = graph.nodes[i].get();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& before = *graph.nodes[i];
    Node& after = *with.nodes[i];
    if (before.from.size() != after.from.size())
      return {cudaGraphExecUpdateErrorTopologyChanged, handle_of(&after), nullptr};
    for (Node* from : after.from) {
      if (std::ranges::find(before.from, pairs.at(from)) == before.from.end())
        return {cudaGraphExecUpdateErrorTopologyChanged, handle_of(&after), handle_of(from)};
    }
    if (before.work.index() != after.work.index())
      return {cudaGraphExecUpdateErrorNodeTypeChanged, handle_of(&after), nullptr};
    if (const auto* child = std::get_if<ChildWork>(&before.work)) {
      const Info inside = compare(*child->graph, *std::get<ChildWork>(after.work).graph);
      if (inside.result != cudaGraphExecUpdateSuccess) return inside;
    }
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void take_parameters(Graph& graph, const Graph& from) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Work& work = graph.nodes[i]->work;
    if (auto* child = std::get_if<ChildWork>(&work))
      take_parameters(*child->graph, *std::get<ChildWork>(from.nodes[i]->work).graph);
    else
      work = from.nodes[i]->work;
  }
}

// Pictures

std::string label_of(Call& call, const Node& node) {
  if (const auto* work = std::get_if<KernelWork>(&node.work)) {
    Kernel* kernel = nullptr;
    if (find_kernel(call, work->function, kernel) == cudaSuccess) return kernel->description->name;
  }
  constexpr const char* kNames[] = {"KERNEL",       "MEMCPY",     "MEMSET", "HOST",
                                    "EVENT_RECORD", "EVENT_WAIT", "EMPTY",  "CHILD_GRAPH",
                                    "MEM_ALLOC",    "MEM_FREE"};
  static_assert(std::size(kNames) == std::variant_size_v<Work>);
  return kNames[node.work.index()];
}

void draw(Call& call, std::ostream& out, const Graph& graph, std::size_t& number) {
  const std::string name = "graph_" + std::to_string(number);
  ++number;
  const auto node_name = [&name](const Node& node) {
    return '"' + name + "_node_" + std::to_string(node.id) + '"';
  };
  out << "subgraph cluster_" << name << " {\nlabel=\"" << name << "\" graph[style=\"dashed\"];\n";
  for (const auto& node : graph.nodes) {
    out << node_name(*node) << "[label=\"" << node->id << "\\n"
        << label_of(call, *node) << "\"];\n";
  }
  for (const auto& node : graph.nodes)
    for (const Node* from : node->from)
      out << node_name(*from) << " -> " << node_name(*node) << ";\n";
  out << "}\n";
  for (const auto& node : graph.nodes)
    if (const auto* child = std::get_if<ChildWork>(&node->work))
      draw(call, out, *child->graph, number);
}

}  // namespace

cudaGraph_t give_to_program(std::shared_ptr<Graph> graph) {
  const std::lock_guard lock(owned().mutex);
  Graph* const at = graph.get();
  owned().graphs[at] = std::move(graph);
  return handle_of(at);
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return traced(Function::cudaGraphCreate, [&](Call&) {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = give_to_program(std::make_shared<Graph>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return traced(Function::cudaGraphDestroy, [&](Call&) {
    const std::lock_guard lock(owned().mutex);
    return owned().graphs.erase(graph) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return traced(Function::cudaGraphClone, [&](Call&) {
    const Graph* const graph = find(original);
    if (!copy || !graph) return cudaErrorInvalidValue;
    if (has_memory(*graph)) return cudaErrorNotSupported;
    *copy = give_to_program(clone(*graph));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
  return traced(Function::cudaGraphNodeFindInClone, [&](Call&) {
    const Graph* const graph = find(copy);
    const Node* const of = find(original);
    Node* const found = graph && of ? copy_of(*graph, of) : nullptr;
    if (!node || !found) return cudaErrorInvalidValue;
    *node = handle_of(found);
    return cudaSuccess;
  });
}

// Adding nodes

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             std::size_t count, cudaGraphNodeParams* parameters) {
  return traced(Function::cudaGraphAddNode, [&](Call& call) {
    Work work;
    const cudaError_t error = any_work(call, parameters, work);
    return error != cudaSuccess ? error
                                : add_node(node, graph, dependencies, count, std::move(work));
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return traced(Function::cudaGraphAddKernelNode, [&](Call& call) {
    KernelWork work;
    const cudaError_t error = kernel_work(call, parameters, work);
    return error != cudaSuccess ? error
                                : add_node(node, graph, dependencies, count, std::move(work));
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return traced(Function::cudaGraphAddMemcpyNode, [&](Call& call) {
    CopyWork work;
    const cudaError_t error = copy_work(call, parameters, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return traced(Function::cudaGraphAddMemcpyNode1D, [&](Call& call) {
    CopyWork work;
    const cudaError_t error = copy_work(call, to, from, bytes, kind, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  return traced(Function::cudaGraphAddMemcpyNodeToSymbol, [&](Call& call) {
    CopyWork work;
    const cudaError_t error = to_symbol_work(call, symbol, from, bytes, offset, kind, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count,
                                             void* to, const void* symbol, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind) {
  return traced(Function::cudaGraphAddMemcpyNodeFromSymbol, [&](Call& call) {
    CopyWork work;
    const cudaError_t error = from_symbol_work(call, to, symbol, bytes, offset, kind, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return traced(Function::cudaGraphAddMemsetNode, [&](Call&) {
    FillWork work;
    const cudaError_t error = fill_work(parameters, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return traced(Function::cudaGraphAddHostNode, [&](Call&) {
    HostWork work;
    const cudaError_t error = host_work(parameters, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, std::size_t count,
                                       cudaGraph_t child) {
  return traced(Function::cudaGraphAddChildGraphNode, [&](Call&) {
    ChildWork work;
    const cudaError_t error = child_work(child, work);
    return error != cudaSuccess ? error : add_node(node, graph, dependencies, count, work);
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return traced(Function::cudaGraphAddEmptyNode,
                [&](Call&) { return add_node(node, graph, dependencies, count, EmptyWork{}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        cudaEvent_t event) {
  return traced(Function::cudaGraphAddEventRecordNode, [&](Call&) {
    return event ? add_node(node, graph, dependencies, count, RecordWork{event})
                 : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaEvent_t event) {
  return traced(Function::cudaGraphAddEventWaitNode, [&](Call&) {
    return event ? add_node(node, graph, dependencies, count, WaitWork{event})
                 : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return traced(Function::cudaGraphAddMemAllocNode, [&](Call& call) {
    Work work;
    const cudaError_t error = allocation_work(call, parameters, work);
    return error != cudaSuccess ? error
                                : add_node(node, graph, dependencies, count, std::move(work));
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count,
                                    void* pointer) {
  return traced(Function::cudaGraphAddMemFreeNode, [&](Call&) {
    Work work;
    const cudaError_t error = freeing_work(pointer, work);
    return error != cudaSuccess ? error
                                : add_node(node, graph, dependencies, count, std::move(work));
  });
}

// Asking nodes

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return traced(Function::cudaGraphNodeGetType, [&](Call&) {
    const Node* const node = find(handle);
    if (!node || !type) return cudaErrorInvalidValue;
    *type = type_of(*node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return traced(Function::cudaGraphKernelNodeGetParams, [&](Call&) {
    auto* const work = work_in<KernelWork>(node);
    if (!work || !parameters) return cudaErrorInvalidValue;
    *parameters = parameters_of(*find(node), *work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return traced(Function::cudaGraphMemcpyNodeGetParams, [&](Call&) {
    const auto* const work = work_in<CopyWork>(node);
    if (!work || !parameters) return cudaErrorInvalidValue;
    *parameters = parameters_of(*work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return traced(Function::cudaGraphMemsetNodeGetParams, [&](Call&) {
    const auto* const work = work_in<FillWork>(node);
    if (!work || !parameters) return cudaErrorInvalidValue;
    *parameters = {work->to,
                   work->shape.to_pitch,
                   work->value,
                   work->element_bytes,
                   work->shape.width / work->element_bytes,
                   work->shape.height};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return traced(Function::cudaGraphHostNodeGetParams, [&](Call&) {
    const auto* const work = work_in<HostWork>(node);
    if (!work || !parameters) return cudaErrorInvalidValue;
    *parameters = {work->function, work->argument};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return traced(Function::cudaGraphMemAllocNodeGetParams, [&](Call&) {
    const auto* const work = work_in<AllocationWork>(node);
    if (!work || !parameters) return cudaErrorInvalidValue;
    *parameters = work->memory->parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return traced(Function::cudaGraphMemFreeNodeGetParams, [&](Call&) {
    const auto* const work = work_in<FreeingWork>(node);
    if (!work || !pointer) return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(pointer) = work->address;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return traced(Function::cudaGraphChildGraphNodeGetGraph, [&](Call&) {
    const auto* const work = work_in<ChildWork>(node);
    if (!work || !graph) return cudaErrorInvalidValue;
    *graph = handle_of(work->graph.get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return traced(Function::cudaGraphEventRecordNodeGetEvent, [&](Call&) {
    const auto* const work = work_in<RecordWork>(node);
    if (!work || !event) return cudaErrorInvalidValue;
    *event = work->event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return traced(Function::cudaGraphEventWaitNodeGetEvent, [&](Call&) {
    const auto* const work = work_in<WaitWork>(node);
    if (!work || !event) return cudaErrorInvalidValue;
    *event = work->event;
    return cudaSuccess;
  });
}

// Changing nodes, in a graph and in an executable one

namespace {

cudaError_t set_kernel(Call& call, Node* node, const cudaKernelNodeParams* parameters) {
  KernelWork work;
  const cudaError_t error = kernel_work(call, parameters, work);
  return error != cudaSuccess ? error : set_work(node, std::move(work));
}

cudaError_t set_copy(Call& call, Node* node, const cudaMemcpy3DParms* parameters) {
  CopyWork work;
  const cudaError_t error = copy_work(call, parameters, work);
  return error != cudaSuccess ? error : set_work(node, work);
}

cudaError_t set_copy(Call& call, Node* node, void* to, const void* from, std::size_t bytes,
                     cudaMemcpyKind kind) {
  CopyWork work;
  const cudaError_t error = copy_work(call, to, from, bytes, kind, work);
  return error != cudaSuccess ? error : set_work(node, work);
}

cudaError_t set_fill(Node* node, const cudaMemsetParams* parameters) {
  FillWork work;
  const cudaError_t error = fill_work(parameters, work);
  return error != cudaSuccess ? error : set_work(node, work);
}

cudaError_t set_host(Node* node, const cudaHostNodeParams* parameters) {
  HostWork work;
  const cudaError_t error = host_work(parameters, work);
  return error != cudaSuccess ? error : set_work(node, work);
}

cudaError_t set_any(Call& call, Node* node, cudaGraphNodeParams* parameters) {
  Work work;
  // The memory of a node stays what it is.
  if (parameters && parameters->type == cudaGraphNodeTypeMemAlloc) return cudaErrorInvalidValue;
  if (const cudaError_t error = any_work(call, parameters, work)) return error;
  if (!node || node->work.index() != work.index()) return cudaErrorInvalidValue;
  node->work = std::move(work);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return traced(Function::cudaGraphNodeSetParams,
                [&](Call& call) { return set_any(call, find(node), parameters); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return traced(Function::cudaGraphExecNodeSetParams, [&](Call& call) {
    return set_any(call, in_executable(executable, node), parameters);
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return traced(Function::cudaGraphKernelNodeSetParams,
                [&](Call& call) { return set_kernel(call, find(node), parameters); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return traced(Function::cudaGraphExecKernelNodeSetParams, [&](Call& call) {
    return set_kernel(call, in_executable(executable, node), parameters);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return traced(Function::cudaGraphMemcpyNodeSetParams,
                [&](Call& call) { return set_copy(call, find(node), parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return traced(Function::cudaGraphExecMemcpyNodeSetParams, [&](Call& call) {
    return set_copy(call, in_executable(executable, node), parameters);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  return traced(Function::cudaGraphMemcpyNodeSetParams1D,
                [&](Call& call) { return set_copy(call, find(node), to, from, bytes, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind) {
  return traced(Function::cudaGraphExecMemcpyNodeSetParams1D, [&](Call& call) {
    return set_copy(call, in_executable(executable, node), to, from, bytes, kind);
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return traced(Function::cudaGraphMemsetNodeSetParams,
                [&](Call&) { return set_fill(find(node), parameters); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return traced(Function::cudaGraphExecMemsetNodeSetParams,
                [&](Call&) { return set_fill(in_executable(executable, node), parameters); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return traced(Function::cudaGraphHostNodeSetParams,
                [&](Call&) { return set_host(find(node), parameters); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return traced(Function::cudaGraphExecHostNodeSetParams,
                [&](Call&) { return set_host(in_executable(executable, node), parameters); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return traced(Function::cudaGraphExecChildGraphNodeSetParams, [&](Call&) {
    const Graph* const graph = find(child);
    Node* const copy = in_executable(executable, node);
    auto* const work = copy ? std::get_if<ChildWork>(&copy->work) : nullptr;
    if (!graph || !work) return cudaErrorInvalidValue;
    if (compare(*work->graph, *graph).result != cudaGraphExecUpdateSuccess)
      return cudaErrorInvalidValue;
    take_parameters(*work->graph, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return traced(Function::cudaGraphEventRecordNodeSetEvent,
                [&](Call&) { return set_work(find(node), RecordWork{event}); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return traced(Function::cudaGraphExecEventRecordNodeSetEvent, [&](Call&) {
    return set_work(in_executable(executable, node), RecordWork{event});
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return traced(Function::cudaGraphEventWaitNodeSetEvent,
                [&](Call&) { return set_work(find(node), WaitWork{event}); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return traced(Function::cudaGraphExecEventWaitNodeSetEvent,
                [&](Call&) { return set_work(in_executable(executable, node), WaitWork{event}); });
}

namespace {

/// Kernels, copies and fills can be left out of an executable graph.
Node* node_to_enable(cudaGraphExec_t executable, cudaGraphNode_t node) {
  Node* const copy = in_executable(executable, node);
  const bool can = copy && (std::holds_alternative<KernelWork>(copy->work) ||
                            std::holds_alternative<CopyWork>(copy->work) ||
                            std::holds_alternative<FillWork>(copy->work));
  return can ? copy : nullptr;
}

}  // namespace

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned enabled) {
  return traced(Function::cudaGraphNodeSetEnabled, [&](Call&) {
    Node* const copy = node_to_enable(executable, node);
    if (!copy) return cudaErrorInvalidValue;
    copy->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* enabled) {
  return traced(Function::cudaGraphNodeGetEnabled, [&](Call&) {
    const Node* const copy = node_to_enable(executable, node);
    if (!copy || !enabled) return cudaErrorInvalidValue;
    *enabled = copy->enabled ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return traced(Function::cudaGraphDestroyNode, [&](Call&) {
    Node* const node = find(handle);
    if (!node) return cudaErrorInvalidValue;
    if (has_memory(node->graph)) return cudaErrorNotSupported;
    auto& nodes = node->graph.nodes;
    for (const auto& other : nodes) std::erase(other->from, node);
    std::erase_if(nodes, [node](const auto& one) { return one.get() == node; });
    return cudaSuccess;
  });
}

// Structure

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return traced(Function::cudaGraphGetNodes, [&](Call&) {
    const Graph* const graph = find(handle);
    if (!graph) return cudaErrorInvalidValue;
    std::vector<Node*> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return give_nodes(all, nodes, nullptr, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return traced(Function::cudaGraphGetRootNodes, [&](Call&) {
    const Graph* const graph = find(handle);
    if (!graph) return cudaErrorInvalidValue;
    std::vector<Node*> roots;
    for (const auto& node : graph->nodes)
      if (node->from.empty()) roots.push_back(node.get());
    return give_nodes(roots, nodes, nullptr, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, std::size_t* count) {
  return traced(Function::cudaGraphGetEdges, [&](Call&) {
    const Graph* const graph = find(handle);
    if (!graph || !count || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
    std::vector<Node*> firsts, seconds;
    for (const auto& node : graph->nodes) {
      for (Node* first : node->from) {
        firsts.push_back(first);
        seconds.push_back(node.get());
      }
    }
    std::size_t room = *count;
    if (const cudaError_t error = give_nodes(firsts, from, edges, count)) return error;
    return give_nodes(seconds, to, nullptr, &room);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, std::size_t* count) {
  return traced(Function::cudaGraphNodeGetDependencies, [&](Call&) {
    const Node* const node = find(handle);
    return node ? give_nodes(node->from, nodes, edges, count) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, std::size_t* count) {
  return traced(Function::cudaGraphNodeGetDependentNodes, [&](Call&) {
    Node* const node = find(handle);
    if (!node) return cudaErrorInvalidValue;
    std::vector<Node*> after;
    for (const auto& other : node->graph.nodes)
      if (std::ranges::find(other->from, node) != other->from.end()) after.push_back(other.get());
    return give_nodes(after, nodes, edges, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     std::size_t count) {
  return traced(Function::cudaGraphAddDependencies, [&](Call&) {
    return change_edges(graph, from, to, count, false,
                        [](Node& first, Node& second) { second.from.push_back(&first); });
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t count) {
  return traced(Function::cudaGraphRemoveDependencies, [&](Call&) {
    return change_edges(graph, from, to, count, true,
                        [](Node& first, Node& second) { std::erase(second.from, &first); });
  });
}

// Launching

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return traced(Function::cudaGraphInstantiate,
                [&](Call&) { return instantiate(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return traced(Function::cudaGraphInstantiateWithFlags,
                [&](Call&) { return instantiate(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return traced(Function::cudaGraphInstantiateWithParams, [&](Call&) {
    if (!parameters) return cudaErrorInvalidValue;
    const cudaError_t error = instantiate(executable, graph, parameters->flags);
    const Graph* const known = find(graph);
    parameters->errNode_out = nullptr;
    parameters->result_out = error == cudaSuccess         ? cudaGraphInstantiateSuccess
                             : known && !in_order(*known) ? cudaGraphInstantiateInvalidStructure
                                                          : cudaGraphInstantiateError;
    return error;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return traced(Function::cudaGraphExecGetFlags, [&](Call&) {
    const Executable* const executable = find_executable(handle);
    if (!executable || !flags) return cudaErrorInvalidValue;
    *flags = executable->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t from,
                                cudaGraphExecUpdateResultInfo* info) {
  return traced(Function::cudaGraphExecUpdate, [&](Call&) {
    Executable* const executable = find_executable(handle);
    const Graph* const graph = find(from);
    if (info) *info = {cudaGraphExecUpdateError, nullptr, nullptr};
    if (!executable || !graph || !info) return cudaErrorInvalidValue;
    *info = compare(*executable->graph, *graph);
    if (info->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    take_parameters(*executable->graph, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return traced(Function::cudaGraphUpload, [&](Call& call) {
    std::uint32_t number = 0;
    // A graph's nodes are sent where it is launched; there is nothing to prepare.
    return find_executable(handle) ? stream_number(call, stream, number) : cudaErrorInvalidValue;
  });
}

namespace {

/// Memory that an earlier launch of the graph left allocated: freed where the program asked for that, and else an error.
cudaError_t free_left_memory(const Executable& executable) {
  const bool frees = (executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  for (const auto& node : executable.graph->nodes) {
    const auto* const work = std::get_if<AllocationWork>(&node->work);
    if (!work || !is_allocated(*work->memory)) continue;
    if (!frees) return cudaErrorInvalidValue;
    (void)end_graph_memory(work->memory->address);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return traced(Function::cudaGraphLaunch, [&](Call& call) {
    std::uint32_t number = 0;
    const Executable* const executable = find_executable(handle);
    if (!executable) return cudaErrorInvalidValue;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    if (const cudaError_t error = free_left_memory(*executable)) return error;
    call.values(0, 0, 0, number);
    return submit(call, stream, ChildWork{executable->graph});
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return traced(Function::cudaGraphExecDestroy, [&](Call&) {
    const std::lock_guard lock(owned().mutex);
    return owned().executables.erase(handle) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned) {
  return traced(Function::cudaGraphDebugDotPrint, [&](Call& call) {
    const Graph* const graph = find(handle);
    if (!graph || !path) return cudaErrorInvalidValue;
    std::ofstream out(path);
    std::size_t number = 0;
    out << "digraph dot {\n";
    draw(call, out, *graph, number);
    out << "}\n";
    out.close();
    return out ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
