#include "device/simulator/state/block_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace warpbook::device {
namespace {

void free_rows(std::byte* rows) { std::free(rows); }

}  // namespace

CallFrame::CallFrame(std::uint32_t bytes)
    : rows(static_cast<std::byte*>(
               std::aligned_alloc(64, (std::max<std::size_t>(bytes, 64) + 63) / 64 * 64)),
           free_rows) {
  if (!rows) throw std::bad_alloc();
}

}  // namespace warpbook::device
