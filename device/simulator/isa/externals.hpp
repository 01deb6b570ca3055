// The functions that the system provides: a program declares them with .extern, and no module of it defines them.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpbook::device::isa {

/// The functions that a call may name instead of a function of the module. Those from get_parameter_buffer on are of
/// CUDA's device runtime (libcudadevrt), with which kernels launch kernels (CUDA C++ Programming Guide, "CUDA Dynamic
/// Parallelism").
enum class External : std::uint8_t {
  none,
  vprintf,
  assertfail,
  malloc,
  free,
  get_parameter_buffer,
  launch_device,
  get_last_error,
  peek_at_last_error,
  get_error_name,
  get_error_string,
  get_device,
  get_device_count,
  device_get_attribute,
  device_get_limit,
  runtime_get_version,
  stream_create,
  stream_destroy,
  stream_wait_event,
  event_create,
  event_record,
  event_destroy,
  func_get_attributes,
  occupancy,
  device_malloc,
  device_free,
  memcpy,
  memcpy_2d,
  memset,
  memset_2d
};

struct ExternalFunction {
  std::string_view
      name;  ///< of the device runtime: without the prefix and the suffix that headers add
  External external = External::none;
  std::uint32_t arguments = 0, results = 0;
};

/// The function that a call of `name` reaches; nullptr where the simulator does not provide it.
const ExternalFunction* find_external(std::string_view name);

/// True where `name` is one of the system's own, whether the simulator provides it or not. Such a function needs no
/// definition in the program; where the simulator lacks it, the launch that would call it fails, and others run.
bool is_of_system(std::string_view name);

}  // namespace warpbook::device::isa
