// cuBLAS as it was before it had handles: results are values, letters say what operations say elsewhere, and an error waits until
// cublasGetError asks for it. See cublas_api.h.
#ifndef WARPBOOK_CUBLAS_H
#define WARPBOOK_CUBLAS_H

#include "cublas_api.h"

#define CUBLAS_H_

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasGetError(void);
cublasStatus_t cublasGetVersion(int* version);
cublasStatus_t cublasAlloc(int n, int element_bytes, void** pointer);
cublasStatus_t cublasFree(void* pointer);
cublasStatus_t cublasSetKernelStream(cudaStream_t stream);

void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy);
void cublasSscal(int n, float alpha, float* x, int incx);
void cublasScopy(int n, const float* x, int incx, float* y, int incy);
void cublasSswap(int n, float* x, int incx, float* y, int incy);
void cublasSrot(int n, float* x, int incx, float* y, int incy, float cosine, float sine);
float cublasSdot(int n, const float* x, int incx, const float* y, int incy);
float cublasSnrm2(int n, const float* x, int incx);
float cublasSasum(int n, const float* x, int incx);
int cublasIsamax(int n, const float* x, int incx);
int cublasIsamin(int n, const float* x, int incx);
void cublasSgemv(char op, int m, int n, float alpha, const float* a, int lda, const float* x,
                 int incx, float beta, float* y, int incy);
void cublasSger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy,
                float* a, int lda);
void cublasSgemm(char op_a, char op_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cublasSsymm(char side, char fill, int m, int n, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cublasSsyrk(char fill, char op, int n, int k, float alpha, const float* a, int lda, float beta,
                 float* c, int ldc);
void cublasStrsm(char side, char fill, char op, char diagonal, int m, int n, float alpha,
                 const float* a, int lda, float* b, int ldb);

void cublasDaxpy(int n, double alpha, const double* x, int incx, double* y, int incy);
void cublasDscal(int n, double alpha, double* x, int incx);
void cublasDcopy(int n, const double* x, int incx, double* y, int incy);
void cublasDswap(int n, double* x, int incx, double* y, int incy);
void cublasDrot(int n, double* x, int incx, double* y, int incy, double cosine, double sine);
double cublasDdot(int n, const double* x, int incx, const double* y, int incy);
double cublasDnrm2(int n, const double* x, int incx);
double cublasDasum(int n, const double* x, int incx);
int cublasIdamax(int n, const double* x, int incx);
int cublasIdamin(int n, const double* x, int incx);
void cublasDgemv(char op, int m, int n, double alpha, const double* a, int lda, const double* x,
                 int incx, double beta, double* y, int incy);
void cublasDger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy,
                double* a, int lda);
void cublasDgemm(char op_a, char op_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void cublasDsymm(char side, char fill, int m, int n, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void cublasDsyrk(char fill, char op, int n, int k, double alpha, const double* a, int lda,
                 double beta, double* c, int ldc);
void cublasDtrsm(char side, char fill, char op, char diagonal, int m, int n, double alpha,
                 const double* a, int lda, double* b, int ldb);

#ifdef __cplusplus
}
#endif

#endif
