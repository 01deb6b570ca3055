// The owner's list of arrays, textures and surfaces on the GPU, with those that were lost with a failed context.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device::gpu {

/// The objects that a kernel takes by their handle.
enum class ObjectKind : std::uint8_t { texture, surface };
std::string_view name_of(ObjectKind kind);

class GpuObjects {
 public:
  /// `device` is its name, for errors.
  explicit GpuObjects(std::string device) : device_(std::move(device)) {}

  /// Keeps an array of that generation of the worker under a number that no other array of this process has.
  void add(std::uint64_t number, ArrayState array, std::uint64_t generation);
  static std::uint64_t new_number();
  /// Keeps an object under the driver's handle for it; `name` is its memory's.
  void add(ObjectKind kind, std::uint64_t handle, std::string name, std::uint64_t generation);
  /// Marks everything that is older than that generation as lost.
  void lose(std::uint64_t generation, const std::string& cause);

  /// invalid_handle, memory_lost.
  [[nodiscard]] Expected<ArrayState> array(std::uint64_t number) const;
  /// Its name; empty where there is none.
  [[nodiscard]] std::string name_of_array(std::uint64_t number) const;
  /// Removes it. invalid_handle; false if it was lost before, so that the driver need not destroy it.
  Expected<bool> take_array(std::uint64_t number);
  Expected<bool> take(ObjectKind kind, std::uint64_t handle);

  /// Whether an object that was lost and not destroyed had this handle. It must not be handed out again.
  [[nodiscard]] bool was_lost(ObjectKind kind, std::uint64_t handle) const;
  /// memory_lost if this number, taken as a handle, names an object that was lost.
  [[nodiscard]] Expected<void> check_lost(std::uint64_t handle) const;

 private:
  struct KeptArray {
    ArrayState state;
    std::uint64_t generation = 0;
    bool lost = false;
  };
  struct KeptObject {
    std::string name;
    std::uint64_t generation = 0;
    bool lost = false;
  };
  [[nodiscard]] tl::unexpected<Error> unknown(std::string_view what, std::uint64_t handle) const;
  [[nodiscard]] Error lost_error(const std::string& name) const;

  const std::string device_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, KeptArray> arrays_;
  std::array<std::map<std::uint64_t, KeptObject>, 2> objects_;  // by kind
  std::string cause_;
};

}  // namespace warpbook::device::gpu
