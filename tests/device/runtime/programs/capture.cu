// Stream capture: what is captured, forks and joins, and what is not allowed meanwhile.
#include <cstdio>

#include "expect.hpp"

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void multiply(int* x, int value) { x[threadIdx.x] *= value; }

int calls = 0;
void count_call(void* by) { calls += *static_cast<int*>(by); }

constexpr int kCount = 32;
constexpr std::size_t kBytes = kCount * sizeof(int);

std::size_t count_nodes(cudaGraph_t graph) {
  std::size_t count = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

void straight(cudaStream_t stream, int* x) {
  int in[kCount], out[kCount] = {}, step = 1;
  for (int& i : in) i = 1;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  OK(cudaStreamIsCapturing(stream, &status));
  THAT(status == cudaStreamCaptureStatusActive);
  OK(cudaMemcpyAsync(x, in, kBytes, cudaMemcpyHostToDevice, stream));
  add<<<1, kCount, 0, stream>>>(x, 2);
  OK(cudaGetLastError());
  multiply<<<1, kCount, 0, stream>>>(x, 5);
  OK(cudaMemcpyAsync(out, x, kBytes, cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, count_call, &step));
  unsigned long long id = 0;
  cudaGraph_t meanwhile = nullptr;
  const cudaGraphNode_t* last = nullptr;
  std::size_t count = 0;
  OK(cudaStreamGetCaptureInfo(stream, &status, &id, &meanwhile, &last, nullptr, &count));
  THAT(id != 0 && count == 1 && count_nodes(meanwhile) == 5);
  cudaGraphNodeType type{};
  OK(cudaGraphNodeGetType(last[0], &type));
  THAT(type == cudaGraphNodeTypeHost);
  OK(cudaStreamEndCapture(stream, &graph));
  THAT(graph == meanwhile && out[0] == 0 && calls == 0);
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 1; i <= 3; ++i) {
    in[0] = i;
    OK(cudaGraphLaunch(executable, stream));
    OK(cudaStreamSynchronize(stream));
    THAT(out[0] == (i + 2) * 5 && out[31] == 15 && calls == i);
  }
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  EXPECT(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
}

void fork_and_join(cudaStream_t stream, cudaStream_t other, int* x) {
  cudaEvent_t fork = nullptr, join = nullptr;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  cudaGraph_t graph = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(cudaMemsetAsync(x, 0, kBytes, stream));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(other, fork, 0));
  add<<<1, kCount / 2, 0, stream>>>(x, 1);
  add<<<1, kCount / 2, 0, other>>>(x + kCount / 2, 2);
  OK(cudaEventRecord(join, other));
  OK(cudaStreamWaitEvent(stream, join, 0));
  multiply<<<1, kCount, 0, stream>>>(x, 3);
  OK(cudaStreamEndCapture(stream, &graph));
  THAT(count_nodes(graph) == 4);
  std::size_t edges = 0, roots = 0;
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  THAT(edges == 4 && roots == 1);
  EXPECT(cudaEventQuery(join), cudaErrorCapturedEvent);
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, stream));
  int out[kCount] = {};
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(out, x, kBytes, cudaMemcpyDeviceToHost));
  THAT(out[0] == 3 && out[kCount - 1] == 6);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  // A branch that does not come back.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(other, fork, 0));
  add<<<1, kCount, 0, other>>>(x, 1);
  EXPECT(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(other, fork, 0));
  add<<<1, kCount, 0, other>>>(x, 1);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  THAT(graph == nullptr);
  // Two captures do not become one.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, stream));
  EXPECT(cudaStreamWaitEvent(other, fork, 0), cudaErrorStreamCaptureMerge);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
  // An event from before the capture does not belong to it.
  OK(cudaEventRecord(join, other));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamWaitEvent(stream, join, 0), cudaErrorStreamCaptureIsolation);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  OK(cudaEventQuery(join) == cudaErrorNotReady ? cudaSuccess : cudaEventSynchronize(join));
  OK(cudaEventDestroy(fork));
  OK(cudaEventDestroy(join));
}

void not_allowed(cudaStream_t stream, int* x) {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const auto invalid_after = [&](cudaError_t got, cudaError_t wanted) {
    EXPECT(got, wanted);
    OK(cudaStreamIsCapturing(stream, &status));
    THAT(status == cudaStreamCaptureStatusInvalidated);
    EXPECT(cudaMemsetAsync(x, 0, 4, stream), cudaErrorStreamCaptureInvalidated);
    EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    THAT(graph == nullptr);
  };
  const auto begin = [&](cudaStreamCaptureMode mode) { OK(cudaStreamBeginCapture(stream, mode)); };
  void* more = nullptr;
  begin(cudaStreamCaptureModeGlobal);
  invalid_after(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  begin(cudaStreamCaptureModeGlobal);
  invalid_after(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  begin(cudaStreamCaptureModeGlobal);
  invalid_after(cudaMalloc(&more, 4), cudaErrorStreamCaptureUnsupported);
  begin(cudaStreamCaptureModeGlobal);
  invalid_after(cudaMemset(x, 0, 4), cudaErrorStreamCaptureImplicit);
  begin(cudaStreamCaptureModeGlobal);
  invalid_after(cudaMemsetAsync(x, 0, 4, nullptr), cudaErrorStreamCaptureImplicit);
  begin(cudaStreamCaptureModeRelaxed);
  OK(cudaMalloc(&more, 4));
  OK(cudaFree(more));
  EXPECT(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)),
         cudaErrorInvalidValue);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  THAT(mode == cudaStreamCaptureModeGlobal);
  begin(cudaStreamCaptureModeGlobal);
  OK(cudaMalloc(&more, 4));
  OK(cudaFree(more));
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
}

int main() {
  cudaStream_t stream = nullptr, other = nullptr;
  int* x = nullptr;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&other));
  OK(cudaMalloc(&x, kBytes));
  straight(stream, x);
  fork_and_join(stream, other, x);
  not_allowed(stream, x);
  OK(cudaFree(x));
  OK(cudaStreamDestroy(stream));
  OK(cudaStreamDestroy(other));
  OK(cudaDeviceSynchronize());
  std::puts("done");
}
