#include "lessons/tiles/runs.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"
#include "lessons/levels.hpp"
#include "lessons/tiles/photo.hpp"

namespace warpbook::lessons::tiles {
namespace {

using Defines = std::vector<std::pair<std::string, std::string>>;
using Record = std::shared_ptr<const device::LaunchRecord>;
using Module = std::shared_ptr<const device::Module>;

constexpr std::int64_t kLarge = 4096;        ///< side of the photo whose times are estimated
constexpr std::int64_t kFar = 4, kNear = 1;  ///< radii of the comparisons
constexpr std::array<std::int64_t, 6> kHeights{8,  16,  32,
                                               64, 128, 256};  ///< of the comparison of tiles
/// Accesses: so many that a block in the middle of the photo is traced whole.
constexpr std::uint32_t kPhotoTrace = 1u << 18;
constexpr std::uint32_t kMiddleBlock = kColumns / kWideBlock + 1;

std::string text_of(std::int64_t number) { return std::to_string(number); }
std::uint32_t small(std::int64_t number) { return static_cast<std::uint32_t>(number); }

/// A kernel of the book's own, whatever the reader has made of it.
device::CompileRequest request_of(lab::Lab& lab, const std::string& path, Defines defines) {
  return lab.request_of(path.substr(path.rfind('/') + 1),
                        lab::require(lab::read_source_file(lab.context().root, path)),
                        std::move(defines));
}
std::string path_of_variant(const std::string& name) {
  return "lessons/tiles/variants/" + name + ".cu";
}

Module compile_file(lab::Lab& lab, const std::string& path, Defines defines) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return lab.compile_source(name, lab::require(lab::read_source_file(lab.context().root, path)),
                            std::move(defines));
}
Module compile_variant(lab::Lab& lab, const std::string& name, Defines defines) {
  return compile_file(lab, path_of_variant(name), std::move(defines));
}

lab::TensorExhibit image_of(const std::string& name, const std::vector<float>& pixels,
                            std::int64_t rows, std::int64_t columns) {
  lab::TensorExhibit image = tensor_of(
      name, pixels, {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
  image.view = lab::TensorExhibit::View::image;
  return image;
}

/// The picture that a kernel made, its wrong pixels marked.
lab::TensorExhibit image_of(const std::vector<float>& out, const std::vector<float>& truth,
                            std::int64_t rows, std::int64_t columns) {
  lab::TensorExhibit image = image_of("out", out, rows, columns);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (out[i] != truth[i]) image.wrong.push_back(i);
  }
  return image;
}

// Kernels on the photo that is looked at.

struct Ran {
  Record record;
  std::vector<float> out;
};

/// Uploads the photo and launches `module`'s only kernel on it, with `numbers` behind the two arrays.
Ran run_on_photo(lab::Lab& lab, const Photo& photo, const Module& module, const device::Dim3& grid,
                 const device::Dim3& block, const std::vector<std::int64_t>& numbers,
                 std::uint32_t traced) {
  const device::Buffer d_x = lab.upload<float>("x", photo.pixels);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, photo.pixels.size());
  device::Launch launch;
  launch.module = module;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = {pointer_argument(d_x), pointer_argument(d_out)};
  for (const std::int64_t number : numbers) launch.arguments.push_back(number_argument(number));
  launch.observe.trace_accesses = traced;
  launch.budget.seconds = kPatience;
  auto record = lab.launch(std::move(launch));
  std::vector<float> out = lab.download<float>(d_out);
  return {std::move(record), std::move(out)};
}

// The mean over a window.

Defines window_defines(std::int64_t radius, std::int64_t height) {
  return {{"RADIUS", text_of(radius)}, {"HEIGHT", text_of(height)}};
}

/// Blocks of 32 x 8 threads, each with a tile of outputs `height` pixels high.
device::Dim3 tiles_of(std::int64_t rows, std::int64_t columns, std::int64_t height) {
  return {blocks_for(columns, kWideBlock), blocks_for(rows, height), 1};
}
constexpr device::Dim3 kSmoothingBlock{kWideBlock, kHighBlock, 1};

/// As many outputs are computed whatever the height, but never by fewer blocks than the model can tell anything from.
Record smooth_large(const LargePhoto& photo, const Module& module, std::int64_t height) {
  constexpr std::int64_t kFewestBlocks = 16;
  const auto blocks = static_cast<std::uint64_t>(std::max(
      kFewestBlocks, static_cast<std::int64_t>(LargePhoto::kBlocks) * kHighBlock / height));
  return photo.run(module, tiles_of(kLarge, kLarge, height), kSmoothingBlock, {kLarge, kLarge},
                   blocks);
}

/// The block's loads and what else it asks its memories for, with and without a tile, by the book's own kernels.
void show_loads(lab::Lab& lab, const Photo& photo, const device::Evidence& counted) {
  const std::int64_t radius = lab.integer("radius"), height = lab.integer("height");
  const device::Dim3 grid = tiles_of(photo.rows, photo.columns, height);
  lab::Message says{"tiles.loads.sentence"};
  std::vector<lab::BarsExhibit::Group> groups;
  for (const char* of : {"loads", "sectors", "shared", "barriers"})
    groups.push_back({{std::string("tiles.loads.") + of}, {}});
  // A warp stores a piece of a row with one request.
  const auto stores = static_cast<std::uint64_t>(photo.rows) * grid.x;
  for (const auto& [column, file] :
       {std::pair{"none", "smooth_global"}, std::pair{"tile", "smooth"}}) {
    const Record record =
        run_on_photo(lab, photo, compile_variant(lab, file, window_defines(radius, height)), grid,
                     kSmoothingBlock, {photo.rows, photo.columns}, 0)
            .record;
    const auto add = [&, prefix = std::string(column)](std::size_t group, const char* name,
                                                       std::uint64_t count) {
      auto& bars = groups[group].bars;
      bars.push_back(count_bar({"tiles.loads." + prefix}, count / grid.count()));
      says.arguments.emplace_back(prefix + name, bars.back().text);
    };
    const device::Counters& total = record->total;
    add(0, "_loads", total.global_requests - stores);
    add(1, "_sectors", total.global_load_sectors);
    add(2, "_shared", total.shared_requests);
    add(3, "_barriers", total.barriers);
  }
  lab.show({"loads",
            {"tiles.loads.title"},
            counted,
            lab::BarsExhibit{std::move(says), std::move(groups)}});
}

struct BothWays {
  Record without, with;  ///< a tile
};

/// Both ways at 16 million pixels.
BothWays show_radius(lab::Lab& lab, const LargePhoto& photo, const std::string& id,
                     std::int64_t radius, const std::vector<std::string>& shown) {
  const Defines defines = window_defines(radius, kHighBlock);
  BothWays ran{smooth_large(photo, compile_variant(lab, "smooth_global", defines), kHighBlock),
               smooth_large(photo, compile_variant(lab, "smooth", defines), kHighBlock)};
  show_levels(lab, "tiles.", id, *ran.without, *ran.with, shown);
  return ran;
}

/// Which parts of the GPU hold these launches up: how long each would need by itself.
void show_parts(lab::Lab& lab, const BothWays& near, const BothWays& far) {
  const std::array launches{near.without, near.with, far.without, far.with};
  if (!std::ranges::all_of(launches, [](const Record& one) { return one->estimate.has_value(); }))
    return;
  std::vector<std::vector<lab::BarsExhibit::Bar>> parts;
  for (const std::string part : {"issue", "latency", "l1", "shared", "dram"}) {
    auto& bars = parts.emplace_back();
    for (const Record& launch : launches) {
      const auto& bounds = launch->estimate->bounds;
      const auto bound = std::ranges::find(bounds, part, &device::EstimateBound::name);
      const double seconds = bound == bounds.end() ? 0 : bound->seconds;
      bars.push_back({{"tiles.parts." + part}, seconds, lab::duration(seconds)});
    }
  }
  show_side_by_side(lab, "tiles.", "parts", launches.front()->estimate->time,
                    {"near-none", "near-tile", "far-none", "far-tile"}, parts);
}

/// For each height, what a tile loads per pixel, the memory that it takes, and how many blocks have room.
void show_sizes(lab::Lab& lab, const LargePhoto& photo) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> heights;
  lab::MessageArguments figures;
  device::Evidence time;
  for (const std::int64_t height : kHeights) {
    const Record record =
        smooth_large(photo, compile_variant(lab, "smooth", window_defines(kFar, height)), height);
    if (!record->estimate) return;
    const device::Estimate& estimate = *record->estimate;
    const double pixels =
        static_cast<double>(estimate.blocks_run) * static_cast<double>(kWideBlock * height);
    const auto stores = static_cast<std::uint64_t>(pixels) * sizeof(float);
    const double loaded =
        static_cast<double>(record->total.global_bytes_asked - stores) / sizeof(float) / pixels;
    time = estimate.time;
    const lab::Message name{"tiles.sizes.height", {{"height", text_of(height)}}};
    heights.push_back({{name, loaded, lab::number(loaded, 3)},
                       count_bar(name, record->static_shared),
                       count_bar(name, estimate.resident_blocks),
                       {name, estimate.seconds, lab::duration(estimate.seconds)}});
    figures.emplace_back("blocks_" + text_of(height), std::to_string(estimate.resident_blocks));
  }
  show_side_by_side(lab, "tiles.", "sizes", time, {"loads", "shared", "blocks", "time"}, heights,
                    std::move(figures));
}

// Steps along the rows.

Defines row_defines(std::int64_t steps) {
  return {{"BLOCK", text_of(kRowBlock)}, {"STEPS", text_of(steps)}};
}
device::Dim3 row_grid(std::int64_t rows, std::int64_t columns, std::int64_t outputs) {
  return {blocks_for(columns, outputs), small(rows), 1};
}
constexpr device::Dim3 kRowThreads{kRowBlock, 1, 1};

/// `steps` launches of one step each, and one launch of `steps` steps. Their times add up.
void show_steps(lab::Lab& lab, const LargePhoto& photo, std::int64_t steps) {
  const Record one = photo.run(compile_variant(lab, "soften", {}),
                               row_grid(kLarge, kLarge, kRowBlock), kRowThreads, {kLarge}),
               all = photo.run(compile_variant(lab, "repeat", row_defines(steps)),
                               row_grid(kLarge, kLarge, kRowBlock - 2 * steps), kRowThreads,
                               {kLarge});
  if (!one->estimate || !all->estimate) return;
  const auto bars = [](const char* way, std::int64_t launches, const device::Estimate& estimate) {
    const lab::Message name{std::string("tiles.steps.") + way};
    const auto times = static_cast<double>(launches);
    return std::vector{
        count_bar(name, static_cast<std::uint64_t>(launches)),
        bytes_bar(name, static_cast<std::uint64_t>(times * estimate.dram_bytes)),
        estimate_bar(name, times * estimate.seconds, times * estimate.low, times * estimate.high)};
  };
  lab.show(
      {"steps",
       {"tiles.steps.title", {{"steps", text_of(steps)}}},
       one->estimate->time,
       side_by_side("tiles.steps.", {"launches", "dram", "time"},
                    {bars("launched", steps, *one->estimate), bars("in-a-tile", 1, *all->estimate)},
                    {{"dram_ratio", ratio(static_cast<double>(steps) * one->estimate->dram_bytes,
                                          all->estimate->dram_bytes)}})});
}

// Rows and columns exchanged.

constexpr const char* kTransposes = "kernels/transpose/";

struct Turn {
  std::string name, file;
  std::int64_t pad = 0, high = kHighBlock;  ///< pixels that a block has from top to bottom
};

/// Four ways to exchange rows and columns.
std::array<Turn, 4> turns() {
  return {Turn{"rows-read", "01_coalesced_reads.cu"},
          Turn{"rows-written", "02_coalesced_writes.cu"}, Turn{"tile", "04_padded.cu", 0, kTurned},
          Turn{"padded", "04_padded.cu", 1, kTurned}};
}

/// All of them on the large photo.
void show_turns(lab::Lab& lab, const LargePhoto& photo) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  device::Evidence time;
  for (const Turn& turn : turns()) {
    const Record record =
        photo.run(compile_file(lab, kTransposes + turn.file, {{"PAD", text_of(turn.pad)}}),
                  {blocks_for(kLarge, kTurned), blocks_for(kLarge, turn.high), 1}, kSmoothingBlock,
                  {kLarge, kLarge});
    if (!record->estimate) return;
    const device::Counters& total = record->total;
    const lab::Message name{"tiles.turns." + turn.name};
    const auto each = [&](std::uint64_t all, std::uint64_t requests) {
      if (requests == 0) return lab::BarsExhibit::Bar{name, 0, "–"};
      const double value = static_cast<double>(all) / static_cast<double>(requests);
      return lab::BarsExhibit::Bar{name, value, lab::number(value, 3)};
    };
    time = record->estimate->time;
    bars.push_back({each(total.global_sectors, total.global_requests),
                    each(total.shared_wavefronts, total.shared_requests),
                    bytes_bar(name, static_cast<std::uint64_t>(record->estimate->l2_bytes)),
                    {name, record->estimate->seconds, lab::duration(record->estimate->seconds)}});
  }
  show_side_by_side(lab, "tiles.", "turns", time, {"sectors", "passes", "l2", "time"}, bars);
}

/// The time of the reader's own kernel on the large photo.
void show_turned_time(lab::Lab& lab, const LargePhoto& photo, const Module& module) {
  const Record record =
      photo.run(module, {blocks_for(kLarge, kTurned), blocks_for(kLarge, kTurned), 1},
                kSmoothingBlock, {kLarge, kLarge});
  lab.show({"turned-time", {"tiles.turned.time"}, std::nullopt, times_of(lab, *record)});
}

}  // namespace

LargePhoto::LargePhoto(lab::Lab& lab)
    : lab_(lab),
      d_x_(lab.allocate("x", device::ElementType::f32, kLarge * kLarge)),
      d_out_(lab.allocate("out", device::ElementType::f32, kLarge * kLarge)) {
  lab.fill(d_x_, std::byte{0});
}

Record LargePhoto::run(const Module& module, const device::Dim3& grid, const device::Dim3& block,
                       const std::vector<std::int64_t>& numbers, std::uint64_t blocks) const {
  device::Launch launch;
  launch.module = module;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = {pointer_argument(d_x_), pointer_argument(d_out_)};
  for (const std::int64_t number : numbers) launch.arguments.push_back(number_argument(number));
  launch.observe.trace_accesses = 0;
  launch.estimate.blocks = blocks;
  launch.budget.seconds = kPatience;
  return lab_.launch(std::move(launch));
}

void compile_soon(lab::Lab& lab) {
  const std::int64_t radius = lab.integer("radius"), height = lab.integer("height");
  lab.compile_soon(lab.request_of_slot("smooth", window_defines(radius, height)));
  const auto variant = [&](const std::string& name, Defines defines) {
    lab.compile_soon(request_of(lab, path_of_variant(name), std::move(defines)));
  };
  for (const char* name : {"smooth_global", "smooth"})
    variant(name, window_defines(radius, height));
  for (const std::int64_t far : {kFar, kNear}) {
    for (const char* name : {"smooth_global", "smooth"})
      variant(name, window_defines(far, kHighBlock));
  }
  for (const std::int64_t high : kHeights) variant("smooth", window_defines(kFar, high));
  const std::int64_t steps = lab.integer("steps");
  lab.compile_soon(lab.request_of_slot("repeat", row_defines(steps)));
  variant("soften", {});
  variant("repeat", row_defines(steps));
  lab.compile_soon(lab.request_of_slot("transpose", {{"PAD", text_of(lab.integer("pad"))}}));
  for (const Turn& turn : turns())
    lab.compile_soon(request_of(lab, kTransposes + turn.file, {{"PAD", text_of(turn.pad)}}));
}

lab::Message smoothing(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t radius = lab.integer("radius"), height = lab.integer("height");
  const Photo photo = night_photo(kRows, kColumns);
  const std::vector<float> truth = smoothed(photo, radius);
  const Ran ran = run_on_photo(lab, photo, lab.compile("smooth", window_defines(radius, height)),
                               tiles_of(kRows, kColumns, height), kSmoothingBlock,
                               {kRows, kColumns}, kPhotoTrace);
  lab::Message calls = host_calls(lab.device());
  lab.show({"photo", {"tiles.photo"}, std::nullopt, image_of("x", photo.pixels, kRows, kColumns)});
  lab.show({"smoothed", {"tiles.smoothed"}, counted, image_of(ran.out, truth, kRows, kColumns)});
  lab::WantedTile wanted;
  wanted.rows = small(height + 2 * radius);
  wanted.columns = small(kWideBlock + 2 * radius);
  wanted.block = kMiddleBlock;
  wanted.followed = small(lab.integer("thread"));
  lab.show({"tile", {"tiles.tile"}, counted, lab::tile_of(*ran.record, wanted)});
  lab.show({"geometry", {"tiles.geometry"}, counted, lab::geometry_of(*ran.record)});
  lab.show({"check",
            {"tiles.check.smoothed"},
            counted,
            check_of("tiles.check.", *ran.record, ran.out, truth)});
  if (!lab.leaves_out()) show_loads(lab, photo, counted);  // it compiles two more kernels
  return calls;
}

void smoothing_times(lab::Lab& lab) {
  const LargePhoto large(lab);
  const BothWays far = show_radius(lab, large, "far", kFar, {"l1", "dram", "time"});
  show_parts(lab, show_radius(lab, large, "near", kNear, {"l1", "l2", "dram", "time"}), far);
  show_sizes(lab, large);
}

void stepping(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t steps = lab.integer("steps");
  const Photo photo = night_photo(kRows, kColumns);
  const std::vector<float> truth = softened(photo, steps);
  const Ran ran = run_on_photo(lab, photo, lab.compile("repeat", row_defines(steps)),
                               row_grid(kRows, kColumns, kRowBlock - 2 * steps), kRowThreads,
                               {kColumns}, kPhotoTrace);
  lab.show(
      {"softened", {"tiles.steps.softened"}, counted, image_of(ran.out, truth, kRows, kColumns)});
  lab::WantedTile wanted;
  wanted.rows = 1;
  wanted.columns = small(kRowBlock);
  wanted.followed = small(kRowBlock / 2);
  lab.show({"steps-tile", {"tiles.steps.tile"}, counted, lab::tile_of(*ran.record, wanted)});
  lab.show({"steps-check",
            {"tiles.check.softened"},
            counted,
            check_of("tiles.check.", *ran.record, ran.out, truth)});
  if (!lab.leaves_out()) show_steps(lab, LargePhoto(lab), steps);
}

void turning(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t pad = lab.integer("pad");
  const Photo photo = night_photo(kRows, kColumns);
  const std::vector<float> truth = transposed(photo);
  const Module module = lab.compile("transpose", {{"PAD", text_of(pad)}});
  const Ran ran = run_on_photo(lab, photo, module,
                               {blocks_for(kColumns, kTurned), blocks_for(kRows, kTurned), 1},
                               kSmoothingBlock, {kRows, kColumns}, kPhotoTrace);
  lab.show({"turned", {"tiles.turned.title"}, counted, image_of(ran.out, truth, kColumns, kRows)});
  lab::WantedTile wanted;
  wanted.rows = small(kTurned);
  wanted.columns = small(kTurned + pad);
  lab.show({"turned-tile", {"tiles.turned.tile"}, counted, lab::tile_of(*ran.record, wanted)});
  lab.show({"turned-check",
            {"tiles.check.turned"},
            counted,
            check_of("tiles.check.", *ran.record, ran.out, truth)});
  if (lab.leaves_out()) return;
  const LargePhoto large(lab);
  show_turned_time(lab, large, module);
  show_turns(lab, large);
}

void matching(lab::Lab& lab, const device::Evidence& counted) {
  constexpr std::int64_t kBlock = 128, kShades = 256;
  const Photo photo = night_photo(kRows, kColumns);
  const auto n = static_cast<std::int64_t>(photo.pixels.size());
  std::vector<float> palette;
  for (std::int64_t shade = 0; shade < kShades; ++shade)
    palette.push_back(static_cast<float>(shade) / 2 + 32);
  const Module module = compile_variant(lab, "nearest", {{"BLOCK", text_of(kBlock)}});
  const device::Buffer d_x = lab.upload<float>("x", photo.pixels),
                       d_palette = lab.upload<float>("palette", palette),
                       d_out = lab.allocate("out", device::ElementType::f32, photo.pixels.size());
  device::Launch launch =
      launch_of(module, "", n, kBlock,
                {pointer_argument(d_x), pointer_argument(d_palette), pointer_argument(d_out),
                 number_argument(n), number_argument(kShades)});
  launch.observe.trace_accesses = 0;
  const Record record = lab.launch(std::move(launch));
  const std::vector<float> out = lab.download<float>(d_out), truth = nearest(photo, palette);
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += out[i] == truth[i] ? 1 : 0;
  // Each pixel is loaded once and stored once; all else are the palette's greys.
  const std::uint64_t of_pixels = 2 * photo.pixels.size() * sizeof(float),
                      greys = palette.size() * sizeof(float);
  lab.show({"palette",
            {"tiles.palette.title"},
            counted,
            lab::TextExhibit{
                {"tiles.palette.sentence",
                 {{"times", lab::grouped((record->total.global_bytes_asked - of_pixels) / greys)},
                  {"right", lab::grouped(right)},
                  {"pixels", lab::grouped(photo.pixels.size())}}}}});
}

}  // namespace warpbook::lessons::tiles
