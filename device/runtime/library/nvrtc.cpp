#include "device/runtime/library/nvrtc.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace warpbook::device::runtime {
namespace {

struct Made {
  std::mutex mutex;
  std::map<std::string, std::string> ptx;  ///< by cubin
};
Made& made() {
  static auto* const all = new Made;
  return *all;
}

// nvrtc.h of CUDA 13, which need not be here when this library is built.
using Program = void*;
using Result = int;
constexpr Result kSuccess = 0, kInternalError = 11;

/// NVIDIA's function, behind ours of the same name or beside it.
template <class F>
F* function_of_nvrtc(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

/// What two functions of NVRTC, one for the size and one for the bytes, give of a program; nothing where they fail.
std::string asked_of(Program program, const char* size_function, const char* bytes_function) {
  auto* const size_of = function_of_nvrtc<Result(Program, std::size_t*)>(size_function);
  auto* const bytes_of = function_of_nvrtc<Result(Program, char*)>(bytes_function);
  std::size_t size = 0;
  if (!size_of || !bytes_of || size_of(program, &size) != kSuccess) return {};
  std::string bytes(size, '\0');
  if (bytes_of(program, bytes.data()) != kSuccess) return {};
  return bytes;
}

}  // namespace

const std::string* ptx_of_cubin(std::string_view cubin) {
  const std::lock_guard lock(made().mutex);
  // The size first: what is no cubin has any, and its bytes may not all be there.
  const auto is_it = [cubin](const auto& entry) {
    return entry.first.size() == cubin.size() && entry.first == cubin;
  };
  const auto found = std::ranges::find_if(made().ptx, is_it);
  return found == made().ptx.end() ? nullptr : &found->second;
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

#pragma GCC visibility push(default)
extern "C" {

/// In front of NVIDIA's: does the same, and keeps the PTX from which the cubin was made.
Result nvrtcGetCUBIN(Program program, char* cubin) {
  auto* const real = function_of_nvrtc<Result(Program, char*)>("nvrtcGetCUBIN");
  if (!real) return kInternalError;
  const Result result = real(program, cubin);
  if (result != kSuccess) return result;
  std::string bytes = asked_of(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
  std::string ptx = asked_of(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
  if (!ptx.empty()) ptx.pop_back();  // the zero at its end
  const std::lock_guard lock(made().mutex);
  made().ptx.insert_or_assign(std::move(bytes), std::move(ptx));
  return result;
}
}
#pragma GCC visibility pop
