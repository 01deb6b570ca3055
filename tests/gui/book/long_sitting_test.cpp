// A reader who goes through the whole book in one sitting: what is kept of the chapters that were left does not grow with them.
#include <malloc.h>

#include <cstdint>

#include <catch2/catch_test_macros.hpp>

#include "lab/experiment/remembered_part.hpp"
#include "tests/gui/book/open_book.hpp"

namespace warpbook::gui::long_sitting_test {
namespace {

constexpr std::uint64_t kMegabyte = 1u << 20;

/// Of the process, by malloc; 0 where a sanitizer has taken its place.
std::uint64_t bytes_in_use() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace

TEST_CASE("all chapters opened one after the other hold no more than some of them", "[long]") {
  // A chapter's own runs and texts, and what libraries keep for themselves. With it, a window stays below 400 MB.
  constexpr std::uint64_t kBesides = 48 * kMegabyte;
  OpenBook open("first-kernel");
  for (const ChapterEntry& chapter : open.book.chapters()) {
    CAPTURE(chapter.slug);
    REQUIRE(open.book.open(chapter.slug));
    open.settle();
    const std::uint64_t launches = lab::launches_of_before()->bytes(),
                        parts = lab::part_bytes_of_before();
    CAPTURE(launches / kMegabyte, parts / kMegabyte, bytes_in_use() / kMegabyte);
    CHECK(launches <= lab::kMostLaunchBytes);
    CHECK(parts <= lab::kMostPartBytes);
    CHECK(bytes_in_use() <= launches + parts + kBesides);
  }
}

}  // namespace warpbook::gui::long_sitting_test
