// Stream capture: what is captured, forks and joins, and what is not allowed meanwhile.
#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

int calls = 0;
void count_call(void* by) { calls += *static_cast<int*>(by); }

constexpr int kCount = 32;
constexpr std::size_t kBytes = kCount * sizeof(int);

/// Two streams and memory.
struct Things {
  cudaStream_t stream = nullptr, other = nullptr;
  int* x = nullptr;
  Things() {
    ok(cudaStreamCreate(&stream));
    ok(cudaStreamCreate(&other));
    ok(cudaMalloc(reinterpret_cast<void**>(&x), kBytes));
  }
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;
  ~Things() {
    ok(cudaFree(x));
    ok(cudaStreamDestroy(stream));
    ok(cudaStreamDestroy(other));
  }
};

std::size_t count_nodes(cudaGraph_t graph) {
  std::size_t count = 0;
  ok(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

void straight() {
  const Things things;
  const cudaStream_t stream = things.stream;
  int* const x = things.x;
  int in[kCount], out[kCount] = {}, step = 1;
  for (int& i : in) i = 1;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  ok(cudaStreamIsCapturing(stream, &status));
  expect_true(status == cudaStreamCaptureStatusActive);
  ok(cudaMemcpyAsync(x, in, kBytes, cudaMemcpyHostToDevice, stream));
  ok(launch(add_to, {dim3(1), dim3(kCount), 0, stream}, x, 2));
  ok(launch(multiply_by, {dim3(1), dim3(kCount), 0, stream}, x, 5));
  ok(cudaMemcpyAsync(out, x, kBytes, cudaMemcpyDeviceToHost, stream));
  ok(cudaLaunchHostFunc(stream, count_call, &step));
  unsigned long long id = 0;
  cudaGraph_t meanwhile = nullptr;
  const cudaGraphNode_t* last = nullptr;
  std::size_t count = 0;
  ok(cudaStreamGetCaptureInfo(stream, &status, &id, &meanwhile, &last, nullptr, &count));
  expect_true(id != 0 && count == 1 && count_nodes(meanwhile) == 5);
  cudaGraphNodeType type{};
  ok(cudaGraphNodeGetType(last[0], &type));
  expect_true(type == cudaGraphNodeTypeHost);
  ok(cudaStreamEndCapture(stream, &graph));
  expect_true(graph == meanwhile && out[0] == 0 && calls == 0);
  ok(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 1; i <= 3; ++i) {
    in[0] = i;
    ok(cudaGraphLaunch(executable, stream));
    ok(cudaStreamSynchronize(stream));
    expect_true(out[0] == (i + 2) * 5 && out[31] == 15 && calls == i);
  }
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphDestroy(graph));
  if (is_on_warpbook()) expect(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  expect(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
}

void fork_and_join() {
  const Things things;
  const cudaStream_t stream = things.stream;
  const cudaStream_t other = things.other;
  int* const x = things.x;
  cudaEvent_t fork = nullptr, join = nullptr;
  ok(cudaEventCreate(&fork));
  ok(cudaEventCreate(&join));
  cudaGraph_t graph = nullptr;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  ok(cudaMemsetAsync(x, 0, kBytes, stream));
  ok(cudaEventRecord(fork, stream));
  ok(cudaStreamWaitEvent(other, fork, 0));
  ok(launch(add_to, {dim3(1), dim3(kCount / 2), 0, stream}, x, 1));
  ok(launch(add_to, {dim3(1), dim3(kCount / 2), 0, other}, x + kCount / 2, 2));
  ok(cudaEventRecord(join, other));
  ok(cudaStreamWaitEvent(stream, join, 0));
  ok(launch(multiply_by, {dim3(1), dim3(kCount), 0, stream}, x, 3));
  ok(cudaStreamEndCapture(stream, &graph));
  expect_true(count_nodes(graph) == 4);
  std::size_t edges = 0, roots = 0;
  ok(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  ok(cudaGraphGetRootNodes(graph, nullptr, &roots));
  expect_true(edges == 4 && roots == 1);
  expect(cudaEventQuery(join), cudaErrorCapturedEvent);
  cudaGraphExec_t executable = nullptr;
  ok(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  ok(cudaGraphLaunch(executable, stream));
  int out[kCount] = {};
  ok(cudaStreamSynchronize(stream));
  ok(cudaMemcpy(out, x, kBytes, cudaMemcpyDeviceToHost));
  expect_true(out[0] == 3 && out[kCount - 1] == 6);
  ok(cudaGraphExecDestroy(executable));
  ok(cudaGraphDestroy(graph));
  // A branch that does not come back.
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(cudaEventRecord(fork, stream));
  ok(cudaStreamWaitEvent(other, fork, 0));
  ok(launch(add_to, {dim3(1), dim3(kCount), 0, other}, x, 1));
  expect(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  expect(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(cudaEventRecord(fork, stream));
  ok(cudaStreamWaitEvent(other, fork, 0));
  ok(launch(add_to, {dim3(1), dim3(kCount), 0, other}, x, 1));
  expect(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  expect_true(graph == nullptr);
  // Two captures do not become one.
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ok(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
  ok(cudaEventRecord(fork, stream));
  expect(cudaStreamWaitEvent(other, fork, 0), cudaErrorStreamCaptureMerge);
  expect(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  expect(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
  // An event from before the capture does not belong to it.
  ok(cudaEventRecord(join, other));
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  expect(cudaStreamWaitEvent(stream, join, 0), cudaErrorStreamCaptureIsolation);
  expect(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ok(cudaEventQuery(join) == cudaErrorNotReady ? cudaSuccess : cudaEventSynchronize(join));
  ok(cudaEventDestroy(fork));
  ok(cudaEventDestroy(join));
}

void not_allowed() {
  const Things things;
  const cudaStream_t stream = things.stream;
  int* const x = things.x;
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const auto invalid_after = [&](cudaError_t got, cudaError_t wanted) {
    expect(got, wanted);
    ok(cudaStreamIsCapturing(stream, &status));
    expect_true(status == cudaStreamCaptureStatusInvalidated);
    expect(cudaMemsetAsync(x, 0, 4, stream), cudaErrorStreamCaptureInvalidated);
    expect(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    expect_true(graph == nullptr);
  };
  const auto begin = [&](cudaStreamCaptureMode mode) { ok(cudaStreamBeginCapture(stream, mode)); };
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
  ok(cudaMalloc(&more, 4));
  ok(cudaFree(more));
  expect(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit);
  ok(cudaStreamEndCapture(stream, &graph));
  ok(cudaGraphDestroy(graph));
  expect(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
         cudaErrorStreamCaptureUnsupported);
  expect(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)),
         cudaErrorInvalidValue);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ok(cudaThreadExchangeStreamCaptureMode(&mode));
  expect_true(mode == cudaStreamCaptureModeGlobal);
  begin(cudaStreamCaptureModeGlobal);
  ok(cudaMalloc(&more, 4));
  ok(cudaFree(more));
  ok(cudaThreadExchangeStreamCaptureMode(&mode));
  ok(cudaStreamEndCapture(stream, &graph));
  ok(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(
      argc, argv,
      {{"straight", straight}, {"fork-and-join", fork_and_join}, {"not-allowed", not_allowed}});
}
