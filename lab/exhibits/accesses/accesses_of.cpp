#include <unordered_map>
#include <utility>

#include "lab/exhibits/accesses/accesses.hpp"
#include "lab/model/global_accesses.hpp"

namespace warpbook::lab {

AccessesExhibit accesses_of(const device::LaunchRecord& record,
                            std::vector<AccessesExhibit::Array> arrays) {
  const bool stopped = stopped_by_budget(record);
  AccessesExhibit exhibit{
      record.grid, record.block, std::move(arrays), {}, record.trace_cut || stopped, stopped};
  const std::uint64_t blocks = AccessesExhibit::kMostThreads / exhibit.block.count();
  if (exhibit.grid.count() > blocks) {
    exhibit.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    exhibit.cut = true;
  }
  std::unordered_map<std::string_view, std::uint32_t> array_of;
  for (std::uint32_t a = 0; a < exhibit.arrays.size(); ++a)
    array_of[exhibit.arrays[a].tensor.name] = a;
  for_each_global_access(record, [&](const GlobalAccess& access) {
    const auto array = array_of.find(access.allocation);
    if (array == array_of.end() || access.block >= exhibit.grid.count()) return;
    exhibit.wires.push_back(
        {access.block, access.thread, array->second, access.element, access.kind, access.line});
  });
  return exhibit;
}

}  // namespace warpbook::lab
