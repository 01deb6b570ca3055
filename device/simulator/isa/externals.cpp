#include "device/simulator/isa/externals.hpp"

#include <algorithm>

namespace warpbook::device::isa {
namespace {

constexpr ExternalFunction kOfCompiler[] = {
    {"vprintf", External::vprintf, 2, 1},
    {"__assertfail", External::assertfail, 5, 0},
    {"malloc", External::malloc, 1, 1},
    {"free", External::free, 1, 0},
};

/// Their signatures are in cuda_device_runtime_api.h.
constexpr ExternalFunction kOfDeviceRuntime[] = {
    {"GetParameterBufferV2", External::get_parameter_buffer, 4, 1},
    {"LaunchDeviceV2", External::launch_device, 2, 1},
    {"GetLastError", External::get_last_error, 0, 1},
    {"PeekAtLastError", External::peek_at_last_error, 0, 1},
    {"GetErrorName", External::get_error_name, 1, 1},
    {"GetErrorString", External::get_error_string, 1, 1},
    {"GetDevice", External::get_device, 1, 1},
    {"GetDeviceCount", External::get_device_count, 1, 1},
    {"DeviceGetAttribute", External::device_get_attribute, 3, 1},
    {"DeviceGetLimit", External::device_get_limit, 2, 1},
    {"RuntimeGetVersion", External::runtime_get_version, 1, 1},
    {"StreamCreateWithFlags", External::stream_create, 2, 1},
    {"StreamDestroy", External::stream_destroy, 1, 1},
    {"StreamWaitEvent", External::stream_wait_event, 3, 1},
    {"EventCreateWithFlags", External::event_create, 2, 1},
    {"EventRecord", External::event_record, 2, 1},
    {"EventRecordWithFlags", External::event_record, 3, 1},
    {"EventDestroy", External::event_destroy, 1, 1},
    {"FuncGetAttributes", External::func_get_attributes, 2, 1},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", External::occupancy, 4, 1},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", External::occupancy, 5, 1},
    {"Malloc", External::device_malloc, 2, 1},
    {"Free", External::device_free, 1, 1},
    {"MemcpyAsync", External::memcpy, 5, 1},
    {"Memcpy2DAsync", External::memcpy_2d, 8, 1},
    {"MemsetAsync", External::memset, 4, 1},
    {"Memset2DAsync", External::memset_2d, 6, 1},
};

/// The headers of CUDA 12 and 13 call the device runtime's functions by names of their own, which begin with the first
/// prefix. Code that declares such a function itself has the second one.
constexpr std::string_view kPrefixes[] = {"__cudaCDP2", "cuda"};
/// Of the variants that take the default stream to be the thread's own. The order in which the simulator runs child
/// grids is right for both meanings of that stream.
constexpr std::string_view kPerThreadStream = "_ptsz";

}  // namespace

const ExternalFunction* find_external(std::string_view name) {
  const auto among = [](const auto& table, std::string_view wanted) {
    const auto* found = std::ranges::find(table, wanted, &ExternalFunction::name);
    return found == std::end(table) ? nullptr : found;
  };
  if (const ExternalFunction* found = among(kOfCompiler, name)) return found;
  for (const std::string_view prefix : kPrefixes) {
    if (!name.starts_with(prefix)) continue;
    std::string_view base = name.substr(prefix.size());
    if (base.ends_with(kPerThreadStream)) base.remove_suffix(kPerThreadStream.size());
    return among(kOfDeviceRuntime, base);
  }
  return nullptr;
}

bool is_of_system(std::string_view name) {
  return find_external(name) != nullptr ||
         std::ranges::any_of(kPrefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

}  // namespace warpbook::device::isa
