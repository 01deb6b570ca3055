// out[0] and out[1]: the sum of the squares of x: [n]. One
// thread adds them up in order, first with a rounding after
// each multiplication, then without.
__global__ void squares(const float* x, float* out,
                        int n) {
  float twice = 0, once = 0;
  for (int i = 0; i < n; ++i) {
    twice = __fadd_rn(twice, __fmul_rn(x[i], x[i]));
    once = __fmaf_rn(x[i], x[i], once);
  }
  out[0] = twice;
  out[1] = once;
}
