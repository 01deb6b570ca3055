// A program as courses write it: it calls four libraries, and nothing on its command line names them.
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr int kCount = 256;
  float *x, *y, sum = 0, mean = 0;
  cudaMalloc(&x, kCount * sizeof(float));
  cudaMalloc(&y, kCount * sizeof(float));

  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, x, kCount);
  curandDestroyGenerator(generator);

  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSasum(blas, kCount, x, 1, &sum);
  cublasDestroy(blas);

  // The first element of a spectrum is the sum.
  cufftHandle plan;
  cufftComplex *spectrum, first;
  cudaMalloc(&spectrum, (kCount / 2 + 1) * sizeof(cufftComplex));
  cufftPlan1d(&plan, kCount, CUFFT_R2C, 1);
  cufftExecR2C(plan, x, spectrum);
  cudaMemcpy(&first, spectrum, sizeof first, cudaMemcpyDeviceToHost);
  cufftDestroy(plan);

  // So is the average over all, times their number.
  cudnnHandle_t dnn;
  cudnnTensorDescriptor_t all, one;
  cudnnPoolingDescriptor_t pooling;
  const float alpha = 1, beta = 0;
  cudnnCreate(&dnn);
  cudnnCreateTensorDescriptor(&all);
  cudnnCreateTensorDescriptor(&one);
  cudnnCreatePoolingDescriptor(&pooling);
  cudnnSetTensor4dDescriptor(all, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 16, 16);
  cudnnSetTensor4dDescriptor(one, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1);
  cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
                              CUDNN_NOT_PROPAGATE_NAN, 16, 16, 0, 0, 16, 16);
  cudnnPoolingForward(dnn, pooling, &alpha, all, x, &beta, one, y);
  cudaMemcpy(&mean, y, sizeof mean, cudaMemcpyDeviceToHost);
  cudnnDestroyPoolingDescriptor(pooling);
  cudnnDestroyTensorDescriptor(all);
  cudnnDestroyTensorDescriptor(one);
  cudnnDestroy(dnn);

  cudaFree(x);
  cudaFree(y);
  cudaFree(spectrum);
  const bool agree = std::fabs(sum - first.x) < 1e-3f && std::fabs(sum - mean * kCount) < 1e-3f;
  std::printf("%s: the numbers add up to %.3f\n", agree ? "PASS" : "FAIL", sum);
  return agree ? 0 : 1;
}
