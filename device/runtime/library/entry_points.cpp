// The driver's functions, for which programs of the runtime ask by name.
#include <cstddef>

#include "device/runtime/library/api.hpp"

namespace warpbook::device::runtime {
namespace {

cudaError_t find_entry_point(const char* symbol, void** function, unsigned version,
                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  constexpr unsigned long long kKnown = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
  if (!symbol || !function || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  const EntryPointAnswer answer = entry_point(symbol, static_cast<int>(version),
                                              (flags & cudaEnablePerThreadDefaultStream) != 0);
  *function = answer.function;
  if (status) {
    *status = answer.function  ? cudaDriverEntryPointSuccess
              : answer.too_old ? cudaDriverEntryPointVersionNotSufficent
                               : cudaDriverEntryPointSymbolNotFound;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return traced(Function::cudaGetDriverEntryPoint, [&](Call&) {
    return find_entry_point(symbol, function, CUDART_VERSION, flags, status);
  });
}

#pragma GCC diagnostic pop

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return traced(Function::cudaGetDriverEntryPointByVersion, [&](Call&) {
    // A version that the driver does not have is an error, however old the symbol.
    if (version == 0 || version > CUDART_VERSION) return cudaErrorInvalidValue;
    return find_entry_point(symbol, function, version, flags, status);
  });
}
