// The last block sets a flag, the others wait for it.
__global__ void wait_for_last(int* flag,
                              int* started) {
  atomicAdd(started, 1);  // this block has begun
  if (blockIdx.x == gridDim.x - 1) {
    atomicExch(flag, 1);
  } else {
    // adding 0 reads the flag, each time anew
    while (atomicAdd(flag, 0) == 0) {
    }
  }
}
