// A stand-in for <functional> on the device. nvcc takes its objects there with --expt-relaxed-constexpr.
#pragma once

namespace warpbook::device {

/// std::plus, std::less and their like, for a type and for any; std::function and std::bind are the host's.
extern const char* const kFunctional;

}  // namespace warpbook::device
