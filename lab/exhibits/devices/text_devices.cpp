#include <map>
#include <string>
#include <vector>

#include "lab/exhibits/devices/devices_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {

/// A line for each device: its part, what it holds, and what it sends to whom.
void text_body(const DevicesExhibit& devices, const Strings& strings, Page& page) {
  if (devices.devices.empty()) return;
  std::vector<std::vector<std::string>> rows{
      {strings("devices.head.device"), strings("devices.head.part"), strings("devices.head.holds"),
       strings("devices.head.sends")}};
  for (std::size_t i = 0; i < devices.devices.size(); ++i) {
    const DevicesExhibit::Device& device = devices.devices[i];
    std::map<std::uint32_t, std::uint64_t> sent;  // by receiver
    for (const DevicesExhibit::Link& link : devices.links) {
      if (link.from == i) sent[link.to] += link.bytes;
    }
    std::vector<std::string> sends;
    for (const auto& [to, bytes] : sent)
      sends.push_back(byte_count(bytes) + " → " + std::to_string(to));
    rows.push_back({std::to_string(i), strings(device.part), byte_count(bytes_held(device)),
                    joined(strings, sends)});
  }
  constexpr std::size_t kPartColumn = 1;
  text_rows(rows, page, kPartColumn);
}

}  // namespace warpbook::lab
