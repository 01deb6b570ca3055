// Each block takes the next number when it runs.
__global__ void take_number(int* next,
                            int* number) {
  number[blockIdx.x] = atomicAdd(next, 1);
}
