// cuBLAS by the functions from before it had handles. What they compute is that of the functions with handles (cublas.cpp), so each
// needs one case that tells its arguments apart.
#include <cublas.h>

#include "tests/device/runtime/programs/library_program.hpp"

namespace {

using namespace program;

template <class T>
std::vector<double> after(const Array<T>& x) {
  const std::vector<T> values = x.values();
  return {values.begin(), values.end()};
}

void vectors() {
  const Array<float> x(std::vector<float>{1, -2, 3}), y(std::vector<float>{10, 20, 30});
  expect_equal(cublasSdot(3, x, 1, y, 1), 60.0f);
  expect_equal(cublasSasum(3, x, 1), 6.0f);
  expect_near(cublasSnrm2(2, x, 2), std::sqrt(10.0), 1e-6);
  expect_equal(cublasIsamax(3, x, 1), 3);
  expect_equal(cublasIsamin(3, x, 1), 1);
  cublasSaxpy(3, 2, x, 1, y, 1);
  expect_true(after(y) == std::vector<double>{12, 16, 36});
  cublasSscal(3, -1, x, 1);
  expect_true(after(x) == std::vector<double>{-1, 2, -3});
  cublasSswap(3, x, 1, y, 1);
  expect_true(after(x) == std::vector<double>{12, 16, 36});
  cublasScopy(3, y, 1, x, 1);
  expect_true(after(x) == std::vector<double>{-1, 2, -3});
  cublasSrot(3, x, 1, y, 1, 0, 1);  // a quarter of a turn
  expect_true(after(y) == std::vector<double>{1, -2, 3});
}

void matrices() {
  // Column-major: (1 3; 2 4), and its lower triangle (1 0; 2 4).
  const Array<double> a(std::vector<double>{1, 2, 3, 4}), x(std::vector<double>{1, 10});
  const Array<double> y(std::vector<double>{100, 100}), c(std::vector<double>{0, 0, 0, 0});
  cublasDgemv('T', 2, 2, 2, a, 2, x, 1, 1, y, 1);
  expect_true(after(y) == std::vector<double>{142, 186});
  cublasDger(2, 2, 1, x, 1, x, 1, c, 2);
  expect_true(after(c) == std::vector<double>{1, 10, 10, 100});
  cublasDgemm('N', 't', 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
  expect_true(after(c) == std::vector<double>{10, 14, 14, 20});
  cublasDsymm('L', 'L', 2, 1, 1, a, 2, x, 2, 0, y, 2);
  expect_true(after(y) == std::vector<double>{21, 42});
  cublasDsyrk('U', 'N', 2, 2, 1, a, 2, 0, c, 2);
  expect_true(after(c) == std::vector<double>{10, 14, 14, 20});
  cublasDtrsm('L', 'L', 'N', 'N', 2, 1, 1, a, 2, x, 2);
  expect_true(after(x) == std::vector<double>{1, 2});
}

void all() {
  done(cublasInit());
  vectors();
  matrices();
  void* memory = nullptr;
  int version = 0;
  done(cublasAlloc(10, sizeof(float), &memory));
  done(cublasFree(memory));
  done(cublasSetKernelStream(nullptr));
  done(cublasGetVersion(&version));
  expect_equal(version / 10000, 13);
  done(cublasGetError());
  done(cublasShutdown());
}

void errors() {
  const Array<float> x(4);
  cublasSscal(4, 1, x, 1);
  expect_status(cublasGetError(), CUBLAS_STATUS_NOT_INITIALIZED);
  done(cublasGetError());
  expect_status(cublasShutdown(), CUBLAS_STATUS_NOT_INITIALIZED);
  done(cublasInit());
  cublasSgemm('?', 'N', 1, 1, 1, 1, x, 1, x, 1, 0, x, 1);
  cublasSscal(4, 1, x, 1);  // what succeeds does not hide an error
  expect_status(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  cublasStrsm('?', 'L', 'N', 'N', 1, 1, 1, x, 1, x, 1);
  expect_status(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  void* memory = nullptr;
  expect_status(cublasAlloc(0, 4, &memory), CUBLAS_STATUS_INVALID_VALUE);
  done(cublasShutdown());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 101;
  return run_case(argv[2], {{"all", all}, {"errors", errors}});
}
