// For each pixel the nearest of `shades` greys. The block
// loads the palette piece by piece, BLOCK greys at a time.
__global__ void nearest(const float* x,
                        const float* palette,
                        float* out, int n, int shades) {
  __shared__ float tile[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  float own = i < n ? x[i] : 0;
  float best = 1e30f;
  for (int from = 0; from < shades; from += BLOCK) {
    if (from + t < shades) tile[t] = palette[from + t];
    __syncthreads();
    int here = min(BLOCK, shades - from);
    for (int k = 0; k < here; ++k)
      if (fabsf(tile[k] - own) < fabsf(best - own))
        best = tile[k];
    __syncthreads();
  }
  if (i < n) out[i] = best;
}
