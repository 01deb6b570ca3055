// The driver's functions, for which programs ask by name: there is no driver here, and "not found" is one of the documented answers.
#include <cstddef>

#include "device/runtime/library/api.hpp"

namespace warpbook::device::runtime {
namespace {

cudaError_t entry_point(const char* symbol, void** function, unsigned long long flags,
                        cudaDriverEntryPointQueryResult* status) {
  constexpr unsigned long long kKnown = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
  if (!symbol || !function || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  *function = nullptr;
  if (status) *status = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace
}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return traced(Function::cudaGetDriverEntryPoint,
                [&](Call&) { return entry_point(symbol, function, flags, status); });
}

#pragma GCC diagnostic pop

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return traced(Function::cudaGetDriverEntryPointByVersion, [&](Call&) {
    // A version that the driver does not have is an error, however old the symbol.
    if (version == 0 || version > CUDART_VERSION) return cudaErrorInvalidValue;
    return entry_point(symbol, function, flags, status);
  });
}
