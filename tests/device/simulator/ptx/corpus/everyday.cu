// What a student's first weeks hold. everyday.ptx: NVRTC 13.0, compute_90, -lineinfo; everyday_debug.ptx: compute_75, -G.
__device__ int table[4] = {1, 2, 3, 4};
__device__ int* pointers[2] = {table, table + 2};
__constant__ float coefficients[8] = {0.5f, 1.5f};
extern __shared__ float dynamic_tile[];

struct Setting {
  int count;
  float factor[3];
};

__device__ __noinline__ float series(float a, float b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a * b / (i + 1);
  }
  return sum;
}
typedef float (*Function)(float, float, int);
__device__ Function functions[1] = {series};

__device__ float blend(float a, float b, float t) {
  return a + t * (b - a);
}

extern "C" __global__ void __launch_bounds__(256, 2) saxpy(int n, float a, const float* x, float* y, Setting s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i] + s.factor[i % 3] + coefficients[i & 7];
  }
  if (i == 3) {
    printf("%d %f\n", i, y[i]);
  }
}

extern "C" __global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x + threadIdx.y * n];
  __syncthreads();
  float value = tile[threadIdx.x][threadIdx.y];
  for (int lane = 16; lane > 0; lane /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, lane);
  }
  atomicAdd(out, blend(value, in[0], 0.25f));
  dynamic_tile[threadIdx.x] = functions[n & 0](value, value, table[n & 3]) + *pointers[n & 1];
}

extern "C" __global__ void choose(float* out, int n) {
  switch (n) {
    case 0: out[1] = 1; break;
    case 1: out[2] = sqrtf(out[2]); break;
    case 2: out[3] = out[1] / out[2]; break;
    case 3: out[4] = sinf(out[5]); break;
    case 4: out[5] = series(out[1], out[2], n); break;
    case 5: out[6] = __int_as_float(__popc(n)); break;
    case 6: out[7] = blend(out[1], out[2], out[3]); break;
    case 7: out[8] = double(out[8]) * 3.7; break;
    case 8: out[9] = out[n] * 2; __syncthreads(); out[3] = out[9]; break;
    case 9: atomicAdd(&out[10], 1.f); break;
    case 10: atomicExch(&out[11], 2.f); break;
    default: __trap();
  }
}
