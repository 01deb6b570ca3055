// What was last found on this machine. A look takes a second or two, so it is not repeated at every change of a parameter.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "lab/exhibits/stack/machine.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// Keeps one look for as long as the chapter lives. Any thread may ask; one looks, the others wait for what it finds.
class LastLook {
 public:
  /// The last look; a new one where there was none, or where this very run was asked for before: that is how a reader asks for
  /// a new look. Tells its progress; throws ExperimentFailed where the run was cancelled.
  lab::Machine get(lab::Lab& lab);

 private:
  std::mutex mutex_;
  std::optional<lab::Machine> machine_;
  std::uint64_t inputs_ = 0;
};

}  // namespace warpbook::lessons
