// Launches of every form, shared memory beyond 48 KB, and occupancy.
#include <array>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

constexpr std::size_t kSharedWithoutAsking = 48u << 10;

int* device_ints(std::size_t count) {
  int* pointer = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&pointer), count * sizeof(int)));
  return pointer;
}

int first_of(const int* x) {
  int value = -1;
  ok(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/// Each way in which code of nvcc launches, and programs do by themselves.
void every_way() {
  int* x = device_ints(1);
  int count = 1;
  void* arguments[] = {&x, &count};
  ok(cudaMemset(x, 0, sizeof(int)));
  ok(launch(add_one, {dim3(1), dim3(32)}, x, count));
  ok(cudaLaunchKernel(address_of(add_one), dim3(1), dim3(32), arguments, 0, nullptr));
  ok(cudaLaunchCooperativeKernel(address_of(add_one), dim3(1), dim3(32), arguments, 0, nullptr));

  cudaKernel_t kernel = nullptr;
  ok(__cudaGetKernel(&kernel, address_of(add_one)));
  ok(__cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr));
  ok(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr));

  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  ok(cudaLaunchKernelExC(&config, address_of(add_one), arguments));
  expect_equal(first_of(x), 6);
  expect(cudaLaunchKernelExC(nullptr, address_of(add_one), arguments), cudaErrorInvalidValue);
  ok(cudaFree(x));
}

void arguments_of_all_sizes() {
  double* out = nullptr;
  double value = 0;
  ok(cudaMalloc(reinterpret_cast<void**>(&out), sizeof(double)));
  ok(launch(take_mixed, {dim3(1), dim3(1)}, out, 1, Mixed{2, 0.5, {0, 0, 30}}, 100, 1000.25f));
  ok(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  expect_equal(value, 1133.75);
  ok(cudaFree(out));
}

void shared_memory() {
  int* x = device_ints(1);
  const auto words = [](std::size_t bytes) { return static_cast<int>(bytes / sizeof(int)); };
  ok(launch(through_shared, {dim3(1), dim3(1), kSharedWithoutAsking}, x,
            words(kSharedWithoutAsking)));
  expect_equal(first_of(x), 11);
  // More has to be asked for, and the device has a limit.
  constexpr std::size_t kMore = std::size_t{64} << 10;
  expect(launch(through_shared, {dim3(1), dim3(1), kMore}, x, words(kMore)), cudaErrorInvalidValue);
  int optin = 0;
  ok(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  expect(cudaFuncSetAttribute(address_of(through_shared), most, optin + 1), cudaErrorInvalidValue);
  expect(cudaFuncSetAttribute(address_of(through_shared), most, -1), cudaErrorInvalidValue);
  ok(cudaFuncSetAttribute(address_of(through_shared), most, int{kMore}));
  ok(launch(through_shared, {dim3(1), dim3(1), kMore}, x, words(kMore)));
  ok(cudaDeviceSynchronize());
  // Static memory counts, too: 4096 bytes of this kernel.
  expect(launch(static_shared, {dim3(1), dim3(32), kSharedWithoutAsking}, x),
         cudaErrorInvalidValue);
  ok(launch(static_shared, {dim3(1), dim3(32), kSharedWithoutAsking - 4096}, x));
  expect(cudaFuncSetAttribute(address_of(static_shared), most, optin), cudaErrorInvalidValue);
  expect(cudaFuncSetAttribute(address_of(never_registered), most, 0),
         cudaErrorInvalidDeviceFunction);
  ok(cudaFree(x));
}

void function_attributes() {
  cudaFuncAttributes known{};
  ok(cudaFuncGetAttributes(&known, address_of(static_shared)));
  expect_equal(known.sharedSizeBytes, std::size_t{4096});
  expect_equal(known.maxThreadsPerBlock, 1024);
  expect_equal(known.maxDynamicSharedSizeBytes, int{kSharedWithoutAsking} - 4096);
  expect_true(known.ptxVersion >= 75);
  ok(cudaFuncGetAttributes(&known, address_of(bounded)));
  expect_equal(known.maxThreadsPerBlock, 128);
  const char* name = nullptr;
  ok(cudaFuncGetName(&name, address_of(bounded)));
  expect_true(name != nullptr && std::string_view(name) == "bounded");
  expect(cudaFuncGetAttributes(&known, address_of(never_registered)),
         cudaErrorInvalidDeviceFunction);
  expect(cudaFuncGetAttributes(nullptr, address_of(bounded)), cudaErrorInvalidValue);
}

void occupancy() {
  int blocks = 0, threads = 0, multiprocessors = 0, each = 0, shared = 0, optin = 0;
  const auto of = [](cudaDeviceAttr attribute) {
    int value = 0;
    ok(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
  };
  threads = of(cudaDevAttrMaxThreadsPerMultiProcessor);
  each = of(cudaDevAttrMaxBlocksPerMultiprocessor);
  shared = of(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  optin = of(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  multiprocessors = of(cudaDevAttrMultiProcessorCount);
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(add_one), 1024, 0));
  expect_equal(blocks, threads / 1024);
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(add_one), 32, 0));
  expect_equal(blocks, each);
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(through_shared), 32,
                                                   kSharedWithoutAsking));
  expect_equal(blocks, shared / (int{kSharedWithoutAsking} + 1024));
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, address_of(add_one), 1024, 0,
                                                            cudaOccupancyDefault));
  expect_equal(blocks, threads / 1024);
  std::size_t bytes = 0;
  ok(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, address_of(through_shared), 2, 32));
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(through_shared), 32, bytes));
  expect_true(blocks >= 2);
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(add_one), 0, 0),
         cudaErrorInvalidValue);
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, address_of(add_one), 32, 0),
         cudaErrorInvalidValue);
  expect(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(never_registered), 32, 0),
      cudaErrorInvalidDeviceFunction);

  // A cooperative grid has to fit on the device at once.
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address_of(add_one), 1024, 0));
  int* x = device_ints(1);
  int count = 1;
  void* arguments[] = {&x, &count};
  const unsigned most = static_cast<unsigned>(blocks * multiprocessors);
  ok(cudaLaunchCooperativeKernel(address_of(add_one), dim3(most), dim3(1024), arguments, 0,
                                 nullptr));
  expect(cudaLaunchCooperativeKernel(address_of(add_one), dim3(most + 1), dim3(1024), arguments, 0,
                                     nullptr),
         cudaErrorCooperativeLaunchTooLarge);
  ok(cudaDeviceSynchronize());
  ok(cudaFree(x));
  expect_true(optin > int{kSharedWithoutAsking});
}

void clusters() {
  int* x = device_ints(8);
  void* arguments[] = {&x};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  ok(cudaLaunchKernelExC(&config, address_of(count_cluster), arguments));
  std::array<int, 8> back{};
  ok(cudaMemcpy(back.data(), x, sizeof back, cudaMemcpyDeviceToHost));
  expect_true(back == std::array<int, 8>{4, 4, 4, 4, 4, 4, 4, 4});
  // The grid has to be a multiple of it.
  config.gridDim = dim3(6);
  expect(cudaLaunchKernelExC(&config, address_of(count_cluster), arguments),
         cudaErrorInvalidClusterSize);
  ok(cudaFree(x));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"every-way", every_way},
                  {"arguments", arguments_of_all_sizes},
                  {"shared-memory", shared_memory},
                  {"function-attributes", function_attributes},
                  {"occupancy", occupancy},
                  {"clusters", clusters}});
}
