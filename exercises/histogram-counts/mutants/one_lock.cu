__device__ int taken;

__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (bool counted = false; !counted;) {
    if (atomicExch(&taken, 1) != 0) continue;
    __threadfence();
    *(volatile int*)&counts[value[i]] += 1;
    __threadfence();
    atomicExch(&taken, 0);
    counted = true;
  }
}
