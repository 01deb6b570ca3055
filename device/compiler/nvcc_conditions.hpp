// Programs ask for __NVCC__, which nvcc defines and NVRTC does not. Defining it is no option, because the toolkit's headers
// tell the two compilers apart by it; so the questions in the program's own text are rewritten.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::device {

/// `source` with each #if, #ifdef, #ifndef and #elif that asks for __NVCC__ asking for __CUDACC__, which NVRTC has, and
/// with the same value. Lines stay where they are.
std::string asked_as_of_nvcc(std::string_view source);

}  // namespace warpbook::device
