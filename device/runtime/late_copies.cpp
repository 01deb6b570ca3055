#include "device/runtime/late_copies.hpp"

#include <algorithm>
#include <utility>

namespace warpbook::device::runtime {
namespace {

void write(GlobalMemory& memory, const std::vector<HeldRow>& rows) {
  for (const HeldRow& row : rows) (void)memory.write(row.begin, row.bytes);
}

}  // namespace

std::vector<HeldRow> held_rows(const GlobalMemory& memory, const std::vector<Extent>& extents) {
  std::vector<HeldRow> rows;
  for (const auto& [begin, end] : extents) {
    HeldRow row{begin, std::vector<std::byte>(end - begin)};
    if (memory.read(begin, row.bytes)) rows.push_back(std::move(row));
  }
  return rows;
}

void LateCopies::hold(GlobalMemory& memory, std::uint32_t stream, std::size_t operation,
                      const std::vector<HeldRow>& old) {
  std::vector<Extent> extents;
  for (const HeldRow& row : old) extents.push_back({row.begin, row.begin + row.bytes.size()});
  copies_.push_back({stream, operation, held_rows(memory, extents)});
  write(memory, old);
}

void LateCopies::arrive(GlobalMemory& memory, const StreamOrder::Past& past) {
  const auto is_over = [&](const Copy& copy) {
    const auto found = past.find(copy.stream);
    return found != past.end() && found->second >= copy.operation;
  };
  for (const Copy& copy : copies_)
    if (is_over(copy)) write(memory, copy.brought);
  std::erase_if(copies_, is_over);
}

void LateCopies::forget(std::uint64_t begin, std::uint64_t end) {
  for (Copy& copy : copies_)
    std::erase_if(copy.brought, [&](const HeldRow& row) {
      return row.begin < end && begin < row.begin + row.bytes.size();
    });
}

}  // namespace warpbook::device::runtime
