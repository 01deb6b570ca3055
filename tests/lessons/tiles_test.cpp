// Tiles: what its runs count is what plain counting finds, and what its page works out by hand.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/wire/held_bytes.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::tiles_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

lab::Report run(const Values& values, const std::string& slot = {},
                const std::string& source = {}) {
  return tests::chapter::run("tiles", values, {slot, source});
}
lab::Report run_variant(const Values& values, const std::string& slot, const std::string& name) {
  return run(values, slot, tests::chapter::variant("tiles", name));
}

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  for (const char* id : {"check", "steps-check", "turned-check"}) {
    const auto* check = report.find_as<lab::CheckExhibit>(id);
    REQUIRE(check);
    CAPTURE(id);
    CHECK(check->passed());
  }
}

const lab::TileExhibit& tile_of(const lab::Report& report, std::string_view id) {
  const auto& tile = exhibit<lab::TileExhibit>(report, id);
  REQUIRE_FALSE(tile.steps.empty());
  return tile;
}

/// "143 MB" and the like: a cell of a table as a number of its own unit.
double amount(const std::string& text) {
  REQUIRE_FALSE(text.empty());
  return std::stod(text);
}
/// A time as a figure says it, in seconds.
double seconds(const std::string& text) {
  const double value = amount(text);
  return value * (text.find("ns") != std::string::npos   ? 1e-9
                  : text.find("µs") != std::string::npos ? 1e-6
                                                         : 1e-3);
}

}  // namespace

TEST_CASE("Tiles: each place of the tile is filled once, from the pixel that it stands for") {
  const auto [radius, height] = GENERATE(table<Int, Int>({{4, 8}, {1, 8}, {2, 16}, {3, 11}}));
  CAPTURE(radius, height);
  const lab::Report report = run({{"radius", radius}, {"height", height}});
  check_clean(report);
  const lab::TileExhibit& tile = tile_of(report, "tile");
  REQUIRE(tile.steps.size() == 2);
  const Int wide = 32 + 2 * radius, high = height + 2 * radius;
  REQUIRE(tile.steps[0].cells.size() == static_cast<std::size_t>(wide * high));
  const Int block_row = static_cast<Int>(tile.block) / 3, block_column = tile.block % 3;
  bool right = true;
  for (const auto& cell : tile.steps[0].cells) {
    const Int row = std::clamp<Int>(block_row * height - radius + cell.place / wide, 0, 63),
              column = std::clamp<Int>(block_column * 32 - radius + cell.place % wide, 0, 95);
    right = right && cell.writes == 1 && cell.reads == 0 && cell.source &&
            cell.source->element == row * 96 + column;
  }
  CHECK(right);
  CHECK(answer(report, "pixels-loaded") == lab::grouped(static_cast<std::uint64_t>(wide * high)));
}

TEST_CASE("Tiles: each place is read by the threads whose windows cover it") {
  const Int radius = GENERATE(Int{1}, Int{4});
  const lab::Report report = run({{"radius", radius}});
  const lab::TileExhibit& tile = tile_of(report, "tile");
  const Int wide = 32 + 2 * radius;
  bool right = true;
  for (const auto& cell : tile.steps[1].cells) {
    std::set<std::uint32_t> readers;
    for (std::uint32_t thread = 0; thread < 256; ++thread) {
      const Int down = cell.place / wide - thread / 32, across = cell.place % wide - thread % 32;
      if (down >= 0 && down <= 2 * radius && across >= 0 && across <= 2 * radius)
        readers.insert(thread);
    }
    right = right && std::ranges::equal(readers, cell.readers) && cell.reads == readers.size();
  }
  CHECK(right);
}

TEST_CASE("Tiles: requests, pixels and barriers of a block are those that the page works out") {
  const lab::Report report = run({});
  check_clean(report);
  CHECK(answer(report, "pixels-loaded") == "640");
  CHECK(figure(report, "tile-shared") == "2,560");
  CHECK(answer(report, "tile-loads") == "32");
  CHECK(figure(report, "none-loads") == "648");
  CHECK(figure(report, "tile-shared-requests") == "680");  // 32 fill the tile, 648 read windows
  CHECK(figure(report, "none-shared-requests") == "0");
  CHECK(figure(report, "tile-barriers") == "8");
}

TEST_CASE("Tiles: at 16 million pixels L2 and DRAM move the same with and without a tile") {
  const lab::Report report = run({});
  for (const std::string radius : {"far", "near"}) {
    CAPTURE(radius);
    CHECK(figure(report, radius + "-dram-ratio") == "1");
    CHECK(figure(report, radius + "-l2-ratio") == "1");
    CHECK(amount(figure(report, radius + "-l1-ratio")) > 2);
  }
  CHECK(answer(report, "near-dram-ratio") == "1");
}

TEST_CASE("Tiles: by the estimate the tile wins with windows of 9 x 9 and loses with 3 x 3") {
  const lab::Report report = run({});
  CHECK(seconds(figure(report, "far-tile-time")) < seconds(figure(report, "far-none-time")));
  CHECK(seconds(figure(report, "near-tile-time")) > seconds(figure(report, "near-none-time")));
  // The page says of both pairs of ranges that they overlap.
  CHECK(seconds(figure(report, "far-tile-high")) > seconds(figure(report, "far-none-low")));
  CHECK(seconds(figure(report, "near-none-high")) > seconds(figure(report, "near-tile-low")));
}

TEST_CASE("Tiles: a tile of 256 rows leaves room for five blocks") {
  CHECK(answer(run({}), "blocks-256") == "5");
}

TEST_CASE(
    "Tiles: any number of steps in a tile is right, with a barrier before and after each read") {
  const Int steps = GENERATE(Int{1}, Int{2}, Int{4}, Int{8});
  CAPTURE(steps);
  const lab::Report report = run({{"steps", steps}});
  check_clean(report);
  CHECK(tile_of(report, "steps-tile").steps.size() == static_cast<std::size_t>(2 * steps + 2));
  CHECK(amount(figure(report, "steps-dram-ratio")) ==
        Catch::Approx(static_cast<double>(steps)).epsilon(0.05));
}

TEST_CASE("Tiles: the misconceptions' questions have the curriculum's answers") {
  CHECK(answer(run_variant({{"steps", Int{2}}}, "repeat", "across"), "right-in-a-row") == "94");
  CHECK(answer(run_variant({{"steps", Int{1}}}, "repeat", "written_early"), "wrong-in-a-block") ==
        "1");
  const lab::Report early = run_variant({{"steps", Int{2}}}, "repeat", "read_early");
  CHECK_FALSE(early.find_as<lab::CheckExhibit>("steps-check")->passed());
  CHECK(answer(early, "wrong-in-a-block") == "1");
  CHECK(answer(run({}), "palette-loads") == "48");
}

TEST_CASE("Tiles: a column of the tile takes as many passes as its rows share banks") {
  const auto [pad, passes] = GENERATE(table<Int, std::string>({{0, "32"}, {1, "1"}, {2, "2"}}));
  CAPTURE(pad);
  const lab::Report report = run({{"pad", pad}});
  check_clean(report);
  CHECK(answer(report, "passes") == passes);
  const lab::TileExhibit& tile = tile_of(report, "turned-tile");
  CHECK(lab::figures_of(tile).untouched == static_cast<std::uint64_t>(32 * pad));
  CHECK(tile.steps[0].shared_passes == tile.steps[0].shared_requests);
}

TEST_CASE("Tiles: every preset runs clean") {
  for (const lab::Preset& preset : lessons::find("tiles")->presets) {
    CAPTURE(preset.name);
    check_clean(run(values_of(preset)));
  }
}

TEST_CASE("Tiles: a change of a parameter runs those parts alone that read it") {
  run({});
  const std::uint64_t before = lab::part_bytes_of_before();
  run({});
  CHECK(lab::part_bytes_of_before() == before);
  // Of a number of steps that no other test asks for, the one part is kept that takes steps.
  const lab::Report seven = run({{"steps", Int{7}}});
  std::vector<lab::Exhibit> stepping;
  for (const char* id : {"repeat", "softened", "steps-tile", "steps-check", "steps"}) {
    REQUIRE(seven.find(id));
    stepping.push_back(*seven.find(id));
  }
  const std::uint64_t kept = lab::part_bytes_of_before() - before;
  CHECK(kept > 0);
  CHECK(kept < 2 * device::held_bytes(stepping));
}

TEST_CASE("Tiles: without a tile there is none to show, and the pixels are right") {
  const lab::Report report = run_variant({}, "smooth", "smooth_global");
  check_clean(report);
  const auto& tile = exhibit<lab::TileExhibit>(report, "tile");
  CHECK(std::ranges::all_of(tile.steps, [](const auto& step) { return step.cells.empty(); }));
}

TEST_CASE("Tiles: a tile that is read before it is full shows which places were empty") {
  std::string source = tests::chapter::variant("tiles", "smooth");
  const std::size_t at = source.find("__syncthreads();");
  REQUIRE(at != std::string::npos);
  const lab::Report report = run({}, "smooth", source.erase(at, 16));
  CHECK_FALSE(report.find_as<lab::CheckExhibit>("check")->passed());
  CHECK(tile_of(report, "tile").steps.size() == 1);
}

}  // namespace warpbook::tiles_test
