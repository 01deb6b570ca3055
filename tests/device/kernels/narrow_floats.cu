// Conversions of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h, which are instructions from sm_89 on and code before it.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

// Every code of fp8 and of the narrower ones as a half.
__global__ void widen(unsigned short* y) {
  const unsigned char x = threadIdx.x;
  y[x] = __half_raw(__nv_cvt_fp8_to_halfraw(x, __NV_E4M3)).x;
  y[256 + x] = __half_raw(__nv_cvt_fp8_to_halfraw(x, __NV_E5M2)).x;
  y[512 + x] = __half_raw(__nv_cvt_fp6_to_halfraw(x & 63, __NV_E2M3)).x;
  y[768 + x] = __half_raw(__nv_cvt_fp6_to_halfraw(x & 63, __NV_E3M2)).x;
  y[1024 + x] = __half_raw(__nv_cvt_fp4_to_halfraw(x & 15, __NV_E2M1)).x;
  const __half2_raw two = __nv_cvt_fp8x2_to_halfraw2(x | (x ^ 85) << 8, __NV_E4M3);
  y[1280 + x] = two.x;
  y[1536 + x] = two.y;
}

// From doubles, floats, halves and bf16; the k-th result of the i-th number is y[k n + i].
__global__ void narrow(const double* x, unsigned char* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double d = x[i];
  const float f = d;
  const __half_raw h = __double2half(d);
  const __nv_bfloat16_raw b = __double2bfloat16(d);
  int k = 0;
#define PUT(v) y[k++ * n + i] = v;
  for (const auto kind : {__NV_E4M3, __NV_E5M2}) {
    PUT(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind))
    PUT(__nv_cvt_double_to_fp8(d, __NV_NOSAT, kind))
    PUT(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind))
    PUT(__nv_cvt_float_to_fp8(f, __NV_NOSAT, kind))
    PUT(__nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, kind))
    PUT(__nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, kind))
    PUT(__nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, kind))
    PUT(__nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, kind))
    const unsigned two = __nv_cvt_float2_to_fp8x2(make_float2(f, -f), __NV_SATFINITE, kind);
    PUT(two & 255)
    PUT(two >> 8)
  }
  PUT(__nv_cvt_float_to_fp6(f, __NV_E2M3, cudaRoundNearest))
  PUT(__nv_cvt_double_to_fp6(d, __NV_E3M2, cudaRoundNearest))
  PUT(__nv_cvt_float_to_fp4(f, __NV_E2M1, cudaRoundNearest))
  // The classes do the same.
  PUT(__nv_fp8_e4m3(f).__x)
  PUT(__nv_fp8_e5m2(d).__x)
  PUT(float(__nv_fp8_e4m3(f)) == f)
}
