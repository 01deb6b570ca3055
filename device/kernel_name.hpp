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

/// nvcc puts __nv_static_26__8c909d32_5_m1_cu_e0f598cf_ before the names of a file's statics where it compiles for linking:
/// the number says how long the middle part is. The name behind it, or all of a name without it.
std::string_view without_prefix_of_statics(std::string_view symbol);

/// Itanium C++ ABI, as NVRTC and nvcc mangle. Scopes that only keep a name private to its file are
/// left out.
KernelName kernel_name_of(std::string_view symbol);

/// The name without its template arguments: "ns::scale".
std::string_view without_template_arguments(std::string_view name);
/// The name without parameter types: "scale" of "scale(float*, int)".
std::string_view without_parameters(std::string_view name);
/// The name without its scopes: "scale<float>".
std::string_view without_scopes(std::string_view name);

}  // namespace warpbook::device
