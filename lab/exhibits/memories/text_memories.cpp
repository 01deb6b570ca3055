#include <algorithm>
#include <string>
#include <vector>

#include "lab/exhibits/memories/memories_summary.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kDeviceColumn = 2;

std::string array_text(const MemoriesExhibit::Array& array) {
  return array.name + " " + byte_count(array.bytes) +
         (array.values.empty() ? "" : ": " + array.values);
}

}  // namespace

/// A line for each array of the host, with what it is connected to; then the arrays that nothing reached.
void text_body(const MemoriesExhibit& memories, const Strings& strings, Page& page) {
  if (memories.arrays.empty()) return;
  std::vector<std::vector<std::string>> rows{{strings("memories.host"),
                                              strings("memories.link-name"),
                                              strings("memories.device", {{"gpu", memories.gpu}})}};
  std::vector<bool> told(memories.arrays.size(), false);
  for (std::size_t i = 0; i < memories.transfers.size(); ++i) {
    const MemoriesExhibit::Transfer& transfer = memories.transfers[i];
    const std::string number = std::to_string(i + 1), size = size_text(transfer);
    rows.push_back({array_text(memories.arrays[transfer.host]),
                    transfer.to_device ? number + ": " + size + " →" : "← " + number + ": " + size,
                    transfer.device ? array_text(memories.arrays[*transfer.device])
                                    : strings("memories.threads")});
    told[transfer.host] = true;
    if (transfer.device) told[*transfer.device] = true;
  }
  for (std::size_t i = 0; i < memories.arrays.size(); ++i) {
    if (told[i]) continue;
    const std::string text = array_text(memories.arrays[i]);
    rows.push_back({is_on_host(memories.arrays[i]) ? text : "", "",
                    is_on_device(memories.arrays[i]) ? text : ""});
  }
  text_rows(rows, page, kDeviceColumn);
  if (memories.link_rate > 0)
    page.paragraph(strings("memories.link", {{"rate", rate_text(memories.link_rate)}}) + "  " +
                       strings("memories.own", {{"rate", rate_text(memories.memory_rate)}}),
                   2, Ink::quiet);
}

}  // namespace warpbook::lab
