// Streams and events, host functions, several host threads, and a kernel that talks with the host.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

constexpr int kCount = 1000;

template <class T>
T* on_device(std::size_t count) {
  T* pointer = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&pointer), count * sizeof(T)));
  return pointer;
}
template <class T>
T* managed(std::size_t count) {
  T* pointer = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&pointer), count * sizeof(T), cudaMemAttachGlobal));
  std::memset(pointer, 0, count * sizeof(T));
  return pointer;
}
cudaStream_t new_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  ok(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}
cudaEvent_t new_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  ok(cudaEventCreateWithFlags(&event, flags));
  return event;
}

/// Work of a stream comes in the order in which it was asked for.
void order() {
  cudaStream_t stream = new_stream();
  int *list = managed<int>(8), *length = managed<int>(1);
  for (int i = 0; i < 8; ++i) ok(launch(append, {dim3(1), dim3(1), 0, stream}, list, length, i));
  ok(cudaStreamSynchronize(stream));
  for (int i = 0; i < 8; ++i) expect_equal(list[i], i);
  ok(cudaStreamDestroy(stream));
  ok(cudaFree(list));
  ok(cudaFree(length));
}

void query() {
  cudaStream_t stream = new_stream();
  int* flag = managed<int>(1);
  cudaEvent_t event = new_event();
  ok(cudaStreamQuery(stream));
  ok(cudaEventQuery(event));  // never recorded: an empty set of work
  ok(cudaEventSynchronize(event));
  ok(launch(spin_for_ever, {dim3(1), dim3(1), 0, stream}, flag));
  ok(cudaEventRecord(event, stream));
  expect(cudaStreamQuery(stream), cudaErrorNotReady);
  expect(cudaEventQuery(event), cudaErrorNotReady);
  float milliseconds = 0;
  expect(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorNotReady);
  *static_cast<volatile int*>(flag) = 1;
  ok(cudaEventSynchronize(event));
  ok(cudaEventQuery(event));
  ok(cudaStreamSynchronize(stream));
  ok(cudaStreamQuery(stream));
  ok(cudaEventDestroy(event));
  ok(cudaStreamDestroy(stream));
  ok(cudaFree(flag));
}

void wait_event() {
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t event = new_event(cudaEventDisableTiming);
  int *list = managed<int>(8), *length = managed<int>(1);
  ok(cudaStreamWaitEvent(second, event, 0));  // never recorded: nothing to wait for
  ok(launch(append, {dim3(1), dim3(1), 0, first}, list, length, 1));
  ok(cudaEventRecord(event, first));
  ok(cudaStreamWaitEvent(second, event, 0));
  ok(launch(append, {dim3(1), dim3(1), 0, second}, list, length, 2));
  ok(cudaStreamSynchronize(second));
  expect_equal(list[0], 1);
  expect_equal(list[1], 2);
  expect(cudaStreamWaitEvent(second, event, 0x80), cudaErrorInvalidValue);
  ok(cudaEventDestroy(event));
  ok(cudaStreamDestroy(first));
  ok(cudaStreamDestroy(second));
  ok(cudaFree(list));
  ok(cudaFree(length));
}

/// The time between events is that of what lies between them, as the clock of the simulated GPU estimates it.
void elapsed_time() {
  cudaEvent_t begin = new_event(), middle = new_event(), end = new_event();
  float* x = on_device<float>(256);
  const auto between = [](cudaEvent_t from, cudaEvent_t to) {
    float milliseconds = -1;
    ok(cudaEventElapsedTime(&milliseconds, from, to));
    return milliseconds;
  };
  float milliseconds = 0;
  expect(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorInvalidResourceHandle);
  ok(cudaEventRecord(begin, nullptr));
  ok(launch(work, {dim3(1), dim3(256)}, x, 100));
  ok(cudaEventRecord(middle, nullptr));
  ok(launch(work, {dim3(1), dim3(256)}, x, 10000));
  ok(cudaEventRecord(end, nullptr));
  ok(cudaEventSynchronize(end));
  const float few = between(begin, middle), many = between(middle, end);
  expect_true(few > 0 && many > 2 * few && many < 1000);
  expect_true(between(begin, begin) == 0);
  const float all = between(begin, end), sum = few + many;
  expect_true(all > 0.99f * sum && all < 1.01f * sum);
  expect_true(between(end, begin) < 0);
  cudaEvent_t timeless = new_event(cudaEventDisableTiming);
  ok(cudaEventRecord(timeless, nullptr));
  ok(cudaEventSynchronize(timeless));
  expect(cudaEventElapsedTime(&milliseconds, begin, timeless), cudaErrorInvalidResourceHandle);
  expect(cudaEventElapsedTime(nullptr, begin, end), cudaErrorInvalidValue);
  for (cudaEvent_t event : {begin, middle, end, timeless}) ok(cudaEventDestroy(event));
  ok(cudaFree(x));
}

void handles() {
  cudaStream_t stream = new_stream(cudaStreamNonBlocking), own = nullptr;
  unsigned flags = 0;
  ok(cudaStreamGetFlags(stream, &flags));
  expect_equal(flags, unsigned{cudaStreamNonBlocking});
  expect(cudaStreamCreateWithFlags(&own, 0x80), cudaErrorInvalidValue);
  expect(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  int least = 1, greatest = 1, priority = 1;
  ok(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  expect_equal(least, 0);
  expect_true(greatest < 0);
  ok(cudaStreamCreateWithPriority(&own, cudaStreamDefault, greatest - 10));
  ok(cudaStreamGetPriority(own, &priority));
  expect_equal(priority, greatest);  // clamped
  unsigned long long first = 0, second = 0;
  ok(cudaStreamGetId(stream, &first));
  ok(cudaStreamGetId(own, &second));
  expect_true(first != second);
  ok(cudaStreamDestroy(own));
  ok(cudaStreamDestroy(stream));
  if (is_on_warpbook()) {
    expect(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    expect(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  }
  expect(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);

  cudaEvent_t event = nullptr;
  expect(cudaEventCreateWithFlags(&event, 0x80), cudaErrorInvalidValue);
  // Between processes there is no timing.
  expect(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  expect(cudaEventCreate(nullptr), cudaErrorInvalidValue);
  expect(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle);
  expect(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  expect(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  int* x = on_device<int>(1);
  if (is_on_warpbook())
    expect(launch(add_one, {dim3(1), dim3(1), 0, stream}, x, 1), cudaErrorInvalidResourceHandle);
  ok(cudaFree(x));
}

struct Heard {
  std::vector<int> order;
  std::atomic<int> calls{0};
  cudaStream_t stream = nullptr;
  cudaError_t status = cudaErrorUnknown, inside = cudaErrorUnknown;
  std::thread::id thread;
};

void host_functions() {
  static Heard heard;
  cudaStream_t stream = new_stream();
  static int* x = managed<int>(1);
  ok(launch(add_one, {dim3(1), dim3(1), 0, stream}, x, 1));
  ok(cudaLaunchHostFunc(
      stream,
      [](void* argument) {
        auto* to = static_cast<Heard*>(argument);
        to->order.push_back(*x);
        to->thread = std::this_thread::get_id();
        *x = 10;
      },
      &heard));
  ok(launch(add_one, {dim3(1), dim3(1), 0, stream}, x, 1));
  ok(cudaStreamAddCallback(
      stream,
      [](cudaStream_t of, cudaError_t status, void* argument) {
        auto* to = static_cast<Heard*>(argument);
        to->order.push_back(*x);
        to->stream = of;
        to->status = status;
        ++to->calls;
      },
      &heard, 0));
  ok(cudaStreamSynchronize(stream));
  expect_true(heard.order == std::vector<int>{1, 11});
  expect_true(heard.thread != std::this_thread::get_id());
  expect_true(heard.stream == stream);
  expect(heard.status, cudaSuccess);
  expect(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  expect(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
  ok(cudaStreamDestroy(stream));
  ok(cudaFree(x));
}

/// "The host function must not make any CUDA API calls."
void calls_in_host_functions() {
  static Heard heard;
  ok(cudaLaunchHostFunc(
      nullptr,
      [](void* argument) { static_cast<Heard*>(argument)->inside = cudaDeviceSynchronize(); },
      &heard));
  ok(cudaDeviceSynchronize());
  expect(heard.inside, cudaErrorNotPermitted);
}

/// After a failure a callback is told of it, and a host function is not called.
void host_functions_after_failures() {
  static Heard heard;
  ok(launch(write_wild, {dim3(1), dim3(1)}));
  // These may be refused already, where the kernel has failed by now.
  const cudaError_t callback = cudaStreamAddCallback(
      nullptr,
      [](cudaStream_t, cudaError_t status, void* argument) {
        static_cast<Heard*>(argument)->status = status;
      },
      &heard, 0);
  const cudaError_t function = cudaLaunchHostFunc(
      nullptr, [](void* argument) { ++static_cast<Heard*>(argument)->calls; }, &heard);
  expect(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  if (callback == cudaSuccess) expect(heard.status, cudaErrorIllegalAddress);
  if (function == cudaSuccess) expect_equal(heard.calls.load(), 0);
}

/// cudaStreamPerThread is another stream in each thread; all of them do their work.
void per_thread_streams() {
  int* x = on_device<int>(4);
  ok(cudaMemset(x, 0, 4 * sizeof(int)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([x, i] {
      for (int k = 0; k < 5; ++k)
        ok(launch(add_one, {dim3(1), dim3(1), 0, cudaStreamPerThread}, x + i, 1));
      ok(cudaStreamSynchronize(cudaStreamPerThread));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::array<int, 4> back{};
  ok(cudaMemcpy(back.data(), x, sizeof back, cudaMemcpyDeviceToHost));
  expect_true(back == std::array<int, 4>{5, 5, 5, 5});
  ok(cudaFree(x));
}

/// Each thread has a last error and a current device of its own.
void several_threads() {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&wrong, i] {
      const bool fails = i % 2 == 0;
      if (fails) (void)cudaMalloc(nullptr, 4);
      for (int k = 0; k < 20; ++k) {
        void* x = nullptr;
        std::vector<int> host(kCount, i), back(kCount);
        const std::size_t bytes = host.size() * sizeof(int);
        if (cudaMalloc(&x, bytes) != cudaSuccess) ++wrong;
        (void)cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice);
        (void)launch(add_one, {dim3(4), dim3(256)}, static_cast<int*>(x), kCount);
        (void)cudaMemcpy(back.data(), x, bytes, cudaMemcpyDeviceToHost);
        if (back != std::vector<int>(kCount, i + 1)) ++wrong;
        if (cudaFree(x) != cudaSuccess) ++wrong;
      }
      if (cudaGetLastError() != (fails ? cudaErrorInvalidValue : cudaSuccess)) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect_equal(wrong.load(), 0);
  expect(cudaGetLastError(), cudaSuccess);
}

/// A kernel and the host talk through managed memory while the kernel runs.
void kernel_waits_for_host() {
  int *flag = managed<int>(1), *reply = managed<int>(1);
  ok(launch(wait_for_host, {dim3(1), dim3(1)}, flag, reply));
  *static_cast<volatile int*>(flag) = 41;
  ok(cudaDeviceSynchronize());
  expect_equal(*reply, 42);
  ok(cudaFree(flag));
  ok(cudaFree(reply));
}

/// The host takes its time, in which the kernel sees nothing change.
void kernel_waits_for_slow_host() {
  int *flag = managed<int>(1), *reply = managed<int>(1);
  ok(launch(wait_for_host, {dim3(1), dim3(32)}, flag, reply));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  *static_cast<volatile int*>(flag) = 41;
  ok(cudaDeviceSynchronize());
  expect_equal(*reply, 42);
  ok(cudaFree(flag));
  ok(cudaFree(reply));
}

/// The same through pinned memory, from which the host reads while the kernel still runs.
void kernel_answers_in_pinned_memory() {
  int *flag = nullptr, *reply = nullptr;
  ok(cudaMallocHost(reinterpret_cast<void**>(&flag), sizeof(int)));
  ok(cudaMallocHost(reinterpret_cast<void**>(&reply), sizeof(int)));
  *flag = *reply = 0;
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  ok(launch(wait_for_host, {dim3(1), dim3(1), 0, stream}, flag, reply));
  *static_cast<volatile int*>(flag) = 6;
  while (*static_cast<volatile int*>(reply) == 0) std::this_thread::yield();
  expect_equal(*reply, 7);
  ok(cudaStreamSynchronize(stream));
  ok(cudaStreamDestroy(stream));
  ok(cudaFreeHost(flag));
  ok(cudaFreeHost(reply));
}

/// Copies of pinned memory come in the order of their stream.
void asynchronous_copies() {
  cudaStream_t stream = new_stream();
  int *host = nullptr, *x = on_device<int>(kCount);
  const std::size_t bytes = kCount * sizeof(int);
  ok(cudaMallocHost(reinterpret_cast<void**>(&host), bytes));
  std::fill(host, host + kCount, 3);
  ok(cudaMemcpyAsync(x, host, bytes, cudaMemcpyHostToDevice, stream));
  ok(launch(add_one, {dim3(4), dim3(256), 0, stream}, x, kCount));
  ok(cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream));
  ok(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i) expect_equal(host[i], 4);
  ok(cudaMemsetAsync(x, 0, bytes, stream));
  ok(cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream));
  ok(cudaStreamDestroy(stream));  // the work is done all the same
  ok(cudaDeviceSynchronize());
  expect_equal(host[kCount - 1], 0);
  ok(cudaFreeHost(host));
  ok(cudaFree(x));
}

/// A pipeline in two streams, which a GPU overlaps.
void pipeline() {
  constexpr std::size_t kElements = 1u << 18, kBytes = kElements * sizeof(int);
  std::array<cudaStream_t, 2> streams{};
  std::array<int*, 2> host{}, x{};
  for (std::size_t i = 0; i < streams.size(); ++i) {
    streams[i] = new_stream(cudaStreamNonBlocking);
    ok(cudaMallocHost(reinterpret_cast<void**>(&host[i]), kBytes));
    std::fill(host[i], host[i] + kElements, 1);
    x[i] = on_device<int>(kElements);
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    ok(cudaMemcpyAsync(x[i], host[i], kBytes, cudaMemcpyHostToDevice, streams[i]));
    ok(launch(add_one, {dim3(4), dim3(256), 0, streams[i]}, x[i], 1024));
    ok(cudaMemcpyAsync(host[i], x[i], kBytes, cudaMemcpyDeviceToHost, streams[i]));
  }
  ok(cudaDeviceSynchronize());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    expect_equal(host[i][1023], 2);
    expect_equal(host[i][1024], 1);
    ok(cudaStreamDestroy(streams[i]));
    ok(cudaFreeHost(host[i]));
    ok(cudaFree(x[i]));
  }
}

/// Where copies arrive late, the host sees those of a stream that it has waited for, and so does a stream that waited for another.
void one_of_two_streams() {
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t event = new_event();
  int *x = on_device<int>(2), *host = nullptr, values[] = {1, 2};
  ok(cudaMallocHost(reinterpret_cast<void**>(&host), sizeof values));
  host[0] = host[1] = 0;
  ok(cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice));
  ok(cudaMemcpyAsync(&host[0], &x[0], sizeof(int), cudaMemcpyDeviceToHost, first));
  ok(cudaMemcpyAsync(&host[1], &x[1], sizeof(int), cudaMemcpyDeviceToHost, second));
  ok(cudaEventRecord(event, second));
  ok(cudaStreamSynchronize(first));
  expect_equal(host[0], 1);
  expect_equal(host[1], 0);
  ok(cudaStreamWaitEvent(first, event, 0));
  ok(cudaMemcpyAsync(&x[0], &host[1], sizeof(int), cudaMemcpyHostToDevice, first));
  ok(cudaEventSynchronize(event));
  expect_equal(host[1], 2);
  ok(cudaMemcpy(values, x, sizeof values, cudaMemcpyDeviceToHost));
  expect_equal(values[0], 2);
  ok(cudaEventDestroy(event));
  ok(cudaStreamDestroy(first));
  ok(cudaStreamDestroy(second));
  ok(cudaFree(x));
  ok(cudaFreeHost(host));
}

/// What a stream is told about its launches it tells again.
void stream_attributes() {
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamAttrValue value{}, got{};
  ok(cudaStreamCreate(&first));
  ok(cudaStreamCreate(&second));
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5F;
  ok(cudaStreamSetAttribute(first, cudaStreamAttributeAccessPolicyWindow, &value));
  ok(cudaStreamGetAttribute(second, cudaStreamAttributeAccessPolicyWindow, &got));
  expect_equal(got.accessPolicyWindow.num_bytes, 0u);
  ok(cudaStreamCopyAttributes(second, first));
  ok(cudaStreamGetAttribute(second, cudaStreamAttributeAccessPolicyWindow, &got));
  expect_equal(got.accessPolicyWindow.num_bytes, 4096u);
  expect(cudaStreamSetAttribute(first, cudaLaunchAttributeIgnore, &value), cudaErrorInvalidValue);
  expect(cudaStreamGetAttribute(first, cudaStreamAttributeAccessPolicyWindow, nullptr),
         cudaErrorInvalidValue);
  ok(cudaStreamDestroy(first));
  expect(cudaStreamSetAttribute(first, cudaStreamAttributeAccessPolicyWindow, &value),
         cudaErrorInvalidResourceHandle);
  ok(cudaStreamDestroy(second));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"attributes", stream_attributes},
                  {"order", order},
                  {"query", query},
                  {"wait-event", wait_event},
                  {"elapsed-time", elapsed_time},
                  {"handles", handles},
                  {"host-functions", host_functions},
                  {"calls-in-host-functions", calls_in_host_functions},
                  {"host-functions-after-failures", host_functions_after_failures},
                  {"per-thread-streams", per_thread_streams},
                  {"several-threads", several_threads},
                  {"kernel-waits-for-host", kernel_waits_for_host},
                  {"kernel-waits-for-slow-host", kernel_waits_for_slow_host},
                  {"kernel-answers-in-pinned-memory", kernel_answers_in_pinned_memory},
                  {"asynchronous-copies", asynchronous_copies},
                  {"pipeline", pipeline},
                  {"one-of-two-streams", one_of_two_streams, false}});
}
