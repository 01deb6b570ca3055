// The way of one value through a launch: which memories it passed, told from the record's trace and from the registers
// that its PTX names, never from what the kernel is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "lab/exhibits/spaces/spaces.hpp"

namespace warpbook::lab {

/// What is followed, and where it stands before the launch.
struct Followed {
  std::string array;                        ///< "x"
  std::uint64_t index = 0, count = 0;       ///< of its elements; how many it has
  device::Pointer address = 0;              ///< the element's, in global memory
  std::uint32_t bytes = 4;                  ///< of an element
  std::string value;                        ///< "-5"
  std::optional<device::Pointer> constant;  ///< where a copy stands in constant memory
  bool textured = false;                    ///< a texture object reads the array

  /// "x[37]"
  [[nodiscard]] std::string name() const;
};

/// Tracks the value until it is consumed by arithmetic, overwritten, or never read again; at most 12 stations. Within a
/// thread it follows the value through loads, stores, asynchronous copies, and moves between registers that only one
/// instruction writes. Lanes are unknown where the trace has none: of textures, and past its end.
SpacesExhibit::Journey journey_of(const device::LaunchRecord& record, const Followed& followed,
                                  const device::Properties& gpu);

}  // namespace warpbook::lab
