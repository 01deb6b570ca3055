// All but the last block wait for the last's flag.
__global__ void wait_for_last(int* flag,
                              int* started) {
  atomicAdd(started, 1);  // this one is on the GPU
  if (blockIdx.x == gridDim.x - 1) {
    atomicExch(flag, 1);
  } else {
    // adding 0 reads the flag afresh each time
    while (atomicAdd(flag, 0) == 0) {
    }
  }
}
