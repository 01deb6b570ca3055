// One macro for each arity, which serves floats, ints and unsigned ints.
#pragma once
typedef unsigned int uint;
#define WARPBOOK_F inline __host__ __device__

#define WARPBOOK_OPERATOR(V, T, OP, BOTH, RIGHT, LEFT) \
WARPBOOK_F V operator OP(V a, V b) { return BOTH; } \
WARPBOOK_F V operator OP(V a, T s) { return RIGHT; } \
WARPBOOK_F V operator OP(T s, V b) { return LEFT; } \
WARPBOOK_F void operator OP##=(V& a, V b) { a = a OP b; } \
WARPBOOK_F void operator OP##=(V& a, T s) { a = a OP s; }
#define WARPBOOK_OPERATOR2(V, T, OP) WARPBOOK_OPERATOR(V, T, OP, \
make_##V(a.x OP b.x, a.y OP b.y), make_##V(a.x OP s, a.y OP s), make_##V(s OP b.x, s OP b.y))
#define WARPBOOK_OPERATOR3(V, T, OP) WARPBOOK_OPERATOR(V, T, OP, \
make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z), make_##V(a.x OP s, a.y OP s, a.z OP s), \
make_##V(s OP b.x, s OP b.y, s OP b.z))
#define WARPBOOK_OPERATOR4(V, T, OP) WARPBOOK_OPERATOR(V, T, OP, \
make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w), \
make_##V(a.x OP s, a.y OP s, a.z OP s, a.w OP s), make_##V(s OP b.x, s OP b.y, s OP b.z, s OP b.w))

#define WARPBOOK_EACH2(V, NAME, F) \
WARPBOOK_F V NAME(V a) { return make_##V(F(a.x), F(a.y)); }
#define WARPBOOK_EACH3(V, NAME, F) \
WARPBOOK_F V NAME(V a) { return make_##V(F(a.x), F(a.y), F(a.z)); }
#define WARPBOOK_EACH4(V, NAME, F) \
WARPBOOK_F V NAME(V a) { return make_##V(F(a.x), F(a.y), F(a.z), F(a.w)); }
#define WARPBOOK_PAIR2(V, NAME, F) \
WARPBOOK_F V NAME(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y)); }
#define WARPBOOK_PAIR3(V, NAME, F) \
WARPBOOK_F V NAME(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); }
#define WARPBOOK_PAIR4(V, NAME, F) \
WARPBOOK_F V NAME(V a, V b) { \
return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w)); }

#define WARPBOOK_MAKE2(V, T, OTHER1, OTHER2) \
WARPBOOK_F V##2 make_##V##2(T s) { return make_##V##2(s, s); } \
WARPBOOK_F V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); } \
WARPBOOK_F V##2 make_##V##2(OTHER1##2 a) { return make_##V##2(T(a.x), T(a.y)); } \
WARPBOOK_F V##2 make_##V##2(OTHER2##2 a) { return make_##V##2(T(a.x), T(a.y)); }
#define WARPBOOK_MAKE3(V, T, OTHER1, OTHER2) \
WARPBOOK_F V##3 make_##V##3(T s) { return make_##V##3(s, s, s); } \
WARPBOOK_F V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, T(0)); } \
WARPBOOK_F V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); } \
WARPBOOK_F V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); } \
WARPBOOK_F V##3 make_##V##3(OTHER1##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); } \
WARPBOOK_F V##3 make_##V##3(OTHER2##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); }
#define WARPBOOK_MAKE4(V, T, OTHER1, OTHER2) \
WARPBOOK_F V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); } \
WARPBOOK_F V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, T(0)); } \
WARPBOOK_F V##4 make_##V##4(V##3 a, T w) { return make_##V##4(a.x, a.y, a.z, w); } \
WARPBOOK_F V##4 make_##V##4(OTHER1##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); } \
WARPBOOK_F V##4 make_##V##4(OTHER2##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }

WARPBOOK_F float lerp(float a, float b, float t) { return a + t * (b - a); }
WARPBOOK_F float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
WARPBOOK_F int clamp(int f, int a, int b) { return max(a, min(f, b)); }
WARPBOOK_F uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
WARPBOOK_F float fracf(float v) { return v - floorf(v); }
WARPBOOK_F float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

#define WARPBOOK_COMMON(N, V, T) \
WARPBOOK_OPERATOR##N(V, T, +) WARPBOOK_OPERATOR##N(V, T, -) WARPBOOK_OPERATOR##N(V, T, *) \
WARPBOOK_F V clamp(V v, V a, V b) { return max(a, min(v, b)); } \
WARPBOOK_F V clamp(V v, T a, T b) { return clamp(v, make_##V(a), make_##V(b)); }
#define WARPBOOK_FLOATS(N, V) \
WARPBOOK_PAIR##N(V, fminf, fminf) WARPBOOK_PAIR##N(V, fmaxf, fmaxf) WARPBOOK_PAIR##N(V, fmodf, fmodf) \
WARPBOOK_F V min(V a, V b) { return fminf(a, b); } \
WARPBOOK_F V max(V a, V b) { return fmaxf(a, b); } \
WARPBOOK_COMMON(N, V, float) WARPBOOK_OPERATOR##N(V, float, /) \
WARPBOOK_EACH##N(V, operator-, -) WARPBOOK_EACH##N(V, floorf, floorf) WARPBOOK_EACH##N(V, fracf, fracf) \
WARPBOOK_EACH##N(V, fabs, fabsf) \
WARPBOOK_F V lerp(V a, V b, float t) { return a + t * (b - a); } \
WARPBOOK_F V smoothstep(V a, V b, V x) { \
  const V y = clamp((x - a) / (b - a), 0.0f, 1.0f); \
  return y * y * (make_##V(3.0f) - make_##V(2.0f) * y); \
} \
WARPBOOK_F float length(V v) { return sqrtf(dot(v, v)); } \
WARPBOOK_F V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
WARPBOOK_F V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
#define WARPBOOK_INTEGERS(N, V, T) \
WARPBOOK_PAIR##N(V, min, min) WARPBOOK_PAIR##N(V, max, max) WARPBOOK_COMMON(N, V, T)
#define WARPBOOK_DOTS(V, T) \
WARPBOOK_F T dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; } \
WARPBOOK_F T dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
WARPBOOK_F T dot(V##4 a, V##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
#define WARPBOOK_MAKE(V, T, OTHER1, OTHER2) \
WARPBOOK_MAKE2(V, T, OTHER1, OTHER2) WARPBOOK_MAKE3(V, T, OTHER1, OTHER2) \
WARPBOOK_MAKE4(V, T, OTHER1, OTHER2) WARPBOOK_DOTS(V, T)

WARPBOOK_MAKE(float, float, int, uint)
WARPBOOK_MAKE(int, int, float, uint)
WARPBOOK_MAKE(uint, uint, float, int)
WARPBOOK_FLOATS(2, float2)
WARPBOOK_FLOATS(3, float3)
WARPBOOK_FLOATS(4, float4)
WARPBOOK_INTEGERS(2, int2, int)
WARPBOOK_INTEGERS(3, int3, int)
WARPBOOK_INTEGERS(4, int4, int)
WARPBOOK_INTEGERS(2, uint2, uint)
WARPBOOK_INTEGERS(3, uint3, uint)
WARPBOOK_INTEGERS(4, uint4, uint)
WARPBOOK_EACH2(int2, operator-, -) WARPBOOK_EACH3(int3, operator-, -) WARPBOOK_EACH4(int4, operator-, -)
WARPBOOK_EACH2(int2, abs, abs) WARPBOOK_EACH3(int3, abs, abs) WARPBOOK_EACH4(int4, abs, abs)
WARPBOOK_F float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
