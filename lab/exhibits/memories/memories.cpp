#include "lab/exhibits/memories/memories.hpp"

#include <algorithm>
#include <array>

#include "lab/exhibits/memories/memories_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Memory = MemoriesExhibit::Memory;
using Transfer = MemoriesExhibit::Transfer;

/// "t and sum"; empty where no array is in that memory.
std::string names_in(const MemoriesExhibit& memories, Memory memory, const Strings& strings) {
  std::vector<std::string> names;
  for (const MemoriesExhibit::Array& array : memories.arrays) {
    if (array.memory == memory) names.push_back(array.name);
  }
  return names.empty() ? "" : joined(strings, names);
}

}  // namespace

bool is_on_host(const MemoriesExhibit::Array& array) { return array.memory != Memory::device; }

bool is_on_device(const MemoriesExhibit::Array& array) {
  return array.memory == Memory::device || array.memory == Memory::managed;
}

std::uint64_t bytes_across(const MemoriesExhibit& memories, bool to_device) {
  std::uint64_t bytes = 0;
  for (const Transfer& transfer : memories.transfers) {
    if (transfer.to_device == to_device) bytes += transfer.bytes;
  }
  return bytes;
}

std::uint64_t crossings(const MemoriesExhibit& memories, bool to_device) {
  std::uint64_t times = 0;
  for (const Transfer& transfer : memories.transfers) {
    if (transfer.to_device == to_device) times += transfer.times;
  }
  return times;
}

std::string memory_name(Memory memory, const Strings& strings) {
  return strings("memories.memory." + std::string(name_of(memory)));
}

std::string size_text(const Transfer& transfer) {
  if (transfer.times <= 1) return byte_count(transfer.bytes);
  return byte_count(transfer.bytes / transfer.times) + " × " + grouped(transfer.times);
}

std::string rate_text(double rate) { return rate > 0 ? amount(rate) + "B/s" : ""; }

std::string device_end(const MemoriesExhibit& memories, const Transfer& transfer,
                       const Strings& strings) {
  return transfer.device ? memories.arrays[*transfer.device].name : strings("memories.threads");
}

std::string transfer_text(const MemoriesExhibit& memories, std::size_t transfer,
                          const Strings& strings) {
  const Transfer& one = memories.transfers[transfer];
  const std::string way = "memories.told." + std::string(name_of(one.way));
  return strings(way + (one.to_device ? "-in" : "-out"),
                 {{"number", transfer + 1},
                  {"host", memories.arrays[one.host].name},
                  {"device", device_end(memories, one, strings)},
                  {"bytes", size_text(one)}});
}

std::string sentence_of(const MemoriesExhibit& memories, const Strings& strings) {
  if (memories.arrays.empty()) return strings("memories.nothing");
  std::vector<std::string> parts;
  for (const Memory memory : {Memory::pageable, Memory::pinned, Memory::managed, Memory::device}) {
    const std::string names = names_in(memories, memory, strings);
    if (!names.empty())
      parts.push_back(
          strings("memories.holds." + std::string(name_of(memory)), {{"names", names}}));
  }
  for (const bool to_device : {true, false}) {
    const std::uint64_t times = crossings(memories, to_device);
    if (times != 0)
      parts.push_back(
          strings(to_device ? "memories.in" : "memories.out",
                  {{"bytes", byte_count(bytes_across(memories, to_device))}, {"count", times}}));
  }
  if (memories.transfers.empty()) parts.push_back(strings("memories.none"));
  return sentences(strings, parts);
}

Table table_of(const MemoriesExhibit& memories, const Strings& strings) {
  Table table{
      {strings("memories.head.what"), strings("memories.head.name"), strings("memories.head.where"),
       strings("table.bytes"), strings("memories.head.times")},
      {}};
  for (const MemoriesExhibit::Array& array : memories.arrays)
    table.rows.push_back({strings("memories.array"), array.name, memory_name(array.memory, strings),
                          std::to_string(array.bytes), ""});
  for (const Transfer& transfer : memories.transfers) {
    const std::string &host = memories.arrays[transfer.host].name,
                      device = device_end(memories, transfer, strings);
    table.rows.push_back({strings("memories.way." + std::string(name_of(transfer.way))),
                          transfer.to_device ? host + " → " + device : device + " → " + host,
                          strings(transfer.to_device ? "memories.to-device" : "memories.to-host"),
                          std::to_string(transfer.bytes), std::to_string(transfer.times)});
  }
  return table;
}

void compare(const MemoriesExhibit& a, const MemoriesExhibit& b, Comparer& comparer) {
  const auto both = [&](const char* figure, auto of, bool to_device) {
    comparer.figure(figure, figure_of(of(a, to_device)), figure_of(of(b, to_device)));
  };
  both("bytes_to_device", bytes_across, true);
  both("bytes_to_host", bytes_across, false);
  both("transfers_to_device", crossings, true);
  both("transfers_to_host", crossings, false);
}

bool valid(const MemoriesExhibit& v) {
  return std::ranges::all_of(v.transfers, [&](const Transfer& transfer) {
    return transfer.host < v.arrays.size() && is_on_host(v.arrays[transfer.host]) &&
           (!transfer.device ||
            (*transfer.device < v.arrays.size() && is_on_device(v.arrays[*transfer.device])));
  });
}

}  // namespace warpbook::lab
