// PTX written by hand inside CUDA C++, and virtual functions. inline.ptx: NVRTC 13.0, compute_80.
struct Shape {
  __device__ virtual int area(int x) { return x; }
};
struct Square : Shape {
  __device__ int area(int x) override { return x * x; }
};

extern "C" __global__ void by_hand(int* out, unsigned long long texture, unsigned long long surface) {
  Shape* shape = out[1] != 0 ? new Shape : new Square;
  out[0] = shape->area(out[2]);
  delete shape;
  float r, g, b, a;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(texture), "f"(0.5f), "f"(1.f));
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], %3;" ::"l"(surface), "r"(1), "r"(2), "f"(r + g + b + a));
  asm volatile("{\n .reg .pred p;\n .reg .b32 t<3>;\n setp.ne.s32 p, %0, 0;\n@p mov.b32 t1, 0x1F;\n mov.b32 %0, t1;\nL1:@!p bra L1;\n}" : "+r"(out[5]));
  asm volatile("{\n .reg .pred p, q;\n setp.lt.and.s32 p|q, %1, 3, !q;\n vadd.s32.u32.s32.sat %0, %1.b0, %2.h1;\n}" : "=r"(out[6]) : "r"(out[7]), "r"(out[8]));
  asm volatile("{\nL1: bra.uni L2;\nL2:\n}");
  out[9] = __shfl_up_sync(0xffff, out[9], 3);
}
