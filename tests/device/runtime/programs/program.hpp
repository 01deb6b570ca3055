// What the small programs of these tests are made of: the registration of their kernels as nvcc's code does it, launches as <<<>>>
// compiles to, and documented answers to hold the runtime's against. A program is `PROGRAM PTX CASE`; it prints a line for each answer
// that is another one than documented, and its exit code is how many there were.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): nvcc's own names
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int thread_limit, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                       std::size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name,
                              int external, std::size_t bytes, int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace program {

inline int failures = 0;

/// Whether the program runs on Warpbook's runtime. That answers where NVIDIA leaves the answer open, as for a handle that was
/// destroyed, with which NVIDIA's own runtime may crash; and it lacks functions that NVIDIA's has.
inline bool is_on_warpbook() {
  return ::dlsym(RTLD_DEFAULT, "__warpbookRegisterLinked") != nullptr;
}

/// The documented answer of a call.
inline void expect(cudaError_t got, cudaError_t documented,
                   std::source_location at = std::source_location::current()) {
  if (got == documented) return;
  ++failures;
  std::printf("line %u: %s, documented: %s\n", static_cast<unsigned>(at.line()),
              cudaGetErrorName(got), cudaGetErrorName(documented));
}
inline void ok(cudaError_t got, std::source_location at = std::source_location::current()) {
  expect(got, cudaSuccess, at);
}
inline void expect_true(bool holds, std::source_location at = std::source_location::current()) {
  if (holds) return;
  ++failures;
  std::printf("line %u: does not hold\n", static_cast<unsigned>(at.line()));
}
template <class T>
void expect_equal(T got, std::type_identity_t<T> documented,
                  std::source_location at = std::source_location::current()) {
  if (got == documented) return;
  ++failures;
  std::printf("line %u: %s, documented: %s\n", static_cast<unsigned>(at.line()),
              std::to_string(got).c_str(), std::to_string(documented).c_str());
}

/// The fat binary around PTX that nvcc would have put into the program, registered as its code does before main.
class Kernels {
 public:
  explicit Kernels(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    std::string ptx(std::istreambuf_iterator<char>(stream), {});
    ptx.resize((ptx.size() / kAlignment + 1) * kAlignment, '\0');
    const Entry entry{1, 0x0101, sizeof(Entry), ptx.size(), 0, 0, 0, 0, architecture_of(ptx)};
    const Header header{0xba55ed50, 1, sizeof(Header), sizeof(Entry) + ptx.size()};
    image_.append(reinterpret_cast<const char*>(&header), sizeof header);
    image_.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    image_ += ptx;
    wrapper_.data = image_.data();
    handle_ = __cudaRegisterFatBinary(&wrapper_);
  }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  ~Kernels() { __cudaUnregisterFatBinary(handle_); }

  // As nvcc's code does, these give the name of what is on the device twice.
  /// `stub` stands for the kernel, as the function does that nvcc makes of a kernel's name in host code.
  template <class... A>
  void function(void (*stub)(A...), const char* name) {
    __cudaRegisterFunction(handle_, reinterpret_cast<const char*>(stub), const_cast<char*>(name),
                           name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
  template <class T>
  void variable(T& shadow, const char* name) {
    __cudaRegisterVar(handle_, reinterpret_cast<char*>(&shadow), const_cast<char*>(name), name, 0,
                      sizeof(T), 0, 0);
  }
  template <class T>
  void managed(T*& pointer, const char* name) {
    __cudaRegisterManagedVar(handle_, reinterpret_cast<void**>(&pointer), const_cast<char*>(name),
                             name, 0, sizeof(T), 0, 0);
  }
  void registered() { __cudaRegisterFatBinaryEnd(handle_); }
  /// Gives managed variables their addresses; nvcc has it called before main where there are any.
  void initialise() { __cudaInitModule(handle_); }

 private:
  static constexpr std::size_t kAlignment = 8;
  struct Header {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;
  };
  struct Entry {
    std::uint16_t kind, attributes;
    std::uint32_t header_bytes;
    std::uint64_t bytes;
    std::uint32_t compressed_bytes, options;
    std::uint16_t minor, major;
    std::uint32_t architecture, name_offset = 0, name_bytes = 0;
    std::uint64_t flags = 0, unused = 0, plain_bytes = 0;
  };
  struct Wrapper {
    std::int32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* prelinked = nullptr;
  };

  /// 90 of ".target sm_90"
  static std::uint32_t architecture_of(const std::string& ptx) {
    constexpr std::string_view kTarget = ".target sm_";
    const auto at = ptx.find(kTarget);
    return at == ptx.npos ? 0 : static_cast<std::uint32_t>(std::atoi(&ptx[at + kTarget.size()]));
  }

  std::string image_;
  Wrapper wrapper_;
  void** handle_ = nullptr;
};

/// Where and in what a kernel is to run.
struct Where {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

template <class... A>
const void* address_of(void (*stub)(A...)) {
  return reinterpret_cast<const void*>(stub);
}

/// stub<<<grid, block, shared, stream>>>(arguments...)
template <class... A>
cudaError_t launch(void (*stub)(A...), const Where& where, std::type_identity_t<A>... arguments) {
  if (__cudaPushCallConfiguration(where.grid, where.block, where.shared, where.stream) != 0)
    return cudaErrorUnknown;
  Where taken;
  if (const cudaError_t error =
          __cudaPopCallConfiguration(&taken.grid, &taken.block, &taken.shared, &taken.stream);
      error != cudaSuccess) {
    return error;
  }
  void* pointers[] = {&arguments..., nullptr};
  return cudaLaunchKernel(address_of(stub), taken.grid, taken.block, pointers, taken.shared,
                          taken.stream);
}

struct Case {
  std::string_view name;
  void (*run)();
  /// Whether it ends by itself and has one answer, so that it can be held against NVIDIA's runtime.
  bool is_comparable = true;
};

/// Prints the names of the cases that tests/gpu/programs runs with NVIDIA's runtime, too.
inline int list_cases(std::initializer_list<Case> cases) {
  for (const Case& one : cases)
    if (one.is_comparable) std::puts(one.name.data());
  return 0;
}

/// Runs the case that the command line names.
inline int run_case(std::string_view name, std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    if (one.name != name) continue;
    one.run();
    return failures;
  }
  std::printf("there is no case %.*s\n", static_cast<int>(name.size()), name.data());
  return 100;
}

}  // namespace program
