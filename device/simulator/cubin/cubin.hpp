// What a cubin says of its kernels: registers, stack, and which machine instructions became of each
// line of PTX.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/simulator/cubin/machine_code.hpp"

namespace warpbook::device {

struct CubinKernel {
  std::string name;             ///< mangled
  std::uint32_t registers = 0;  ///< a thread
  std::uint32_t frame_bytes =
      0;             ///< of stack a thread: local variables and spilled registers together
  MachineCode code;  ///< empty where the cubin holds no line tables

  /// Bytes that hold spilled registers, where the PTX itself declares `local_bytes` of local
  /// variables.
  [[nodiscard]] std::uint32_t spilled_bytes(std::uint32_t local_bytes) const {
    const std::uint32_t declared = (local_bytes + 7) / 8 * 8;  // frames grow by 8 bytes
    return frame_bytes > declared ? frame_bytes - declared : 0;
  }
};

/// Empty where the bytes are no sound cubin: cut, damaged, or another kind of file.
std::optional<std::vector<CubinKernel>> read_cubin(std::span<const std::uint8_t> bytes);

}  // namespace warpbook::device
