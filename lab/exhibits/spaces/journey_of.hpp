// The way of one value through a launch: which memories it passed, told from the record's trace and from the registers
// that its PTX names, never from what the kernel is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "lab/model/exhibits.hpp"

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

/// Until the value is computed with, is overwritten, or nobody asks for it any more; at most 12 stations. Within a
/// thread a value is followed through loads, stores, asynchronous copies and moves between registers that are written in
/// one place only. Nothing is known of lanes where the trace has none: of textures, and past its end.
SpacesExhibit::Journey journey_of(const device::LaunchRecord& record, const Followed& followed,
                                  const device::Properties& gpu);

}  // namespace warpbook::lab
