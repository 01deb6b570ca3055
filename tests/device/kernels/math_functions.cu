// Every function of CUDA's mathematics in both precisions, one kernel each: at_NAME(x, y, n).
#define ONE(T, f)                                              \
  extern "C" __global__ void at_##f(const T* x, T* y, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;       \
    if (i < n) y[i] = f(x[i]);                                 \
  }
#define TWO(T, f)                                                          \
  extern "C" __global__ void at_##f(const T* x, const T* z, T* y, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                   \
    if (i < n) y[i] = f(x[i], z[i]);                                       \
  }
#define BOTH(count, name) \
  count(float, name##f)   \
  count(double, name)

BOTH(ONE, sqrt) BOTH(ONE, rsqrt) BOTH(ONE, cbrt) BOTH(ONE, rcbrt)
BOTH(ONE, exp) BOTH(ONE, exp2) BOTH(ONE, exp10) BOTH(ONE, expm1)
BOTH(ONE, log) BOTH(ONE, log2) BOTH(ONE, log10) BOTH(ONE, log1p) BOTH(ONE, logb)
BOTH(ONE, sin) BOTH(ONE, cos) BOTH(ONE, tan) BOTH(ONE, sinpi) BOTH(ONE, cospi)
BOTH(ONE, asin) BOTH(ONE, acos) BOTH(ONE, atan)
BOTH(ONE, sinh) BOTH(ONE, cosh) BOTH(ONE, tanh) BOTH(ONE, asinh) BOTH(ONE, acosh) BOTH(ONE, atanh)
BOTH(ONE, erf) BOTH(ONE, erfc) BOTH(ONE, erfcx) BOTH(ONE, erfinv) BOTH(ONE, erfcinv)
BOTH(ONE, normcdf) BOTH(ONE, normcdfinv) BOTH(ONE, lgamma) BOTH(ONE, tgamma)
BOTH(ONE, j0) BOTH(ONE, j1) BOTH(ONE, y0) BOTH(ONE, y1) BOTH(ONE, cyl_bessel_i0) BOTH(ONE, cyl_bessel_i1)
BOTH(ONE, ceil) BOTH(ONE, floor) BOTH(ONE, trunc) BOTH(ONE, round) BOTH(ONE, rint) BOTH(ONE, nearbyint)
BOTH(ONE, fabs)
BOTH(TWO, pow) BOTH(TWO, atan2) BOTH(TWO, hypot) BOTH(TWO, rhypot) BOTH(TWO, fmod) BOTH(TWO, remainder)
BOTH(TWO, fdim) BOTH(TWO, copysign) BOTH(TWO, fmax) BOTH(TWO, fmin)

// The fast ones, in single precision only.
ONE(float, __sinf) ONE(float, __cosf) ONE(float, __tanf) ONE(float, __expf) ONE(float, __exp10f)
ONE(float, __logf) ONE(float, __log2f) ONE(float, __log10f) ONE(float, __tanhf) ONE(float, __saturatef)
TWO(float, __powf) TWO(float, __fdividef)

// Those that give more than a number, or take more than two: one kernel for both precisions.
template <class T>
__global__ void several(const T* x, T* y, int* whole, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T* o = y + 17 * i;
  int* w = whole + 7 * i;
  const T a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 5 + 2) % n], d = x[(i * 3 + 3) % n];
  int e = 0, quotient = 0;
  T part;
  o[0] = frexp(a, &e);
  o[1] = modf(a, &part);
  o[2] = part;
  o[3] = remquo(a, b, &quotient);
  sincos(a, &o[4], &o[5]);
  sincospi(a, &o[6], &o[7]);
  o[8] = ldexp(a, i % 90 - 45);
  o[9] = scalbn(a, i % 300 - 150);
  o[10] = fma(a, b, c);
  o[11] = norm3d(a, b, c);
  o[12] = norm4d(a, b, c, d);
  o[13] = rnorm3d(a, b, c);
  o[14] = rnorm4d(a, b, c, d);
  const T row[5] = {a, b, c, d, 1};
  if constexpr (sizeof(T) == 8) o[15] = norm(5, row);
  else o[15] = normf(5, row);
  o[16] = nextafter(a, b);
  w[0] = e;
  w[1] = quotient & 7;
  w[2] = isfinite(a) && !isinf(a) ? ilogb(a) : 0;
  w[3] = isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | signbit(a) << 3;
  w[4] = isfinite(a) ? static_cast<int>(lrint(fmin(fmax(a, T(-1000000)), T(1000000)))) : 0;
  w[5] = isfinite(a) ? static_cast<int>(llround(fmin(fmax(a, T(-1000000)), T(1000000)))) : 0;
  w[6] = a < b | (a == b) << 1 | (a > b) << 2 | (a != b) << 3;
}
template __global__ void several<float>(const float*, float*, int*, int);
template __global__ void several<double>(const double*, double*, int*, int);

// Bessel functions of whole orders.
template <class T>
__global__ void bessel(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if constexpr (sizeof(T) == 8) {
    y[2 * i] = jn(i % 6, x[i]);
    y[2 * i + 1] = yn(i % 6, x[i]);
  } else {
    y[2 * i] = jnf(i % 6, x[i]);
    y[2 * i + 1] = ynf(i % 6, x[i]);
  }
}
template __global__ void bessel<float>(const float*, float*, int);
template __global__ void bessel<double>(const double*, double*, int);

// Arithmetic in all four roundings: nearest, to zero, up, down.
#define IN_EACH(T, name, call) \
  o[at++] = name##_rn call;    \
  o[at++] = name##_rz call;    \
  o[at++] = name##_ru call;    \
  o[at++] = name##_rd call;
__global__ void rounded_floats(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 5 + 2) % n];
  float* o = y + 28 * i;
  int at = 0;
  IN_EACH(float, __fadd, (a, b))
  IN_EACH(float, __fsub, (a, b))
  IN_EACH(float, __fmul, (a, b))
  IN_EACH(float, __fdiv, (a, b))
  IN_EACH(float, __fmaf, (a, b, c))
  IN_EACH(float, __frcp, (a))
  IN_EACH(float, __fsqrt, (a))
}
__global__ void rounded_doubles(const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i], b = x[(i * 7 + 1) % n], c = x[(i * 5 + 2) % n];
  double* o = y + 28 * i;
  int at = 0;
  IN_EACH(double, __dadd, (a, b))
  IN_EACH(double, __dsub, (a, b))
  IN_EACH(double, __dmul, (a, b))
  IN_EACH(double, __ddiv, (a, b))
  IN_EACH(double, __fma, (a, b, c))
  IN_EACH(double, __drcp, (a))
  IN_EACH(double, __dsqrt, (a))
}
