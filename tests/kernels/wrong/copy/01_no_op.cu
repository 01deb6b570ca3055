//@ idea: does nothing at all
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void copy(const float* x, float* out, int n) {}
