// What a GPU consists of: its multiprocessors with their warps, registers and shared memory, its L2 cache and its memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "device/device.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct GpuExhibit {
  static constexpr std::string_view kKind = "gpu";
  std::string name;                      ///< "H200"
  std::uint32_t compute_capability = 0;  ///< major x 10 + minor
  std::uint32_t multiprocessors = 0;
  // Of a multiprocessor.
  std::uint32_t warps = 0;      ///< that it has room for at once
  std::uint64_t registers = 0;  ///< bytes
  std::uint64_t l1 = 0;         ///< bytes of L1 cache and shared memory together
  std::uint64_t shared = 0;     ///< bytes of these that can be shared memory
  // Of the whole GPU.
  std::uint64_t l2 = 0, memory = 0;  ///< bytes
  double memory_rate = 0;            ///< bytes a second, at most
  std::string source;                ///< of these figures
  friend bool operator==(const GpuExhibit&, const GpuExhibit&) = default;
};

GpuExhibit gpu_of(const device::Properties& gpu, std::string source);

template <class V>
void fields(V&& visit, Is<GpuExhibit> auto& v) {
  visit("name", v.name);
  visit("compute_capability", v.compute_capability);
  visit("multiprocessors", v.multiprocessors);
  visit("warps", v.warps);
  visit("registers", v.registers);
  visit("l1", v.l1);
  visit("shared", v.shared);
  visit("l2", v.l2);
  visit("memory", v.memory);
  visit("memory_rate", v.memory_rate);
  visit("source", v.source);
}

std::string sentence_of(const GpuExhibit& gpu, const Strings& strings);
void text_body(const GpuExhibit& gpu, const Strings& strings, Page& page);
std::string html_body(const GpuExhibit& gpu, const Strings& strings, const std::string& caption);
Table table_of(const GpuExhibit& gpu, const Strings& strings);
void compare(const GpuExhibit& a, const GpuExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
