// The chapter Grids without a window: its picture against plain arithmetic, wrong kernels that look wrong, and a wait that
// never ends.
#include <algorithm>
#include <sstream>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/image/image_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::grids_test {
namespace {

using tests::chapter::answer;
using tests::chapter::Values;
using tests::chapter::values_of;
lab::Report run(const Values& values, const std::string& source = {},
                const std::string& slot = "darken", const std::string& gpu = "h200") {
  return tests::chapter::run("grids", values, {slot, source, gpu, {}, {}});
}

std::string kernel(const std::string& body) {
  return "__global__ void darken(const unsigned char* image, unsigned char* out, int width, int "
         "height, int depth) {\n"
         "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
         "  int z = blockIdx.z * blockDim.z + threadIdx.z;\n" +
         body + "}\n";
}

const lab::ImageExhibit& picture(const lab::Report& report) {
  return tests::chapter::exhibit<lab::ImageExhibit>(report, "picture");
}

}  // namespace

TEST_CASE("Grids: every pixel is written once, by the thread that two or three formulas name") {
  const auto [w, h, d, bx, by, bz] =
      GENERATE(table<int, int, int, int, int, int>({{12, 8, 1, 4, 4, 1},
                                                    {1, 1, 1, 1, 1, 1},
                                                    {13, 5, 1, 4, 4, 1},
                                                    {33, 17, 1, 32, 1, 1},
                                                    {17, 33, 1, 1, 32, 1},
                                                    {31, 7, 3, 8, 4, 2},
                                                    {5, 5, 4, 3, 2, 4},
                                                    {128, 96, 1, 16, 16, 1}}));
  CAPTURE(w, h, d, bx, by, bz);
  const lab::Report report = run({{"width", w},
                                  {"height", h},
                                  {"depth", d},
                                  {"block_x", bx},
                                  {"block_y", by},
                                  {"block_z", bz}},
                                 kernel("  if (x < width && y < height && z < depth) {\n"
                                        "    int i = (z * height + y) * width + x;\n"
                                        "    out[i] = image[i] / 2;\n  }\n"));
  CHECK(report.errors.empty());
  const lab::ImageExhibit& image = picture(report);
  CHECK(image.pixels.wrong.empty());
  REQUIRE(image.writer.size() == static_cast<std::size_t>(w * h * d));
  const int across = (w + bx - 1) / bx, down = (h + by - 1) / by;
  std::size_t i = 0;
  bool all = true;
  for (int z = 0; z < d; ++z) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x, ++i) {
        const int block = (z / bz * down + y / by) * across + x / bx;
        const int thread = (z % bz * by + y % by) * bx + x % bx;
        all = all && image.writer[i] == block * (bx * by * bz) + thread && image.writes[i] == 1;
        const int a = 2 * x - w + 1, b = 2 * y - h + 1;
        const int grey = ((a * a + b * b) * 3 + 40 * z) % 256 / 2;
        all = all && lab::element(image.pixels, i) == grey;
      }
    }
  }
  CHECK(all);
}

TEST_CASE(
    "Grids: a kernel that forgets its block's row leaves the other rows of blocks unwritten") {
  const lab::Report report = run(
      {},
      kernel(
          "  y = threadIdx.y;\n  if (x < width) out[y * width + x] = image[y * width + x] / 2;\n"));
  const lab::ImageExhibit& image = picture(report);
  CHECK(std::ranges::count(image.writes, 0u) == 48);
  CHECK(std::ranges::count(image.writes, 2u) == 48);
  CHECK(image.pixels.wrong.size() == 48);
}

TEST_CASE(
    "Grids: a kernel without its guards shows who wrote twice, and the strays at their line") {
  const lab::Report report = run({{"width", 10}, {"height", 6}},
                                 kernel("  out[y * width + x] = image[y * width + x] / 2;\n"));
  const lab::ImageExhibit& image = picture(report);
  CHECK(std::ranges::count(image.writes, 2u) == 10);  // columns 10 and 11 of rows 0 to 4
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  REQUIRE(check);
  CHECK(check->items[1].state == lab::CheckExhibit::State::failed);
  CHECK(check->items[1].line == 5);
}

TEST_CASE(
    "Grids: exchanged coordinates leave a third of the picture empty, and a square one whole") {
  const std::string swapped = tests::chapter::variant("grids", "swapped");
  const lab::Report report = run({}, swapped);
  CHECK(answer(report, "unwritten") == "32");
  CHECK(picture(report).writer[1] == 4);  // pixel (1, 0) by thread (0, 1) of block (0, 0)
  const lab::Report square = run({{"width", 8}, {"height", 8}}, swapped);
  CHECK(square.errors.empty());
  CHECK(answer(square, "unwritten") == "0");
  CHECK(picture(square).pixels.wrong.empty());
}

TEST_CASE("Grids: without a guard for x, a row's last threads write the next row's first pixels") {
  const lab::Report report =
      run({{"width", 10}, {"height", 6}}, tests::chapter::variant("grids", "half_guard"));
  CHECK(answer(report, "twice") == "10");
  const lab::ImageExhibit& image = picture(report);
  CHECK(image.pixels.wrong.empty());
  for (std::size_t i = 0; i < image.writes.size(); ++i)
    CHECK(image.writes[i] == (i % 10 < 2 && i >= 10 ? 2u : 1u));
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  REQUIRE(check);
  CHECK(check->items[0].state == lab::CheckExhibit::State::passed);
  CHECK(check->items[1].state == lab::CheckExhibit::State::failed);
}

TEST_CASE("Grids: a warp that is a row of 32 pixels moves one sector, a column 32 of them") {
  CHECK(answer(run({{"width", 32}, {"height", 32}, {"block_x", 32}, {"block_y", 1}}), "sectors") ==
        "64");
  CHECK(answer(run({{"width", 32}, {"height", 32}, {"block_x", 1}, {"block_y", 32}}), "sectors") ==
        "2,048");
  // The shape that the chapter recommends.
  CHECK(answer(run({{"width", 32}, {"height", 32}, {"block_x", 32}, {"block_y", 8}}), "sectors") ==
        "64");
}

TEST_CASE("Grids: blocks that wait for the last end where all have a place, and never where not") {
  CHECK(answer(run({{"waiting", 4223}}), "ending") == "ends");
  const lab::Report never = run({{"waiting", 4224}});
  CHECK(answer(never, "ending") == "never");
  CHECK(answer(never, "started") == "4,224");
  REQUIRE(never.errors.size() == 1);
  CHECK(never.errors[0].code == device::ErrorCode::deadlock);
  CHECK(never.errors[0].place.line == 9);
  CHECK(answer(run({{"waiting", 10000}}), "started") == "4,224");
  // The same program on a smaller GPU: 40 multiprocessors with room for 16 blocks each.
  CHECK(answer(run({{"waiting", 4000}}), "ending") == "ends");
  const lab::Report smaller = run({{"waiting", 4000}}, {}, "darken", "t4");
  CHECK(answer(smaller, "ending") == "never");
  CHECK(answer(smaller, "started") == "640");
}

TEST_CASE("Grids: whether the same wait ends may depend on the schedule") {
  for (const int schedule : {0, 1, 3}) {
    const lab::Report report = run({{"waiting", 10000}, {"schedule", schedule}});
    CAPTURE(schedule);
    const bool ends = answer(report, "ending") == "ends";
    CHECK(ends == report.errors.empty());
    CHECK(answer(report, "started") == (ends ? "10,001" : "4,224"));
    CHECK(ends == (schedule != 0));  // as the chapter says it of 0 and 1
  }
  // Where all have a place, no schedule matters.
  CHECK(answer(run({{"waiting", 4000}, {"schedule", 5}}), "started") == "4,001");
}

TEST_CASE("Grids: a wait that was stopped by something else has neither ended nor deadlocked") {
  const lab::Report report = run(
      {}, "__global__ void wait_for_last(int* flag, int* started) { __trap(); }", "wait_for_last");
  REQUIRE_FALSE(report.errors.empty());
  CHECK(answer(report, "ending").empty());
  CHECK(answer(report, "started") == "0");
}

TEST_CASE("Grids: three schedules run every block once, and not all in the same order") {
  const auto told = [](const lab::Report& report, const char* name) {
    return lessons::text_argument(report, "orders", name);
  };
  const lab::Report report = run({});
  CHECK(told(report, "first") == "0");
  CHECK(told(report, "first_order") == "0 1 2 3 4 5 6 7 8 9 10 11");
  for (const char* name : {"second_order", "third_order"}) {
    std::istringstream order(told(report, name));
    std::vector<int> blocks;
    for (int block; order >> block;) blocks.push_back(block);
    CHECK_FALSE(std::ranges::is_sorted(blocks));
    std::ranges::sort(blocks);
    REQUIRE(blocks.size() == 12);
    for (int block = 0; block < 12; ++block)
      CHECK(blocks[static_cast<std::size_t>(block)] == block);
  }
  const lab::Report last = run({{"schedule", 63}});
  CHECK(told(last, "second") == "0");
  CHECK(told(last, "second_order") == told(report, "first_order"));
  // Numbers that are no order.
  const std::string same =
      "__global__ void take_number(int* next, int* number) { number[blockIdx.x] = 0; }";
  CHECK(told(run({}, same, "take_number"), "first_order") == "?");
}

TEST_CASE("Grids: every preset and every colouring runs without an error") {
  const lab::Lesson& lesson = *lessons::find("grids");
  for (const lab::Preset& preset : lesson.presets) {
    const lab::Report report = run(values_of(preset));
    CAPTURE(preset.name);
    CHECK(report.errors.empty());
    CHECK(picture(report).pixels.wrong.empty());
  }
}

TEST_CASE("Grids: a block of 2,048 threads is refused as CUDA refuses it") {
  const lab::Report report = run({{"block_x", 64}, {"block_y", 32}});
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors[0].code == device::ErrorCode::invalid_configuration);
}

}  // namespace warpbook::grids_test
