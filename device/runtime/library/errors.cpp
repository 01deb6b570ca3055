#include "device/runtime/cuda_error.hpp"
#include "device/runtime/library/api.hpp"

using namespace warpbook::device::runtime;

namespace {

// What the service answers, and the table of names, are CUDA's own numbers.
#define ERROR(name, value, text) static_assert(name == value);
#include "device/runtime/cuda_errors.inc"
#undef ERROR

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return name_of_cuda_error(error); }

const char* cudaGetErrorString(cudaError_t error) { return text_of_cuda_error(error); }

cudaError_t cudaGetLastError() {
  Session* session = Session::get();
  if (!session) return last_error();
  Call call(*session, Function::cudaGetLastError);
  const cudaError_t error = last_error();
  call.values(static_cast<std::uint64_t>(error));
  call.end(cudaSuccess);
  last_error() = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  Session* session = Session::get();
  if (!session) return last_error();
  Call call(*session, Function::cudaPeekAtLastError);
  call.values(static_cast<std::uint64_t>(last_error()));
  call.end(cudaSuccess);
  return last_error();
}
