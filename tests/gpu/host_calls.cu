// What calls of the CUDA runtime cost the host, and what copies and allocations take, on this computer's GPU. tests/gpu/run keeps what
// it prints in device/records/<gpu>.calls.tsv: the GPU's name, and then a line each of call, bytes and microseconds.
//
// Times are medians by the host's clock, of as many repetitions as keep the whole under half a minute.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

__global__ void nothing() {}

__global__ void add_one(float* values, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

template <class Call>
double median_of(int times, const Call& call) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) {
    const auto begin = Clock::now();
    call();
    taken.push_back(since(begin));
  }
  std::sort(taken.begin(), taken.end());
  return taken[taken.size() / 2];
}

void print(const char* call, size_t bytes, double microseconds) {
  printf("%s\t%zu\t%.2f\n", call, bytes, microseconds);
}

void wait() { CHECK(cudaDeviceSynchronize()); }

// Microseconds that the GPU took between two events.
double between(cudaEvent_t begin, cudaEvent_t end) {
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds * 1e3;
}

// Calls that only ask for something, and kernels that do nothing: one after the other in a stream, and as nodes of a graph.
void launches() {
  const int kCalls = 200, kQueued = 1000, kNodes = 100, kGraphs = 10;
  nothing<<<1, 1>>>();
  wait();
  print("launch", 0, median_of(kCalls, [] { nothing<<<1, 1>>>(); }));
  wait();
  print("launch-and-wait", 0, median_of(kCalls, [] {
          nothing<<<1, 1>>>();
          wait();
        }));
  print("wait-for-nothing", 0, median_of(kCalls, wait));

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  print("record-event", 0, median_of(kCalls, [&] { CHECK(cudaEventRecord(begin)); }));
  wait();
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < kQueued; ++i) nothing<<<1, 1>>>();
  CHECK(cudaEventRecord(end));
  print("queued-kernel", 0, between(begin, end) / kQueued);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kNodes; ++i) nothing<<<1, 1, 0, stream>>>();
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaEventRecord(begin, stream));
  for (int i = 0; i < kGraphs; ++i) CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaEventRecord(end, stream));
  print("graph-kernel", 0, between(begin, end) / (kGraphs * kNodes));
  print("launch-graph", 0, median_of(kGraphs, [&] { CHECK(cudaGraphLaunch(ready, stream)); }));
  wait();
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
}

void copies(size_t bytes, int times) {
  char *device, *other, *pinned;
  std::vector<char> pageable(bytes, 1);
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  memset(pinned, 1, bytes);
  const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
    return median_of(times, [=] { CHECK(cudaMemcpy(to, from, bytes, kind)); });
  };
  print("copy-in-pageable", bytes, copy(device, pageable.data(), cudaMemcpyHostToDevice));
  print("copy-out-pageable", bytes, copy(pageable.data(), device, cudaMemcpyDeviceToHost));
  print("copy-in-pinned", bytes, copy(device, pinned, cudaMemcpyHostToDevice));
  print("copy-out-pinned", bytes, copy(pinned, device, cudaMemcpyDeviceToHost));
  print("ask-for-copy", bytes, median_of(times, [&] {
          CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice));
        }));
  wait();
  print("copy-in-memory-and-wait", bytes, median_of(times, [&] {
          CHECK(cudaMemcpy(other, device, bytes, cudaMemcpyDeviceToDevice));
          wait();
        }));
  print("fill-and-wait", bytes, median_of(times, [&] {
          CHECK(cudaMemset(device, 0, bytes));
          wait();
        }));
  CHECK(cudaFree(device));
  CHECK(cudaFree(other));
  CHECK(cudaFreeHost(pinned));
}

void allocations(size_t bytes) {
  const int kHeld = 20, kPinned = 5, kFromPool = 50;
  std::vector<void*> held(kHeld);
  size_t next = 0;
  print("allocate", bytes, median_of(kHeld, [&] { CHECK(cudaMalloc(&held[next++], bytes)); }));
  print("free", bytes, median_of(kHeld, [&] { CHECK(cudaFree(held[--next])); }));
  print("allocate-pinned", bytes,
        median_of(kPinned, [&] { CHECK(cudaMallocHost(&held[next++], bytes)); }));
  print("free-pinned", bytes, median_of(kPinned, [&] { CHECK(cudaFreeHost(held[--next])); }));
  const auto from_pool = [bytes] {
    void* memory;
    CHECK(cudaMallocAsync(&memory, bytes, 0));
    CHECK(cudaFreeAsync(memory, 0));
  };
  from_pool();  // the pool has nothing before
  wait();
  print("allocate-from-pool-and-free", bytes, median_of(kFromPool, from_pool));
  wait();
}

// A kernel that adds 1 to an array where it lies: in the device's memory, in the host's, and in pages that have to move first.
void places() {
  const size_t n = 1 << 22, bytes = n * sizeof(float);
  float *mapped, *on_device, *managed;
  CHECK(cudaMallocHost(&mapped, bytes));
  CHECK(cudaMalloc(&on_device, bytes));
  CHECK(cudaMallocManaged(&managed, bytes));
  memset(mapped, 0, bytes);
  memset(managed, 0, bytes);
  const auto add = [n](int times, float* values) {
    return median_of(times, [=] {
      add_one<<<n / 256, 256>>>(values, n);
      wait();
    });
  };
  print("add-in-mapped", bytes, add(10, mapped));
  print("add-in-device", bytes, add(10, on_device));
  print("add-in-managed-first", bytes, add(1, managed));
  print("add-in-managed-again", bytes, add(5, managed));
  volatile float sum = 0;
  print("read-managed-on-host", bytes, median_of(1, [&] {
          for (size_t i = 0; i < n; i += 4096 / sizeof(float)) sum = sum + managed[i];
        }));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFree(on_device));
  CHECK(cudaFree(managed));
}

int main() {
  const auto begin = Clock::now();
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    fprintf(stderr, "there is no GPU here\n");
    return 4;
  }
  CHECK(cudaFree(0));
  const double first = since(begin);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  printf("# %s\n", properties.name);
  print("first-call", 0, first);
  launches();
  const size_t kSizes[] = {4, 4096, 1 << 16, 1 << 20, 1 << 24, 1 << 28};
  for (size_t bytes : kSizes) {
    copies(bytes, bytes > (1 << 24) ? 5 : 50);
    allocations(bytes);
  }
  places();
}
