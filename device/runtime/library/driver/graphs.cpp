// Graphs of the driver API: those of the runtime, with the parameters of nodes as the driver has them.
#include <cstddef>
#include <cstdint>

#include "device/runtime/library/driver/copies.hpp"
#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

namespace {

using warpbook::device::runtime::parameters_of;

cudaError_t parameters_of(const CUDA_KERNEL_NODE_PARAMS& from, cudaKernelNodeParams& to) {
  // The same handle stands for a kernel of a module and for one of a library.
  to.func = from.func ? static_cast<void*>(from.func) : from.kern;
  to.gridDim = dim3(from.gridDimX, from.gridDimY, from.gridDimZ);
  to.blockDim = dim3(from.blockDimX, from.blockDimY, from.blockDimZ);
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  to.extra = from.extra;
  return cudaSuccess;
}

CUDA_KERNEL_NODE_PARAMS parameters_of(const cudaKernelNodeParams& from) {
  CUDA_KERNEL_NODE_PARAMS to{};
  to.func = static_cast<CUfunction>(from.func);
  to.gridDimX = from.gridDim.x;
  to.gridDimY = from.gridDim.y;
  to.gridDimZ = from.gridDim.z;
  to.blockDimX = from.blockDim.x;
  to.blockDimY = from.blockDim.y;
  to.blockDimZ = from.blockDim.z;
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  to.extra = from.extra;
  return to;
}

/// Runs a function that takes the parameters of a node as the runtime has them: `then` gets them.
template <class To, class From, class Then>
cudaError_t with_parameters(const From* from, Then then) {
  To to{};
  if (!from) return cudaErrorInvalidValue;
  if (const cudaError_t error = parameters_of(*from, to)) return error;
  return then(&to);
}

using KernelNode = cudaKernelNodeParams;
using CopyNode = cudaMemcpy3DParms;

}  // namespace

// Graphs

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return in_context(Function::cuGraphCreate, [&](Call&) { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return in_context(Function::cuGraphDestroy, [&](Call&) { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* copy, CUgraph original) {
  return in_context(Function::cuGraphClone, [&](Call&) { return cudaGraphClone(copy, original); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph copy) {
  return in_context(Function::cuGraphNodeFindInClone,
                    [&](Call&) { return cudaGraphNodeFindInClone(node, original, copy); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return in_context(Function::cuGraphGetNodes,
                    [&](Call&) { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return in_context(Function::cuGraphGetRootNodes,
                    [&](Call&) { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                         std::size_t* count) {
  return in_context(Function::cuGraphGetEdges,
                    [&](Call&) { return cudaGraphGetEdges(graph, from, to, same(edges), count); });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies,
                                    CUgraphEdgeData* edges, std::size_t* count) {
  return in_context(Function::cuGraphNodeGetDependencies, [&](Call&) {
    return cudaGraphNodeGetDependencies(node, dependencies, same(edges), count);
  });
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                      std::size_t* count) {
  return in_context(Function::cuGraphNodeGetDependentNodes, [&](Call&) {
    return cudaGraphNodeGetDependentNodes(node, nodes, same(edges), count);
  });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                const CUgraphEdgeData* edges, std::size_t count) {
  return in_context(Function::cuGraphAddDependencies, [&](Call&) {
    return cudaGraphAddDependencies(graph, from, to, same(edges), count);
  });
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, std::size_t count) {
  return in_context(Function::cuGraphRemoveDependencies, [&](Call&) {
    return cudaGraphRemoveDependencies(graph, from, to, same(edges), count);
  });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return in_context(Function::cuGraphDestroyNode,
                    [&](Call&) { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return in_context(Function::cuGraphNodeGetType,
                    [&](Call&) { return cudaGraphNodeGetType(node, same(type)); });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return in_context(Function::cuGraphDebugDotPrint,
                    [&](Call&) { return cudaGraphDebugDotPrint(graph, path, flags); });
}

// Nodes

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              std::size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphAddKernelNode, [&](Call&) {
    return with_parameters<KernelNode>(parameters, [&](const KernelNode* same_parameters) {
      return cudaGraphAddKernelNode(node, graph, dependencies, count, same_parameters);
    });
  });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphKernelNodeGetParams, [&](Call&) {
    cudaKernelNodeParams known{};
    if (!parameters) return cudaErrorInvalidValue;
    if (const cudaError_t error = cudaGraphKernelNodeGetParams(node, &known)) return error;
    *parameters = parameters_of(known);
    return cudaSuccess;
  });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphKernelNodeSetParams, [&](Call&) {
    return with_parameters<KernelNode>(parameters, [&](const KernelNode* same_parameters) {
      return cudaGraphKernelNodeSetParams(node, same_parameters);
    });
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphExecKernelNodeSetParams, [&](Call&) {
    return with_parameters<KernelNode>(parameters, [&](const KernelNode* same_parameters) {
      return cudaGraphExecKernelNodeSetParams(executable, node, same_parameters);
    });
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              std::size_t count, const CUDA_MEMCPY3D* parameters, CUcontext) {
  return in_context(Function::cuGraphAddMemcpyNode, [&](Call&) {
    return with_parameters<CopyNode>(parameters, [&](const CopyNode* same_parameters) {
      return cudaGraphAddMemcpyNode(node, graph, dependencies, count, same_parameters);
    });
  });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
  return in_context(Function::cuGraphMemcpyNodeGetParams, [&](Call&) {
    cudaMemcpy3DParms known{};
    if (!parameters) return cudaErrorInvalidValue;
    if (const cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &known)) return error;
    *parameters = parameters_of(known);
    return cudaSuccess;
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  return in_context(Function::cuGraphMemcpyNodeSetParams, [&](Call&) {
    return with_parameters<CopyNode>(parameters, [&](const CopyNode* same_parameters) {
      return cudaGraphMemcpyNodeSetParams(node, same_parameters);
    });
  });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* parameters, CUcontext) {
  return in_context(Function::cuGraphExecMemcpyNodeSetParams, [&](Call&) {
    return with_parameters<CopyNode>(parameters, [&](const CopyNode* same_parameters) {
      return cudaGraphExecMemcpyNodeSetParams(executable, node, same_parameters);
    });
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              std::size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters,
                              CUcontext) {
  return in_context(Function::cuGraphAddMemsetNode, [&](Call&) {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, same(parameters));
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphMemsetNodeGetParams,
                    [&](Call&) { return cudaGraphMemsetNodeGetParams(node, same(parameters)); });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphMemsetNodeSetParams,
                    [&](Call&) { return cudaGraphMemsetNodeSetParams(node, same(parameters)); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return in_context(Function::cuGraphExecMemsetNodeSetParams, [&](Call&) {
    return cudaGraphExecMemsetNodeSetParams(executable, node, same(parameters));
  });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            std::size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphAddHostNode, [&](Call&) {
    return cudaGraphAddHostNode(node, graph, dependencies, count, same(parameters));
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphHostNodeGetParams,
                    [&](Call&) { return cudaGraphHostNodeGetParams(node, same(parameters)); });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphHostNodeSetParams,
                    [&](Call&) { return cudaGraphHostNodeSetParams(node, same(parameters)); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphExecHostNodeSetParams, [&](Call&) {
    return cudaGraphExecHostNodeSetParams(executable, node, same(parameters));
  });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  std::size_t count, CUgraph child) {
  return in_context(Function::cuGraphAddChildGraphNode, [&](Call&) {
    return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child);
  });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return in_context(Function::cuGraphChildGraphNodeGetGraph,
                    [&](Call&) { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return in_context(Function::cuGraphExecChildGraphNodeSetParams, [&](Call&) {
    return cudaGraphExecChildGraphNodeSetParams(executable, node, child);
  });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             std::size_t count) {
  return in_context(Function::cuGraphAddEmptyNode,
                    [&](Call&) { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, std::size_t count,
                                   CUevent event) {
  return in_context(Function::cuGraphAddEventRecordNode, [&](Call&) {
    return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event);
  });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return in_context(Function::cuGraphEventRecordNodeGetEvent,
                    [&](Call&) { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return in_context(Function::cuGraphEventRecordNodeSetEvent,
                    [&](Call&) { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return in_context(Function::cuGraphExecEventRecordNodeSetEvent, [&](Call&) {
    return cudaGraphExecEventRecordNodeSetEvent(executable, node, event);
  });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 std::size_t count, CUevent event) {
  return in_context(Function::cuGraphAddEventWaitNode, [&](Call&) {
    return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event);
  });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return in_context(Function::cuGraphEventWaitNodeGetEvent,
                    [&](Call&) { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return in_context(Function::cuGraphEventWaitNodeSetEvent,
                    [&](Call&) { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return in_context(Function::cuGraphExecEventWaitNodeSetEvent, [&](Call&) {
    return cudaGraphExecEventWaitNodeSetEvent(executable, node, event);
  });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned enabled) {
  return in_context(Function::cuGraphNodeSetEnabled,
                    [&](Call&) { return cudaGraphNodeSetEnabled(executable, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned* enabled) {
  return in_context(Function::cuGraphNodeGetEnabled,
                    [&](Call&) { return cudaGraphNodeGetEnabled(executable, node, enabled); });
}

// Launching

CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, unsigned long long flags) {
  return in_context(Function::cuGraphInstantiate,
                    [&](Call&) { return cudaGraphInstantiateWithFlags(executable, graph, flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return in_context(Function::cuGraphInstantiateWithParams, [&](Call&) {
    return cudaGraphInstantiateWithParams(executable, graph, same(parameters));
  });
}

CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  return in_context(Function::cuGraphExecGetFlags,
                    [&](Call&) { return cudaGraphExecGetFlags(executable, same(flags)); });
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                           CUgraphExecUpdateResultInfo* info) {
  return in_context(Function::cuGraphExecUpdate,
                    [&](Call&) { return cudaGraphExecUpdate(executable, graph, same(info)); });
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return in_context(Function::cuGraphUpload,
                    [&](Call&) { return cudaGraphUpload(executable, stream); });
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return in_context(Function::cuGraphLaunch,
                    [&](Call&) { return cudaGraphLaunch(executable, stream); });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return in_context(Function::cuGraphExecDestroy,
                    [&](Call&) { return cudaGraphExecDestroy(executable); });
}

// Memory

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                std::size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphAddMemAllocNode, [&](Call&) {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count, same(parameters));
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return in_context(Function::cuGraphMemAllocNodeGetParams,
                    [&](Call&) { return cudaGraphMemAllocNodeGetParams(node, same(parameters)); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               std::size_t count, CUdeviceptr pointer) {
  return in_context(Function::cuGraphAddMemFreeNode, [&](Call&) {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, same(pointer));
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
  return in_context(Function::cuGraphMemFreeNodeGetParams,
                    [&](Call&) { return cudaGraphMemFreeNodeGetParams(node, pointer); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return once_initialised(Function::cuDeviceGraphMemTrim,
                          [&](Call&) { return cudaDeviceGraphMemTrim(device); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return once_initialised(Function::cuDeviceGetGraphMemAttribute, [&](Call&) {
    return cudaDeviceGetGraphMemAttribute(device, same(attribute), value);
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return once_initialised(Function::cuDeviceSetGraphMemAttribute, [&](Call&) {
    return cudaDeviceSetGraphMemAttribute(device, same(attribute), value);
  });
}
