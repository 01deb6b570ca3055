// Without shuffles: a tree in local memory.
__kernel void reduction(__global const float* from, __global float* sums, int n) {
  __local float partial[256];
  const int i = get_global_id(0), thread = get_local_id(0);
  partial[thread] = i < n ? from[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 128; offset > 0; offset /= 2) {
    if (thread < offset) partial[thread] += partial[thread + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) sums[get_group_id(0)] = partial[0];
}
