// A whole CUDA program contains host code, which NVRTC refuses: functions without __device__ or __global__, and everything
// that only they use. Code that device code does not reach is therefore left out before the compile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

/// The source with its host code replaced by spaces, so that every line and column stays. Only a source that has a main or
/// launches kernels is taken to have host code. Any other source, and one whose braces do not match, comes back unchanged.
/// Names in the texts `also_used` (name expressions) count as used.
std::string without_host_code(std::string_view source,
                              const std::vector<std::string>& also_used = {});

/// The same for a file that is known to be a program or a part of one: its host code is left out even if it has neither a
/// main nor a launch.
std::string device_code_of(std::string_view source, const std::vector<std::string>& also_used = {});

/// Only the code that `kernel` needs (all kernels if it is empty): no device function that it does not reach, no variable of
/// the host, and no member function that only the host can call. This helps with programs whose other parts need the host's
/// headers and so do not compile here: a functor made for thrust, a method that prints.
std::string kernel_code_of(std::string_view source, std::string_view kernel = {},
                           const std::vector<std::string>& also_used = {});

}  // namespace warpbook::device
