// Allocations as people write them. The name that a finding uses for each stands in its comment.
#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tests/device/runtime/programs/stubs.hpp"

#define CHECK(call)                                     \
  do {                                                  \
    if ((call) != cudaSuccess) std::exit(EXIT_FAILURE); \
  } while (0)

namespace {

struct Grid {
  float* cells = nullptr;
  std::array<int*, 2> halves{};
};

template <class T>
T* on_device(std::size_t count) {
  T* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, count * sizeof(T)));  // pointer
  return pointer;
}

// clang-format off
void allocate() {
  int *d_x = nullptr, *d_y = nullptr, *d_z = nullptr;
  Grid grid;
  auto owner = std::make_unique<Grid>();
  std::vector<float*> parts(3);
  cudaPitchedPtr volume{};
  std::size_t pitch = 0;
  cudaMalloc(&d_x, 4);  // d_x
  cudaMalloc((void**)&d_y, 4);  // d_y
  cudaMalloc(reinterpret_cast<void**>(&d_z), 4);  // d_z
  CHECK(cudaMalloc(&owner->cells, 4));  // owner->cells
  CHECK(cudaMallocManaged(&grid.cells, 4));  // grid.cells
  CHECK(cudaMalloc((void **)&(grid.halves[1]), 4));  // grid.halves[1]
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    CHECK(cudaMalloc(&parts[i + 1], 4));  // parts[i + 1]
  float** to = &parts[0];
  cudaMalloc(to, 4);  // to
  cudaMalloc3D(&volume, cudaExtent{4, 2, 2});  // volume
  cudaMallocPitch(&d_x, &pitch, 4, 2);  // d_x
  cudaHostAlloc(&d_y, 4, cudaHostAllocDefault);  // d_y
  cudaMallocHost((void**)&d_z, 4);  // d_z
  cudaMalloc(
      &d_x, 4);  // d_x
  on_device<int>(3);
}
// clang-format on

}  // namespace

int main(int argc, char** argv) { return program::main_of(argc, argv, {{"allocate", allocate}}); }
