// The version of NVIDIA's driver itself, "580.95.05", which its API does not tell.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::tests {

/// The first word of /proc/driver/nvidia/version that is a version; empty where there is none.
std::string driver_version_in(std::string_view text);
/// That of a driver by the name of its file, links resolved: "/usr/lib/libcuda.so.580.95.05". Empty where the name tells none.
std::string driver_version_of(std::string_view file);

}  // namespace warpbook::tests
