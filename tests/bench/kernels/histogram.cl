__kernel void histogram(__global const uint* values, __global uint* bins, int n) {
  __local uint mine[256];
  const int thread = get_local_id(0);
  mine[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&mine[values[i] & 255], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[thread], mine[thread]);
}
