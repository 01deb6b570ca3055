// Which rung of kernels/ runs an operation. The ladders there are for readers to climb; a training takes of each the rung that is
// deterministic and fast at the size that it has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpbook::training {

/// An operation's integer scalars by name.
using Sizes = std::map<std::string, std::int64_t>;

struct KernelChoice {
  std::string rung;
  Sizes defines;  ///< macros that differ from the rung's own
};

/// Throws std::logic_error for an operation that no training uses.
KernelChoice choose_kernel(std::string_view operation, const Sizes& sizes);

}  // namespace warpbook::training
