// A tile from barrier to barrier: told from made-up traces, and what the renderers say of it.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::tile_exhibit_test {
namespace {

using device::AccessKind;
using device::Space;
using sample::english;
using sample::exhibit;
using tests::holds;

constexpr std::uint64_t kX = 4096;  ///< where x begins

/// A launch whose accesses a test writes down one by one.
class Made {
 public:
  Made() {
    record.counted = true;
    record.grid = {4, 1, 1};
    record.block = {64, 1, 1};
    record.allocations = {{"x", kX, 4096, device::ElementType::f32}};
    for (const char* text :
         {"ld.global.f32 %f1, [%rd1];", "st.shared.f32 [%r1], %f1;", "ld.shared.f32 %f2, [%r1];",
          "st.shared.f32 [%r1], %f3;", "ld.global.v2.f32 {%f4, %f5}, [%rd1];",
          "st.shared.v2.f32 [%r1], {%f4, %f5};", "add.f32 %f3, %f2, %f2;"}) {
      device::InstructionCounters made;
      made.text = text;
      record.instructions.push_back(made);
    }
  }
  /// Instruction `which` by one thread, after so many barriers; a request of its own unless it joins the last.
  Made& access(std::uint32_t which, std::uint64_t address, std::uint32_t thread,
               std::uint16_t barriers, bool joins = false) {
    const std::string& text = record.instructions[which].text;
    device::Access made;
    made.address = address;
    made.instruction = which;
    made.block = block;
    made.thread = thread;
    if (!joins) ++request_;
    made.request = request_;
    made.bytes = holds(text, ".v2.") ? 8 : 4;
    made.space = holds(text, "shared") ? Space::shared : Space::global;
    made.kind = text.starts_with("ld") ? AccessKind::load : AccessKind::store;
    made.barriers = barriers;
    record.trace.push_back(made);
    return *this;
  }
  [[nodiscard]] TileExhibit tile(std::uint32_t rows = 2, std::uint32_t columns = 4,
                                 std::uint64_t offset = 0) const {
    WantedTile wanted;
    wanted.rows = rows;
    wanted.columns = columns;
    wanted.offset = offset;
    wanted.block = block;
    return tile_of(record, wanted);
  }

  device::LaunchRecord record;
  std::uint32_t block = 1;

 private:
  std::uint32_t request_ = 0;
};

enum Instruction : std::uint32_t { load, store, read, store_computed, load_two, store_two };

std::string shown(const TileExhibit& tile) { return to_text(exhibit(tile), english(), 100); }

}  // namespace

TEST_CASE("Tile: a place was filled from the element that its thread had loaded before") {
  Made made;
  made.access(load, kX + 40, 3, 0).access(load, kX + 80, 4, 0);
  made.access(store, 8, 3, 0).access(store, 20, 4, 0);
  const TileExhibit tile = made.tile();
  REQUIRE(tile.steps.size() == 1);
  CHECK(tile.arrays == std::vector<std::string>{"x"});
  REQUIRE(tile.steps[0].cells.size() == 2);
  CHECK(tile.steps[0].cells[0] == TileExhibit::Cell{2, 1, 0, 3, TileExhibit::Source{0, 10}, {}});
  CHECK(tile.steps[0].cells[1] == TileExhibit::Cell{5, 1, 0, 4, TileExhibit::Source{0, 20}, {}});
  CHECK(tile.steps[0].global_loads == 2);
  CHECK(tile.steps[0].shared_requests == 2);
}

TEST_CASE(
    "Tile: what a thread computed has no source, nor a value whose register has two writers") {
  Made made;
  made.access(load, kX, 3, 0).access(store_computed, 0, 3, 0);
  CHECK_FALSE(made.tile().steps[0].cells[0].source);
  made.record.instructions.back().text = "add.f32 %f1, %f2, %f2;";
  made.access(store, 4, 3, 0);
  CHECK_FALSE(made.tile().steps[0].cells[1].source);
}

TEST_CASE("Tile: a wide access touches each of its places, each with its own element") {
  Made made;
  made.access(load_two, kX + 8, 0, 0).access(store_two, 4, 0, 0);
  const TileExhibit tile = made.tile();
  REQUIRE(tile.steps[0].cells.size() == 2);
  CHECK(tile.steps[0].cells[0].place == 1);
  CHECK(tile.steps[0].cells[0].source == TileExhibit::Source{0, 2});
  CHECK(tile.steps[0].cells[1].place == 2);
  CHECK(tile.steps[0].cells[1].source == TileExhibit::Source{0, 3});
}

TEST_CASE("Tile: barriers part the steps, and a thread that reads twice is one reader") {
  Made made;
  made.access(store_computed, 0, 5, 0);
  made.access(read, 0, 9, 1).access(read, 0, 2, 1).access(read, 0, 9, 1);
  made.access(store_computed, 0, 6, 3);
  const TileExhibit tile = made.tile();
  REQUIRE(tile.steps.size() == 4);
  CHECK(tile.steps[1].cells[0].reads == 3);
  CHECK(tile.steps[1].cells[0].readers == std::vector<std::uint32_t>{2, 9});
  CHECK(tile.steps[2].cells.empty());
  CHECK(tile.steps[3].cells[0].writer == 6);
}

TEST_CASE("Tile: passes are those of each request over the banks") {
  const auto [stride, passes] = GENERATE(
      table<std::uint64_t, std::uint64_t>({{1, 1}, {2, 2}, {32, 32}, {33, 1}, {34, 2}, {0, 1}}));
  CAPTURE(stride);
  Made made;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    made.access(read, 4 * stride * lane, lane, 1, lane != 0);
  const TileExhibit tile = made.tile(34, 34);
  CHECK(tile.steps[1].shared_requests == 1);
  CHECK(tile.steps[1].shared_passes == passes);
}

TEST_CASE("Tile: other blocks and what lies beside the array are left out") {
  Made made;
  made.access(store_computed, 12, 0, 0)
      .access(store_computed, 16, 1, 0)
      .access(store_computed, 48, 2, 0);
  made.block = 2;
  made.access(store_computed, 20, 3, 0);
  made.block = 1;
  const TileExhibit tile = made.tile(2, 4, 16);
  REQUIRE(tile.steps[0].cells.size() == 1);
  CHECK(tile.steps[0].cells[0].place == 0);
  CHECK(tile.steps[0].cells[0].writer == 1);
  CHECK(tile.steps[0].shared_requests == 1);
}

TEST_CASE(
    "Tile: a trace that ends in this block or before it is told, and so is a loop without end") {
  Made made;
  made.access(store_computed, 0, 0, 0);
  CHECK_FALSE(made.tile().cut);
  made.record.trace_cut = true;
  CHECK(made.tile().cut);
  made.block = 2;
  made.access(store_computed, 0, 0, 0);
  made.block = 1;
  CHECK_FALSE(made.tile().cut);
  made.record.trace_cut = false;
  made.access(store_computed, 0, 0, 2000);
  CHECK(made.tile().cut);
  CHECK(made.tile().steps.size() == 1);
}

TEST_CASE("Tile: a launch that a budget stopped is told, and one that failed otherwise is not") {
  Made made;
  made.access(store_computed, 0, 0, 0);
  made.record.error = device::Error{device::ErrorCode::budget_instructions, {}, {}};
  CHECK(made.tile().stopped);
  CHECK(made.tile().cut);
  made.record.error = device::Error{device::ErrorCode::trap, {}, {}};
  CHECK_FALSE(made.tile().stopped);
  CHECK_FALSE(made.tile().cut);
}

TEST_CASE("Tile: unused places and places that are read although empty are counted") {
  Made made;
  made.access(store_computed, 0, 0, 0).access(read, 4, 1, 1).access(read, 0, 1, 1);
  const TileExhibit tile = made.tile();
  const TileFigures figures = figures_of(tile);
  CHECK(figures.places == 8);
  CHECK(figures.written == 1);
  CHECK(figures.read == 2);
  CHECK(figures.untouched == 6);
  CHECK(figures.undefined == 1);
  const auto places = places_in(tile, 1);
  CHECK(places[0].filled);
  CHECK_FALSE(places[0].is_undefined());
  CHECK(places[1].is_undefined());
  CHECK(holds(shown(tile), "█!··"));
}

TEST_CASE("Tile: the sentence tells places, reads, steps and passes") {
  CHECK(sentence(exhibit(sample::tile()), sample::keys()) ==
        "tile.whole(block=2, written=64, places=tile.places(count=64), rows=4, columns=16, "
        "reads=127, steps=tile.steps(count=2)); tile.traffic(requests=tile.requests(count=6), "
        "passes=tile.passes(count=8))");
}

TEST_CASE("Tile: text draws a letter for each warp that wrote and a bar for each count of reads") {
  const std::string text = shown(sample::tile());
  CHECK(holds(text, "  AAAAAAAAAAAAAAAA\n"));
  CHECK(holds(text, "  BBBBBBBBBBBBBBBB\n"));
  CHECK(holds(text, "  ▄███████████████\n"));
}

TEST_CASE("Tile: a place is told with its writer, its element and its readers") {
  const TileExhibit tile = sample::tile();
  const Strings& keys = sample::keys();
  CHECK(cell_text(tile, 0, 17, keys) == "tile.cell-filled(place=[1][1], thread=17, source=x[145])");
  CHECK(cell_text(tile, 1, 17, keys) ==
        "tile.cell-read(place=[1][1], reads=tile.times(count=2), threads=16 – 17)");
  TileExhibit row = tile;
  row.rows = 1;
  CHECK(place_text(row, 17) == "[1]");
  row.steps[1].cells.clear();
  CHECK(cell_text(row, 1, 3, keys) == "tile.cell-kept(place=[3])");
  row.steps[0].cells.clear();
  CHECK(cell_text(row, 1, 3, keys) == "tile.cell-empty(place=[3])");
}

TEST_CASE("Tile: the table has a row for each touched place of each step") {
  const Table table = table_of(exhibit(sample::tile()), english());
  REQUIRE(table.rows.size() == 128);
  CHECK(table.rows[1] == std::vector<std::string>{"1", "[0][1]", "1", "1", "x[129]", "0", ""});
  CHECK(table.rows[65] == std::vector<std::string>{"2", "[0][1]", "0", "", "", "2", "0 – 1"});
}

TEST_CASE("Tile: nothing, many steps and a wide row are drawn in every language, never a crash") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  const auto drawn = [&](const TileExhibit& tile) {
    CHECK_FALSE(to_text(exhibit(tile), *strings, 24).empty());
    CHECK(to_json(exhibit(tile), english())["kind"] == "tile");
    return to_html(exhibit(tile), *strings);
  };
  CHECK_FALSE(holds(drawn(TileExhibit{}), "<svg"));
  CHECK(sentence(exhibit(TileExhibit{}), sample::keys()) == "tile.nothing");
  TileExhibit long_one = sample::tile();
  long_one.rows = 1;
  long_one.columns = 64;
  while (long_one.steps.size() < 40) long_one.steps.push_back(long_one.steps[1]);
  CHECK(holds(drawn(long_one), "</svg>"));
  CHECK(holds(shown(long_one), english()("tile.more-steps", {{"count", 37}})));
}

TEST_CASE("Tile: a damaged form is refused") {
  Report report;
  report.exhibits = {exhibit(sample::tile())};
  CHECK(report_from_binary(to_binary(report)));
  const auto refused = [&](const auto& damage) {
    TileExhibit damaged = sample::tile();
    damage(damaged);
    report.exhibits = {exhibit(damaged)};
    CHECK_FALSE(report_from_binary(to_binary(report)));
  };
  refused([](TileExhibit& t) { t.rows = 3; });
  refused([](TileExhibit& t) { t.rows = t.columns = 1u << 20; });
  refused([](TileExhibit& t) { std::swap(t.steps[0].cells[0], t.steps[0].cells[1]); });
  refused([](TileExhibit& t) { t.arrays.clear(); });
  refused([](TileExhibit& t) { t.steps[1].cells[0].readers.clear(); });
  refused([](TileExhibit& t) { t.steps[0].cells[0].writes = 0; });
}

}  // namespace warpbook::lab::tile_exhibit_test
