// A launch's accesses to global memory by allocation and element: pictures are made from what a kernel did, never from a
// formula, so that a wrong kernel looks wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "device/launch_record.hpp"

namespace warpbook::lab {

/// A lane's access to global memory: where it went, by allocation and element.
struct GlobalAccess {
  std::uint32_t block = 0, thread = 0;
  std::string_view allocation;
  std::int64_t element = 0;
  device::AccessKind kind = device::AccessKind::load;
  std::uint32_t line = 0;
  std::int64_t elements = 1;  ///< of the allocation's type that it reached
};

/// Visits the accesses of the trace in its order, then the stray ones that the checker suppressed.
void for_each_global_access(const device::LaunchRecord& record,
                            const std::function<void(const GlobalAccess&)>& visit);

/// Whether a budget stopped the launch before its end. What its record shows is then only what happened up to the stop.
bool stopped_by_budget(const device::LaunchRecord& record);

}  // namespace warpbook::lab
