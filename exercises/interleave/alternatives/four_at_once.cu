__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  float4* out4 = reinterpret_cast<float4*>(out);
  for (int i = t; i < n / 4; i += threads) {
    float4 v = in4[i];
    out4[i] = make_float4(gain * v.x, gain * v.y, gain * v.z, gain * v.w);
  }
  for (int i = n / 4 * 4 + t; i < n; i += threads) out[i] = gain * in[i];
}
