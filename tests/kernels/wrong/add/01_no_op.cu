//@ idea: does nothing at all
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void add(const int* x, const int* y, int* out, int n) {}
