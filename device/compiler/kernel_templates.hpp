// A kernel that is a template is in the PTX only as instances, and host code that launches them is left
// out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

/// The names of the kernels that are templates, without scopes.
std::vector<std::string> template_kernels(std::string_view source);

/// The instances that `source` launches with arguments that mean the same at namespace scope: numbers,
/// types of CUDA's and what the source itself declares there. "reduce<float, 256>".
std::vector<std::string> launched_instances(std::string_view source);

}  // namespace warpbook::device
