//@ idea: reads four words at once, wherever a row begins
//@ caught: bounds
//@ block: 16, 16
//@ grid: ceil_div(n, 16), ceil_div(m, 16)

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  int depth = 0;
  for (; depth + 4 <= k; depth += 4) {
    const float4 four = *reinterpret_cast<const float4*>(a + row * k + depth);
    sum += four.x * b[depth * n + column] + four.y * b[(depth + 1) * n + column] +
           four.z * b[(depth + 2) * n + column] + four.w * b[(depth + 3) * n + column];
  }
  for (; depth < k; ++depth) sum += a[row * k + depth] * b[depth * n + column];
  c[row * n + column] = sum;
}
