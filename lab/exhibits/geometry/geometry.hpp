// How a kernel was launched, and how many of its threads had work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// How a kernel was launched, and how many of its threads had work.
struct GeometryExhibit {
  static constexpr std::string_view kKind = "geometry";
  std::string kernel;
  device::Dim3 grid, block;
  std::uint64_t threads = 0;
  std::uint64_t idle = 0;  ///< threads that stored nothing, from the trace
  bool idle_known = true;  ///< false where the trace was cut, or a budget stopped the launch
  bool stopped = false;    ///< a budget ended the launch before its end
  /// By warp, a block's after another's: the lanes that stored something. Empty where `idle` is not known, or of more than
  /// 65,536 warps.
  std::vector<std::uint32_t> stored;
  friend bool operator==(const GeometryExhibit&, const GeometryExhibit&) = default;
};
/// Threads of the block (linear) that stored nothing; none where that is not known.
std::optional<std::uint32_t> idle_in(const GeometryExhibit& geometry, std::uint64_t block);
/// Whether the thread of the block (both linear) stored something; none where that is not known.
std::optional<bool> has_stored(const GeometryExhibit& geometry, std::uint64_t block,
                               std::uint64_t thread);

/// The launch's geometry; a thread that stored nothing to global memory, not even astray, counts as idle.
GeometryExhibit geometry_of(const device::LaunchRecord& record);

template <class V>
void fields(V&& visit, Is<GeometryExhibit> auto& v) {
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("threads", v.threads);
  visit("idle", v.idle);
  visit("idle_known", v.idle_known);
  visit("stopped", v.stopped);
  visit("stored", v.stored);
}

void extras(JsonExtras& json, const GeometryExhibit& geometry);

std::string sentence_of(const GeometryExhibit& geometry, const Strings& strings);
void text_body(const GeometryExhibit& geometry, const Strings& strings, Page& page);
std::string html_body(const GeometryExhibit& geometry, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<GeometryExhibit> kind);
Table table_of(const GeometryExhibit& geometry, const Strings& strings);
void compare(const GeometryExhibit& a, const GeometryExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
