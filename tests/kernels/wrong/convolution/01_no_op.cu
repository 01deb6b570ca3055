//@ idea: does nothing at all
//@ caught: values
//@ block: 256
//@ grid: ceil_div(p * q, block), k, n

__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {}
