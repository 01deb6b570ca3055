// Grids: two and three dimensions are arithmetic, and blocks run in any order.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/image/image_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

constexpr std::int64_t kNumbered = 12;  ///< blocks that take a number
constexpr std::int64_t kSchedules = 64;

/// Rings round the middle, a little brighter from slice to slice.
std::vector<std::uint8_t> rings(std::int64_t width, std::int64_t height, std::int64_t depth) {
  std::vector<std::uint8_t> image;
  for (std::int64_t z = 0; z < depth; ++z) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t across = 2 * x - width + 1, down = 2 * y - height + 1;
        image.push_back(
            static_cast<std::uint8_t>(((across * across + down * down) * 3 + 40 * z) % 256));
      }
    }
  }
  return image;
}

lab::ImageExhibit::By colouring(lab::Lab& lab) {
  const std::string& by = lab.choice("colour");
  if (by == "warp") return lab::ImageExhibit::By::warp;
  return by == "thread" ? lab::ImageExhibit::By::thread : lab::ImageExhibit::By::block;
}

/// The picture: one thread a pixel. Gives back what the host asked for until then.
lab::Message darken(lab::Lab& lab, const device::Evidence& counted) {
  const std::int64_t width = lab.integer("width"), height = lab.integer("height"),
                     depth = lab.integer("depth");
  const device::Dim3 block{static_cast<std::uint32_t>(lab.integer("block_x")),
                           static_cast<std::uint32_t>(lab.integer("block_y")),
                           static_cast<std::uint32_t>(lab.integer("block_z"))};
  const std::vector<std::uint8_t> image = rings(width, height, depth);
  std::vector<std::uint8_t> truth(image.size());
  std::ranges::transform(image, truth.begin(),
                         [](std::uint8_t value) { return std::uint8_t(value / 2); });

  const auto module = lab.compile("darken");
  const device::Buffer d_image = lab.upload<std::uint8_t>("image", image);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::u8, image.size());
  device::Launch launch;
  launch.module = module;
  launch.grid = {blocks_for(width, block.x), blocks_for(height, block.y),
                 blocks_for(depth, block.z)};
  launch.block = block;
  launch.arguments = {pointer_argument(d_image), pointer_argument(d_out), number_argument(width),
                      number_argument(height), number_argument(depth)};
  launch.observe.write_maps = {"out"};
  const auto record = lab.launch(std::move(launch));
  const std::vector<std::uint8_t> out = lab.download<std::uint8_t>(d_out);
  lab::Message calls = host_calls(lab.device());

  std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(height),
                                   static_cast<std::uint64_t>(width)};
  if (depth > 1) shape.insert(shape.begin(), static_cast<std::uint64_t>(depth));
  lab::TensorExhibit pixels = lab.tensor(d_out, shape);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != truth[i]) pixels.wrong.push_back(i);
  }
  lab.show({"picture",
            {"grids.picture"},
            counted,
            lab::image_of(*record, std::move(pixels), colouring(lab))});
  lab.show({"geometry", {"grids.geometry"}, counted, lab::geometry_of(*record)});
  lab.show(
      {"check", {"grids.check.title"}, counted, check_of("grids.check.", *record, out, truth)});
  lab.show({"cost",
            {"grids.cost.title"},
            counted,
            lab::BarsExhibit{{"grids.cost.sentence",
                              {{"warps", lab::grouped(warps_of(*record))},
                               {"warp_instructions", lab::grouped(record->total.warp_instructions)},
                               {"sectors", lab::grouped(record->total.global_sectors)},
                               {"asked", lab::byte_count(record->total.global_bytes_asked)},
                               {"moved", lab::byte_count(32 * record->total.global_sectors)}}},
                             {lanes_of(*record), traffic_of(*record)}}});
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *record)});
  return calls;
}

/// The blocks by the numbers they took: "3 0 7 ..."; "?" where these are not 0, 1, 2 and so on, as an edited kernel may leave them.
std::string order_of(std::span<const int> numbers) {
  std::vector<std::string> by_number(numbers.size());
  for (std::size_t block = 0; block < numbers.size(); ++block) {
    const auto at = static_cast<std::size_t>(numbers[block]);
    if (at >= by_number.size() || !by_number[at].empty()) return "?";
    by_number[at] = std::to_string(block);
  }
  return fmt::format("{}", fmt::join(by_number, " "));
}

/// Blocks that take a number when they run, under the schedule that the reader chose and the two after it.
void take_numbers(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile("take_number");
  lab::MessageArguments orders{{"blocks", lab::grouped(static_cast<std::uint64_t>(kNumbered))}};
  std::int64_t schedule = lab.integer("schedule");
  for (const char* which : {"first", "second", "third"}) {
    const std::vector<int> zero{0};
    const device::Buffer d_next = lab.upload<int>("next", zero);
    const device::Buffer d_number =
        lab.allocate("number", device::ElementType::i32, static_cast<std::uint64_t>(kNumbered));
    device::Launch launch;
    launch.module = module;
    launch.grid = {static_cast<std::uint32_t>(kNumbered), 1, 1};
    launch.block = {1, 1, 1};
    launch.arguments = {pointer_argument(d_next), pointer_argument(d_number)};
    launch.seed = static_cast<std::uint64_t>(schedule);
    lab.launch(std::move(launch));
    orders.emplace_back(which, std::to_string(schedule));
    orders.emplace_back(std::string(which) + "_order", order_of(lab.download<int>(d_number)));
    schedule = (schedule + 1) % kSchedules;
  }
  lab.show({"orders",
            {"grids.orders.title"},
            counted,
            lab::TextExhibit{{"grids.orders.text", std::move(orders)}}});
}

/// Blocks that wait for the last one, under the same schedule. The kernel itself counts `started`, so the count is right also
/// where the launch never ended.
void wait_for_last(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile("wait_for_last");
  const std::int64_t waiting = lab.integer("waiting");
  const std::vector<int> zero{0};
  const device::Buffer d_flag = lab.upload<int>("flag", zero);
  const device::Buffer d_started = lab.upload<int>("started", zero);
  device::Launch launch;
  launch.module = module;
  launch.grid = {static_cast<std::uint32_t>(waiting + 1), 1, 1};
  launch.block = {1, 1, 1};
  launch.arguments = {pointer_argument(d_flag), pointer_argument(d_started)};
  launch.seed = static_cast<std::uint64_t>(lab.integer("schedule"));
  launch.budget.seconds = kPatience;
  const auto record = lab.launch(std::move(launch));
  const int started = lab.download<int>(d_started).front();
  std::string ending = "grids.ending.ends";
  if (record->error) {
    ending = record->error->code == device::ErrorCode::deadlock ? "grids.ending.never"
                                                                : "grids.ending.stopped";
  }
  lab.show({"ending",
            {"grids.ending.title"},
            counted,
            lab::TextExhibit{{std::move(ending),
                              {{"blocks", lab::grouped(static_cast<std::uint64_t>(waiting) + 1)},
                               {"started", lab::grouped(static_cast<std::uint64_t>(started))},
                               {"last", std::to_string(waiting)}}}}});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void grids_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  lab::Message calls = darken(lab, counted);
  take_numbers(lab, counted);
  wait_for_last(lab, counted);
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::ImageExhibit* picture(const lab::Report& report) {
  return report.find_as<lab::ImageExhibit>("picture");
}

std::string grids_unwritten(const lab::Report& report) {
  const auto* image = picture(report);
  return image ? lab::grouped(static_cast<std::uint64_t>(std::ranges::count(image->writes, 0u)))
               : "";
}

/// How many pixels two threads or more wrote.
std::string written_twice(const lab::Report& report) {
  const auto* image = picture(report);
  return image ? lab::grouped(static_cast<std::uint64_t>(
                     std::ranges::count_if(image->writes, [](auto writes) { return writes > 1; })))
               : "";
}

/// The element that thread (1, 2) of block (2, 1) wrote; of several the first.
std::string element_of_thread(const lab::Report& report) {
  const auto* image = picture(report);
  if (!image) return {};
  const std::int64_t block = image->grid.x + 2, thread = 2 * std::int64_t{image->block.x} + 1;
  const auto threads_a_block = static_cast<std::int64_t>(image->block.count());
  const auto found = std::ranges::find(image->writer, block * threads_a_block + thread);
  return found == image->writer.end() ? "none" : std::to_string(found - image->writer.begin());
}

/// "4 x 4": the box round the pixels of the first block, or of its first warp; "scattered" where they do not fill it.
std::string tile(const lab::Report& report, bool of_warp) {
  const auto* image = picture(report);
  if (!image) return {};
  std::uint64_t left = ~0ull, top = ~0ull, right = 0, bottom = 0, pixels = 0;
  for (std::uint64_t i = 0; i < image->writes.size(); ++i) {
    const auto writer = lab::pixel_at(*image, i).writer;
    if (!writer || writer->block != 0 || (of_warp && writer->thread >= device::kLanes)) continue;
    const lab::ImagePlace at = lab::place_of(*image, i);
    left = std::min(left, at.x);
    top = std::min(top, at.y);
    right = std::max(right, at.x);
    bottom = std::max(bottom, at.y);
    ++pixels;
  }
  if (pixels == 0) return "none";
  const std::uint64_t width = right - left + 1, height = bottom - top + 1;
  return pixels == width * height ? std::to_string(width) + " × " + std::to_string(height)
                                  : "scattered";
}

const lab::TextExhibit* ending_of(const lab::Report& report) {
  return report.find_as<lab::TextExhibit>("ending");
}
std::string ending(const lab::Report& report) {
  const auto* text = ending_of(report);
  if (!text) return {};
  if (text->text.key == "grids.ending.stopped") return {};
  return text->text.key == "grids.ending.never" ? "never" : "ends";
}
std::string started(const lab::Report& report) {
  return text_argument(report, "ending", "started");
}

}  // namespace

lab::Lesson grids() {
  lab::Lesson lesson;
  lesson.slug = "grids";
  const std::string words = "grids.parameter.", presets = "grids.preset.";
  // Blocks may be made larger than CUDA allows on purpose: the chapter has a launch that is refused.
  lesson.parameters = {whole_number(words, "width", "grids.unit.pixels", 12, 1, 128),
                       whole_number(words, "height", "grids.unit.pixels", 8, 1, 96),
                       whole_number(words, "depth", "grids.unit.slices", 1, 1, 8),
                       whole_number(words, "block_x", "grids.unit.threads", 4, 1, 1024),
                       whole_number(words, "block_y", "grids.unit.threads", 4, 1, 1024),
                       whole_number(words, "block_z", "grids.unit.threads", 1, 1, 64),
                       choice(words, "colour", {"block", "warp", "thread"}),
                       whole_number(words, "schedule", "", 0, 0, kSchedules - 1),
                       whole_number(words, "waiting", "grids.unit.blocks", 3, 1, 20000)};
  using Int = std::int64_t;
  lesson.presets = {
      preset(presets, "tiles", {}),
      preset(presets, "rows",
             {{"width", Int{32}}, {"height", Int{8}}, {"block_x", Int{32}}, {"block_y", Int{1}}}),
      preset(presets, "warps",
             {{"width", Int{16}},
              {"height", Int{16}},
              {"block_x", Int{8}},
              {"block_y", Int{8}},
              {"colour", std::string("warp")}})};
  lesson.slots = {{"darken", "lessons/grids/variants/darken.cu"},
                  {"take_number", "lessons/grids/variants/take_number.cu"},
                  {"wait_for_last", "lessons/grids/variants/wait_for_last.cu"}};
  lesson.experiment = grids_experiment;
  lesson.figures = {{"blocks", blocks_started},
                    {"threads", threads_started},
                    {"idle", idle_threads},
                    {"unwritten", grids_unwritten},
                    {"started", started}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"blocks", blocks_started},
      {"idle", idle_threads},
      {"element", element_of_thread},
      {"twice", written_twice},
      {"unwritten", grids_unwritten},
      {"sectors", [](const lab::Report& r) { return text_argument(r, "cost", "sectors"); }},
      {"tile", [](const lab::Report& r) { return tile(r, false); }},
      {"warp-tile", [](const lab::Report& r) { return tile(r, true); }},
      {"ending", ending},
      {"started", started}};
  lesson.exercises = {"invert", "crop", "reverse"};
  return lesson;
}

}  // namespace warpbook::lessons
