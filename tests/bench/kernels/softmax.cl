// Without shuffles: trees in local memory.
float over_group(__local float* partial, float value, int sums) {
  const int thread = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  partial[thread] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 128; offset > 0; offset /= 2) {
    if (thread < offset) {
      const float a = partial[thread], b = partial[thread + offset];
      partial[thread] = sums ? a + b : fmax(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return partial[0];
}

__kernel void softmax(__global const float* from, __global float* to, int columns) {
  __local float partial[256];
  const int thread = get_local_id(0);
  __global const float* row = from + get_group_id(0) * columns;
  __global float* result = to + get_group_id(0) * columns;
  float largest = -INFINITY;
  for (int i = thread; i < columns; i += 256) largest = fmax(largest, row[i]);
  largest = over_group(partial, largest, 0);
  float sum = 0;
  for (int i = thread; i < columns; i += 256) {
    const float e = exp(row[i] - largest);
    result[i] = e;
    sum += e;
  }
  const float share = 1 / over_group(partial, sum, 1);
  for (int i = thread; i < columns; i += 256) result[i] *= share;
}
