// What a program asks of its compiler. nvcc says that it is nvcc (__NVCC__), NVRTC does not, and toolkits' headers
// know both by that: so the macro is not defined, but the question is put otherwise.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::device {

/// `source` with each #if, #ifdef, #ifndef and #elif that asks for __NVCC__ asking for __CUDACC__, which NVRTC has, and
/// with the same value. Lines stay where they are.
std::string asked_as_of_nvcc(std::string_view source);

}  // namespace warpbook::device
