#include "lab/exhibits/image/image.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "lab/exhibits/image/image_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

/// How often a thing happened, and at which pixel first.
struct Tally {
  std::uint64_t count = 0, first = 0;
  void note(std::uint64_t pixel) {
    if (count++ == 0) first = pixel;
  }
};

/// The smallest box round the pixels of one block.
struct Box {
  ImagePlace low, high;
  std::uint64_t pixels = 0;

  void take(const ImagePlace& at) {
    if (pixels++ == 0) low = high = at;
    low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
  }
  [[nodiscard]] ImagePlace size() const {
    return {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
  }
  [[nodiscard]] bool full() const { return pixels == size().x * size().y * size().z; }
};

std::string size_text(const ImagePlace& size) {
  return size.z > 1 ? fmt::format("{} × {} × {}", size.x, size.y, size.z)
                    : fmt::format("{} × {}", size.x, size.y);
}

struct Survey {
  std::unordered_map<std::uint64_t, Box> boxes;  ///< by block
  std::uint64_t written = 0;
  Tally unwritten, repeated, unknown;
};

Survey survey_of(const ImageExhibit& image) {
  Survey survey;
  const ImagePlace size = size_of(image);
  Box* box = nullptr;  // of the block that wrote the pixel before: mostly the same
  std::uint64_t of = 0, pixel = 0;
  for (std::uint64_t z = 0; z < size.z; ++z) {
    for (std::uint64_t y = 0; y < size.y; ++y) {
      for (std::uint64_t x = 0; x < size.x; ++x, ++pixel) {
        ImagePixel at;
        if (pixel < image.writes.size()) at.written = image.writes[pixel] != 0;
        if (!at.written) {
          survey.unwritten.note(pixel);
          continue;
        }
        ++survey.written;
        if (image.writes[pixel] > 1) survey.repeated.note(pixel);
        const auto who = pixel < image.writer.size() ? image.writer[pixel] : -1;
        const std::uint64_t threads = std::max<std::uint64_t>(1, image.block.count());
        if (who < 0 || static_cast<std::uint64_t>(who) / threads >= image.grid.count()) {
          survey.unknown.note(pixel);
          continue;
        }
        const std::uint64_t block = static_cast<std::uint64_t>(who) / threads;
        if (!box || block != of) {
          box = &survey.boxes[block];
          of = block;
        }
        box->take({x, y, z});
      }
    }
  }
  return survey;
}

/// Whether the blocks wrote tiles; of those that did not, the first is named.
std::string tiles_of(const Survey& survey, const Strings& strings) {
  const Box* largest = nullptr;
  const std::pair<const std::uint64_t, Box>* scattered = nullptr;
  bool equal = true;
  for (const auto& entry : survey.boxes) {
    const auto& [block, box] = entry;
    if (!box.full() && (!scattered || block < scattered->first)) scattered = &entry;
    equal &= !largest || size_text(largest->size()) == size_text(box.size());
    if (!largest || box.pixels > largest->pixels) largest = &box;
  }
  if (!largest) return {};
  if (scattered) {
    return strings("image.scattered", {{"block", std::to_string(scattered->first)},
                                       {"pixels", grouped(scattered->second.pixels)}});
  }
  return strings(equal ? "image.tiles" : "image.tiles-at-most",
                 {{"tile", size_text(largest->size())}});
}

}  // namespace

std::string sentence_of(const ImageExhibit& image, const Strings& strings) {
  const ImagePlace size = size_of(image);
  if (size.x == 0) return strings("image.empty", {{"name", image.pixels.name}});
  const Survey survey = survey_of(image);
  std::vector<std::string> parts;
  if (survey.written == 0) {
    parts.push_back(
        strings("image.nobody", {{"name", image.pixels.name}, {"size", size_text(size)}}));
  } else {
    parts.push_back(strings("image.written", {{"name", image.pixels.name},
                                              {"size", size_text(size)},
                                              {"pixels", grouped(survey.written)},
                                              {"count", grouped(survey.boxes.size())},
                                              {"block", extent(image.block)}}));
    parts.push_back(tiles_of(survey, strings));
  }
  const auto tell = [&](std::string_view key, const Tally& tally) {
    if (tally.count == 0) return;
    parts.push_back(
        strings(key, {{"count", grouped(tally.count)}, {"first", place_text(image, tally.first)}}));
  };
  if (survey.written != 0) tell("image.unwritten", survey.unwritten);
  tell("image.repeated", survey.repeated);
  tell("image.unknown", survey.unknown);
  Tally wrong;
  wrong.count = image.pixels.wrong.size();
  if (wrong.count != 0) wrong.first = *std::ranges::min_element(image.pixels.wrong);
  tell("image.wrong", wrong);
  return sentences(strings, parts);
}

Table table_of(const ImageExhibit& image, const Strings& strings) {
  Table table{
      {"x", "y", "z", strings("table.block"), strings("table.thread"), strings("table.writes")},
      {}};
  for (std::uint64_t i = 0; i < image.writes.size(); ++i) {
    const ImagePixel pixel = pixel_at(image, i);
    const ImagePlace at = place_of(image, i);
    const bool known = pixel.writer.has_value();
    table.rows.push_back({std::to_string(at.x), std::to_string(at.y), std::to_string(at.z),
                          known ? std::to_string(pixel.writer->block) : "",
                          known ? std::to_string(pixel.writer->thread) : "",
                          std::to_string(image.writes[i])});
  }
  return table;
}

void compare(const ImageExhibit& a, const ImageExhibit& b, Comparer& comparer) {
  comparer.output(a.pixels, b.pixels);
}

bool valid(const ImageExhibit& v) {
  return v.writes.size() == count(v.pixels) && v.writer.size() == v.writes.size();
}

ImageExhibit image_of(const device::LaunchRecord& record, TensorExhibit pixels,
                      ImageExhibit::By by) {
  const auto elements = static_cast<std::size_t>(count(pixels));
  ImageExhibit exhibit{by, record.grid, record.block, std::move(pixels), {}, {}};
  const auto map = std::ranges::find(record.written, exhibit.pixels.name, &device::WriteMap::name);
  if (map != record.written.end()) {
    exhibit.writes = map->writes;
    exhibit.writer = map->writer;
  }
  exhibit.writes.resize(elements, 0);
  exhibit.writer.resize(elements, -1);
  return exhibit;
}

/// As many pixels as of a tensor.
void extras(JsonExtras& json, const ImageExhibit& image) {
  const auto first = [](const auto& all) {
    const auto shown = std::min<std::size_t>(all.size(), kMostElementsInJson);
    return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown));
  };
  json("writes", [&] { return first(image.writes); });
  json("writer", [&] { return first(image.writer); });
}

}  // namespace warpbook::lab
