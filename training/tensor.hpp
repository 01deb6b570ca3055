// Tensors: a shape, a stride for each axis, and memory of the device that several tensors may share. What only rearranges
// (transpose, slice, broadcast, reshape) is a view of the same memory and launches nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/types.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::training {

/// Extents or strides, outermost axis first. Kernels take up to four axes.
using Extents = std::vector<std::int64_t>;
inline constexpr std::size_t kMostAxes = 4;

/// "3x2"; "scalar" where there are no axes.
std::string text_of(const Extents& shape);
std::int64_t count_of(const Extents& shape);
/// The strides of an array in row-major order, in elements.
Extents row_major(const Extents& shape);

/// bad_value: `operation` cannot take what it was given. `expected` is the key phrase.training.<expected>.
[[noreturn]] void refuse_shape(std::string_view operation, std::string got, std::string_view expected);

/// Memory of the device, given back when the last tensor in it goes.
class Storage {
 public:
  virtual ~Storage() = default;
  [[nodiscard]] virtual device::Pointer address() const = 0;
  [[nodiscard]] virtual const std::string& name() const = 0;
};

struct Tensor {
  std::shared_ptr<const Storage> storage;
  device::ElementType type = device::ElementType::f32;
  Extents shape;
  Extents strides;          ///< in elements; 0 along an axis that repeats itself
  std::int64_t offset = 0;  ///< of its first element, in elements

  [[nodiscard]] std::int64_t count() const { return count_of(shape); }
  [[nodiscard]] device::Pointer address() const {
    return storage->address() + static_cast<std::uint64_t>(offset) * device::size_of(type);
  }
  [[nodiscard]] const std::string& name() const { return storage->name(); }
  /// Whether its elements lie side by side in row-major order.
  [[nodiscard]] bool contiguous() const;

  // Views.
  [[nodiscard]] Tensor transposed(std::size_t first, std::size_t second) const;
  /// Elements `begin` to `end` (which is left out) of an axis.
  [[nodiscard]] Tensor sliced(std::size_t axis, std::int64_t begin, std::int64_t end) const;
  /// Repeated to a larger shape by NumPy's rule: axes are matched from the last on, and one of extent 1 repeats.
  [[nodiscard]] Tensor broadcast_to(const Extents& larger) const;
  /// Of a contiguous tensor; the number of elements stays.
  [[nodiscard]] Tensor reshaped(const Extents& other) const;
};

/// The shape to which both broadcast.
Extents broadcast_shape(std::string_view operation, const Extents& first, const Extents& second);

/// Extents or strides of exactly four axes, with `filler` for those that are not there.
Extents as_four(const Extents& values, std::int64_t filler);

}  // namespace warpbook::training
