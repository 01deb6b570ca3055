// A kernel template is in the PTX only as instances. The host code that launches, and so instantiates, them is left out, so
// the instances have to be found in the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

/// The names of the kernels that are templates, without scopes.
std::vector<std::string> template_kernels(std::string_view source);

/// The instances that `source` launches, "reduce<float, 256>", as far as their arguments mean the same at namespace scope:
/// numbers, CUDA's types, and names that the source declares there.
std::vector<std::string> launched_instances(std::string_view source);

}  // namespace warpbook::device
