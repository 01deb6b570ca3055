// Compiles the kernels of a drop-in library while Warpbook is built, so that a program finds them ready:
//   compile_kernels LIBNVRTC ROOT SOURCE OUTPUT
// writes a C++ file that defines kKernels, the PTX. The source is our own, so it needs no box; it includes nothing but files below
// ROOT, so it needs no header of CUDA's either.
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace {

// nvrtc.h of CUDA 13, which need not be here when Warpbook is built.
using Program = struct OpaqueProgram*;
using Result = int;

/// Of the lowest compute capability in the table of GPUs, so that all of them run it.
constexpr const char* kArchitecture = "-arch=compute_75";

struct Nvrtc {
  Result (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  Result (*compile)(Program, int, const char* const*);
  Result (*log_size)(Program, std::size_t*);
  Result (*log)(Program, char*);
  Result (*ptx_size)(Program, std::size_t*);
  Result (*ptx)(Program, char*);
};

template <class F>
bool find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(::dlsym(library, name));
  return function != nullptr;
}

/// NVRTC opens its builtins by their name alone, which a folder of wheels has not made known to the loader: they are loaded first.
bool load_builtins(const std::filesystem::path& nvrtc) {
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(nvrtc.parent_path(), absent)) {
    const bool is_one = entry.path().filename().string().starts_with("libnvrtc-builtins.so.");
    if (is_one && ::dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL)) return true;
  }
  return false;
}

bool open(const char* file, Nvrtc& nvrtc) {
  if (!load_builtins(file)) return false;
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  return library && find(library, "nvrtcCreateProgram", nvrtc.create) &&
         find(library, "nvrtcCompileProgram", nvrtc.compile) &&
         find(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
         find(library, "nvrtcGetProgramLog", nvrtc.log) &&
         find(library, "nvrtcGetPTXSize", nvrtc.ptx_size) &&
         find(library, "nvrtcGetPTX", nvrtc.ptx);
}

std::string text_of(Program program, Result (*size_of)(Program, std::size_t*),
                    Result (*text)(Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0 || size == 0) return {};
  std::string bytes(size, '\0');
  if (text(program, bytes.data()) != 0) return {};
  bytes.pop_back();  // the zero at its end
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Nvrtc nvrtc;
  if (!open(argv[1], nvrtc)) {
    std::fprintf(
        stderr,
        "%s, with its builtins beside it, cannot be loaded; get it by ./warpbook fetch cuda\n",
        argv[1]);
    return 1;
  }
  std::ifstream file(argv[3], std::ios::binary);
  const std::string source(std::istreambuf_iterator<char>(file), {});
  Program program = nullptr;
  if (nvrtc.create(&program, source.c_str(), argv[3], 0, nullptr, nullptr) != 0) return 1;
  const std::string include = "-I" + std::string(argv[2]);
  const std::array options{kArchitecture, "-std=c++17", include.c_str()};
  const bool compiled =
      nvrtc.compile(program, static_cast<int>(options.size()), options.data()) == 0;
  std::fputs(text_of(program, nvrtc.log_size, nvrtc.log).c_str(), stderr);
  if (!compiled) return 1;
  std::ofstream out(argv[4], std::ios::binary);
  out << "extern const char kKernels[];\nconst char kKernels[] = R\"ptx("
      << text_of(program, nvrtc.ptx_size, nvrtc.ptx) << ")ptx\";\n";
  return out.flush() ? 0 : 1;
}
