__global__ void squares(int* out) {
  int i = threadIdx.x;
  out[i] = i * i;
}
