// A device buffer between two canaries. A back end that checks every access needs none: there the buffer stands alone, so
// that a stray access by one element is found and not swallowed by the canary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

class GuardedBuffer {
 public:
  /// `count` elements, filled with NaN bytes (0xff) unless `fill` is false. `offset` elements stand before them, part of the
  /// canary, so that the address is no longer aligned for vectors. Throws ExperimentFailed. Count 0: address 0, nothing
  /// allocated.
  GuardedBuffer(Lab& lab, std::string name, device::ElementType type, std::uint64_t count,
                std::uint64_t offset = 0, bool fill = true);

  [[nodiscard]] device::Pointer address() const { return address_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  void fill(std::byte value);
  void copy_in(std::span<const std::byte> bytes);
  [[nodiscard]] std::vector<std::byte> copy_out() const;
  /// The error of a canary that was written over; nothing where both are whole.
  [[nodiscard]] std::optional<device::Error> damage(const std::string& kernel) const;

 private:
  device::Device* device_;
  std::string name_;
  device::Buffer whole_;
  device::Pointer address_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t before_ = 0, after_ = 0;  ///< bytes of canary
};

}  // namespace warpbook::lab
