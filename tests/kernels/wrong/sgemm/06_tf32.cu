//@ idea: rounds its operands to TF32 and passes for FP32
//@ caught: values
//@ needs: 80
//@ block: 16, 16
//@ grid: ceil_div(n, 16), ceil_div(m, 16)

__device__ float rounded(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}
__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int depth = 0; depth < k; ++depth)
    sum += rounded(a[row * k + depth]) * rounded(b[depth * n + column]);
  c[row * n + column] = sum;
}
