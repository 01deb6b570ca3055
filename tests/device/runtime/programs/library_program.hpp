// What programs on drop-in libraries share: arrays on both sides, numbers to fill them, and comparisons with plain loops in double
// precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/device/runtime/programs/program.hpp"

namespace program {

/// An array of the device's memory, filled from one of the host's.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    ok(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    ok(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  explicit Array(std::size_t count, T value = {}) : Array(std::vector<T>(count, value)) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { ok(cudaFree(data_)); }

  operator T*() const { return data_; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> all(count_);
    ok(cudaMemcpy(all.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return all;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }

  std::size_t count_;
  T* data_ = nullptr;
};

/// Numbers between -1 and 1, the same in every run.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed = 1) {
  std::vector<T> all(count);
  unsigned state = seed * 2654435761u + 12345u;
  for (T& value : all) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<T>(static_cast<double>(state >> 8) / (1 << 23) - 1);
  }
  return all;
}

/// How far a sum of `terms` products in the type may be from the exact one.
template <class T>
double tolerance(double terms) {
  return (sizeof(T) == sizeof(double) ? 1e-15 : 1e-6) * (terms + 10);
}

inline void expect_near(double got, double exact, double within,
                        std::source_location at = std::source_location::current()) {
  if (std::fabs(got - exact) <= within) return;
  ++failures;
  std::printf("line %u: %.17g, exact: %.17g\n", static_cast<unsigned>(at.line()), got, exact);
}

/// The first place where two arrays differ by more than `within`.
template <class T>
void expect_all_near(const std::vector<T>& got, const std::vector<double>& exact, double within,
                     std::source_location at = std::source_location::current()) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::fabs(static_cast<double>(got[i]) - exact[i]) <= within) continue;
    ++failures;
    std::printf("line %u: element %zu is %.9g, exact: %.17g\n", static_cast<unsigned>(at.line()), i,
                static_cast<double>(got[i]), exact[i]);
    return;
  }
}

/// The status that a library's function documents.
template <class Status>
void expect_status(Status got, std::type_identity_t<Status> documented,
                   std::source_location at = std::source_location::current()) {
  if (got == documented) return;
  ++failures;
  std::printf("line %u: status %d, documented: %d\n", static_cast<unsigned>(at.line()),
              static_cast<int>(got), static_cast<int>(documented));
}
/// Every library's success is 0.
template <class Status>
void done(Status got, std::source_location at = std::source_location::current()) {
  expect_status(got, static_cast<Status>(0), at);
}

}  // namespace program
