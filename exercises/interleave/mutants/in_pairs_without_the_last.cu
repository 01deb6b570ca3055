__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  int threads = gridDim.x * blockDim.x;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float2* from = reinterpret_cast<const float2*>(in);
  float2* to = reinterpret_cast<float2*>(out);
  for (int i = t; i < n / 2; i += threads)
    to[i] = make_float2(gain * from[i].x, gain * from[i].y);
}
