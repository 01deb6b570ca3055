// Memory that frees itself, and errors as exceptions: whatever fails, everything that was allocated is freed.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

class CudaFailure : public std::runtime_error {
 public:
  explicit CudaFailure(cudaError_t error) : std::runtime_error(cudaGetErrorString(error)) {}
};

static void succeed(cudaError_t error) {
  if (error != cudaSuccess) throw CudaFailure(error);
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    succeed(cudaMalloc(&data_, size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
    succeed(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyDefault));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> all(size_);
    succeed(cudaMemcpy(all.data(), data_, size_ * sizeof(T), cudaMemcpyDefault));
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class T>
__global__ void plus(T* to, const T* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

static void run(int n) {
  if (n == 0) return;
  std::vector<int> a, b;
  for (int i = 0; i < n; ++i) {
    a.push_back(3 * i + 1);
    b.push_back(i * i % 1000);
  }
  DeviceArray<int> x(a), y(b);
  plus<<<(n - 1) / 64 + 1, 64>>>(x.data(), y.data(), n);
  succeed(cudaGetLastError());
  for (int sum : x.to_host()) std::printf("%d\n", sum);
}

int main(int argc, char** argv) try {
  run(std::stoi(argv[argc - 1]));
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
