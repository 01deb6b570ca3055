// What comes before everything else in the driver API: cuInit, versions, the names of errors, and functions by their names.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "device/runtime/cuda_error.hpp"
#include "device/runtime/library/driver/driver_api.hpp"

namespace warpbook::device::runtime {
namespace {

#define RESULT(name, value) static_assert(name == value);
#include "device/runtime/cuda_results.inc"
#undef RESULT

/// Where the runtime has a code of its own for what the driver calls by a broader one.
constexpr CUresult broader(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult result_of(cudaError_t error) {
  return is_cuda_result(error) ? static_cast<CUresult>(error) : broader(error);
}

cudaError_t check_context() {
  const Context* const context = current_context();
  if (!context) return cudaErrorDeviceUninitialized;
  return context->active ? cudaSuccess : cudaErrorContextIsDestroyed;
}

namespace {

// The functions' own declarations differ from file to file, and here only their addresses matter.
namespace addresses {
#pragma GCC visibility push(default)
extern "C" {
#define WHOLE(area, name) void entry_of_##name() __asm__(#name);
#define PART(area, name, note) void entry_of_##name() __asm__(#name);
#define SAME(area, name, as) void entry_of_##name() __asm__(#name);
#define ABSENT(area, name)
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
}
#pragma GCC visibility pop
}  // namespace addresses

/// Those that this library has; the others answer "not found", as a driver does that has never heard of them.
const auto& exported_functions() {
  static const auto all = std::to_array<std::pair<std::string_view, void*>>({
#define WHOLE(area, name) {#name, reinterpret_cast<void*>(&addresses::entry_of_##name)},
#define PART(area, name, note) {#name, reinterpret_cast<void*>(&addresses::entry_of_##name)},
#define SAME(area, name, as) {#name, reinterpret_cast<void*>(&addresses::entry_of_##name)},
#define ABSENT(area, name)
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
  });
  return all;
}

void* function_named(std::string_view name) {
  const auto& all = exported_functions();
  const auto found = std::ranges::find(all, name, &std::pair<std::string_view, void*>::first);
  return found == all.end() ? nullptr : found->second;
}

/// The forms that a function has had, oldest first.
struct Form {
  std::string_view name;
  int since = 0;
  std::string_view exported;
};
constexpr auto kForms = std::to_array<Form>({
#define FORM(name, since, exported) {#name, since, #exported},
#include "device/runtime/driver_forms.inc"
#undef FORM
});

}  // namespace

EntryPointAnswer entry_point(std::string_view name, int version, bool per_thread) {
  std::string_view exported;
  bool known = false;
  for (const Form& form : kForms) {
    if (form.name != name) continue;
    known = true;
    if (form.since <= version) exported = form.exported;
  }
  if (known && exported.empty()) return {nullptr, true};
  if (!known) exported = name;
  void* function = nullptr;
  if (per_thread) {
    for (const char* const ending : {"_ptsz", "_ptds"})
      if (!function) function = function_named(std::string(exported) + ending);
  }
  return {function ? function : function_named(exported), false};
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

CUresult cuInit(unsigned flags) {
  return driven(Function::cuInit, [&](Call&) {
    if (flags != 0) return cudaErrorInvalidValue;
    initialise_driver();
    return cudaSuccess;
  });
}

CUresult cuDriverGetVersion(int* version) {
  return driven(Function::cuDriverGetVersion, [&](Call&) { return cudaDriverGetVersion(version); });
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of_cuda_result(error);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = name_of_cuda_result(error) ? text_of_cuda_error(error) : nullptr;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  return driven(Function::cuGetProcAddress, [&](Call&) {
    constexpr cuuint64_t kKnown =
        CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (!symbol || !function || (flags & ~kKnown) != 0 || version > CUDA_VERSION)
      return cudaErrorInvalidValue;
    const EntryPointAnswer answer =
        entry_point(symbol, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0);
    *function = answer.function;
    if (status) {
      *status = answer.function  ? CU_GET_PROC_ADDRESS_SUCCESS
                : answer.too_old ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return cudaSuccess;
  });
}

/// Tables of functions that NVIDIA's own libraries have between them: NVRTC asks for one and does without. So it is no call of the
/// program's, and the log does not have it.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (!table) return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuProfilerStart() {
  return in_context(Function::cuProfilerStart, [](Call&) { return cudaSuccess; });
}

CUresult cuProfilerStop() {
  return in_context(Function::cuProfilerStop, [](Call&) { return cudaSuccess; });
}
