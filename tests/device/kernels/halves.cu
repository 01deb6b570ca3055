// Every intrinsic of cuda_fp16.h and cuda_bf16.h, by the same names for both types. The k-th result of the i-th thread is
// y[k n + i].
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> struct PairOf;
template <> struct PairOf<__half> { using type = __half2; };
template <> struct PairOf<__nv_bfloat16> { using type = __nv_bfloat162; };
template <class T> using Pair = typename PairOf<T>::type;
template <class T> __device__ Pair<T> pair(T low, T high) { return Pair<T>(low, high); }

#define UNARY(f)                              \
  f(sqrt) f(rsqrt) f(rcp) f(log) f(log2) f(log10) f(exp) f(exp2) f(exp10) f(sin) f(cos) f(tanh) f(tanh_approx) \
  f(trunc) f(ceil) f(floor) f(rint)
template <class T>
__global__ void unary(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
#define PUT(f) y[k++ * n + i] = h##f(x[i]);
  UNARY(PUT)
#undef PUT
  y[k++ * n + i] = __habs(x[i]);
  y[k++ * n + i] = __hneg(x[i]);
}
// The same of pairs: this thread's number and the one as far from the end.
template <class T>
__global__ void unary_pairs(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair<T> p = pair<T>(x[i], x[n - 1 - i]);
  int k = 0;
  Pair<T>* const o = reinterpret_cast<Pair<T>*>(y);
#define PUT(f) o[k++ * n + i] = h2##f(p);
  UNARY(PUT)
#undef PUT
  o[k++ * n + i] = __habs2(p);
  o[k++ * n + i] = __hneg2(p);
}

#define BINARY(f) f(hadd) f(hsub) f(hmul) f(hadd, _rn) f(hsub, _rn) f(hmul, _rn) f(hadd, _sat) f(hsub, _sat) f(hmul, _sat) \
  f(hmax) f(hmin) f(hmax, _nan) f(hmin, _nan)
template <class T>
__global__ void binary(const T* x, const T* z, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T a = x[i], b = z[i];
  int k = 0;
#define PUT(f, ...) y[k++ * n + i] = __##f##__VA_ARGS__(a, b);
  BINARY(PUT)
#undef PUT
  y[k++ * n + i] = __hdiv(a, b);
  y[k++ * n + i] = a + b;
  y[k++ * n + i] = a - b;
  y[k++ * n + i] = a * b;
  y[k++ * n + i] = a / b;
}
template <class T>
__global__ void binary_pairs(const T* x, const T* z, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair<T> a = pair<T>(x[i], x[n - 1 - i]), b = pair<T>(z[i], z[n - 1 - i]);
  int k = 0;
  Pair<T>* const o = reinterpret_cast<Pair<T>*>(y);
#define PUT(f, ...) o[k++ * n + i] = __##f##2##__VA_ARGS__(a, b);
  BINARY(PUT)
#undef PUT
  o[k++ * n + i] = __h2div(a, b);
  o[k++ * n + i] = a + b;
  o[k++ * n + i] = a - b;
  o[k++ * n + i] = a * b;
  o[k++ * n + i] = a / b;
}

template <class T>
__global__ void ternary(const T* x, const T* z, const T* u, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = __hfma(x[i], z[i], u[i]);
  y[n + i] = __hfma_sat(x[i], z[i], u[i]);
  y[2 * n + i] = __hfma_relu(x[i], z[i], u[i]);
}
template <class T>
__global__ void ternary_pairs(const T* x, const T* z, const T* u, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Pair<T> a = pair<T>(x[i], x[n - 1 - i]), b = pair<T>(z[i], z[n - 1 - i]), c = pair<T>(u[i], u[n - 1 - i]);
  Pair<T>* const o = reinterpret_cast<Pair<T>*>(y);
  o[i] = __hfma2(a, b, c);
  o[n + i] = __hfma2_sat(a, b, c);
  o[2 * n + i] = __hfma2_relu(a, b, c);
  o[3 * n + i] = __hcmadd(a, b, c);
}

// A bit a comparison: ordered ones, then those that are true of NaN; of pairs as numbers, as masks, and of both at once.
#define COMPARISONS(f) f(eq) f(ne) f(le) f(ge) f(lt) f(gt) f(equ) f(neu) f(leu) f(geu) f(ltu) f(gtu)
template <class T>
__global__ void compare(const T* x, const T* z, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T a = x[i], b = z[i], c = x[n - 1 - i], d = z[n - 1 - i];
  const Pair<T> p = pair<T>(a, c), q = pair<T>(b, d);
  unsigned single = 0, low = 0, high = 0, low_mask = 0, high_mask = 0, both = 0;
  int k = 0;
#define PUT(f)                                                        \
  single |= unsigned(__h##f(a, b)) << k;                              \
  low |= unsigned(float(__low2float(__h##f##2(p, q))) == 1.0f) << k;   \
  high |= unsigned(float(__high2float(__h##f##2(p, q))) == 1.0f) << k; \
  low_mask |= unsigned((__h##f##2_mask(p, q) & 0xffff) == 0xffff) << k; \
  high_mask |= unsigned(__h##f##2_mask(p, q) >> 16 == 0xffff) << k;     \
  both |= unsigned(__hb##f##2(p, q)) << k++;
  COMPARISONS(PUT)
#undef PUT
  single |= unsigned(__hisnan(a)) << 12 | unsigned(__hisinf(a) + 1) << 13;
  single |= unsigned(a == b) << 15 | unsigned(a != b) << 16 | unsigned(a <= b) << 17 | unsigned(a >= b) << 18 |
            unsigned(a < b) << 19 | unsigned(a > b) << 20;
  low |= unsigned(__low2float(__hisnan2(p)) == 1.0f) << 12;
  high |= unsigned(__high2float(__hisnan2(p)) == 1.0f) << 12;
  y[i] = single;
  y[n + i] = low;
  y[2 * n + i] = high;
  y[3 * n + i] = low_mask;
  y[4 * n + i] = high_mask;
  y[5 * n + i] = both;
}

// From and to whole numbers in every rounding: 24 words out, 24 halves in, then the four of a float and one of a double.
#define CONVERSIONS(T, prefix, suffix)                                                                           \
  __global__ void to_##prefix##_words(const T* x, long long* y, int n) {                                         \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                         \
    if (i >= n) return;                                                                                          \
    int k = 0;                                                                                                   \
    EACH_OUT(prefix, int) EACH_OUT(prefix, uint) EACH_OUT(prefix, short) EACH_OUT(prefix, ushort)                \
    EACH_OUT(prefix, ll) EACH_OUT(prefix, ull)                                                                   \
    y[k++ * n + i] = __##prefix##2char_rz(x[i]);                                                                 \
    y[k++ * n + i] = __##prefix##2uchar_rz(x[i]);                                                                \
  }                                                                                                              \
  __global__ void from_##prefix##_words(const long long* x, const double* d, T* y, int n) {                      \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                         \
    if (i >= n) return;                                                                                          \
    const long long v = x[i];                                                                                    \
    const float s = static_cast<float>(d[i]);                                                                    \
    int k = 0;                                                                                                   \
    EACH_IN(suffix, int, int) EACH_IN(suffix, unsigned, uint) EACH_IN(suffix, short, short)                      \
    EACH_IN(suffix, unsigned short, ushort) EACH_IN(suffix, long long, ll)                                       \
    EACH_IN(suffix, unsigned long long, ull)                                                                     \
    y[k++ * n + i] = __float2##suffix##_rn(s);                                                                   \
    y[k++ * n + i] = __float2##suffix##_rz(s);                                                                   \
    y[k++ * n + i] = __float2##suffix##_ru(s);                                                                   \
    y[k++ * n + i] = __float2##suffix##_rd(s);                                                                   \
    y[k++ * n + i] = __double2##suffix(d[i]);                                                                    \
  }
#define EACH_OUT(prefix, name)                     \
  y[k++ * n + i] = __##prefix##2##name##_rn(x[i]); \
  y[k++ * n + i] = __##prefix##2##name##_rz(x[i]); \
  y[k++ * n + i] = __##prefix##2##name##_ru(x[i]); \
  y[k++ * n + i] = __##prefix##2##name##_rd(x[i]);
#define EACH_IN(suffix, type, name)                                   \
  y[k++ * n + i] = __##name##2##suffix##_rn(static_cast<type>(v));    \
  y[k++ * n + i] = __##name##2##suffix##_rz(static_cast<type>(v));    \
  y[k++ * n + i] = __##name##2##suffix##_ru(static_cast<type>(v));    \
  y[k++ * n + i] = __##name##2##suffix##_rd(static_cast<type>(v));
CONVERSIONS(__half, half, half)
CONVERSIONS(__nv_bfloat16, bfloat16, bfloat16)

// Moving them about: halves of pairs, shuffles, cached loads and stores, atomics.
template <class T>
__global__ void move(const T* x, T* y, T* sum, Pair<T>* pair_sum) {
  const int i = threadIdx.x;
  const T mine = __ldg(x + i), other = __shfl_xor_sync(0xffffffffu, __ldcg(x + i), 5);
  const Pair<T> p = __shfl_down_sync(0xffffffffu, pair<T>(__ldca(x + i), __ldcs(x + i + 1)), 3);
  const Pair<T> up = __shfl_up_sync(0xffffffffu, pair<T>(__ldcv(x + i), mine), 1);
  __stcg(y + 8 * i, __high2float(p) > __low2float(p) ? p.x : p.y);
  __stcs(y + 8 * i + 1, other);
  __stwb(y + 8 * i + 2, __shfl_sync(0xffffffffu, mine, 7));
  __stwt(y + 8 * i + 3, up.x);
  reinterpret_cast<Pair<T>*>(y)[4 * i + 2] = pair<T>(p.y, p.x);
  const float2 f = {__low2float(p), __high2float(p)};
  y[8 * i + 6] = T(f.x);
  y[8 * i + 7] = T(f.y);
  atomicAdd(sum, T(1.0f));
  atomicAdd(pair_sum, pair<T>(T(0.5f), T(2.0f)));
}

template __global__ void unary<__half>(const __half*, __half*, int);
template __global__ void unary<__nv_bfloat16>(const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void unary_pairs<__half>(const __half*, __half*, int);
template __global__ void unary_pairs<__nv_bfloat16>(const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void binary<__half>(const __half*, const __half*, __half*, int);
template __global__ void binary<__nv_bfloat16>(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void binary_pairs<__half>(const __half*, const __half*, __half*, int);
template __global__ void binary_pairs<__nv_bfloat16>(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void ternary<__half>(const __half*, const __half*, const __half*, __half*, int);
template __global__ void ternary_pairs<__half>(const __half*, const __half*, const __half*, __half*, int);
template __global__ void compare<__half>(const __half*, const __half*, unsigned*, int);
template __global__ void compare<__nv_bfloat16>(const __nv_bfloat16*, const __nv_bfloat16*, unsigned*, int);
template __global__ void move<__half>(const __half*, __half*, __half*, __half2*);
template __global__ void move<__nv_bfloat16>(const __nv_bfloat16*, __nv_bfloat16*, __nv_bfloat16*, __nv_bfloat162*);
#if __CUDA_ARCH__ >= 800  // earlier ones have none
template __global__ void ternary<__nv_bfloat16>(const __nv_bfloat16*, const __nv_bfloat16*, const __nv_bfloat16*,
                                                __nv_bfloat16*, int);
template __global__ void ternary_pairs<__nv_bfloat16>(const __nv_bfloat16*, const __nv_bfloat16*, const __nv_bfloat16*,
                                                      __nv_bfloat16*, int);
#endif
