// The film itself: a sample of each chunk really goes through the GPU, operation by operation in the order of the estimated clock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "lessons/streams/pipeline.hpp"

namespace warpbook::lessons::streams {

/// How long the kernel takes for so many pixels; a sample of its blocks runs once for each number.
class KernelTimes {
 public:
  KernelTimes(lab::Lab& lab, const Setting& setting, std::shared_ptr<const device::Module> module);
  lab::HostSide::Work of(std::int64_t pixels);

 private:
  lab::Lab& lab_;
  const std::int64_t radius_;
  std::shared_ptr<const device::Module> module_;
  device::Buffer film_, clean_;
  std::map<std::int64_t, lab::HostSide::Work> known_;
};

/// For each chunk, whether the host got what the kernel makes of the chunk's pixels. `operations`: as they were planned.
std::vector<bool> right_chunks(lab::Lab& lab, const Setting& setting,
                               const std::shared_ptr<const device::Module>& module,
                               std::vector<Operation> operations);

}  // namespace warpbook::lessons::streams
