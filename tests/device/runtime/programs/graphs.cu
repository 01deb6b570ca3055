// Graphs that are built node by node: every kind of node, changes to nodes and to executable graphs, structure, errors.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "expect.hpp"

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void multiply(int* x, int value) { x[threadIdx.x] *= value; }
__device__ int symbol[4];

void set_first(void* values) { *static_cast<int*>(values) = 100; }

constexpr int kCount = 32;
constexpr std::size_t kBytes = kCount * sizeof(int);

cudaKernelNodeParams kernel(void (*function)(int*, int), void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(function);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(kCount);
  parameters.kernelParams = arguments;
  return parameters;
}

void kinds(cudaStream_t stream, int* x) {
  cudaGraph_t graph = nullptr;
  OK(cudaGraphCreate(&graph, 0));
  int host[kCount] = {}, value = 7;
  cudaGraphNode_t fill = nullptr, run = nullptr, host_node = nullptr, in = nullptr, out = nullptr,
                  empty = nullptr, record = nullptr;
  cudaMemsetParams set{};
  set.dst = x;
  set.value = 0x01020304;
  set.elementSize = 4;
  set.width = kCount;
  set.height = 1;
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  void* arguments[] = {&x, &value};
  const cudaKernelNodeParams parameters = kernel(add, arguments);
  OK(cudaGraphAddKernelNode(&run, graph, &fill, 1, &parameters));
  OK(cudaGraphAddMemcpyNode1D(&out, graph, &run, 1, host, x, kBytes, cudaMemcpyDeviceToHost));
  cudaHostNodeParams first{set_first, host};
  OK(cudaGraphAddHostNode(&host_node, graph, &out, 1, &first));
  OK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, &host_node, 1, symbol, host, 8, 4,
                                    cudaMemcpyHostToDevice));
  OK(cudaGraphAddEmptyNode(&empty, graph, &in, 1));
  cudaEvent_t event = nullptr;
  OK(cudaEventCreate(&event));
  OK(cudaGraphAddEventRecordNode(&record, graph, &empty, 1, event));
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphUpload(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaEventSynchronize(event));
  THAT(host[0] == 100 && host[1] == 0x01020304 + 7);
  int there[4] = {};
  OK(cudaMemcpyFromSymbol(there, symbol, sizeof there));
  THAT(there[0] == 0 && there[1] == 100 && there[2] == 0x01020304 + 7);
  // Other parameters, in the executable graph alone and in the graph.
  int other = 1;
  void* others[] = {&x, &other};
  const cudaKernelNodeParams changed = kernel(multiply, others);
  OK(cudaGraphExecKernelNodeSetParams(executable, run, &changed));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  THAT(host[1] == 0x01020304);
  cudaKernelNodeParams asked{};
  OK(cudaGraphKernelNodeGetParams(run, &asked));
  THAT(asked.func == reinterpret_cast<void*>(add) && asked.blockDim.x == kCount &&
       *static_cast<int*>(asked.kernelParams[1]) == 7);
  OK(cudaGraphNodeSetEnabled(executable, run, 0));
  unsigned enabled = 1;
  OK(cudaGraphNodeGetEnabled(executable, run, &enabled));
  THAT(enabled == 0);
  set.value = 5;
  set.elementSize = 2;
  set.width = 2 * kCount;
  OK(cudaGraphExecMemsetNodeSetParams(executable, fill, &set));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  THAT(host[1] == 0x00050005);
  EXPECT(cudaGraphExecMemsetNodeSetParams(executable, run, &set), cudaErrorInvalidValue);
  set.elementSize = 3;
  EXPECT(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set), cudaErrorInvalidValue);
  EXPECT(cudaGraphNodeSetEnabled(executable, host_node, 0), cudaErrorInvalidValue);
  EXPECT(cudaGraphAddMemcpyNode1D(&out, graph, nullptr, 0, x, host, kBytes,
                                  cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  EXPECT(cudaGraphAddEmptyNode(&empty, nullptr, nullptr, 0), cudaErrorInvalidValue);
  cudaKernelNodeParams unknown = kernel(add, arguments);
  unknown.func = &value;
  EXPECT(cudaGraphAddKernelNode(&run, graph, nullptr, 0, &unknown), cudaErrorInvalidDeviceFunction);
  OK(cudaGraphExecDestroy(executable));
  EXPECT(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);
  OK(cudaGraphDestroy(graph));
  OK(cudaEventDestroy(event));
}

void structure() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  OK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  OK(cudaGraphAddEmptyNode(&c, graph, nullptr, 0));
  OK(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1));
  EXPECT(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1), cudaErrorInvalidValue);
  cudaGraphNode_t nodes[4] = {};
  std::size_t count = 4;
  OK(cudaGraphGetNodes(graph, nodes, &count));
  THAT(count == 3 && nodes[0] == a && nodes[3] == nullptr);
  count = 4;
  OK(cudaGraphNodeGetDependencies(c, nodes, nullptr, &count));
  THAT(count == 1 && nodes[0] == b);
  count = 4;
  OK(cudaGraphNodeGetDependentNodes(a, nodes, nullptr, &count));
  THAT(count == 1 && nodes[0] == b);
  cudaGraphNode_t from[2] = {}, to[2] = {};
  count = 2;
  OK(cudaGraphGetEdges(graph, from, to, nullptr, &count));
  THAT(count == 2 && from[0] == a && to[0] == b && from[1] == b && to[1] == c);
  // A circle.
  OK(cudaGraphAddDependencies(graph, &c, &a, nullptr, 1));
  cudaGraphExec_t executable = nullptr;
  EXPECT(cudaGraphInstantiate(&executable, graph, 0), cudaErrorInvalidValue);
  OK(cudaGraphRemoveDependencies(graph, &c, &a, nullptr, 1));
  // Clones and what they know of their originals.
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t in_clone = nullptr;
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&in_clone, b, clone));
  OK(cudaGraphDestroyNode(in_clone));
  count = 0;
  OK(cudaGraphGetNodes(clone, nullptr, &count));
  THAT(count == 2);
  EXPECT(cudaGraphNodeFindInClone(&in_clone, b, clone), cudaErrorInvalidValue);
  // A graph in a graph.
  cudaGraph_t inside = nullptr;
  cudaGraphNode_t child = nullptr;
  OK(cudaGraphAddChildGraphNode(&child, graph, &c, 1, clone));
  OK(cudaGraphChildGraphNodeGetGraph(child, &inside));
  count = 0;
  OK(cudaGraphGetNodes(inside, nullptr, &count));
  THAT(count == 2 && inside != clone);
  OK(cudaGraphDebugDotPrint(graph, "graph.dot", 0));
  std::stringstream text;
  text << std::ifstream("graph.dot").rdbuf();
  THAT(text.str().find("CHILD_GRAPH") != std::string::npos &&
       text.str().find("\"graph_0_node_0\" -> \"graph_0_node_1\"") != std::string::npos);
  std::remove("graph.dot");
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(clone));
}

cudaGraph_t captured(cudaStream_t stream, int* x, int value, bool twice) {
  cudaGraph_t graph = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, kCount, 0, stream>>>(x, value);
  if (twice) add<<<1, kCount, 0, stream>>>(x, value);
  OK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

void update(cudaStream_t stream, int* x) {
  OK(cudaMemset(x, 0, kBytes));
  const cudaGraph_t first = captured(stream, x, 1, false), second = captured(stream, x, 10, false),
                    longer = captured(stream, x, 1, true);
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiate(&executable, first, 0));
  cudaGraphExecUpdateResultInfo info{};
  OK(cudaGraphExecUpdate(executable, second, &info));
  THAT(info.result == cudaGraphExecUpdateSuccess);
  EXPECT(cudaGraphExecUpdate(executable, longer, &info), cudaErrorGraphExecUpdateFailure);
  THAT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphLaunch(executable, stream));
  // A launch in a capture becomes a graph in the graph.
  cudaGraph_t outer = nullptr;
  cudaGraphExec_t twice = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamEndCapture(stream, &outer));
  OK(cudaGraphInstantiate(&twice, outer, 0));
  OK(cudaGraphLaunch(twice, stream));
  OK(cudaStreamSynchronize(stream));
  int out = 0;
  OK(cudaMemcpy(&out, x, sizeof out, cudaMemcpyDeviceToHost));
  THAT(out == 30);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphExecDestroy(twice));
  for (cudaGraph_t graph : {first, second, longer, outer}) OK(cudaGraphDestroy(graph));
}

int main() {
  cudaStream_t stream = nullptr;
  int* x = nullptr;
  OK(cudaStreamCreate(&stream));
  OK(cudaMalloc(&x, kBytes));
  kinds(stream, x);
  structure();
  update(stream, x);
  OK(cudaFree(x));
  OK(cudaStreamDestroy(stream));
  OK(cudaDeviceSynchronize());
  std::puts("done");
}
