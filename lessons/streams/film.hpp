// The film itself: a sample of each chunk really goes through the GPU, operation by operation in the order of the estimated clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "lessons/streams/pipeline.hpp"

namespace warpbook::lessons::streams {

/// Launches for a number of pixels each, which parts of a run that go on side by side share: each part launches on a GPU of its own.
class SharedLaunches {
 public:
  /// What `launch` gives, unless a part has launched for so many pixels before.
  device::LaunchTicket once(std::int64_t pixels,
                            const std::function<device::LaunchTicket()>& launch);
  /// For these numbers a part launches last, so that a part beside it may have launched before.
  void leave(std::vector<std::int64_t> pixels);
  std::vector<std::int64_t> left();

 private:
  std::mutex mutex_;  ///< guards the members below
  std::map<std::int64_t, device::LaunchTicket> asked_;
  std::vector<std::int64_t> left_;
};

/// How long the kernel takes for so many pixels; a sample of its blocks runs once for each number.
class KernelTimes {
 public:
  KernelTimes(lab::Lab& lab, const Setting& setting, std::shared_ptr<const device::Module> module,
              SharedLaunches& launches);
  /// Launches for so many pixels, and does not wait.
  device::LaunchTicket ask(std::int64_t pixels);
  lab::HostSide::Work of(std::int64_t pixels);

 private:
  lab::Lab& lab_;
  const std::int64_t radius_;
  std::shared_ptr<const device::Module> module_;
  SharedLaunches& launches_;
  device::Buffer film_, clean_;
};

/// For each chunk, whether the host got what the kernel makes of the chunk's pixels. `operations`: as they were planned.
std::vector<bool> right_chunks(lab::Lab& lab, const Setting& setting,
                               const std::shared_ptr<const device::Module>& module,
                               std::vector<Operation> operations);

}  // namespace warpbook::lessons::streams
