// A whole CUDA program holds host code, which NVRTC refuses: functions without __device__ or
// __global__, and all that only they use. What is not reached from device code is left out before
// the compile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

/// The source with its host code replaced by spaces, so that every line and column stays. Only a
/// source that has a main or launches kernels has host code to leave out; any other, and one whose
/// braces do not match, comes back as it is. `also_used` are texts whose names count as used: name
/// expressions.
std::string without_host_code(std::string_view source,
                              const std::vector<std::string>& also_used = {});

/// The same of a file that is known to be somebody's program or a part of one: its host code is left out
/// though it has neither a main nor a launch.
std::string device_code_of(std::string_view source, const std::vector<std::string>& also_used = {});

/// The least that `kernel` needs, or all kernels where that is empty: no device function that it does not
/// reach, no variable of the host, and of a class no member function that only the host can call. For a
/// program whose other parts do not compile here, since they need the host's headers: a functor made for
/// thrust, a method that prints.
std::string kernel_code_of(std::string_view source, std::string_view kernel = {},
                           const std::vector<std::string>& also_used = {});

}  // namespace warpbook::device
