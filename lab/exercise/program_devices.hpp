// What the devices of a program send each other, which of them computes what, and whether a kernel keeps to the memory of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/runtime/service.hpp"
#include "lab/exercise/kernel_stores.hpp"

namespace warpbook::lab {

/// All copies from the memory of one device to that of another.
struct LinkUse {
  std::uint32_t from = 0, to = 0;
  std::uint64_t bytes = 0, copies = 0;
  std::uint64_t call = 0;  ///< the first of them
  std::uint32_t line = 0;  ///< of the source, that asked for it; 0: unknown
};
/// In the order of `from`, then of `to`.
std::vector<LinkUse> links_of(const device::runtime::ProgramRecord& record);

/// The call of the first launch that uses memory which was not allocated on its own device: another device's, the host's, managed
/// memory, which belongs to all, or a variable of the module.
std::optional<std::uint64_t> first_reaching_out(const device::runtime::ProgramRecord& record,
                                                const std::vector<KernelStores>& launches);

/// Instructions of all threads on each of so many devices.
std::vector<double> work_by_device(const device::runtime::ProgramRecord& record,
                                   std::uint32_t devices);

}  // namespace warpbook::lab
