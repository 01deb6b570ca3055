// Memory of every kind, copies and fills.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

constexpr int kCount = 1000;

std::vector<int> counting(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

int* device_ints(std::size_t count) {
  int* pointer = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&pointer), count * sizeof(int)));
  return pointer;
}

void there_and_back() {
  const auto values = counting(kCount);
  std::vector<int> back(values.size());
  int* x = device_ints(values.size());
  const std::size_t bytes = values.size() * sizeof(int);
  ok(cudaMemcpy(x, values.data(), bytes, cudaMemcpyHostToDevice));
  ok(launch(add_one, {dim3(4), dim3(256)}, x, kCount));
  ok(cudaMemcpy(back.data(), x, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) expect_equal(back[static_cast<std::size_t>(i)], i + 1);
  ok(cudaFree(x));
}

/// More than one message between the processes holds.
void large() {
  constexpr std::size_t kLarge = (std::size_t{65} << 20) / sizeof(int) + 3;
  std::vector<int> values(kLarge), back(kLarge);
  std::iota(values.begin(), values.end(), 0);
  int* x = device_ints(kLarge);
  ok(cudaMemcpy(x, values.data(), kLarge * sizeof(int), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(back.data(), x, kLarge * sizeof(int), cudaMemcpyDeviceToHost));
  expect_true(values == back);
  ok(cudaFree(x));
}

void nothing() {
  void* pointer = &pointer;
  ok(cudaMalloc(&pointer, 0));
  expect_true(pointer == nullptr);
  ok(cudaFree(nullptr));
  ok(cudaFreeHost(nullptr));
  int* x = device_ints(1);
  ok(cudaMemcpy(x, nullptr, 0, cudaMemcpyHostToDevice));
  ok(cudaMemset(x, 0, 0));
  expect(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  expect(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
  expect(cudaMallocManaged(&pointer, 4, 0x80), cudaErrorInvalidValue);
  expect(cudaHostAlloc(&pointer, 4, 0x80), cudaErrorInvalidValue);
  ok(cudaFree(x));
}

void wrong_frees() {
  int* x = device_ints(kCount);
  int on_stack = 0;
  expect(cudaFree(x + 1), cudaErrorInvalidValue);
  expect(cudaFreeHost(x), cudaErrorInvalidValue);
  expect(cudaFree(&on_stack), cudaErrorInvalidValue);
  void* pinned = nullptr;
  ok(cudaMallocHost(&pinned, 64));
  expect(cudaFree(pinned), cudaErrorInvalidValue);
  ok(cudaFreeHost(pinned));
  ok(cudaFree(x));
}

void freed_twice() {
  int* x = device_ints(kCount);
  ok(cudaFree(x));
  expect(cudaFree(x), cudaErrorInvalidValue);
  void* pinned = nullptr;
  ok(cudaMallocHost(&pinned, 64));
  ok(cudaFreeHost(pinned));
  expect(cudaFreeHost(pinned), cudaErrorInvalidValue);
}

void never_freed() {
  device_ints(kCount);
  void* pinned = nullptr;
  ok(cudaMallocHost(&pinned, 64));
}

void wrong_kinds() {
  std::array<int, 4> host{}, other{};
  int* x = device_ints(4);
  constexpr std::size_t kBytes = sizeof host;
  expect(cudaMemcpy(x, host.data(), kBytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect(cudaMemcpy(host.data(), x, kBytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect(cudaMemcpy(x, host.data(), kBytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  expect(cudaMemcpy(host.data(), x, kBytes, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  expect(cudaMemcpy(x, host.data(), kBytes, static_cast<cudaMemcpyKind>(7)),
         cudaErrorInvalidMemcpyDirection);
  // The addresses alone say which memory they are of.
  ok(cudaMemcpy(x, host.data(), kBytes, cudaMemcpyDefault));
  ok(cudaMemcpy(other.data(), x, kBytes, cudaMemcpyDefault));
  other[2] = 5;
  ok(cudaMemcpy(host.data(), other.data(), kBytes, cudaMemcpyHostToHost));
  expect_equal(host[2], 5);
  ok(cudaFree(x));
}

void wrong_sizes() {
  std::vector<int> host(kCount + 1);
  int* x = device_ints(kCount);
  const std::size_t bytes = host.size() * sizeof(int);
  expect(cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect(cudaMemcpy(host.data(), x, bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect(cudaMemset(x, 0, bytes), cudaErrorInvalidValue);
  expect(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  expect(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  ok(cudaFree(x));
  expect(cudaMemcpy(x, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

void between_devices() {
  const auto values = counting(kCount);
  std::vector<int> back(values.size());
  const std::size_t bytes = values.size() * sizeof(int);
  int *x = device_ints(values.size()), *y = device_ints(values.size());
  ok(cudaMemcpy(x, values.data(), bytes, cudaMemcpyHostToDevice));
  ok(cudaMemcpy(y, x, bytes, cudaMemcpyDeviceToDevice));
  ok(cudaMemcpy(back.data(), y, bytes, cudaMemcpyDeviceToHost));
  expect_true(back == values);
  ok(cudaFree(x));
  ok(cudaFree(y));
}

void fills() {
  std::array<unsigned char, 8> host{};
  void* x = nullptr;
  ok(cudaMalloc(&x, host.size()));
  ok(cudaMemset(x, 0, host.size()));
  // The value is that of a byte.
  ok(cudaMemset(static_cast<char*>(x) + 2, 0x1ab, 3));
  ok(cudaMemcpy(host.data(), x, host.size(), cudaMemcpyDeviceToHost));
  const std::array<unsigned char, 8> expected{0, 0, 0xab, 0xab, 0xab, 0, 0, 0};
  expect_true(host == expected);
  ok(cudaFree(x));
}

void pitched() {
  constexpr std::size_t kWidth = 100, kHeight = 5;
  char* x = nullptr;
  std::size_t pitch = 0;
  ok(cudaMallocPitch(reinterpret_cast<void**>(&x), &pitch, kWidth, kHeight));
  expect_true(pitch >= kWidth && pitch % 32 == 0);
  std::array<char, kWidth * kHeight> host{}, back{};
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 100);
  ok(cudaMemset2D(x, pitch, 9, kWidth, kHeight));
  ok(cudaMemcpy2D(x, pitch, host.data(), kWidth, kWidth, kHeight, cudaMemcpyHostToDevice));
  ok(launch(add_one_pitched, {dim3(1), dim3(128)}, x, pitch, int{kWidth}, int{kHeight}, 1));
  ok(cudaMemcpy2D(back.data(), kWidth, x, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < host.size(); ++i) expect_equal(int{back[i]}, host[i] + 1);

  expect(cudaMemcpy2D(x, kWidth - 1, host.data(), kWidth, kWidth, kHeight, cudaMemcpyHostToDevice),
         cudaErrorInvalidPitchValue);
  expect(cudaMemcpy2D(x, pitch, host.data(), kWidth - 1, kWidth, kHeight, cudaMemcpyHostToDevice),
         cudaErrorInvalidPitchValue);
  expect(
      cudaMemcpy2D(x, std::size_t{1} << 63, host.data(), kWidth, kWidth, 3, cudaMemcpyHostToDevice),
      cudaErrorInvalidPitchValue);
  expect(cudaMemcpy2D(x, pitch, host.data(), kWidth, kWidth, kHeight, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  expect(cudaMemcpy2D(x, pitch, host.data(), kWidth, kWidth, kHeight + 1, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue);
  expect(cudaMemset2D(x, kWidth - 1, 0, kWidth, kHeight), cudaErrorInvalidValue);
  ok(cudaMemcpy2D(x, pitch, host.data(), kWidth, kWidth, 0, cudaMemcpyHostToDevice));
  ok(cudaFree(x));
}

void three_dimensional() {
  constexpr std::size_t kWidth = 33, kHeight = 4, kDepth = 3;
  cudaPitchedPtr x{};
  ok(cudaMalloc3D(&x, cudaExtent{kWidth, kHeight, kDepth}));
  expect_equal(x.xsize, kWidth);
  expect_equal(x.ysize, kHeight);
  expect_true(x.pitch >= kWidth);
  ok(cudaMemset3D(x, 3, cudaExtent{kWidth, kHeight, kDepth}));
  ok(launch(add_one_pitched, {dim3(1), dim3(64)}, static_cast<char*>(x.ptr), x.pitch, int{kWidth},
            int{kHeight}, int{kDepth}));
  std::array<char, kWidth * kHeight * kDepth> back{};
  ok(cudaMemcpy2D(back.data(), kWidth, x.ptr, x.pitch, kWidth, kHeight * kDepth,
                  cudaMemcpyDeviceToHost));
  expect_true(std::all_of(back.begin(), back.end(), [](char c) { return c == 4; }));
  expect(cudaMemset3D(x, 3, cudaExtent{kWidth, kHeight, kDepth + 1}), cudaErrorInvalidValue);
  ok(cudaFree(x.ptr));
}

void managed() {
  int* x = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&x), kCount * sizeof(int), cudaMemAttachGlobal));
  for (int i = 0; i < kCount; ++i) x[i] = i;
  ok(cudaMemPrefetchAsync(x, kCount * sizeof(int), {cudaMemLocationTypeDevice, 0}, 0, nullptr));
  ok(cudaMemAdvise(x, kCount * sizeof(int), cudaMemAdviseSetReadMostly,
                   {cudaMemLocationTypeDevice, 0}));
  ok(launch(add_one, {dim3(4), dim3(256)}, x, kCount));
  ok(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) expect_equal(x[i], i + 1);

  // It is memory of the host as well as of the device.
  std::vector<int> host(kCount);
  int* y = device_ints(kCount);
  ok(cudaMemcpy(y, x, kCount * sizeof(int), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(x, y, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(x, host.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(x, host.data(), kCount * sizeof(int), cudaMemcpyHostToHost));
  expect_equal(x[5], 0);
  int on_stack = 0;
  expect(cudaMemPrefetchAsync(y, 4, {cudaMemLocationTypeDevice, 0}, 0, nullptr),
         cudaErrorInvalidValue);
  expect(cudaMemAdvise(&on_stack, 4, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}),
         cudaErrorInvalidValue);
  ok(cudaFree(y));
  ok(cudaFree(x));
}

void managed_variable() {
  expect_equal(*shared_flag, 7);
  *shared_flag = 10;
  ok(launch(add_to_managed, {dim3(1), dim3(1)}, 4));
  ok(cudaDeviceSynchronize());
  expect_equal(*shared_flag, 14);
  cudaPointerAttributes attributes{};
  ok(cudaPointerGetAttributes(&attributes, shared_flag));
  expect_equal(int{attributes.type}, int{cudaMemoryTypeManaged});
}

void pinned() {
  int *x = nullptr, *on_device = nullptr;
  ok(cudaHostAlloc(reinterpret_cast<void**>(&x), kCount * sizeof(int), cudaHostAllocMapped));
  std::fill(x, x + kCount, 1);
  ok(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), x, 0));
  ok(launch(add_one, {dim3(4), dim3(256)}, on_device, kCount));
  ok(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) expect_equal(x[i], 2);
  unsigned flags = 0;
  ok(cudaHostGetFlags(&flags, x));
  expect_equal(flags & cudaHostAllocMapped, unsigned{cudaHostAllocMapped});

  int* y = device_ints(kCount);
  ok(cudaMemcpy(y, x, kCount * sizeof(int), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(x, y, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  int on_stack = 0;
  expect(cudaHostGetFlags(&flags, &on_stack), cudaErrorInvalidValue);
  expect(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), &on_stack, 0),
         cudaErrorInvalidValue);
  expect(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), x, 1),
         cudaErrorInvalidValue);
  ok(cudaFree(y));
  ok(cudaFreeHost(x));
}

void registered() {
  std::vector<int> host(kCount);
  ok(cudaHostRegister(host.data(), kCount * sizeof(int), cudaHostRegisterDefault));
  expect(cudaHostRegister(host.data(), kCount * sizeof(int), cudaHostRegisterDefault),
         cudaErrorHostMemoryAlreadyRegistered);
  ok(cudaHostUnregister(host.data()));
  expect(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
  expect(cudaHostRegister(nullptr, 4, cudaHostRegisterDefault), cudaErrorInvalidValue);
  expect(cudaHostRegister(host.data(), 0, cudaHostRegisterDefault), cudaErrorInvalidValue);
}

void symbols() {
  int value = 0;
  std::array<int, 4> back{};
  void* address = nullptr;
  std::size_t bytes = 0;
  ok(cudaGetSymbolAddress(&address, &counter));
  ok(cudaGetSymbolSize(&bytes, factors));
  expect_equal(bytes, sizeof factors);
  ok(cudaMemcpyFromSymbol(&value, &counter, sizeof value, 0, cudaMemcpyDeviceToHost));
  expect_equal(value, 5);
  value = 10;
  ok(cudaMemcpyToSymbol(&counter, &value, sizeof value, 0, cudaMemcpyHostToDevice));
  value = 7;
  ok(cudaMemcpyToSymbol(factors, &value, sizeof value, 2 * sizeof(int), cudaMemcpyDefault));
  int* x = device_ints(4);
  ok(launch(scale_by_symbols, {dim3(1), dim3(4)}, x));
  ok(cudaMemcpy(back.data(), x, sizeof back, cudaMemcpyDeviceToHost));
  expect_true(back == std::array<int, 4>{10, 20, 70, 40});
  // The address is that of the variable itself.
  ok(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost));
  expect_equal(value, 10);

  int unknown = 0;
  expect(cudaMemcpyToSymbol(&unknown, &value, 4, 0, cudaMemcpyHostToDevice),
         cudaErrorInvalidSymbol);
  expect(cudaGetSymbolAddress(&address, &unknown), cudaErrorInvalidSymbol);
  expect(cudaGetSymbolSize(&bytes, &unknown), cudaErrorInvalidSymbol);
  expect(cudaMemcpyToSymbol(&counter, back.data(), 8, 0, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue);
  expect(cudaMemcpyFromSymbol(&value, factors, 4, 16, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  expect(cudaMemcpyToSymbol(&counter, &value, 4, 0, cudaMemcpyDeviceToHost),
         cudaErrorInvalidMemcpyDirection);
  ok(cudaFree(x));
}

void attributes() {
  cudaPointerAttributes known{};
  int* x = device_ints(kCount);
  ok(cudaPointerGetAttributes(&known, x + 10));
  expect_equal(int{known.type}, int{cudaMemoryTypeDevice});
  expect_equal(known.device, 0);
  expect_true(known.devicePointer == x + 10 && known.hostPointer == nullptr);

  void* shared = nullptr;
  ok(cudaMallocManaged(&shared, 64, cudaMemAttachGlobal));
  ok(cudaPointerGetAttributes(&known, shared));
  expect_equal(int{known.type}, int{cudaMemoryTypeManaged});
  expect_true(known.devicePointer == shared && known.hostPointer == shared);

  void* locked = nullptr;
  ok(cudaMallocHost(&locked, 64));
  ok(cudaPointerGetAttributes(&known, locked));
  expect_equal(int{known.type}, int{cudaMemoryTypeHost});
  expect_true(known.devicePointer == locked && known.hostPointer == locked);

  std::vector<int> host(16);
  ok(cudaPointerGetAttributes(&known, host.data()));
  expect_equal(int{known.type}, int{cudaMemoryTypeUnregistered});
  ok(cudaHostRegister(host.data(), 64, cudaHostRegisterDefault));
  ok(cudaPointerGetAttributes(&known, host.data() + 1));
  expect_equal(int{known.type}, int{cudaMemoryTypeHost});
  ok(cudaHostUnregister(host.data()));
  expect(cudaPointerGetAttributes(nullptr, x), cudaErrorInvalidValue);
  ok(cudaFree(x));
  ok(cudaFree(shared));
  ok(cudaFreeHost(locked));
}

void out_of_memory() {
  std::size_t free = 0, total = 0, later = 0;
  ok(cudaMemGetInfo(&free, &total));
  expect_true(free <= total && free > total / 2);
  void *x = nullptr, *y = nullptr;
  ok(cudaMalloc(&x, std::size_t{1} << 30));
  ok(cudaMemGetInfo(&later, &total));
  expect_true(free - later >= std::size_t{1} << 30);
  expect(cudaMalloc(&y, total), cudaErrorMemoryAllocation);
  // It is an error of that call alone.
  expect(cudaGetLastError(), cudaErrorMemoryAllocation);
  expect(cudaGetLastError(), cudaSuccess);
  ok(cudaMalloc(&y, std::size_t{1} << 20));
  ok(cudaFree(y));
  ok(cudaFree(x));
  ok(cudaMemGetInfo(&later, &total));
  expect_equal(later, free);
  // Memory of the host takes none of the device's.
  void* locked = nullptr;
  ok(cudaMallocHost(&locked, std::size_t{1} << 20));
  ok(cudaMemGetInfo(&later, &total));
  expect_equal(later, free);
  ok(cudaFreeHost(locked));
}

/// A kernel goes a little too far, which no GPU notices.
void kernel_out_of_bounds() {
  int *x = device_ints(kCount), *y = device_ints(kCount);
  ok(cudaMemset(x, 0, kCount * sizeof(int)));
  ok(launch(add_one, {dim3(4), dim3(256)}, x, kCount + 2));
  ok(cudaDeviceSynchronize());
  ok(cudaFree(x));
  ok(cudaFree(y));
}

/// cudaDeviceReset gives all memory of the device back.
void reset() {
  std::size_t free = 0, total = 0, later = 0;
  ok(cudaMemGetInfo(&free, &total));
  device_ints(kCount);
  ok(cudaDeviceReset());
  ok(cudaMemGetInfo(&later, &total));
  expect_equal(later, free);
  int* y = device_ints(kCount);
  ok(launch(add_one, {dim3(4), dim3(256)}, y, kCount));
  ok(cudaFree(y));
}

/// The program dies of it, at a line of its own.
void host_reads_device() {
  int* x = device_ints(kCount);
  std::printf("%d\n", *static_cast<volatile int*>(x + 3));
}
void host_writes_device() {
  int* x = device_ints(kCount);
  *static_cast<volatile int*>(x + 3) = 1;
}
void host_reads_freed_managed() {
  int* x = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&x), kCount * sizeof(int), cudaMemAttachGlobal));
  ok(cudaFree(x));
  std::printf("%d\n", *static_cast<volatile int*>(x));
}

cudaMemLocation on_device(int id) {
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = id;
  return location;
}

/// An attribute of a range that is a single number.
int asked(cudaMemRangeAttribute attribute, const void* range, std::size_t bytes) {
  int value = 99;
  ok(cudaMemRangeGetAttribute(&value, sizeof value, attribute, range, bytes));
  return value;
}

/// What was advised about a part is not true of the whole.
void advice() {
  constexpr std::size_t kBytes = 1 << 20, kHalf = kBytes / 2;
  char* memory = nullptr;
  int other = 0;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&memory), kBytes));
  expect_equal(asked(cudaMemRangeAttributePreferredLocation, memory, kBytes), cudaInvalidDeviceId);
  ok(cudaMemAdvise(memory, kHalf, cudaMemAdviseSetReadMostly, on_device(0)));
  ok(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetPreferredLocation, on_device(0)));
  expect_equal(asked(cudaMemRangeAttributeReadMostly, memory, kHalf), 1);
  expect_equal(asked(cudaMemRangeAttributeReadMostly, memory, kBytes), 0);
  expect_equal(asked(cudaMemRangeAttributePreferredLocation, memory, kBytes), 0);
  cudaMemLocation host{};
  host.type = cudaMemLocationTypeHost;
  ok(cudaMemPrefetchAsync(memory + kHalf, kHalf, host, 0, nullptr));
  expect_equal(asked(cudaMemRangeAttributeLastPrefetchLocation, memory + kHalf, kHalf),
               cudaCpuDeviceId);
  expect_equal(asked(cudaMemRangeAttributeLastPrefetchLocation, memory, kBytes),
               cudaInvalidDeviceId);
  ok(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetAccessedBy, on_device(0)));
  int devices[2] = {};
  ok(cudaMemRangeGetAttribute(devices, sizeof devices, cudaMemRangeAttributeAccessedBy, memory,
                              kBytes));
  expect_true(devices[0] == 0 && devices[1] == cudaInvalidDeviceId);
  expect(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetAccessedBy, on_device(7)),
         cudaErrorInvalidDevice);
  expect(cudaMemRangeGetAttribute(&other, 2, cudaMemRangeAttributeReadMostly, memory, kBytes),
         cudaErrorInvalidValue);
  expect(cudaMemRangeGetAttribute(&other, 4, cudaMemRangeAttributeReadMostly, memory, kBytes + 1),
         cudaErrorInvalidValue);
  expect(cudaMemRangeGetAttribute(&other, 4, cudaMemRangeAttributeReadMostly, &other, 4),
         cudaErrorInvalidValue);
  ok(cudaFree(memory));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"there-and-back", there_and_back},
                  {"large", large},
                  {"nothing", nothing},
                  {"wrong-frees", wrong_frees},
                  {"freed-twice", freed_twice},
                  {"never-freed", never_freed},
                  {"wrong-kinds", wrong_kinds},
                  {"wrong-sizes", wrong_sizes},
                  {"between-devices", between_devices},
                  {"fills", fills},
                  {"pitched", pitched},
                  {"three-dimensional", three_dimensional},
                  {"managed", managed},
                  {"managed-variable", managed_variable},
                  {"pinned", pinned},
                  {"registered", registered},
                  {"symbols", symbols},
                  {"attributes", attributes},
                  {"out-of-memory", out_of_memory},
                  {"kernel-out-of-bounds", kernel_out_of_bounds},
                  {"reset", reset},
                  {"host-reads-device", host_reads_device},
                  {"host-writes-device", host_writes_device},
                  {"host-reads-freed-managed", host_reads_freed_managed},
                  {"advice", advice}});
}
