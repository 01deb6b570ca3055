// Tiny in-memory stand-ins for the host's C headers, which NVRTC does not have and much code
// includes all the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpbook::device {

/// Names and texts. Everything in them is something that NVRTC offers by itself or that device code
/// may use.
const std::vector<std::pair<std::string, std::string>>& host_headers();

}  // namespace warpbook::device
