//@ idea: does nothing at all
//@ caught: values
//@ block: 16, 16
//@ grid: ceil_div(n, 16), ceil_div(m, 16)

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {}
