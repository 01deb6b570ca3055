// A picture whose pixels are told apart by who wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// A picture whose pixels are told apart by who wrote them: from the launch's write map, never from a formula.
struct ImageExhibit {
  static constexpr std::string_view kKind = "image";
  enum class By : std::uint8_t { block, warp, thread };
  By by = By::block;  ///< what shares a colour
  device::Dim3 grid, block;
  TensorExhibit pixels;               ///< [height][width] or [depth][height][width], after the run
  std::vector<std::uint32_t> writes;  ///< by pixel
  std::vector<std::int64_t>
      writer;  ///< by pixel, the last one: block x threads-a-block + thread; -1: nobody
  friend bool operator==(const ImageExhibit&, const ImageExhibit&) = default;
};

/// A picture by who wrote its pixels. `pixels` is matched by its name with the record's write maps (the launch was asked
/// for one); where there is none, no writer is known.
ImageExhibit image_of(const device::LaunchRecord& record, TensorExhibit pixels,
                      ImageExhibit::By by);

constexpr auto enum_names(ImageExhibit::By) {
  return device::checked_names<ImageExhibit::By>("block", "warp", "thread");
}

template <class V>
void fields(V&& visit, Is<ImageExhibit> auto& v) {
  visit("by", v.by);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("pixels", v.pixels);
  visit("writes", v.writes);
  visit("writer", v.writer);
}
/// Each pixel has its count of writes and its writer.
bool valid(const ImageExhibit& v);

void extras(JsonExtras& json, const ImageExhibit& image);

std::string sentence_of(const ImageExhibit& image, const Strings& strings);
void text_body(const ImageExhibit& image, const Strings& strings, Page& page);
std::string html_body(const ImageExhibit& image, const Strings& strings,
                      const std::string& caption);
Table table_of(const ImageExhibit& image, const Strings& strings);
void compare(const ImageExhibit& a, const ImageExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
