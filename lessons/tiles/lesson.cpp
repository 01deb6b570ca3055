// Tiles: load once, reuse, barrier; and a case where the tile loses.
#include <algorithm>
#include <any>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/recorded_times.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/levels.hpp"
#include "lessons/tiles/runs.hpp"

namespace warpbook::lessons {
namespace {

/// The chapter's runs. A change of a parameter runs only the parts anew that it reaches.
void tiles_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  tiles::compile_soon(lab);
  std::any calls;
  const auto smoothing = [&](lab::Lab& part) { calls = tiles::smoothing(part, counted); };
  const auto stepping = [&](lab::Lab& part) { tiles::stepping(part, counted); };
  const auto turning = [&](lab::Lab& part) { tiles::turning(part, counted); };
  lab.side_by_side(
      {lab::remembered({.name = "tiles/smoothing",
                        .unread = {"steps", "pad"},
                        .run = smoothing,
                        .gives = &calls}),
       lab::remembered({.name = "tiles/times", .fixed = true, .run = tiles::smoothing_times}),
       lab::remembered({.name = "tiles/stepping",
                        .unread = {"radius", "height", "thread", "pad"},
                        .run = stepping,
                        .draft = stepping}),
       lab::remembered({.name = "tiles/turning",
                        .unread = {"radius", "height", "thread", "steps"},
                        .run = turning,
                        .draft = turning}),
       lab::remembered({.name = "tiles/matching",
                        .fixed = true,
                        .run = [&](lab::Lab& part) { tiles::matching(part, counted); }}),
       lab::recorded_times("transpose")});
  show_calls(lab, std::any_cast<lab::Message>(std::move(calls)), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::TileExhibit* tile_in(const lab::Report& report, std::string_view id) {
  const auto* tile = report.find_as<lab::TileExhibit>(id);
  return tile && !tile->steps.empty() ? tile : nullptr;
}

std::string pixels_loaded(const lab::Report& report) {
  const auto* tile = tile_in(report, "tile");
  return tile ? lab::grouped(lab::figures_of(*tile, 0).written) : "";
}

std::string load_cell(const lab::Report& report, std::string_view name) {
  return text_argument(report, "loads", name);
}

/// Wrong pixels of the softened photo for each of `parts`: its rows, or the blocks. None where they are not spread evenly.
std::optional<std::uint64_t> wrong_in_each(const lab::Report& report, std::uint64_t parts) {
  const auto* softened = report.find_as<lab::TensorExhibit>("softened");
  if (!softened || parts == 0 || softened->wrong.size() % parts != 0) return {};
  return softened->wrong.size() / parts;
}

std::string right_in_a_row(const lab::Report& report) {
  constexpr std::uint64_t kRow = tiles::kColumns;
  const auto wrong = wrong_in_each(report, tiles::kRows);
  return wrong ? lab::grouped(kRow - *wrong) : "";
}

std::string wrong_in_a_block(const lab::Report& report) {
  const auto* tile = tile_in(report, "steps-tile");
  const auto wrong = tile ? wrong_in_each(report, tile->grid.count()) : std::nullopt;
  return wrong ? lab::grouped(*wrong) : "";
}

/// Passes of the warp instruction that reads the tile along its columns.
std::string passes_of_a_read(const lab::Report& report) {
  const auto* tile = tile_in(report, "turned-tile");
  if (!tile) return {};
  const lab::TileExhibit::Step& read = tile->steps.back();
  return read.shared_requests == 0 ? "" : lab::grouped(read.shared_passes / read.shared_requests);
}

}  // namespace

lab::Lesson tiles_chapter() {
  lab::Lesson lesson;
  lesson.slug = "tiles";
  const std::string words = "tiles.parameter.", presets = "tiles.preset.";
  lesson.parameters = {whole_number(words, "radius", "tiles.unit.pixels", 4, 1, 6),
                       whole_number(words, "height", "tiles.unit.pixels", 8, 8, 16),
                       whole_number(words, "thread", "", 100, 0, 255),
                       whole_number(words, "steps", "tiles.unit.steps", 4, 1, 8),
                       whole_number(words, "pad", "tiles.unit.floats", 0, 0, 2)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "window", {}),
                    preset(presets, "neighbours", {{"radius", Int{1}}}),
                    preset(presets, "padded", {{"pad", Int{1}}})};
  const std::string folder = "lessons/tiles/variants/";
  // The page's questions put other kernels into the first slot.
  lesson.slots = {{"repeat", folder + "repeat.cu", {}},
                  {"smooth", folder + "smooth.cu", {}},
                  {"transpose", "kernels/transpose/04_padded.cu", {}}};
  lesson.experiment = tiles_experiment;
  lesson.figures = {{"pixels-loaded", pixels_loaded},
                    {"tile-shared",
                     [](const lab::Report& r) {
                       const auto* tile = tile_in(r, "tile");
                       return tile ? lab::grouped(4 * lab::figures_of(*tile).places) : "";
                     }},
                    {"steps-dram-ratio",
                     [](const lab::Report& r) { return text_argument(r, "steps", "dram_ratio"); }}};
  for (const std::string column : {"none", "tile"}) {
    for (const std::string name : {"loads", "sectors", "shared", "barriers"}) {
      lesson.figures.push_back(
          {column + "-" + name + (name == "shared" ? "-requests" : ""),
           [cell = column + "_" + name](const lab::Report& r) { return load_cell(r, cell); }});
    }
  }
  std::ranges::move(level_figures("far", "far-none", "far-tile"),
                    std::back_inserter(lesson.figures));
  std::ranges::move(level_figures("near", "near-none", "near-tile"),
                    std::back_inserter(lesson.figures));
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"pixels-loaded", pixels_loaded},
      {"tile-loads", [](const lab::Report& r) { return load_cell(r, "tile_loads"); }},
      {"blocks-256", [](const lab::Report& r) { return text_argument(r, "sizes", "blocks_256"); }},
      {"near-dram-ratio",
       [](const lab::Report& r) { return text_argument(r, "near", "dram_ratio"); }},
      {"right-in-a-row", right_in_a_row},
      {"wrong-in-a-block", wrong_in_a_block},
      {"passes", passes_of_a_read},
      {"palette-loads", [](const lab::Report& r) { return text_argument(r, "palette", "times"); }}};
  lesson.exercises = {"stencil-tile", "transpose-tile"};
  return lesson;
}

}  // namespace warpbook::lessons
