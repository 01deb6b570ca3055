// Device code of several files that calls across them, or that launches kernels: "separate compilation" (-rdc=true). NVIDIA
// joins the machine code of such files by nvlink when a program is linked. There is only PTX here, so the runtime joins the PTX
// when the program starts, and what is linked is a source that hands it the parts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::device {

/// What one compile without -rdc=true left behind.
struct WholeCompile {
  bool failed = false;
  std::string_view said;
  std::string_view object;  ///< the object's bytes; empty for a source of the host alone
};

/// Whether a program needs -rdc=true, by what came of compiling it without. It does where
/// - nvcc says so ("requires separate compilation mode": a kernel launches a kernel);
/// - nvcc takes a variable of another file for one of its own, and there is another file, or the compile failed by it;
/// - the PTX of one of several files calls a device function that it does not hold.
/// `cuda_files` counts the .cu files. Nothing else does: all programs that build without are built as `nvcc FILE.cu` builds them.
bool needs_separate_compilation(std::span<const WholeCompile> compiles, std::size_t cuda_files);

/// The functions `__cudaRegisterLinkedBinary...` that `nm -u` lists as undefined, each once.
std::vector<std::string> unlinked_modules(std::string_view undefined_symbols);

/// C++ that defines these functions. Each is called once when the program starts, by the file whose device code it stands for,
/// with the parameters of crt/host_runtime.h; it calls the runtime's
///
///     extern "C" void __warpbookRegisterLinked(const void* fatbin_wrapper, void (*callback)(void**), const char* name);
///
/// with the fat binary's wrapper, the function that registers the file's kernels and variables with a handle, and the module's
/// name. The calls come before main(), one a file, and nothing says which is the last.
std::string registration_source(std::span<const std::string> functions);

}  // namespace warpbook::device
