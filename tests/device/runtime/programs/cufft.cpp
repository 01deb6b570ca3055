// cuFFT: transforms of every type and many sizes against the sums that define them.
#include <cufft.h>

#include <complex>
#include <cstdint>

#include "tests/device/runtime/programs/library_program.hpp"

namespace {

using namespace program;
using Number = std::complex<double>;

constexpr double kTurn = 6.283185307179586;

/// Functions and types of one precision under one name.
template <class T>
struct Fft;
template <>
struct Fft<float> {
  using Complex = cufftComplex;
  static constexpr cufftType complex = CUFFT_C2C, forward = CUFFT_R2C, back = CUFFT_C2R;
  static constexpr auto exec = cufftExecC2C;
  static constexpr auto exec_forward = cufftExecR2C;
  static constexpr auto exec_back = cufftExecC2R;
};
template <>
struct Fft<double> {
  using Complex = cufftDoubleComplex;
  static constexpr cufftType complex = CUFFT_Z2Z, forward = CUFFT_D2Z, back = CUFFT_Z2D;
  static constexpr auto exec = cufftExecZ2Z;
  static constexpr auto exec_forward = cufftExecD2Z;
  static constexpr auto exec_back = cufftExecZ2D;
};

/// The sum that defines a transform, along each dimension of a row-major array.
std::vector<Number> transformed(std::vector<Number> x, const std::vector<int>& n, int direction) {
  std::size_t inner = 1;
  for (auto d = n.rbegin(); d != n.rend(); ++d) {
    const auto size = static_cast<std::size_t>(*d);
    std::vector<Number> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t k = i / inner % size, first = i - k * inner;
      for (std::size_t j = 0; j < size; ++j)
        result[i] += x[first + j * inner] *
                     std::polar(1.0, direction * kTurn * static_cast<double>(j * k % size) /
                                         static_cast<double>(size));
    }
    x = result;
    inner *= size;
  }
  return x;
}

std::size_t product(const std::vector<int>& n) {
  std::size_t all = 1;
  for (const int size : n) all *= static_cast<std::size_t>(size);
  return all;
}

template <class Complex>
void expect_spectrum(const std::vector<Complex>& got, const std::vector<Number>& exact,
                     double within, std::source_location at = std::source_location::current()) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(Number(got[i].x, got[i].y) - exact[i]) <= within) continue;
    ++failures;
    std::printf("line %u: element %zu is (%.9g, %.9g), exact: (%.9g, %.9g)\n",
                static_cast<unsigned>(at.line()), i, static_cast<double>(got[i].x),
                static_cast<double>(got[i].y), exact[i].real(), exact[i].imag());
    return;
  }
}

template <class T>
double error_of(std::size_t count) {
  return tolerance<T>(4) * std::sqrt(static_cast<double>(count)) * 4;
}

template <class T>
std::vector<typename Fft<T>::Complex> some_complex(std::size_t count) {
  const std::vector<T> parts = numbers<T>(2 * count);
  std::vector<typename Fft<T>::Complex> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = {parts[2 * i], parts[2 * i + 1]};
  return all;
}
template <class Complex>
std::vector<Number> exactly(const std::vector<Complex>& x) {
  std::vector<Number> all;
  for (const Complex& value : x) all.emplace_back(value.x, value.y);
  return all;
}

template <class T>
cufftHandle plan_of(std::vector<int> n, cufftType type) {
  cufftHandle plan = 0;
  if (n.size() == 1) done(cufftPlan1d(&plan, n[0], type, 1));
  if (n.size() == 2) done(cufftPlan2d(&plan, n[0], n[1], type));
  if (n.size() == 3) done(cufftPlan3d(&plan, n[0], n[1], n[2], type));
  return plan;
}

template <class T>
void complex_of(const std::vector<int>& n) {
  const std::size_t count = product(n);
  const auto x = some_complex<T>(count);
  const Array<typename Fft<T>::Complex> in(x), out(count);
  const cufftHandle plan = plan_of<T>(n, Fft<T>::complex);
  done(Fft<T>::exec(plan, in, out, CUFFT_FORWARD));
  expect_spectrum(out.values(), transformed(exactly(x), n, -1), error_of<T>(count));
  done(Fft<T>::exec(plan, out, out, CUFFT_INVERSE));
  std::vector<Number> back = exactly(x);
  for (Number& value : back) value *= static_cast<double>(count);
  expect_spectrum(out.values(), back, error_of<T>(count) * static_cast<double>(count));
  done(Fft<T>::exec(plan, in, in, CUFFT_INVERSE));
  expect_spectrum(in.values(), transformed(exactly(x), n, 1), error_of<T>(count));
  done(cufftDestroy(plan));
}

/// The half of a spectrum that is kept: rows of n / 2 + 1.
std::vector<Number> half_of(const std::vector<Number>& spectrum, int row) {
  std::vector<Number> half;
  for (std::size_t i = 0; i < spectrum.size(); ++i)
    if (static_cast<int>(i % static_cast<std::size_t>(row)) <= row / 2) half.push_back(spectrum[i]);
  return half;
}

template <class T>
void real_of(const std::vector<int>& n) {
  const std::size_t count = product(n);
  const int row = n.back();
  const std::vector<T> x = numbers<T>(count);
  const auto exact = half_of(transformed(std::vector<Number>(x.begin(), x.end()), n, -1), row);
  const Array<T> in(x), back(count);
  const Array<typename Fft<T>::Complex> half(exact.size());
  const cufftHandle forward = plan_of<T>(n, Fft<T>::forward), inverse = plan_of<T>(n, Fft<T>::back);
  done(Fft<T>::exec_forward(forward, in, half));
  expect_spectrum(half.values(), exact, error_of<T>(count));
  done(Fft<T>::exec_back(inverse, half, back));
  std::vector<double> scaled(x.begin(), x.end());
  for (double& value : scaled) value *= static_cast<double>(count);
  expect_all_near(back.values(), scaled, error_of<T>(count) * static_cast<double>(count));

  // In its own place, where rows are filled up to hold their spectrum.
  const auto padded_row = static_cast<std::size_t>(2 * (row / 2 + 1));
  std::vector<T> padded(count / static_cast<std::size_t>(row) * padded_row);
  const auto at = [&](std::size_t i) {
    return i / static_cast<std::size_t>(row) * padded_row + i % static_cast<std::size_t>(row);
  };
  for (std::size_t i = 0; i < count; ++i) padded[at(i)] = x[i];
  const Array<T> place(padded);
  auto* const spectrum = reinterpret_cast<typename Fft<T>::Complex*>(static_cast<T*>(place));
  done(Fft<T>::exec_forward(forward, place, spectrum));
  done(Fft<T>::exec_back(inverse, spectrum, place));
  const std::vector<T> again = place.values();
  std::vector<T> kept(count);
  for (std::size_t i = 0; i < count; ++i) kept[i] = again[at(i)];
  expect_all_near(kept, scaled, error_of<T>(count) * static_cast<double>(count));
  done(cufftDestroy(forward));
  done(cufftDestroy(inverse));
}

void lines() {
  // Powers, products, primes with and without kernels of their own.
  for (const int n :
       {1, 2, 3, 4, 5, 7, 8, 11, 12, 30, 49, 64, 97, 100, 121, 210, 256, 286, 1000, 1024}) {
    complex_of<float>({n});
    complex_of<double>({n});
    real_of<float>({n});
    real_of<double>({n});
  }
}

void planes_and_boxes() {
  for (const std::vector<int>& n :
       {std::vector{4, 6}, {1, 9}, {16, 1}, {13, 32}, {2, 3, 5}, {8, 4, 10}, {7, 1, 11}}) {
    complex_of<float>(n);
    complex_of<double>(n);
    real_of<float>(n);
    real_of<double>(n);
  }
}

void batches() {
  constexpr int kN = 20, kBatches = 7;
  const auto x = some_complex<float>(kN * kBatches);
  const Array<cufftComplex> data(x);
  cufftHandle plan = 0;
  done(cufftPlan1d(&plan, kN, CUFFT_C2C, kBatches));
  done(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
  std::vector<Number> exact;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto all = exactly(x);
    const auto one =
        transformed({all.begin() + batch * kN, all.begin() + (batch + 1) * kN}, {kN}, -1);
    exact.insert(exact.end(), one.begin(), one.end());
  }
  expect_spectrum(data.values(), exact, error_of<float>(kN));
  done(cufftDestroy(plan));
}

/// Columns of a matrix, which are neither together nor apart: element i of transform b is at i * batches + b.
void strided() {
  constexpr int kN = 12, kBatches = 5;
  const auto x = some_complex<double>(kN * kBatches);
  const Array<cufftDoubleComplex> in(x), out(static_cast<std::size_t>(kN * kBatches));
  cufftHandle plan = 0;
  int n = kN;
  done(cufftPlanMany(&plan, 1, &n, &n, kBatches, 1, &n, 1, kN, CUFFT_Z2Z, kBatches));
  done(cufftExecZ2Z(plan, in, out, CUFFT_FORWARD));
  std::vector<Number> exact;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    std::vector<Number> column;
    for (std::size_t i = 0; i < kN; ++i)
      column.emplace_back(x[i * kBatches + batch].x, x[i * kBatches + batch].y);
    const auto one = transformed(column, {kN}, -1);
    exact.insert(exact.end(), one.begin(), one.end());
  }
  expect_spectrum(out.values(), exact, error_of<double>(kN));
  done(cufftDestroy(plan));
}

void work_areas_and_streams() {
  constexpr int kN = 64;
  cufftHandle plan = 0;
  cudaStream_t stream = nullptr;
  std::size_t bytes = 0, same = 1;
  const auto x = some_complex<float>(kN);
  const Array<cufftComplex> data(x);
  ok(cudaStreamCreate(&stream));
  done(cufftCreate(&plan));
  done(cufftSetAutoAllocation(plan, 0));
  done(cufftMakePlan1d(plan, kN, CUFFT_C2C, 1, &bytes));
  done(cufftGetSize(plan, &same));
  expect_equal(same, bytes);
  done(cufftSetStream(plan, stream));
  expect_status(cufftExecC2C(plan, data, data, CUFFT_FORWARD), CUFFT_NO_WORKSPACE);
  const Array<char> area(bytes);
  done(cufftSetWorkArea(plan, static_cast<char*>(area)));
  done(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
  ok(cudaStreamSynchronize(stream));
  expect_spectrum(data.values(), transformed(exactly(x), {kN}, -1), error_of<float>(kN));
  done(cufftDestroy(plan));
  ok(cudaStreamDestroy(stream));
}

void errors() {
  cufftHandle plan = 0;
  int version = 0;
  const Array<cufftComplex> data(16);
  expect_status(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  expect_status(cufftPlan1d(&plan, 16, static_cast<cufftType>(1), 1), CUFFT_INVALID_TYPE);
  expect_status(cufftPlan1d(nullptr, 16, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  expect_status(cufftExecC2C(12345, data, data, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  done(cufftPlan1d(&plan, 16, CUFFT_C2C, 1));
  expect_status(cufftExecC2C(plan, nullptr, data, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  expect_status(cufftExecC2C(plan, data, data, 3), CUFFT_INVALID_VALUE);
  done(cufftDestroy(plan));
  expect_status(cufftDestroy(plan), CUFFT_INVALID_PLAN);
  done(cufftGetVersion(&version));
  expect_equal(version / 1000, 12);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 101;
  return run_case(argv[2], {{"lines", lines},
                            {"planes-and-boxes", planes_and_boxes},
                            {"batches", batches},
                            {"strided", strided},
                            {"work-areas-and-streams", work_areas_and_streams},
                            {"errors", errors}});
}
