#include "lab/exhibits/devices/devices.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "lab/exhibits/devices/devices_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Device = DevicesExhibit::Device;
using Held = DevicesExhibit::Held;
using Link = DevicesExhibit::Link;

}  // namespace

std::uint64_t bytes_copied(const DevicesExhibit& devices) {
  std::uint64_t bytes = 0;
  for (const Link& link : devices.links) bytes += link.bytes;
  return bytes;
}

std::uint64_t bytes_sent(const DevicesExhibit& devices, std::size_t device) {
  std::uint64_t bytes = 0;
  for (const Link& link : devices.links) {
    if (link.from == device) bytes += link.bytes;
  }
  return bytes;
}

std::size_t busiest_sender(const DevicesExhibit& devices) {
  std::size_t busiest = 0;
  for (std::size_t i = 1; i < devices.devices.size(); ++i) {
    if (bytes_sent(devices, i) > bytes_sent(devices, busiest)) busiest = i;
  }
  return busiest;
}

std::uint64_t bytes_held(const Device& device) {
  std::uint64_t bytes = 0;
  for (const Held& held : device.held) bytes += held.bytes;
  return bytes;
}

std::vector<Message> purposes_of(const DevicesExhibit& devices) {
  std::vector<Message> purposes;
  for (const Link& link : devices.links) {
    if (std::ranges::find(purposes, link.purpose) == purposes.end())
      purposes.push_back(link.purpose);
  }
  return purposes;
}

std::size_t purpose_of(const DevicesExhibit& devices, const Link& link) {
  const std::vector<Message> purposes = purposes_of(devices);
  return static_cast<std::size_t>(
      std::distance(purposes.begin(), std::ranges::find(purposes, link.purpose)));
}

std::string held_text(const Device& device, const Strings& strings) {
  std::vector<std::string> parts;
  for (const Held& held : device.held)
    parts.push_back(
        strings("devices.held", {{"what", strings(held.what)}, {"bytes", byte_count(held.bytes)}}));
  return joined(strings, parts);
}

std::string device_text(const DevicesExhibit& devices, std::size_t device, const Strings& strings) {
  const Device& one = devices.devices[device];
  std::vector<std::string> parts{
      strings("devices.told", {{"device", device}, {"part", strings(one.part)}})};
  if (!one.held.empty())
    parts.push_back(strings("devices.told-held", {{"held", held_text(one, strings)}}));
  parts.push_back(
      strings("devices.told-sent", {{"bytes", byte_count(bytes_sent(devices, device))}}));
  return sentences(strings, parts);
}

std::string link_text(const DevicesExhibit& devices, std::size_t link, const Strings& strings) {
  const Link& one = devices.links[link];
  return strings("devices.told-link", {{"from", one.from},
                                       {"to", one.to},
                                       {"purpose", strings(one.purpose)},
                                       {"bytes", byte_count(one.bytes)},
                                       {"count", one.copies}});
}

std::string sentence_of(const DevicesExhibit& devices, const Strings& strings) {
  if (devices.devices.empty()) return strings("devices.nothing");
  if (devices.devices.size() == 1) return strings("devices.single");
  std::vector<std::string> parts{
      strings("devices.whole",
              {{"count", devices.devices.size()}, {"bytes", byte_count(bytes_copied(devices))}})};
  if (bytes_copied(devices) > 0) {
    const std::size_t busiest = busiest_sender(devices);
    const std::uint64_t most = bytes_sent(devices, busiest);
    bool alike = true;
    for (std::size_t i = 0; i < devices.devices.size(); ++i)
      alike = alike && bytes_sent(devices, i) == most;
    parts.push_back(strings(alike ? "devices.alike" : "devices.most",
                            {{"device", busiest}, {"bytes", byte_count(most)}}));
  }
  return sentences(strings, parts);
}

/// A row for each sort of bytes that a device holds, then one for each link.
Table table_of(const DevicesExhibit& devices, const Strings& strings) {
  Table table{
      {strings("devices.head.device"), strings("devices.head.part"), strings("devices.head.what"),
       strings("devices.head.to"), strings("table.bytes"), strings("devices.head.copies")},
      {}};
  for (std::size_t i = 0; i < devices.devices.size(); ++i) {
    const Device& device = devices.devices[i];
    for (const Held& held : device.held)
      table.rows.push_back({std::to_string(i), strings(device.part), strings(held.what), "",
                            std::to_string(held.bytes), ""});
  }
  for (const Link& link : devices.links)
    table.rows.push_back({std::to_string(link.from), strings(devices.devices[link.from].part),
                          strings(link.purpose), std::to_string(link.to),
                          std::to_string(link.bytes), std::to_string(link.copies)});
  return table;
}

void compare(const DevicesExhibit& a, const DevicesExhibit& b, Comparer& comparer) {
  const auto most_held = [](const DevicesExhibit& of) {
    std::uint64_t most = 0;
    for (const Device& device : of.devices) most = std::max(most, bytes_held(device));
    return most;
  };
  const auto most_sent = [](const DevicesExhibit& of) {
    return of.devices.empty() ? 0 : bytes_sent(of, busiest_sender(of));
  };
  comparer.figure("devices", figure_of(a.devices.size()), figure_of(b.devices.size()));
  comparer.figure("bytes_between_devices", figure_of(bytes_copied(a)), figure_of(bytes_copied(b)));
  comparer.figure("most_sent", figure_of(most_sent(a)), figure_of(most_sent(b)));
  comparer.figure("most_held", figure_of(most_held(a)), figure_of(most_held(b)));
}

bool valid(const DevicesExhibit& v) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const Device& device : v.devices) {
    if (!places.emplace(device.column, device.row).second) return false;
  }
  return std::ranges::all_of(v.links, [&](const Link& link) {
    return link.from < v.devices.size() && link.to < v.devices.size() && link.from != link.to;
  });
}

}  // namespace warpbook::lab
