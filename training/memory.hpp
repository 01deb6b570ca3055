// The device memory of a training. What a step frees the next step takes again, so nothing is allocated after the first step,
// and the device is never waited for in order to free. Each block goes back to the tensor of the same name and size, so what a
// finding says of a block's name is always right.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "training/report.hpp"
#include "training/tensor.hpp"

namespace warpbook::training {

class Memory : public std::enable_shared_from_this<Memory> {
 public:
  /// `before_growing` is called before the device is asked for more.
  Memory(std::shared_ptr<device::Device> device, std::function<void()> before_growing)
      : device_(std::move(device)), before_growing_(std::move(before_growing)) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// `count` elements, at least one. Throws ExperimentFailed where the device has no room.
  std::shared_ptr<const Storage> allocate(const std::string& name, device::ElementType type,
                                          std::uint64_t count);

  /// The launch that is next: what is allocated and freed from now on is noted to begin and end there.
  void set_launch(std::uint64_t launch) { launch_ = launch; }
  /// Begins to note lifetimes anew, counting launches from 0; the peak begins with what lives now.
  void note_lifetimes();
  /// What was noted. What still lives ends at the launch that is next.
  [[nodiscard]] MemoryUse use() const;

 private:
  class Block;
  struct Key {
    std::string name;
    std::uint64_t bytes = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void give_back(const Block& block);
  [[nodiscard]] Lifetime lifetime_of(const Block& block, std::uint64_t born) const;

  const std::shared_ptr<device::Device> device_;
  const std::function<void()> before_growing_;
  std::map<Key, std::vector<device::Pointer>> free_;
  std::map<const Block*, std::uint64_t> born_;  ///< of those that live, the launch
  std::uint64_t launch_ = 0, first_ = 0;  ///< first_: the launch before which noting began
  std::uint64_t live_bytes_ = 0, peak_bytes_ = 0, held_bytes_ = 0;
  bool noting_ = false;
  std::vector<Lifetime> ended_;
};

}  // namespace warpbook::training
