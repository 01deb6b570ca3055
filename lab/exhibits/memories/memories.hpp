// The host's memory and the GPU's, the arrays in each of them, and what crossed the link between the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct MemoriesExhibit {
  static constexpr std::string_view kKind = "memories";
  enum class Memory : std::uint8_t {
    pageable,  ///< the host's, as malloc() and new give it
    pinned,    ///< the host's, which the operating system may not move
    managed,   ///< one address for both sides; pages move to the side that touches them
    device     ///< the GPU's
  };
  struct Array {
    std::string name;
    Memory memory = Memory::pageable;
    std::uint64_t bytes = 0;
    std::string values;  ///< the first ones; empty where none are shown
    friend bool operator==(const Array&, const Array&) = default;
  };
  enum class Way : std::uint8_t {
    copy,   ///< a copy that the host asked for
    pages,  ///< pages that moved because the other side touched them
    access  ///< threads that read or wrote the host's memory across the link
  };
  /// What crossed the link, once or several times in the same way.
  struct Transfer {
    Way way = Way::copy;
    bool to_device = true;
    std::uint32_t host = 0;               ///< the number of the array on the host's side
    std::optional<std::uint32_t> device;  ///< of the one on the GPU's; none: its threads
    std::uint64_t bytes = 0;              ///< of all times together
    std::uint32_t times = 1;
    friend bool operator==(const Transfer&, const Transfer&) = default;
  };
  std::vector<Array> arrays;
  std::vector<Transfer> transfers;        ///< in the order in which each first happened
  std::string gpu;                        ///< "H200"
  double link_rate = 0, memory_rate = 0;  ///< bytes a second: of the link, of the GPU's memory
  friend bool operator==(const MemoriesExhibit&, const MemoriesExhibit&) = default;
};

constexpr auto enum_names(MemoriesExhibit::Memory) {
  return device::checked_names<MemoriesExhibit::Memory>("pageable", "pinned", "managed", "device");
}

constexpr auto enum_names(MemoriesExhibit::Way) {
  return device::checked_names<MemoriesExhibit::Way>("copy", "pages", "access");
}

template <class V>
void fields(V&& visit, Is<MemoriesExhibit::Array> auto& v) {
  visit("name", v.name);
  visit("memory", v.memory);
  visit("bytes", v.bytes);
  visit("values", v.values);
}

template <class V>
void fields(V&& visit, Is<MemoriesExhibit::Transfer> auto& v) {
  visit("way", v.way);
  visit("to_device", v.to_device);
  visit("host", v.host);
  visit("device", v.device);
  visit("bytes", v.bytes);
  visit("times", v.times);
}

template <class V>
void fields(V&& visit, Is<MemoriesExhibit> auto& v) {
  visit("arrays", v.arrays);
  visit("transfers", v.transfers);
  visit("gpu", v.gpu);
  visit("link_rate", v.link_rate);
  visit("memory_rate", v.memory_rate);
}
/// Every transfer is between arrays that there are.
bool valid(const MemoriesExhibit& v);

std::string sentence_of(const MemoriesExhibit& memories, const Strings& strings);
void text_body(const MemoriesExhibit& memories, const Strings& strings, Page& page);
std::string html_body(const MemoriesExhibit& memories, const Strings& strings,
                      const std::string& caption);
Table table_of(const MemoriesExhibit& memories, const Strings& strings);
void compare(const MemoriesExhibit& a, const MemoriesExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
