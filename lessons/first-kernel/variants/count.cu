// c[0] grows by the number of threads that ran.
__global__ void count(int* c) {
  atomicAdd(c, 1);  // atomic: no addition is lost
}
