// Four neighbours a thread, in one access of 16 bytes for each array.
__device__ float slope(float v) {
  const float a = 0.79788456f, b = 0.044715f;
  float t = tanhf(a * (v + b * v * v * v));
  return 0.5f * (1 + t + v * (1 - t * t) * a * (1 + 3 * b * v * v));
}

__global__ void gelu_backward(const float* x, const float* dy, float* dx, int n) {
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 4 <= n) {
    float4 v = *reinterpret_cast<const float4*>(x + first);
    float4 d = *reinterpret_cast<const float4*>(dy + first);
    *reinterpret_cast<float4*>(dx + first) =
        make_float4(d.x * slope(v.x), d.y * slope(v.y), d.z * slope(v.z), d.w * slope(v.w));
  } else {
    for (int i = first; i < n; ++i) dx[i] = dy[i] * slope(x[i]);
  }
}
