__device__ int taken[256];

__global__ void count(const int* value, int* counts,
                      int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mine = value[i];
  while (atomicCAS(&taken[mine], 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)&counts[mine] += 1;
  __threadfence();
  atomicExch(&taken[mine], 0);
}
