// SIMD within a word and the other integer intrinsics: one kernel each, at_NAME(a, b, c, y, n).
#define AT(T, f, call)                                                                         \
  extern "C" __global__ void at_##f(const unsigned* p, const unsigned* q, const unsigned* r,   \
                                    T* y, int n) {                                             \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
    if (i >= n) return;                                                                        \
    const unsigned a = p[i], b = q[i], c = r[i];                                               \
    y[i] = call;                                                                               \
  }
#define ONE(f) AT(unsigned, f, f(a))
#define TWO(f) AT(unsigned, f, f(a, b))
#define THREE(f) AT(unsigned, f, f(a, b, c))
#define BOTH(count, name) count(name##2) count(name##4)

BOTH(ONE, __vabs) BOTH(ONE, __vabsss) BOTH(ONE, __vneg) BOTH(ONE, __vnegss)
BOTH(TWO, __vadd) BOTH(TWO, __vaddss) BOTH(TWO, __vaddus) BOTH(TWO, __vsub) BOTH(TWO, __vsubss) BOTH(TWO, __vsubus)
BOTH(TWO, __vabsdiffs) BOTH(TWO, __vabsdiffu) BOTH(TWO, __vavgs) BOTH(TWO, __vavgu) BOTH(TWO, __vhaddu)
BOTH(TWO, __vmaxs) BOTH(TWO, __vmaxu) BOTH(TWO, __vmins) BOTH(TWO, __vminu) BOTH(TWO, __vsads) BOTH(TWO, __vsadu)
BOTH(TWO, __vcmpeq) BOTH(TWO, __vcmpne) BOTH(TWO, __vcmpges) BOTH(TWO, __vcmpgeu) BOTH(TWO, __vcmpgts)
BOTH(TWO, __vcmpgtu) BOTH(TWO, __vcmples) BOTH(TWO, __vcmpleu) BOTH(TWO, __vcmplts) BOTH(TWO, __vcmpltu)
BOTH(TWO, __vseteq) BOTH(TWO, __vsetne) BOTH(TWO, __vsetges) BOTH(TWO, __vsetgeu) BOTH(TWO, __vsetgts)
BOTH(TWO, __vsetgtu) BOTH(TWO, __vsetles) BOTH(TWO, __vsetleu) BOTH(TWO, __vsetlts) BOTH(TWO, __vsetltu)

THREE(__viaddmax_s16x2) THREE(__viaddmax_s16x2_relu) THREE(__viaddmax_u16x2) THREE(__viaddmin_s16x2)
THREE(__viaddmin_s16x2_relu) THREE(__viaddmin_u16x2) THREE(__vimax3_s16x2) THREE(__vimax3_s16x2_relu)
THREE(__vimax3_u16x2) THREE(__vimin3_s16x2) THREE(__vimin3_s16x2_relu) THREE(__vimin3_u16x2)
TWO(__vimax_s16x2_relu) TWO(__vimin_s16x2_relu) TWO(__vimax_s32_relu) TWO(__vimin_s32_relu)
THREE(__viaddmax_s32) THREE(__viaddmax_s32_relu) THREE(__viaddmax_u32) THREE(__viaddmin_s32)
THREE(__viaddmin_s32_relu) THREE(__viaddmin_u32) THREE(__vimax3_s32) THREE(__vimax3_s32_relu) THREE(__vimax3_u32)
THREE(__vimin3_s32) THREE(__vimin3_s32_relu) THREE(__vimin3_u32)

// Those that also say which argument won: the answers stand in the bits above 31.
#define WITH_ONE(f, A)                                     \
  __device__ unsigned long long with_##f(A a, A b) {       \
    bool first = false;                                    \
    const unsigned long long r = static_cast<unsigned>(f(a, b, &first)); \
    return r | static_cast<unsigned long long>(first) << 32;             \
  }                                                        \
  AT(unsigned long long, f, with_##f(a, b))
#define WITH_TWO(f)                                                      \
  __device__ unsigned long long with_##f(unsigned a, unsigned b) {       \
    bool high = false, low = false;                                      \
    const unsigned long long r = f(a, b, &high, &low);                   \
    return r | static_cast<unsigned long long>(high) << 33 | static_cast<unsigned long long>(low) << 32; \
  }                                                                      \
  AT(unsigned long long, f, with_##f(a, b))
WITH_ONE(__vibmax_s32, int) WITH_ONE(__vibmax_u32, unsigned) WITH_ONE(__vibmin_s32, int) WITH_ONE(__vibmin_u32, unsigned)
WITH_TWO(__vibmax_s16x2) WITH_TWO(__vibmax_u16x2) WITH_TWO(__vibmin_s16x2) WITH_TWO(__vibmin_u16x2)

// All others in one kernel, 40 words a thread.
using Long = long long;
using Word = unsigned long long;
__global__ void integers(const unsigned* p, const unsigned* q, const unsigned* r, Word* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = p[i], b = q[i], c = r[i];
  const int s = a, t = b, u = c;
  const Word w = Word(a) << 32 | b, v = Word(c) << 32 | a;
  Word* o = y + 40 * i;
  o[0] = __brev(a);
  o[1] = __brevll(w);
  o[2] = __clz(s);
  o[3] = __clzll(w);
  o[4] = __ffs(s);
  o[5] = __ffsll(w);
  o[6] = __popc(a);
  o[7] = __popcll(w);
  o[8] = __byte_perm(a, b, c);
  o[9] = static_cast<unsigned>(__hadd(s, t));
  o[10] = static_cast<unsigned>(__rhadd(s, t));
  o[11] = __uhadd(a, b);
  o[12] = __urhadd(a, b);
  o[13] = static_cast<unsigned>(__mul24(s, t));
  o[14] = __umul24(a, b);
  o[15] = static_cast<unsigned>(__mulhi(s, t));
  o[16] = __umulhi(a, b);
  o[17] = __mul64hi(w, v);
  o[18] = __umul64hi(w, v);
  o[19] = __sad(s, t, c);
  o[20] = __usad(a, b, c);
  o[21] = __funnelshift_l(a, b, c);
  o[22] = __funnelshift_lc(a, b, c % 70);
  o[23] = __funnelshift_r(a, b, c);
  o[24] = __funnelshift_rc(a, b, c % 70);
  o[25] = static_cast<unsigned>(__dp4a(s, t, u));
  o[26] = __dp4a(a, b, c);
  o[27] = static_cast<unsigned>(__dp2a_lo(s, t, u));
  o[28] = __dp2a_lo(a, b, c);
  o[29] = static_cast<unsigned>(__dp2a_hi(s, t, u));
  o[30] = __dp2a_hi(a, b, c);
  o[31] = __fns(a, c % 32, static_cast<int>(b % 9) - 4);
  o[32] = static_cast<unsigned>(min(s, t)) | Word(max(a, b)) << 32;
  o[33] = llmin(w, v);
  o[34] = ullmax(w, v);
  o[35] = llabs(w);
  o[36] = static_cast<Word>(Long(w) / (Long(v) | 1));
  o[37] = w % (v | 1);
  o[38] = static_cast<unsigned>(s / (t | 1)) | Word(a % (b | 1)) << 32;
  o[39] = Word(Long(w) >> (c & 63)) ^ w << (c & 63) ^ w >> (c & 63);
}

// A 128-bit word and what C does with it.
using Wide = __int128;
using WideWord = unsigned __int128;
__device__ void put(Word* o, WideWord v) {
  o[0] = static_cast<Word>(v);
  o[1] = static_cast<Word>(v >> 64);
}
__global__ void wide_integers(const Word* x, Word* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const WideWord a = WideWord(x[i]) << 64 | x[(i + 1) % n], b = WideWord(x[(i * 3 + 2) % n]) << 64 | x[(i * 5 + 1) % n];
  const Wide s = a, t = b;
  const int by = static_cast<int>(x[(i + 7) % n] & 127);
  Word* o = y + 32 * i;
  put(o, a + b);
  put(o + 2, a - b);
  put(o + 4, a * b);
  put(o + 6, a / (b >> by | 1));
  put(o + 8, a % (b >> by | 1));
  put(o + 10, s / (t >> by | 1));
  put(o + 12, s % (t >> by | 1));
  put(o + 14, a << by);
  put(o + 16, a >> by);
  put(o + 18, s >> by);
  put(o + 20, (a & b) ^ (a | ~b));
  put(o + 22, -a);
  o[24] = (a < b) | (s < t) << 1 | (a == b) << 2 | (s >= t) << 3;
  o[25] = __double_as_longlong(static_cast<double>(a));
  o[26] = __double_as_longlong(static_cast<double>(s));
  put(o + 28, static_cast<WideWord>(static_cast<double>(x[i]) * 1048576.0 * 1048576.0));
  o[27] = __float_as_int(static_cast<float>(x[i]));
  o[30] = static_cast<Word>(s > 0 ? s % 1000003 : -(s % 1000003));
  o[31] = static_cast<Word>((a * 10) >> 100);
}

// Numbers to whole numbers and back in every rounding; numbers that are not whole stay within the types' limits.
#define FOUR(name, v) \
  o[at++] = static_cast<Word>(name##_rn(v)); \
  o[at++] = static_cast<Word>(name##_rz(v)); \
  o[at++] = static_cast<Word>(name##_ru(v)); \
  o[at++] = static_cast<Word>(name##_rd(v));
#define FOUR_FLOATS(name, v) \
  o[at++] = __float_as_uint(name##_rn(v)); \
  o[at++] = __float_as_uint(name##_rz(v)); \
  o[at++] = __float_as_uint(name##_ru(v)); \
  o[at++] = __float_as_uint(name##_rd(v));
#define FOUR_DOUBLES(name, v) \
  o[at++] = __double_as_longlong(name##_rn(v)); \
  o[at++] = __double_as_longlong(name##_rz(v)); \
  o[at++] = __double_as_longlong(name##_ru(v)); \
  o[at++] = __double_as_longlong(name##_rd(v));
__global__ void casts(const double* x, const Word* words, Word* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Word* o = y + 63 * i;
  int at = 0;
  const double d = x[i];
  const float f = static_cast<float>(d);
  const Word w = words[i];
  FOUR(__float2int, f)
  FOUR(__float2uint, f)
  FOUR(__float2ll, f)
  FOUR(__float2ull, f)
  FOUR(__double2int, d)
  FOUR(__double2uint, d)
  FOUR(__double2ll, d)
  FOUR(__double2ull, d)
  FOUR_FLOATS(__double2float, d)
  FOUR_FLOATS(__int2float, static_cast<int>(w))
  FOUR_FLOATS(__uint2float, static_cast<unsigned>(w))
  FOUR_FLOATS(__ll2float, static_cast<Long>(w))
  FOUR_FLOATS(__ull2float, w)
  FOUR_DOUBLES(__ll2double, static_cast<Long>(w))
  FOUR_DOUBLES(__ull2double, w)
  o[60] = __double_as_longlong(__int2double_rn(static_cast<int>(w)));
  o[61] = __double_as_longlong(__uint2double_rn(static_cast<unsigned>(w)));
  o[62] = __double_as_longlong(__hiloint2double(__double2hiint(d) ^ 1 << 31, __double2loint(d)));
}
