// Bounds on what a process may use up.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace warpbook::device {

/// Lowers the bound, so that the process cannot raise it again. A bound that is lower already stays. Safe between fork and exec.
inline void lower_limit(__rlimit_resource resource, std::uint64_t most) {
  if (rlimit now{}; ::getrlimit(resource, &now) == 0)
    most = std::min<std::uint64_t>(most, now.rlim_max);
  const rlimit bound{most, most};
  ::setrlimit(resource, &bound);
}

}  // namespace warpbook::device
