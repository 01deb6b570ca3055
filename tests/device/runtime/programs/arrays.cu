// Arrays, textures and surfaces: what each function gives, and the errors that are documented for it.
#include <cstdio>
#include <cstring>
#include <vector>

#include "expect.hpp"

__global__ void sample(cudaTextureObject_t texture, float* out, int width) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * width + x] = tex2D<float>(texture, x, y);
}

__global__ void fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void double_all(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y;
  float value = 0;
  surf2Dread(&value, surface, x * sizeof(float), y);
  surf2Dwrite(2 * value, surface, x * sizeof(float), y);
}

constexpr int kWidth = 8, kHeight = 4, kDepth = 3, kPlane = kWidth * kHeight;

std::vector<float> numbers(int count) {
  std::vector<float> all(count);
  for (int i = 0; i < count; ++i) all[i] = static_cast<float>(i);
  return all;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void information() {
  const cudaChannelFormatDesc wanted = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &wanted, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  OK(cudaArrayGetInfo(&format, &extent, &flags, array));
  THAT(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
  THAT(extent.width == kWidth && extent.height == kHeight && extent.depth == 0);
  THAT(flags == cudaArraySurfaceLoadStore);
  OK(cudaGetChannelDesc(&format, array));
  OK(cudaFreeArray(array));
  EXPECT(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
  OK(cudaFreeArray(nullptr));
  cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  EXPECT(cudaMallocArray(&array, &three, kWidth, kHeight), cudaErrorInvalidChannelDescriptor);
  EXPECT(cudaMallocArray(&array, &wanted, 0, kHeight), cudaErrorInvalidValue);
  EXPECT(cudaMallocArray(&array, nullptr, kWidth, kHeight), cudaErrorInvalidValue);
  EXPECT(cudaMallocArray(&array, &wanted, kWidth, 0, cudaArrayTextureGather), cudaErrorInvalidValue);
}

void rows() {
  const auto source = numbers(kPlane);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t a = nullptr, b = nullptr;
  OK(cudaMallocArray(&a, &format, kWidth, kHeight));
  OK(cudaMallocArray(&b, &format, kWidth, kHeight));
  const std::size_t row = kWidth * sizeof(float);
  OK(cudaMemcpy2DToArray(a, 0, 0, source.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, row, kHeight));
  // Two columns of two rows, from row 1 and column 3.
  float part[4] = {};
  OK(cudaMemcpy2DFromArray(part, 8, b, 3 * sizeof(float), 1, 8, 2, cudaMemcpyDeviceToHost));
  THAT(part[0] == 11 && part[1] == 12 && part[2] == 19 && part[3] == 20);
  EXPECT(cudaMemcpy2DFromArray(part, 4, b, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidPitchValue);
  EXPECT(cudaMemcpy2DFromArray(part, 8, b, 7 * sizeof(float), 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  EXPECT(cudaMemcpy2DFromArray(part, 8, b, 0, 3, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  OK(cudaFreeArray(b));
  EXPECT(cudaMemcpy2DFromArray(part, 8, b, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
         cudaErrorInvalidResourceHandle);
  OK(cudaFreeArray(a));
}

void volumes() {
  const auto source = numbers(kPlane * kDepth);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kHeight, kDepth)));
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(const_cast<float*>(source.data()), kWidth * sizeof(float),
                                  kWidth, kHeight);
  in.dstArray = array;
  in.extent = make_cudaExtent(kWidth, kHeight, kDepth);
  in.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&in));
  // From the array into pitched device memory: two elements of two rows of the last two planes.
  cudaPitchedPtr pitched{};
  OK(cudaMalloc3D(&pitched, make_cudaExtent(2 * sizeof(float), 2, 2)));
  cudaMemcpy3DParms across{};
  across.srcArray = array;
  across.srcPos = make_cudaPos(5, 1, 1);
  across.dstPtr = pitched;
  across.extent = make_cudaExtent(2, 2, 2);
  across.kind = cudaMemcpyDeviceToDevice;
  OK(cudaMemcpy3DAsync(&across, nullptr));
  // And on to the host, where no array takes part: the extent is in bytes.
  float part[8] = {};
  cudaMemcpy3DParms out{};
  out.srcPtr = pitched;
  out.dstPtr = make_cudaPitchedPtr(part, 2 * sizeof(float), 2 * sizeof(float), 2);
  out.extent = make_cudaExtent(2 * sizeof(float), 2, 2);
  out.kind = cudaMemcpyDefault;
  OK(cudaMemcpy3D(&out));
  const float wanted[8] = {45, 46, 53, 54, 77, 78, 85, 86};
  THAT(std::memcmp(part, wanted, sizeof part) == 0);
  out.dstArray = array;
  EXPECT(cudaMemcpy3D(&out), cudaErrorInvalidValue);  // two targets
  in.extent.depth = kDepth + 1;
  EXPECT(cudaMemcpy3D(&in), cudaErrorInvalidValue);
  in.extent.depth = kDepth;
  in.srcPtr.pitch = 4;
  EXPECT(cudaMemcpy3D(&in), cudaErrorInvalidPitchValue);
  OK(cudaFree(pitched.ptr));
  OK(cudaFreeArray(array));
}

void textures() {
  const auto source = numbers(kPlane);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const std::size_t row = kWidth * sizeof(float);
  cudaArray_t array = nullptr;
  float* out = nullptr;
  OK(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(array, 0, 0, source.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  OK(cudaMalloc(&out, kPlane * sizeof(float)));
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  double_all<<<1, dim3(kWidth, kHeight)>>>(surface);
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  sample<<<1, dim3(kWidth, kHeight)>>>(texture, out, kWidth);
  std::vector<float> got(kPlane);
  OK(cudaMemcpy(got.data(), out, kPlane * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < kPlane; ++i) THAT(got[i] == 2.0f * i);
  cudaResourceDesc asked{};
  cudaTextureDesc asked_how{};
  cudaResourceViewDesc view{};
  OK(cudaGetTextureObjectResourceDesc(&asked, texture));
  THAT(asked.resType == cudaResourceTypeArray && asked.res.array.array == array);
  OK(cudaGetTextureObjectTextureDesc(&asked_how, texture));
  THAT(asked_how.addressMode[0] == cudaAddressModeClamp);
  EXPECT(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaErrorInvalidValue);
  OK(cudaGetSurfaceObjectResourceDesc(&asked, surface));
  EXPECT(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr), cudaErrorInvalidValue);
  OK(cudaDestroyTextureObject(texture));
  OK(cudaDestroySurfaceObject(surface));
  // Linear memory.
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = out;
  linear.res.linear.desc = format;
  linear.res.linear.sizeInBytes = kPlane * sizeof(float);
  OK(cudaCreateTextureObject(&texture, &linear, &how, nullptr));
  float* copy = nullptr;
  OK(cudaMalloc(&copy, kPlane * sizeof(float)));
  fetch<<<1, kPlane>>>(texture, copy);
  OK(cudaMemcpy(got.data(), copy, kPlane * sizeof(float), cudaMemcpyDeviceToHost));
  THAT(got[kPlane - 1] == 2.0f * (kPlane - 1));
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFree(copy));
  OK(cudaFree(out));
  OK(cudaFreeArray(array));
}

void mipmaps() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t whole = nullptr;
  OK(cudaMallocMipmappedArray(&whole, &format, make_cudaExtent(kWidth, kHeight, 0), 100,
                              cudaArraySurfaceLoadStore));
  cudaArray_t level = nullptr, again = nullptr;
  OK(cudaGetMipmappedArrayLevel(&level, whole, 1));
  OK(cudaGetMipmappedArrayLevel(&again, whole, 1));
  THAT(level == again);
  cudaExtent extent{};
  OK(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  THAT(extent.width == kWidth / 2 && extent.height == kHeight / 2);
  const auto source = numbers(kPlane / 4);
  const std::size_t row = kWidth / 2 * sizeof(float);
  OK(cudaMemcpy2DToArray(level, 0, 0, source.data(), row, row, kHeight / 2, cudaMemcpyDefault));
  const cudaResourceDesc resource = resource_of(level);
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  double_all<<<1, dim3(kWidth / 2, kHeight / 2)>>>(surface);
  std::vector<float> got(kPlane / 4);
  OK(cudaMemcpy2DFromArray(got.data(), row, level, 0, 0, row, kHeight / 2, cudaMemcpyDefault));
  THAT(got[7] == 14);
  EXPECT(cudaGetMipmappedArrayLevel(&level, whole, 4), cudaErrorInvalidValue);
  EXPECT(cudaGetMipmappedArrayLevel(&level, nullptr, 0), cudaErrorInvalidResourceHandle);
  EXPECT(cudaFreeArray(again), cudaErrorInvalidValue);
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeMipmappedArray(whole));
  EXPECT(cudaArrayGetInfo(nullptr, &extent, nullptr, again), cudaErrorInvalidResourceHandle);
}

int main() {
  information();
  rows();
  volumes();
  textures();
  mipmaps();
  OK(cudaDeviceSynchronize());
  std::puts("done");
}
