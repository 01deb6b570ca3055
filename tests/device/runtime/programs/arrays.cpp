// Arrays, textures and surfaces: what each function gives, and the errors that are documented for it.
#include <cstring>
#include <vector>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

cudaExtent extent_of(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}
cudaPos position_of(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
cudaPitchedPtr pitched_of(void* memory, std::size_t pitch, std::size_t width, std::size_t height) {
  return {memory, pitch, width, height};
}

constexpr int kWidth = 8, kHeight = 4, kDepth = 3, kPlane = kWidth * kHeight;

std::vector<float> numbers(int count) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = static_cast<float>(i);
  return all;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void information() {
  const cudaChannelFormatDesc wanted =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr;
  ok(cudaMallocArray(&array, &wanted, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  ok(cudaArrayGetInfo(&format, &extent, &flags, array));
  expect_true(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
  expect_true(extent.width == kWidth && extent.height == kHeight && extent.depth == 0);
  expect_true(flags == cudaArraySurfaceLoadStore);
  ok(cudaGetChannelDesc(&format, array));
  ok(cudaFreeArray(array));
  if (is_on_warpbook()) expect(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
  ok(cudaFreeArray(nullptr));
  cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  expect(cudaMallocArray(&array, &three, kWidth, kHeight), cudaErrorInvalidChannelDescriptor);
  expect(cudaMallocArray(&array, &wanted, 0, kHeight), cudaErrorInvalidValue);
  expect(cudaMallocArray(&array, nullptr, kWidth, kHeight), cudaErrorInvalidValue);
  expect(cudaMallocArray(&array, &wanted, kWidth, 0, cudaArrayTextureGather),
         cudaErrorInvalidValue);
}

void rows() {
  const auto source = numbers(kPlane);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t a = nullptr, b = nullptr;
  ok(cudaMallocArray(&a, &format, kWidth, kHeight));
  ok(cudaMallocArray(&b, &format, kWidth, kHeight));
  const std::size_t row = kWidth * sizeof(float);
  ok(cudaMemcpy2DToArray(a, 0, 0, source.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  ok(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, row, kHeight));
  // Two columns of two rows, from row 1 and column 3.
  float part[4] = {};
  ok(cudaMemcpy2DFromArray(part, 8, b, 3 * sizeof(float), 1, 8, 2, cudaMemcpyDeviceToHost));
  expect_true(part[0] == 11 && part[1] == 12 && part[2] == 19 && part[3] == 20);
  expect(cudaMemcpy2DFromArray(part, 4, b, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidPitchValue);
  expect(cudaMemcpy2DFromArray(part, 8, b, 7 * sizeof(float), 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  expect(cudaMemcpy2DFromArray(part, 8, b, 0, 3, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  ok(cudaFreeArray(b));
  expect(cudaMemcpy2DFromArray(part, 8, b, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidResourceHandle);
  ok(cudaFreeArray(a));
}

void volumes() {
  const auto source = numbers(kPlane * kDepth);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr;
  ok(cudaMalloc3DArray(&array, &format, extent_of(kWidth, kHeight, kDepth)));
  cudaMemcpy3DParms in{};
  in.srcPtr =
      pitched_of(const_cast<float*>(source.data()), kWidth * sizeof(float), kWidth, kHeight);
  in.dstArray = array;
  in.extent = extent_of(kWidth, kHeight, kDepth);
  in.kind = cudaMemcpyHostToDevice;
  ok(cudaMemcpy3D(&in));
  // From the array into pitched device memory: two elements of two rows of the last two planes.
  cudaPitchedPtr pitched{};
  ok(cudaMalloc3D(&pitched, extent_of(2 * sizeof(float), 2, 2)));
  cudaMemcpy3DParms across{};
  across.srcArray = array;
  across.srcPos = position_of(5, 1, 1);
  across.dstPtr = pitched;
  across.extent = extent_of(2, 2, 2);
  across.kind = cudaMemcpyDeviceToDevice;
  ok(cudaMemcpy3DAsync(&across, nullptr));
  // And on to the host, where no array takes part: the extent is in bytes.
  float part[8] = {};
  cudaMemcpy3DParms out{};
  out.srcPtr = pitched;
  out.dstPtr = pitched_of(part, 2 * sizeof(float), 2 * sizeof(float), 2);
  out.extent = extent_of(2 * sizeof(float), 2, 2);
  out.kind = cudaMemcpyDefault;
  ok(cudaMemcpy3D(&out));
  const float wanted[8] = {45, 46, 53, 54, 77, 78, 85, 86};
  expect_true(std::memcmp(part, wanted, sizeof part) == 0);
  out.dstArray = array;
  expect(cudaMemcpy3D(&out), cudaErrorInvalidValue);  // two targets
  in.extent.depth = kDepth + 1;
  expect(cudaMemcpy3D(&in), cudaErrorInvalidValue);
  in.extent.depth = kDepth;
  in.srcPtr.pitch = 4;
  expect(cudaMemcpy3D(&in), cudaErrorInvalidPitchValue);
  ok(cudaFree(pitched.ptr));
  ok(cudaFreeArray(array));
}

void textures() {
  const auto source = numbers(kPlane);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const std::size_t row = kWidth * sizeof(float);
  cudaArray_t array = nullptr;
  float* out = nullptr;
  ok(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  ok(cudaMemcpy2DToArray(array, 0, 0, source.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  ok(cudaMalloc(reinterpret_cast<void**>(&out), kPlane * sizeof(float)));
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  ok(cudaCreateSurfaceObject(&surface, &resource));
  ok(launch(double_surface, {dim3(1), dim3(kWidth, kHeight), 0, nullptr}, surface));
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  ok(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  ok(launch(sample_2d, {dim3(1), dim3(kWidth, kHeight), 0, nullptr}, texture, out, kWidth));
  std::vector<float> got(kPlane);
  ok(cudaMemcpy(got.data(), out, kPlane * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < kPlane; ++i)
    expect_true(got[static_cast<std::size_t>(i)] == 2.0f * static_cast<float>(i));
  cudaResourceDesc asked{};
  cudaTextureDesc asked_how{};
  cudaResourceViewDesc view{};
  ok(cudaGetTextureObjectResourceDesc(&asked, texture));
  expect_true(asked.resType == cudaResourceTypeArray && asked.res.array.array == array);
  ok(cudaGetTextureObjectTextureDesc(&asked_how, texture));
  expect_true(asked_how.addressMode[0] == cudaAddressModeClamp);
  expect(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaErrorInvalidValue);
  ok(cudaGetSurfaceObjectResourceDesc(&asked, surface));
  expect(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr), cudaErrorInvalidValue);
  ok(cudaDestroyTextureObject(texture));
  ok(cudaDestroySurfaceObject(surface));
  // Linear memory.
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = out;
  linear.res.linear.desc = format;
  linear.res.linear.sizeInBytes = kPlane * sizeof(float);
  ok(cudaCreateTextureObject(&texture, &linear, &how, nullptr));
  float* copy = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&copy), kPlane * sizeof(float)));
  ok(launch(fetch_1d, {dim3(1), dim3(kPlane), 0, nullptr}, texture, copy));
  ok(cudaMemcpy(got.data(), copy, kPlane * sizeof(float), cudaMemcpyDeviceToHost));
  expect_true(got[kPlane - 1] == 2.0f * (kPlane - 1));
  ok(cudaDestroyTextureObject(texture));
  ok(cudaFree(copy));
  ok(cudaFree(out));
  ok(cudaFreeArray(array));
}

void mipmaps() {
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMipmappedArray_t whole = nullptr;
  ok(cudaMallocMipmappedArray(&whole, &format, extent_of(kWidth, kHeight, 0), 100,
                              cudaArraySurfaceLoadStore));
  cudaArray_t level = nullptr, again = nullptr;
  ok(cudaGetMipmappedArrayLevel(&level, whole, 1));
  ok(cudaGetMipmappedArrayLevel(&again, whole, 1));
  expect_true(level == again);
  cudaExtent extent{};
  ok(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  expect_true(extent.width == kWidth / 2 && extent.height == kHeight / 2);
  const auto source = numbers(kPlane / 4);
  const std::size_t row = kWidth / 2 * sizeof(float);
  ok(cudaMemcpy2DToArray(level, 0, 0, source.data(), row, row, kHeight / 2, cudaMemcpyDefault));
  const cudaResourceDesc resource = resource_of(level);
  cudaSurfaceObject_t surface = 0;
  ok(cudaCreateSurfaceObject(&surface, &resource));
  ok(launch(double_surface, {dim3(1), dim3(kWidth / 2, kHeight / 2), 0, nullptr}, surface));
  std::vector<float> got(kPlane / 4);
  ok(cudaMemcpy2DFromArray(got.data(), row, level, 0, 0, row, kHeight / 2, cudaMemcpyDefault));
  expect_true(got[7] == 14);
  expect(cudaGetMipmappedArrayLevel(&level, whole, 4), cudaErrorInvalidValue);
  expect(cudaGetMipmappedArrayLevel(&level, nullptr, 0), cudaErrorInvalidResourceHandle);
  expect(cudaFreeArray(again), cudaErrorInvalidValue);
  ok(cudaDestroySurfaceObject(surface));
  ok(cudaFreeMipmappedArray(whole));
  expect(cudaArrayGetInfo(nullptr, &extent, nullptr, again), cudaErrorInvalidResourceHandle);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"information", information},
                  {"rows", rows},
                  {"volumes", volumes},
                  {"textures", textures},
                  {"mipmaps", mipmaps}});
}
