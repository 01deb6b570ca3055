//@ idea: all threads add to the result at once, without atomics
//@ caught: race
//@ depth: d0 * d1 * d2 * d3
//@ zero: out
//@ block: 256
//@ grid: ceil_div(d0 * d1 * d2 * d3, block)

__global__ void broadcast_backward(const float* dy, float* out, int d0, int d1, int d2, int d3,
                                   int k0, int k1, int k2, int k3) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d0 * d1 * d2 * d3) return;
  const int at = i / (d1 * d2 * d3) % k0 * k1 * k2 * k3 + i / (d2 * d3) % d1 % k1 * k2 * k3 +
                 i / d3 % d2 % k2 * k3 + i % d3 % k3;
  out[at] += dy[i];
}
