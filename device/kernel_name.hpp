// Demangles: the kernel's name as the source writes it, and the types of its
// parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

struct KernelName {
  std::string name;  ///< "ns::scale<float>", without return type and parameters
  std::vector<std::string>
      parameters;      ///< "float*", "int"; empty for an extern "C" name and for no parameters
  bool typed = false;  ///< true where the name carries the parameters
};

/// Itanium C++ ABI, as NVRTC and nvcc mangle. Scopes that only keep a name private to its file are
/// left out.
KernelName kernel_name_of(std::string_view mangled);

/// The name without its template arguments: "ns::scale".
std::string_view without_template_arguments(std::string_view name);
/// The name without parameter types: "scale" of "scale(float*, int)".
std::string_view without_parameters(std::string_view name);
/// The name without its scopes: "scale<float>".
std::string_view without_scopes(std::string_view name);

}  // namespace warpbook::device
