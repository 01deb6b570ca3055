// Textures and surfaces as CUDA C++ programs use them.

extern "C" __global__ void rotate(cudaTextureObject_t image, float* out, int width, int height, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = x / static_cast<float>(width) - 0.5f, v = y / static_cast<float>(height) - 0.5f;
  const float s = sinf(angle), c = cosf(angle);
  out[y * width + x] = tex2D<float>(image, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

extern "C" __global__ void lookup(cudaTextureObject_t table, const int* index, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float2>(table, index[i]);
}

/// Every function once, at (u, v, w); four numbers each.
extern "C" __global__ void fetch_all(cudaTextureObject_t line, cudaTextureObject_t image, cudaTextureObject_t box,
                                     cudaTextureObject_t layers, cudaTextureObject_t cube, cudaTextureObject_t pyramid,
                                     const float3* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 p = at[i];
  float* o = out + 12 * i;
  o[0] = tex1D<float>(line, p.x);
  o[1] = tex2D<float>(image, p.x, p.y);
  o[2] = tex3D<float>(box, p.x, p.y, p.z);
  o[3] = tex2DLayered<float>(layers, p.x, p.y, i % 3);
  o[4] = texCubemap<float>(cube, p.x - 2, p.y - 2, p.z - 2);
  o[5] = tex2DLod<float>(pyramid, p.x, p.y, p.z / 2);
  o[6] = tex2DGrad<float>(pyramid, p.x, p.y, make_float2(0.25f, 0), make_float2(0, p.z / 8));
  const float4 g = tex2Dgather<float4>(image, p.x, p.y, 0);
  o[7] = g.x, o[8] = g.y, o[9] = g.z, o[10] = g.w;
  bool there = false;
  o[11] = tex2D<float>(image, p.x, p.y, &there) + (there ? 1000 : 0);
}

template <cudaSurfaceBoundaryMode kMode>
__device__ void blur(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += surf2Dread<unsigned short>(from, (x + dx) * 2, y + dy, kMode);
  }
  surf2Dwrite<uchar4>(make_uchar4(sum & 255, sum >> 8, x, y), to, x * 4, y, kMode);
}
extern "C" __global__ void blur_zero(cudaSurfaceObject_t a, cudaSurfaceObject_t b, int w, int h) { blur<cudaBoundaryModeZero>(a, b, w, h); }
extern "C" __global__ void blur_clamp(cudaSurfaceObject_t a, cudaSurfaceObject_t b, int w, int h) { blur<cudaBoundaryModeClamp>(a, b, w, h); }
extern "C" __global__ void blur_trap(cudaSurfaceObject_t a, cudaSurfaceObject_t b, int w, int h) { blur<cudaBoundaryModeTrap>(a, b, w, h); }

/// An object for each block, from memory.
extern "C" __global__ void choose(const cudaTextureObject_t* images, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex1D<int>(images[(blockIdx.x + threadIdx.x) % 3], threadIdx.x + 0.5f);
}
