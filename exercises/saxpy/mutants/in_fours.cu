__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  float4 four = reinterpret_cast<const float4*>(x)[i];
  float4* out = reinterpret_cast<float4*>(y) + i;
  float4 sum = *out;
  sum.x += a * four.x;
  sum.y += a * four.y;
  sum.z += a * four.z;
  sum.w += a * four.w;
  *out = sum;
}
