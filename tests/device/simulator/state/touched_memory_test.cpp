// Large memory costs as much as was touched of it.
#include "device/simulator/state/touched_memory.hpp"

#include <sys/mman.h>

#include <cstring>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::device::tests::touched_memory_test {
namespace {

constexpr std::uint64_t kPage = 4096;

/// Memory that the system has just given, and of which no page was touched.
class FreshMemory {
 public:
  explicit FreshMemory(std::uint64_t bytes)
      : bytes_(bytes),
        begin_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    REQUIRE(begin_ != MAP_FAILED);
  }
  ~FreshMemory() { munmap(begin_, bytes_); }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;
  [[nodiscard]] std::span<std::byte> all() const {
    return {static_cast<std::byte*>(begin_), bytes_};
  }
  /// All but an odd number of bytes at both ends, as allocations lie anywhere in their pages.
  [[nodiscard]] std::span<std::byte> inside() const { return all().subspan(77, bytes_ - 200); }

 private:
  std::uint64_t bytes_;
  void* begin_;
};

void fill(std::span<std::byte> memory, int value) {
  std::memset(memory.data(), value, memory.size());
}

/// A value, bytes that differ, zeros that were written, and a byte alone.
void write_something(std::span<std::byte> memory) {
  fill(memory.subspan(0, 3 * kPage), 0x0f);
  for (std::uint64_t i = 5 * kPage; i < 7 * kPage + 9; ++i) memory[i] = std::byte(i % 251);
  fill(memory.subspan(20 * kPage, 2 * kPage), 0);
  memory[memory.size() - 1] = std::byte{1};
}

Fingerprint fingerprint_of_all(std::span<const std::byte> memory) {
  return fingerprint_of_pages(memory, touched(memory));
}

std::uint64_t bytes_in(const std::vector<Stretch>& stretches) {
  std::uint64_t bytes = 0;
  for (const Stretch& stretch : stretches) bytes += stretch.bytes;
  return bytes;
}

constexpr std::uint64_t kLarge = 1024 * kPage, kSmall = 40 * kPage;

}  // namespace

TEST_CASE("of large memory, only the pages that were touched may hold anything") {
  const FreshMemory fresh(kLarge);
  const auto memory = fresh.inside();
  CHECK(touched(memory).empty());
  memory[3 * kPage] = std::byte{1};
  memory[memory.size() - 1] = std::byte{1};
  const auto stretches = touched(memory);
  REQUIRE(stretches.size() == 2);
  CHECK(stretches[0].offset <= 3 * kPage);
  CHECK(stretches[0].offset + stretches[0].bytes > 3 * kPage);
  CHECK(stretches[1].offset + stretches[1].bytes == memory.size());
  CHECK(bytes_in(stretches) <= 2 * kPage);
}

TEST_CASE("zeros touch no page that holds nothing else, and clear the others") {
  const FreshMemory fresh(kLarge);
  const auto memory = fresh.inside();
  fill_with_zeros(memory);
  CHECK(touched(memory).empty());
  write_something(memory);
  fill_with_zeros(memory);
  CHECK(std::ranges::all_of(memory, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("a fingerprint is that of the contents, whichever pages were touched") {
  const FreshMemory one(kLarge), other(kLarge);
  const auto first = one.inside(), second = other.inside();
  const Fingerprint empty = fingerprint_of_all(first);
  fill(second, 0);
  CHECK(fingerprint_of_all(second) == empty);
  write_something(first);
  write_something(second);
  const Fingerprint before = fingerprint_of_all(first);
  CHECK(before == fingerprint_of_all(second));
  CHECK_FALSE(before == empty);
  SECTION("a byte among others") { first[6 * kPage] ^= std::byte{1}; }
  SECTION("a byte in a page of one value") { first[2 * kPage] ^= std::byte{1}; }
  SECTION("the value of a whole page") { fill(first.subspan(0, 3 * kPage), 0x0e); }
  SECTION("a byte where there was none") { first[500 * kPage] = std::byte{1}; }
  SECTION("the last one") { first.back() = std::byte{2}; }
  CHECK_FALSE(fingerprint_of_all(first) == before);
}

TEST_CASE("an image puts back what was there, whatever has been written since") {
  for (const std::uint64_t bytes : {kLarge, kSmall}) {
    CAPTURE(bytes);
    const FreshMemory from(bytes), to(bytes);
    write_something(from.inside());
    fill(to.inside().subspan(10 * kPage, 15 * kPage), 0xc5);
    const MemoryImage image = image_of(from.inside(), touched(from.inside()));
    put_back(image, to.inside());
    CHECK(std::ranges::equal(to.inside(), from.inside()));
    CHECK(image.contents.size() <= 2 * kPage + 200);
  }
}

}  // namespace warpbook::device::tests::touched_memory_test
