#include "device/runtime/call_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace warpbook::device::runtime {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({
    "none",
#define WHOLE(area, name) #name,
#define PART(area, name, note) #name,
#define SAME(area, name, as)
#define ABSENT(area, name) #name,
#include "device/runtime/functions.inc"
    "last of runtime",
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
});

/// Without a version at its end, which cuda.h adds by a macro.
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  const bool version = at != name.npos && name.find_first_not_of("0123456789", at + 2) == name.npos;
  return version ? name.substr(0, at) : name;
}

}  // namespace

std::string_view name_of(Function function) {
  const std::string_view name = kNames.at(static_cast<std::size_t>(function));
  return is_of_driver(function) ? without_version(name) : name;
}

std::optional<CallLogMemory> CallLogMemory::make() {
  UniqueFd memory(::memfd_create("warpbook-calls", MFD_CLOEXEC));
  // Sparse: a page is there from the first call on it.
  if (!memory || ::ftruncate(memory.get(), sizeof(CallLog)) != 0) return std::nullopt;
  return open(std::move(memory));
}

std::optional<CallLogMemory> CallLogMemory::open(UniqueFd memory) {
  void* at = ::mmap(nullptr, sizeof(CallLog), PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  if (at == MAP_FAILED) return std::nullopt;
  return CallLogMemory(std::move(memory), static_cast<CallLog*>(at));
}

CallLogMemory::~CallLogMemory() {
  if (log_) ::munmap(log_, sizeof(CallLog));
}

std::span<const CallRecord> CallLogMemory::kept() const {
  return std::span(log_->record).first(std::min(log_->calls.load(), kMostCalls));
}

}  // namespace warpbook::device::runtime
