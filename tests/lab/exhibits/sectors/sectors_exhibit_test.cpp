// Lanes and sectors: what is counted of a request, held against plain counting; what the renderers say of empty, scattered,
// misaligned, wide, cut and huge accesses.
#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::sectors_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using sample::lanes;
using tests::holds;

std::string said(const SectorsExhibit& sectors) {
  return sentence(exhibit(sectors), sample::keys());
}
std::string shown(const SectorsExhibit& sectors) {
  return to_text(exhibit(sectors), english(), 100);
}
RequestSectors touched(const SectorsExhibit& sectors) {
  return touched_by(sectors, sectors.requests[0]);
}

}  // namespace

TEST_CASE(
    "Sectors: a request touches those sectors that its bytes lie in, whatever their width and "
    "distance") {
  const auto bytes = GENERATE(1u, 4u, 8u, 16u);
  const auto distance = GENERATE(0u, 1u, 2u, 8u, 9u, 33u);
  const auto first = GENERATE(0u, 1u, 7u);
  CAPTURE(bytes, distance, first);
  const auto at = [=](unsigned i) { return std::uint64_t{bytes} * (first + i * distance); };
  const RequestSectors got = touched(lanes(bytes, 1 << 20, at));
  std::set<std::uint64_t> sectors, used;
  for (unsigned i = 0; i < 32; ++i) {
    for (unsigned b = 0; b < bytes; ++b) {
      sectors.insert((at(i) + b) / 32);
      used.insert(at(i) + b);
    }
  }
  CHECK(got.sectors.size() == sectors.size());
  CHECK(got.used == used.size());
  CHECK(got.asked == 32 * bytes);
  CHECK(got.moved() == 32 * sectors.size());
}

TEST_CASE("Sectors: the sentence tells lanes, sectors and what of them is used") {
  CHECK(said(lanes(4, 4096, [](unsigned i) { return 32ull * i; })) ==
        "sectors.touch(count=32, sectors=sectors.count(count=32), used=12.5, line=5, "
        "access=sectors.load(name=in), warp=0, block=0); sectors.all(count=1, asked=128 B, "
        "sectors=sectors.count(count=0), moved=0 B)");
  CHECK(said(lanes(4, 4096, [](unsigned i) { return 4ull * i; })) ==
        "sectors.touch(count=32, sectors=sectors.count(count=4), used=100, line=5, "
        "access=sectors.load(name=in), warp=0, block=0); sectors.all(count=1, asked=128 B, "
        "sectors=sectors.count(count=0), moved=0 B)");
  CHECK(said(lanes(4, 4096, [](unsigned i) { return 4ull * i + 4; })) ==
        "sectors.touch(count=32, sectors=sectors.count(count=5), used=80, line=5, "
        "access=sectors.load(name=in), warp=0, block=0); sectors.all(count=1, asked=128 B, "
        "sectors=sectors.count(count=0), moved=0 B)");
  CHECK(said(lanes(
            4, 4096, [](unsigned) { return 8ull; }, 1)) ==
        "sectors.touch(count=1, sectors=sectors.count(count=1), used=12.5, line=5, "
        "access=sectors.load(name=in), warp=0, block=0); sectors.all(count=1, asked=4 B, "
        "sectors=sectors.count(count=0), moved=0 B)");
  CHECK(said(lanes(4, 4096, [](unsigned) { return 8ull; })) ==
        "sectors.touch(count=32, sectors=sectors.count(count=1), used=12.5, line=5, "
        "access=sectors.load(name=in), warp=0, block=0); sectors.all(count=1, asked=128 B, "
        "sectors=sectors.count(count=0), moved=0 B)");
}

TEST_CASE("Sectors: text draws what is used of each sector, a line of 128 bytes a row") {
  CHECK(holds(shown(lanes(4, 4096, [](unsigned i) { return 4ull * i; })),
              "  in + 0  ████████ ████████ ████████ ████████  lanes 0 – 31\n"));
  const std::string apart = shown(lanes(4, 4096, [](unsigned i) { return 32ull * i; }));
  CHECK(holds(apart, "    in + 0  █······· █······· █······· █·······  lanes 0 – 3\n"));
  CHECK(holds(apart, "  in + 896  █······· █······· █······· █·······  lanes 28 – 31\n"));
  CHECK(holds(shown(lanes(
                  2, 4096, [](unsigned i) { return 160ull * i; }, 2)),
              "  in + 128           ▒·······                    lanes 1\n"));
}

TEST_CASE("Sectors: an array that does not begin at a line's start is counted by its addresses") {
  SectorsExhibit moved = lanes(4, 4096, [](unsigned i) { return 4ull * i; });
  moved.arrays[0].start = 112;
  const RequestSectors got = touched(moved);
  CHECK(got.sectors.size() == 5);
  CHECK(lines_of(got).size() == 2);
  CHECK(offset_of(moved, got.sectors[0]) == -16);
  CHECK(holds(shown(moved), "in - 112  "));
}

TEST_CASE("Sectors: no access, no trace, unknown memory and huge offsets are said, never a crash") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  const auto drawn = [&](const SectorsExhibit& sectors) {
    CHECK_FALSE(to_text(exhibit(sectors), *strings, 24).empty());
    CHECK(to_json(exhibit(sectors), english())["kind"] == "sectors");
    CHECK(table_of(exhibit(sectors), *strings).head.size() == 9);
    return to_html(exhibit(sectors), *strings);
  };
  CHECK(said(SectorsExhibit{}) == "sectors.nothing");
  CHECK_FALSE(holds(drawn(SectorsExhibit{}), "<svg"));

  SectorsExhibit untraced = lanes(4, 4096, [](unsigned i) { return 4ull * i; });
  untraced.requests.clear();
  untraced.places[0].sectors = 4;
  CHECK(said(untraced) ==
        "sectors.untraced; sectors.all(count=1, asked=128 B, sectors=sectors.count(count=4), "
        "moved=128 B)");
  CHECK_FALSE(holds(drawn(untraced), "<svg"));

  SectorsExhibit huge =
      lanes(16, ~0ull, [](unsigned i) { return ~0ull - (std::uint64_t{i} << 58); });
  huge.arrays[0] = {"", 0, 127};
  huge.places[0].sectors = ~0ull / 32;
  CHECK(touched(huge).sectors.size() == 64);  // at odd addresses each lane straddles two
  CHECK(holds(drawn(huge), "</svg>"));
  CHECK(holds(said(huge), "sectors.nameless"));

  huge.places[0].bytes = 4'000'000'000u;  // a damaged one
  CHECK(touched(huge).sectors.size() <= 32 * 5);
  CHECK(holds(drawn(huge), "</svg>"));
}

TEST_CASE("Sectors: of many accesses and requests the first are shown, and the rest is counted") {
  SectorsExhibit many = lanes(16, 1 << 20, [](unsigned i) { return 4096ull * i + 24; });
  for (std::uint32_t line = 6; line < 60; ++line)
    many.places.push_back({line, 0, device::AccessKind::store, 4, 1, 32, 128});
  const std::string text = shown(many);
  CHECK(holds(text, english()("sectors.more-places", {{"count", 39}})));
  CHECK(text.size() < 20'000);
  CHECK(to_html(exhibit(many), english()).size() < 100'000);
}

TEST_CASE("Sectors: they are made from the trace and the counters, place by place") {
  device::LaunchRecord record;
  record.grid = {2, 1, 1};
  record.block = {64, 1, 1};
  record.allocations = {{"in", 4096, 1024, device::ElementType::f32},
                        {"out", 8192 + 64, 256, device::ElementType::f32}};
  const auto instruction = [&](const char* text, std::uint32_t line, std::uint64_t requests,
                               std::uint64_t sectors, std::uint64_t asked) {
    device::InstructionCounters made{text, 1, {"a.cu", line, 1}, {}, {}, {}};
    made.counters.global_requests = requests;
    made.counters.global_sectors = sectors;
    made.counters.global_bytes_asked = asked;
    record.instructions.push_back(made);
  };
  instruction("ld.global.f32 %f1, [%rd1];", 4, 4, 32, 512);
  instruction("ld.global.f32 %f2, [%rd2];", 4, 4, 16, 512);  // unrolled: the same place
  instruction("@%p1 st.global.f32 [%rd3], %f1;", 5, 4, 16, 512);
  instruction("add.f32 %f1, %f1, %f2;", 4, 0, 0, 0);
  const auto access = [&](std::uint64_t address, std::uint32_t index, std::uint32_t thread,
                          std::uint32_t request, device::Space space = device::Space::global) {
    record.trace.push_back(
        {address, index, 1, thread, request, 4, space, device::AccessKind::load});
  };
  access(4096, 0, 32, 1);
  access(4100, 0, 33, 1);
  access(64, 0, 32, 2, device::Space::shared);
  access(4096 + 512, 1, 32, 3);
  access(99, 1, 40, 4);  // nobody's
  access(4096, 0, 0, 5);

  const SectorsExhibit all = sectors_of(record);
  REQUIRE(all.places.size() == 2);
  CHECK(all.places[0].requests == 8);
  CHECK(all.places[0].sectors == 48);
  CHECK(all.places[0].bytes_asked == 1024);
  CHECK(all.places[1].kind == device::AccessKind::store);
  CHECK(all.places[1].bytes == 0);  // the trace does not show it
  CHECK(all.arrays[all.places[1].array].name.empty());
  REQUIRE(all.requests.size() == 4);
  CHECK(all.requests[0] == SectorsExhibit::Request{0, 1, 1, {{0, 0, 0}, {1, 0, 4}}});
  CHECK(all.requests[1].lanes == std::vector<SectorsExhibit::Lane>{{0, 0, 512}});
  CHECK(all.arrays[all.requests[2].lanes[0].array].name.empty());
  CHECK(all.requests[2].lanes[0].offset == 99);
  CHECK(all.requests[3].warp == 0);
  CHECK(sectors_of(record, {4, device::AccessKind::load, 1, 0}).chosen == 3);
  CHECK(sectors_of(record, {77, device::AccessKind::load, 0, 0}).chosen == 0);

  CHECK_FALSE(all.stopped);
  record.error = device::Error{device::ErrorCode::budget_time, {}, {}};
  CHECK(sectors_of(record).stopped);
  record.error = device::Error{device::ErrorCode::trap, {}, {}};
  CHECK_FALSE(sectors_of(record).stopped);

  record.trace_cut = true;  // the last request may lack lanes
  CHECK(sectors_of(record).requests.size() == 3);
  record.trace.clear();
  CHECK(sectors_of(record).requests.empty());
  CHECK(sectors_of(record).places.size() == 2);
  CHECK(sectors_of(device::LaunchRecord{}).places.empty());
}

TEST_CASE("Sectors: a launch of many warps keeps a bounded number of requests of every place") {
  device::LaunchRecord record;
  record.block = {32, 1, 1};
  record.allocations = {{"in", 4096, 1 << 20, device::ElementType::f32}};
  for (const std::uint32_t line : {3u, 4u})
    record.instructions.push_back({"ld.global.f32 %f1, [%rd1];", 1, {"a.cu", line, 1}, {}, {}, {}});
  for (std::uint32_t request = 1; request <= 2000; ++request) {
    record.trace.push_back({4096, request > 1500 ? 1u : 0u, request, 0, request, 4,
                            device::Space::global, device::AccessKind::load});
  }
  const SectorsExhibit made = sectors_of(record);
  CHECK(made.requests.size() == 256);
  CHECK(std::ranges::count(made.requests, 1u, &SectorsExhibit::Request::place) == 128);
}

TEST_CASE("Sectors: a damaged form is refused") {
  SectorsExhibit sectors = lanes(4, 4096, [](unsigned i) { return 4ull * i; });
  Report report;
  report.exhibits = {exhibit(sectors)};
  CHECK(report_from_binary(to_binary(report)));
  const auto refused = [&](const auto& damage) {
    SectorsExhibit damaged = sectors;
    damage(damaged);
    report.exhibits = {exhibit(damaged)};
    CHECK_FALSE(report_from_binary(to_binary(report)));
  };
  refused([](SectorsExhibit& s) { s.places[0].array = 1; });
  refused([](SectorsExhibit& s) { s.requests[0].place = 1; });
  refused([](SectorsExhibit& s) { s.requests[0].lanes[3].lane = 32; });
  refused([](SectorsExhibit& s) { s.requests[0].lanes[3].array = 9; });
  refused([](SectorsExhibit& s) { s.chosen = 1; });
}

}  // namespace warpbook::lab::sectors_exhibit_test
