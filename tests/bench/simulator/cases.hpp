// What is measured: one kernel of tests/bench/kernels each, with its data, and a plain C++ loop for the same arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "device/types.hpp"

namespace warpbook::bench {

/// Floats or unsigned integers, as a kernel's pointer points to them.
struct Array {
  std::string name;
  device::ElementType type = device::ElementType::f32;
  std::vector<std::byte> bytes;

  template <class T>
  static Array of(std::string name, const std::vector<T>& values) {
    Array array{std::move(name), device::element_type_of<T>::value, {}};
    array.bytes.resize(values.size() * sizeof(T));
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    return array;
  }
  template <class T>
  [[nodiscard]] const T* data() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
  template <class T>
  [[nodiscard]] T* data() {
    return reinterpret_cast<T*>(bytes.data());
  }
};

struct Case {
  std::string name;
  std::string kernel;  ///< also the name of its files: kernels/KERNEL.cu and KERNEL.cl
  device::Dim3 grid, block;
  std::vector<Array> inputs;  ///< the kernel's first parameters...
  Array output;               ///< ...the one after them, zeros before it runs...
  std::int32_t size = 0;      ///< ...and its last
  double bar = 0;             ///< thread-instructions a second, on one core
  float tolerance = 0;  ///< of the results, relative; 0: bit for bit, since all sums are exact
  /// The same from the same inputs, in the way that one would write it without thinking of speed.
  std::function<void(const std::vector<Array>& inputs, Array& output)> plain;
};

std::vector<Case> cases();

/// Where `got` first differs from what the plain loop made, or -1.
std::ptrdiff_t first_difference(const Case& c, const Array& expected, const Array& got);

}  // namespace warpbook::bench
