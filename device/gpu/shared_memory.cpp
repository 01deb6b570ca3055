#include "device/gpu/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace warpbook::device::gpu {

Expected<std::shared_ptr<SharedMemory>> SharedMemory::make(std::uint64_t bytes) {
  static std::atomic<std::uint64_t> last_number = 0;
  const auto refused = [&] {
    return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(bytes)},
                                              {"name", Message{"phrase.name.pinned", {}, {}}},
                                              {"free", Message{"phrase.count.few", {}, {}}}});
  };
  std::shared_ptr<SharedMemory> memory(new SharedMemory);
  memory->file_ = UniqueFd(::memfd_create("warpbook", MFD_CLOEXEC));
  const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
  if (!memory->file_ || size > INT64_MAX ||
      ::ftruncate(memory->file_.get(), static_cast<off_t>(size)) != 0)
    return refused();
  void* const mapped =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file_.get(), 0);
  if (mapped == MAP_FAILED) return refused();
  memory->memory_ = static_cast<std::byte*>(mapped);
  memory->size_ = size;
  memory->number_ = ++last_number;
  return memory;
}

SharedMemory::~SharedMemory() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace warpbook::device::gpu
