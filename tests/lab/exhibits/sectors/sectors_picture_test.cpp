// The drawing of lanes and sectors: where bytes stand, who asked for them, and what is left out, whatever the access.
#include <algorithm>
#include <bit>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/sectors/sectors_picture.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::sectors_picture_test {
namespace {

using sample::english;
using sample::lanes;
using tests::count_of;

/// A request with what it touches, which the drawing points into.
struct Drawn {
  explicit Drawn(SectorsExhibit made, double width = 461)
      : exhibit(std::move(made)),
        touched(touched_by(exhibit, exhibit.requests[0])),
        picture(picture_of(exhibit, exhibit.requests[0], touched, width)) {}
  [[nodiscard]] Drawing drawing() const {
    return drawing_of(picture, exhibit.requests[0], touched, {},
                      svg_canvas(picture.width, english()));
  }
  [[nodiscard]] std::string used() const { return used_text(touched, sample::keys()); }
  [[nodiscard]] std::size_t jumps() const {
    return static_cast<std::size_t>(
        std::ranges::count(picture.columns, true, &SectorsPicture::Column::jump));
  }
  SectorsExhibit exhibit;
  RequestSectors touched;
  SectorsPicture picture;
};

}  // namespace

TEST_CASE(
    "Sectors' picture: every byte asked for has one cell, in its sector, with all its lanes") {
  const auto bytes = GENERATE(1u, 2u, 4u, 8u, 16u);
  const auto distance = GENERATE(0u, 1u, 2u, 8u, 33u);
  const auto first = GENERATE(0u, 1u, 7u);
  CAPTURE(bytes, distance, first);
  const Drawn drawn(lanes(
      bytes, 1 << 20, [=](unsigned i) { return std::uint64_t{bytes} * (first + i * distance); }));
  CHECK(drawn.picture.cell_bytes == bytes);
  std::set<std::pair<std::size_t, unsigned>> places;
  std::uint64_t asked = 0;
  for (const SectorsPicture::Cell& cell : drawn.picture.cells) {
    CHECK(places.emplace(cell.column, cell.first).second);
    CHECK(cell.first % bytes == 0);
    asked += static_cast<std::uint64_t>(std::popcount(cell.lanes)) * bytes;
    const auto* sector = drawn.picture.columns[cell.column].touched;
    REQUIRE(sector);
    CHECK((sector->lanes & cell.lanes) == cell.lanes);
    CHECK((sector->used >> cell.first & 1) != 0);
  }
  CHECK(asked == 32 * bytes);
  CHECK(drawn.picture.cells.size() * bytes == drawn.touched.used);
  CHECK(drawn.picture.wires.size() == 32);
}

TEST_CASE("Sectors' picture: what lies within 1 KiB stands on an axis of 32 sectors") {
  const Drawn near(lanes(4, 4096, [](unsigned i) { return 4ull * i; }));
  REQUIRE(near.picture.columns.size() == 32);
  CHECK(near.picture.columns[3].touched);
  CHECK_FALSE(near.picture.columns[4].touched);
  CHECK(near.jumps() == 0);
  CHECK(near.used() == "sectors.used-all(sectors=sectors.count(count=4))");
  const Drawn far(lanes(4, 4096, [](unsigned i) { return 32ull * i; }));
  REQUIRE(far.picture.columns.size() == 32);
  CHECK(far.picture.columns[3].x == near.picture.columns[3].x);  // the same axis
  CHECK(far.used() == "sectors.used-each(sectors=sectors.count(count=32), used=4)");
  const Drawn shifted(lanes(4, 4096, [](unsigned i) { return 4ull * i + 4; }));
  CHECK(shifted.used() == "sectors.used(sectors=sectors.count(count=5), used=128, moved=160)");
  CHECK(shifted.picture.marks.front().offset == 0);
}

TEST_CASE(
    "Sectors' picture: two runs beside each other stand on one axis, as long as one can have "
    "both") {
  const auto strided = [](unsigned stride) {
    return lanes(4, 1 << 20, [=](unsigned i) { return 4ull * stride * i; });
  };
  const auto beside = [](const SectorsExhibit& one, const SectorsExhibit& other) {
    const RequestSectors touched = touched_by(one, one.requests[0]);
    return picture_of(one, one.requests[0], touched, 461, &other);
  };
  const SectorsExhibit near = strided(1), far = strided(16);
  const SectorsPicture a = beside(near, far), b = beside(far, near);
  REQUIRE(a.columns.size() == 64);
  REQUIRE(b.columns.size() == 64);
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(a.columns[i].x == b.columns[i].x);
    CHECK(a.columns[i].number == b.columns[i].number);
  }
  CHECK(a.marks.size() == 4);
  CHECK(a.marks.back().offset == 48 * 32);
  CHECK(beside(near, strided(32)).columns.size() == 128);
  CHECK(beside(near, near).columns.size() == 32);
  SectorsExhibit other = far;  // the arrays of two kernels may have other names
  other.arrays[0].name = "out";
  CHECK(beside(near, other).columns.size() == 64);
  // Too far apart, in an array that begins elsewhere in a line, or by nobody there: each stands for itself.
  CHECK(beside(near, strided(64)).columns.size() == 32);
  CHECK(std::ranges::count(beside(strided(64), near).columns, true,
                           &SectorsPicture::Column::jump) == 31);
  other = far;
  other.arrays[0].start = 64;
  CHECK(beside(near, other).columns.size() == 32);
  other = far;
  other.requests[0].warp = 1;
  CHECK(beside(near, other).columns.size() == 32);
}

TEST_CASE("Sectors' picture: an axis begins where the line does, also before the array") {
  SectorsExhibit moved = lanes(4, 4096, [](unsigned i) { return 4ull * i; });
  moved.arrays[0].start = 112;
  const Drawn drawn(moved);
  CHECK(drawn.picture.marks.front().offset == -112);
  CHECK(drawn.picture.columns[3].touched == drawn.touched.sectors.data());
}

TEST_CASE("Sectors' picture: sectors far apart stand side by side with a jump between") {
  const Drawn apart(lanes(4, 1 << 20, [](unsigned i) { return 4096ull * i; }));
  CHECK(apart.picture.columns.size() == 32);
  CHECK(apart.jumps() == 31);
  CHECK(apart.picture.marks.size() == 32);
  const Drawn two(lanes(4, 1 << 20, [](unsigned i) { return (i < 16 ? 0ull : 65536) + 4 * i; }));
  CHECK(two.picture.columns.size() == 4);
  CHECK(two.jumps() == 1);
  CHECK(two.picture.marks.back().offset == 65536 + 64);
}

TEST_CASE(
    "Sectors' picture: of many lanes on one word all are told, of lanes that ask nothing none") {
  const Drawn broadcast(lanes(4, 4096, [](unsigned) { return 8ull; }));
  REQUIRE(broadcast.picture.cells.size() == 1);
  CHECK(broadcast.picture.cells[0].lanes == ~0u);
  CHECK(broadcast.picture.cells[0].first == 8);
  const Drawn seven(lanes(
      4, 4096, [](unsigned i) { return 4ull * i; }, 7));
  CHECK(seven.picture.wires.size() == 7);
  CHECK(seven.used() == "sectors.used-each(sectors=sectors.count(count=1), used=28)");
}

TEST_CASE("Sectors' picture: nothing leaves its width; misaligned, scattered and huge ones too") {
  const double width = GENERATE(320.0, 461.0, 900.0);
  const auto inside = [&](const Drawn& drawn) {
    for (const SectorsPicture::Column& column : drawn.picture.columns) {
      CHECK(column.x >= 0);
      CHECK(column.width > 0);
      CHECK(column.x + column.width <= width);
    }
    CHECK(drawn.picture.left <= drawn.picture.right);
  };
  inside(Drawn(lanes(16, 1 << 20, [](unsigned i) { return 16ull * i; }), width));
  SectorsExhibit odd =
      lanes(16, ~0ull, [](unsigned i) { return ~0ull - (std::uint64_t{i} << 58); });
  odd.arrays[0] = {"", 0, 127};
  const Drawn straddling(odd, width);
  CHECK(straddling.picture.cell_bytes == 1);
  CHECK(straddling.picture.columns.size() == 64);
  CHECK(straddling.picture.wires.size() == 64);
  inside(straddling);
  odd.places[0].bytes = 4'000'000'000u;
  const Drawn damaged(odd, width);
  CHECK(damaged.picture.left_out == damaged.touched.sectors.size() - 64);
  inside(damaged);
  SectorsExhibit none = lanes(4, 64, [](unsigned) { return 0ull; });
  none.requests[0].lanes.clear();
  CHECK(Drawn(none, width).picture.columns.empty());
}

TEST_CASE("Sectors' picture: columns, jumps, lanes that ask nothing and what is used are drawn") {
  const Drawing near = Drawn(lanes(4, 4096, [](unsigned i) { return 4ull * i; })).drawing();
  CHECK(count_of(near, "wire") == 32);
  CHECK(count_of(near, "cell") == 32);
  CHECK(count_of(near, "moved") == 4);
  CHECK(count_of(near, "empty") == 28);
  CHECK(count_of(near, "still") == 0);
  CHECK(count_of(near, "jump") == 0);
  CHECK(count_of(near, "separator") == 4 * 7);  // between the 8 words of each sector
  CHECK(count_of(near, "shared") == 0);
  CHECK(tests::count_of_text(
            near, english()("sectors.used-all",
                            {{"sectors", counted(english(), "sectors.count", 4)}})) == 1);
  const auto word = [](unsigned i) { return 4ull * i; };
  CHECK(count_of(Drawn(lanes(4, 4096, word, 7)).drawing(), "still") == 25);
  const Drawing apart = Drawn(lanes(4, 1 << 20, [](unsigned i) { return 4096ull * i; })).drawing();
  CHECK(count_of(apart, "jump") == 62);
  const Drawing broadcast = Drawn(lanes(4, 4096, [](unsigned) { return 8ull; })).drawing();
  CHECK(count_of(broadcast, "wire") == 32);
  CHECK(count_of(broadcast, "shared") == 1);
  CHECK(tests::count_outside(apart) == 0);
}

TEST_CASE("Sectors' picture: bytes that are pointed at light all lanes that asked for them") {
  const Drawn broadcast(lanes(4, 4096, [](unsigned) { return 8ull; }));
  SectorsChoice choice;
  choice.lane = 3;
  CHECK(lit_lanes(broadcast.picture, choice) == 1u << 3);
  choice.column = broadcast.picture.cells[0].column;
  choice.byte = 8;
  CHECK(lit_lanes(broadcast.picture, choice) == ~0u);
  choice.byte = 16;
  CHECK(lit_lanes(broadcast.picture, choice) == 0);
}

}  // namespace warpbook::lab::sectors_picture_test
