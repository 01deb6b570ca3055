#include "device/simulator/state/touched_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include <xxhash.h>

#include "device/unique_fd.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint64_t kPage = 4096;
/// A page of an image is kept in pieces of so many bytes: of a matrix, a block of threads mostly writes a little of many pages.
constexpr std::uint64_t kCell = 64;
/// Below this, looking at the bytes costs less than asking the system.
constexpr std::uint64_t kWorthAsking = 256u << 10;
/// Of an entry of /proc/self/pagemap: the page is in memory, or was moved out of it (Linux, "pagemap, from the userspace
/// perspective").
constexpr std::uint64_t kThere = 3ull << 62;

/// The first bytes of `memory` that end at a page's end or at its own, from `offset` on.
std::uint64_t rest_of_page(std::span<const std::byte> memory, std::uint64_t offset) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data()) + offset;
  return std::min(kPage - address % kPage, memory.size() - offset);
}

/// The entries of the pages that hold `memory`; empty where the system does not give them.
std::vector<std::uint64_t> page_entries(std::span<const std::byte> memory) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uint64_t first = begin / kPage, end = (begin + memory.size() + kPage - 1) / kPage;
  // Opened each time: an open one would go on to tell of the parent after a fork.
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  std::vector<std::uint64_t> entries(end - first);
  const std::size_t bytes = entries.size() * sizeof(std::uint64_t);
  if (!pagemap ||
      ::pread(pagemap.get(), entries.data(), bytes,
              static_cast<off_t>(first * sizeof(std::uint64_t))) != static_cast<ssize_t>(bytes))
    return {};
  return entries;
}

bool is_uniform(std::span<const std::byte> bytes) {
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Calls visit(offset, bytes, whether they are all the same) for each page of `stretches` that holds anything but zeros.
template <class Visit>
void for_each_page(std::span<const std::byte> memory, std::span<const Stretch> stretches,
                   Visit&& visit) {
  for (const Stretch& stretch : stretches) {
    const std::uint64_t end = stretch.offset + stretch.bytes;
    for (std::uint64_t at = stretch.offset; at < end;) {
      const auto page = memory.subspan(at, std::min(rest_of_page(memory, at), end - at));
      const bool uniform = is_uniform(page);
      if (!uniform || page.front() != std::byte{0}) visit(at, page, uniform);
      at += page.size();
    }
  }
}

}  // namespace

std::vector<Stretch> touched(std::span<const std::byte> memory) {
  if (memory.empty()) return {};
  const auto entries =
      memory.size() < kWorthAsking ? std::vector<std::uint64_t>{} : page_entries(memory);
  if (entries.empty()) return {{0, memory.size()}};
  std::vector<Stretch> stretches;
  std::uint64_t offset = 0;
  for (const std::uint64_t entry : entries) {
    const std::uint64_t bytes = rest_of_page(memory, offset);
    if ((entry & kThere) != 0) {
      if (stretches.empty() || stretches.back().offset + stretches.back().bytes != offset)
        stretches.push_back({offset, 0});
      stretches.back().bytes += bytes;
    }
    offset += bytes;
  }
  return stretches;
}

void fill_with_zeros(std::span<std::byte> memory) {
  for (const Stretch& stretch : touched(memory))
    std::memset(memory.data() + stretch.offset, 0, stretch.bytes);
}

Fingerprint fingerprint_of_pages(std::span<const std::byte> memory,
                                 std::span<const Stretch> touched) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  const auto take = [&](const auto& value) {
    XXH3_128bits_update(state.get(), &value, sizeof value);
  };
  for_each_page(memory, touched, [&](std::uint64_t offset, auto page, bool uniform) {
    take(offset);
    take(uniform);
    XXH3_128bits_update(state.get(), page.data(), uniform ? 1 : page.size());
  });
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return {hash.low64, hash.high64};
}

MemoryImage image_of(std::span<const std::byte> memory, std::span<const Stretch> touched) {
  MemoryImage image;
  const auto add = [&](std::uint64_t offset, std::span<const std::byte> bytes, bool uniform) {
    if (uniform && bytes.front() == std::byte{0}) return;
    const bool goes_on = !image.parts.empty() &&
                         image.parts.back().offset + image.parts.back().bytes == offset &&
                         image.parts.back().uniform == uniform &&
                         (!uniform || image.contents.back() == bytes.front());
    if (!goes_on) image.parts.push_back({offset, 0, uniform});
    image.parts.back().bytes += bytes.size();
    if (!uniform) image.contents.insert(image.contents.end(), bytes.begin(), bytes.end());
    if (uniform && !goes_on) image.contents.push_back(bytes.front());
  };
  for_each_page(memory, touched, [&](std::uint64_t offset, auto page, bool uniform) {
    if (uniform) return add(offset, page, true);
    for (std::uint64_t at = 0; at < page.size(); at += kCell) {
      const auto cell = page.subspan(at, std::min(kCell, page.size() - at));
      add(offset + at, cell, is_uniform(cell));
    }
  });
  return image;
}

void put_back(const MemoryImage& image, std::span<std::byte> memory) {
  fill_with_zeros(memory);
  const std::byte* from = image.contents.data();
  for (const MemoryImage::Part& part : image.parts) {
    std::byte* const to = memory.data() + part.offset;
    if (part.uniform) {
      std::memset(to, std::to_integer<int>(*from), part.bytes);
    } else {
      std::memcpy(to, from, part.bytes);
    }
    from += part.uniform ? 1 : part.bytes;
  }
}

}  // namespace warpbook::device
