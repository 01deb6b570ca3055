// One instruction of one warp on tensor cores:
//   c = a b     a: [16][8], b: [8][8], c: [16][8]
// The PTX ISA says which lane holds which elements
// (mma.m16n8k8 with .tf32); g and t are its letters.
__device__ unsigned to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return bits;
}

__global__ void one_mma(const float* a, const float* b,
                        float* c) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  unsigned of_a[4] = {to_tf32(a[g * 8 + t]),
                      to_tf32(a[(g + 8) * 8 + t]),
                      to_tf32(a[g * 8 + t + 4]),
                      to_tf32(a[(g + 8) * 8 + t + 4])};
  unsigned of_b[2] = {to_tf32(b[t * 8 + g]),
                      to_tf32(b[(t + 4) * 8 + g])};
  float of_c[4] = {};
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(of_c[0]), "+f"(of_c[1]), "+f"(of_c[2]),
        "+f"(of_c[3])
      : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]),
        "r"(of_a[3]), "r"(of_b[0]), "r"(of_b[1]));
  c[g * 8 + 2 * t] = of_c[0];
  c[g * 8 + 2 * t + 1] = of_c[1];
  c[(g + 8) * 8 + 2 * t] = of_c[2];
  c[(g + 8) * 8 + 2 * t + 1] = of_c[3];
}
