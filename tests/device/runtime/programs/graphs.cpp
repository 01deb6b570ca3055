// Graphs that are built node by node: every kind of node, changes to nodes and to executable graphs, structure, errors.
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

void set_first(void* values) { *static_cast<int*>(values) = 100; }

constexpr int kCount = 32;
constexpr std::size_t kBytes = kCount * sizeof(int);

/// A stream and memory.
struct Things {
  cudaStream_t stream = nullptr;
  int* x = nullptr;
  Things() {
    ok(cudaStreamCreate(&stream));
    ok(cudaMalloc(reinterpret_cast<void**>(&x), kBytes));
  }
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;
  ~Things() {
    ok(cudaFree(x));
    ok(cudaStreamDestroy(stream));
  }
};

cudaKernelNodeParams kernel(void (*function)(int*, int), void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(function);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(kCount);
  parameters.kernelParams = arguments;
  return parameters;
}

void kinds() {
  const Things things;
  const cudaStream_t stream = things.stream;
  int* x = things.x;
  cudaGraph_t graph = nullptr;
  ok(cudaGraphCreate(&graph, 0));
  int host[kCount] = {}, value = 7;
  cudaGraphNode_t fill = nullptr, run = nullptr, host_node = nullptr, in = nullptr, out = nullptr,
                  empty = nullptr, record = nullptr;
  cudaMemsetParams set{};
  set.dst = x;
  set.value = 0x01020304;
  set.elementSize = 4;
  set.width = kCount;
  set.height = 1;
  ok(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  void* arguments[] = {&x, &value};
  const cudaKernelNodeParams parameters = kernel(add_to, arguments);
  ok(cudaGraphAddKernelNode(&run, graph, &fill, 1, &parameters));
  ok(cudaGraphAddMemcpyNode1D(&out, graph, &run, 1, host, x, kBytes, cudaMemcpyDeviceToHost));
  cudaHostNodeParams first{set_first, host};
  ok(cudaGraphAddHostNode(&host_node, graph, &out, 1, &first));
  ok(cudaGraphAddMemcpyNodeToSymbol(&in, graph, &host_node, 1, factors, host, 8, 4,
                                    cudaMemcpyHostToDevice));
  ok(cudaGraphAddEmptyNode(&empty, graph, &in, 1));
  cudaEvent_t event = nullptr;
  ok(cudaEventCreate(&event));
  ok(cudaGraphAddEventRecordNode(&record, graph, &empty, 1, event));
  cudaGraphExec_t executable = nullptr;
  ok(cudaGraphInstantiate(&executable, graph, 0));
  ok(cudaGraphUpload(executable, stream));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaEventSynchronize(event));
  expect_true(host[0] == 100 && host[1] == 0x01020304 + 7);
  int there[4] = {};
  ok(cudaMemcpyFromSymbol(there, factors, sizeof there, 0, cudaMemcpyDeviceToHost));
  expect_true(there[0] == 1 && there[1] == 100 && there[2] == 0x01020304 + 7 && there[3] == 4);
  // Other parameters, in the executable graph alone and in the graph.
  int other = 1;
  void* others[] = {&x, &other};
  const cudaKernelNodeParams changed = kernel(multiply_by, others);
  ok(cudaGraphExecKernelNodeSetParams(executable, run, &changed));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaStreamSynchronize(stream));
  expect_true(host[1] == 0x01020304);
  cudaKernelNodeParams asked{};
  ok(cudaGraphKernelNodeGetParams(run, &asked));
  expect_true(asked.func == reinterpret_cast<void*>(add_to) && asked.blockDim.x == kCount &&
              *static_cast<int*>(asked.kernelParams[1]) == 7);
  ok(cudaGraphNodeSetEnabled(executable, run, 0));
  unsigned enabled = 1;
  ok(cudaGraphNodeGetEnabled(executable, run, &enabled));
  expect_true(enabled == 0);
  set.value = 5;
  set.elementSize = 2;
  set.width = 2 * kCount;
  ok(cudaGraphExecMemsetNodeSetParams(executable, fill, &set));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaStreamSynchronize(stream));
  expect_true(host[1] == 0x00050005);
  expect(cudaGraphExecMemsetNodeSetParams(executable, run, &set), cudaErrorInvalidValue);
  set.elementSize = 3;
  expect(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set), cudaErrorInvalidValue);
  expect(cudaGraphNodeSetEnabled(executable, host_node, 0), cudaErrorInvalidValue);
  expect(cudaGraphAddMemcpyNode1D(&out, graph, nullptr, 0, x, host, kBytes, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  expect(cudaGraphAddEmptyNode(&empty, nullptr, nullptr, 0), cudaErrorInvalidValue);
  cudaKernelNodeParams unknown = kernel(add_to, arguments);
  unknown.func = &value;
  expect(cudaGraphAddKernelNode(&run, graph, nullptr, 0, &unknown), cudaErrorInvalidDeviceFunction);
  ok(cudaGraphExecDestroy(executable));
  expect(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);
  ok(cudaGraphDestroy(graph));
  ok(cudaEventDestroy(event));
}

void structure() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr;
  ok(cudaGraphCreate(&graph, 0));
  ok(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  ok(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  ok(cudaGraphAddEmptyNode(&c, graph, nullptr, 0));
  ok(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1));
  expect(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1), cudaErrorInvalidValue);
  cudaGraphNode_t nodes[4] = {};
  std::size_t count = 4;
  ok(cudaGraphGetNodes(graph, nodes, &count));
  expect_true(count == 3 && nodes[0] == a && nodes[3] == nullptr);
  count = 4;
  ok(cudaGraphNodeGetDependencies(c, nodes, nullptr, &count));
  expect_true(count == 1 && nodes[0] == b);
  count = 4;
  ok(cudaGraphNodeGetDependentNodes(a, nodes, nullptr, &count));
  expect_true(count == 1 && nodes[0] == b);
  cudaGraphNode_t from[2] = {}, to[2] = {};
  count = 2;
  ok(cudaGraphGetEdges(graph, from, to, nullptr, &count));
  expect_true(count == 2 && from[0] == a && to[0] == b && from[1] == b && to[1] == c);
  // A circle.
  ok(cudaGraphAddDependencies(graph, &c, &a, nullptr, 1));
  cudaGraphExec_t executable = nullptr;
  expect(cudaGraphInstantiate(&executable, graph, 0), cudaErrorInvalidValue);
  ok(cudaGraphRemoveDependencies(graph, &c, &a, nullptr, 1));
  // Clones and what they know of their originals.
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t in_clone = nullptr;
  ok(cudaGraphClone(&clone, graph));
  ok(cudaGraphNodeFindInClone(&in_clone, b, clone));
  ok(cudaGraphDestroyNode(in_clone));
  count = 0;
  ok(cudaGraphGetNodes(clone, nullptr, &count));
  expect_true(count == 2);
  expect(cudaGraphNodeFindInClone(&in_clone, b, clone), cudaErrorInvalidValue);
  // A graph in a graph.
  cudaGraph_t inside = nullptr;
  cudaGraphNode_t child = nullptr;
  ok(cudaGraphAddChildGraphNode(&child, graph, &c, 1, clone));
  ok(cudaGraphChildGraphNodeGetGraph(child, &inside));
  count = 0;
  ok(cudaGraphGetNodes(inside, nullptr, &count));
  expect_true(count == 2 && inside != clone);
  const std::string path = "/tmp/warpbook-graph-" + std::to_string(::getpid()) + ".dot";
  ok(cudaGraphDebugDotPrint(graph, path.c_str(), 0));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  expect_true(text.str().find("CHILD_GRAPH") != std::string::npos &&
              text.str().find("\"graph_0_node_0\" -> \"graph_0_node_1\"") != std::string::npos);
  std::remove(path.c_str());
  ok(cudaGraphDestroy(graph));
  ok(cudaGraphDestroy(clone));
}

cudaGraph_t captured(cudaStream_t stream, int* x, int value, bool twice) {
  cudaGraph_t graph = nullptr;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(launch(add_to, {dim3(1), dim3(kCount), 0, stream}, x, value));
  if (twice) ok(launch(add_to, {dim3(1), dim3(kCount), 0, stream}, x, value));
  ok(cudaStreamEndCapture(stream, &graph));
  return graph;
}

void update() {
  const Things things;
  const cudaStream_t stream = things.stream;
  int* x = things.x;
  ok(cudaMemset(x, 0, kBytes));
  const cudaGraph_t first = captured(stream, x, 1, false), second = captured(stream, x, 10, false),
                    longer = captured(stream, x, 1, true);
  cudaGraphExec_t executable = nullptr;
  ok(cudaGraphInstantiate(&executable, first, 0));
  cudaGraphExecUpdateResultInfo info{};
  ok(cudaGraphExecUpdate(executable, second, &info));
  expect_true(info.result == cudaGraphExecUpdateSuccess);
  expect(cudaGraphExecUpdate(executable, longer, &info), cudaErrorGraphExecUpdateFailure);
  expect_true(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  ok(cudaGraphLaunch(executable, stream));
  // A launch in a capture becomes a graph in the graph.
  cudaGraph_t outer = nullptr;
  cudaGraphExec_t twice = nullptr;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaStreamEndCapture(stream, &outer));
  ok(cudaGraphInstantiate(&twice, outer, 0));
  ok(cudaGraphLaunch(twice, stream));
  ok(cudaStreamSynchronize(stream));
  int out = 0;
  ok(cudaMemcpy(&out, x, sizeof out, cudaMemcpyDeviceToHost));
  expect_true(out == 30);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphExecDestroy(twice));
  for (cudaGraph_t graph : {first, second, longer, outer}) ok(cudaGraphDestroy(graph));
}

constexpr std::size_t kMemoryBytes = 32 * sizeof(int);

cudaMemAllocNodeParams device_memory() {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = kMemoryBytes;
  return parameters;
}

std::uint64_t graph_memory(cudaGraphMemAttributeType attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  ok(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

/// Memory that a graph allocates, fills, copies out and frees, at each of its launches.
void memory_nodes() {
  cudaGraph_t graph = nullptr, copy = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t allocated = nullptr, filled = nullptr, copied = nullptr, freed = nullptr;
  int host[32] = {};
  ok(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = device_memory();
  ok(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  expect_true(memory.dptr != nullptr);
  cudaMemsetParams fill{memory.dptr, 0, 5, 4, 32, 1};
  ok(cudaGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill));
  ok(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, memory.dptr, sizeof host,
                              cudaMemcpyDeviceToHost));
  ok(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, memory.dptr));
  cudaGraphNodeType type{};
  ok(cudaGraphNodeGetType(allocated, &type));
  expect_true(type == cudaGraphNodeTypeMemAlloc);
  cudaMemAllocNodeParams known{};
  ok(cudaGraphMemAllocNodeGetParams(allocated, &known));
  expect_true(known.dptr == memory.dptr && known.bytesize == kMemoryBytes);
  void* pointer = nullptr;
  ok(cudaGraphMemFreeNodeGetParams(freed, static_cast<void*>(&pointer)));
  expect_true(pointer == memory.dptr);
  ok(cudaGraphInstantiate(&executable, graph, 0));
  for (int launch = 0; launch < 3; ++launch) {
    host[31] = 0;
    ok(cudaGraphLaunch(executable, nullptr));
    ok(cudaDeviceSynchronize());
    expect_equal(host[31], 5);
  }
  // There is one such graph, as its addresses are there once.
  expect(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
  expect(cudaGraphDestroyNode(freed), cudaErrorNotSupported);
  expect(cudaGraphAddMemFreeNode(&freed, graph, nullptr, 0, host), cudaErrorInvalidValue);
  memory.bytesize = 0;
  expect(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory), cudaErrorInvalidValue);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphDestroy(graph));
}

void captured_allocations() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  int* memory = nullptr;
  int host[32] = {};
  ok(cudaStreamCreate(&stream));
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(cudaMallocAsync(reinterpret_cast<void**>(&memory), kMemoryBytes, stream));
  ok(launch(set_to, {dim3(1), dim3(32), 0, stream}, memory, 8));
  ok(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
  ok(cudaFreeAsync(memory, stream));
  ok(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  ok(cudaGraphGetNodes(graph, nullptr, &nodes));
  expect_equal(nodes, 4u);
  expect_equal(host[31], 0);
  ok(cudaGraphInstantiate(&executable, graph, 0));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaGraphLaunch(executable, stream));
  ok(cudaStreamSynchronize(stream));
  expect_equal(host[31], 8);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphDestroy(graph));
  ok(cudaStreamDestroy(stream));
}

/// What a graph allocates and does not free is the program's to free, before the next launch.
void memory_left_allocated() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr, freeing = nullptr;
  cudaGraphNode_t allocated = nullptr, filled = nullptr;
  int host[32] = {};
  ok(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = device_memory();
  ok(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  cudaMemsetParams fill{memory.dptr, 0, 6, 4, 32, 1};
  ok(cudaGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill));
  ok(cudaGraphInstantiate(&executable, graph, 0));
  ok(cudaGraphLaunch(executable, nullptr));
  ok(cudaMemcpy(host, memory.dptr, sizeof host, cudaMemcpyDeviceToHost));
  expect_equal(host[31], 6);
  expect(cudaGraphLaunch(executable, nullptr), cudaErrorInvalidValue);
  ok(cudaFree(memory.dptr));
  ok(cudaGraphLaunch(executable, nullptr));
  ok(cudaFreeAsync(memory.dptr, nullptr));
  expect(cudaFreeAsync(memory.dptr, nullptr), cudaErrorInvalidValue);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  ok(cudaGraphLaunch(freeing, nullptr));
  ok(cudaGraphLaunch(freeing, nullptr));
  ok(cudaGraphExecDestroy(freeing));
  ok(cudaGraphDestroy(graph));
  // It outlives its graph.
  ok(cudaMemcpy(host, memory.dptr, sizeof host, cudaMemcpyDeviceToHost));
  ok(cudaFree(memory.dptr));
  expect(cudaFree(memory.dptr), cudaErrorInvalidValue);
}

void memory_attributes() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t allocated = nullptr;
  ok(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = device_memory();
  ok(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  ok(cudaGraphInstantiate(&executable, graph, 0));
  expect_equal(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  ok(cudaGraphLaunch(executable, nullptr));
  expect_equal(graph_memory(cudaGraphMemAttrUsedMemCurrent), kMemoryBytes);
  ok(cudaFree(memory.dptr));
  expect_equal(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0u);
  expect_equal(graph_memory(cudaGraphMemAttrUsedMemHigh), kMemoryBytes);
  expect_equal(graph_memory(cudaGraphMemAttrReservedMemCurrent), kMemoryBytes);
  ok(cudaDeviceGraphMemTrim(0));
  expect_equal(graph_memory(cudaGraphMemAttrReservedMemCurrent), 0u);
  std::uint64_t mark = 1;
  expect(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &mark),
         cudaErrorInvalidValue);
  mark = 0;
  ok(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &mark));
  expect_equal(graph_memory(cudaGraphMemAttrUsedMemHigh), 0u);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"kinds", kinds},
                  {"structure", structure},
                  {"update", update},
                  {"memory-nodes", memory_nodes},
                  {"captured-allocations", captured_allocations},
                  {"memory-left-allocated", memory_left_allocated},
                  {"memory-attributes", memory_attributes}});
}
