// The chapter Coalescing without a window: its maps against plain counting, its presets exactly, wrong kernels that look
// wrong, and the two ways to share out a sum, at L1 and below.
#include <algorithm>
#include <set>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/document.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::coalescing_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

lab::Report run(const Values& values, const std::string& slot = {},
                const std::string& source = {}) {
  return tests::chapter::run("coalescing", values, {slot, source});
}

std::string gather(const std::string& body) {
  return "__global__ void gather(const float* in, float* out, int n, int stride, int offset) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "}\n";
}

const lab::SectorsExhibit& map(const lab::Report& report, std::string_view id = "map") {
  const auto& sectors = exhibit<lab::SectorsExhibit>(report, id);
  REQUIRE_FALSE(sectors.requests.empty());
  return sectors;
}

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  for (const char* id : {"check", "particles-check", "walk-check"}) {
    const auto* check = report.find_as<lab::CheckExhibit>(id);
    REQUIRE(check);
    CHECK(check->passed());
  }
}

/// Sectors of 32 bytes that a warp's lanes touch, each reading `bytes` at byte `at(thread)`; summed over the warps of
/// blocks of 64 threads.
template <class At>
std::uint64_t sectors_counted(std::int64_t threads, std::int64_t bytes, const At& at) {
  std::uint64_t all = 0;
  for (std::int64_t warp = 0; warp < threads; warp += 32) {
    std::set<std::int64_t> touched;
    for (std::int64_t t = warp; t < std::min(warp + 32, threads); ++t) {
      touched.insert(at(t) / 32);
      touched.insert((at(t) + bytes - 1) / 32);
    }
    all += touched.size();
  }
  return all;
}

std::uint64_t sectors_of(const lab::SectorsExhibit& exhibit, device::AccessKind kind) {
  std::uint64_t all = 0;
  for (const auto& place : exhibit.places) all += place.kind == kind ? place.sectors : 0;
  return all;
}

}  // namespace

TEST_CASE(
    "Coalescing: every stride, offset and number of threads moves the sectors that plain counting "
    "finds") {
  const auto [stride, offset, n] = GENERATE(table<Int, Int, Int>({{1, 0, 128},
                                                                  {0, 0, 128},
                                                                  {2, 0, 128},
                                                                  {3, 5, 100},
                                                                  {7, 1, 33},
                                                                  {8, 0, 64},
                                                                  {16, 9, 65},
                                                                  {32, 32, 1},
                                                                  {1, 1, 31},
                                                                  {5, 31, 1025}}));
  CAPTURE(stride, offset, n);
  const lab::Report report = run({{"stride", stride}, {"offset", offset}, {"n", n}});
  check_clean(report);
  const auto at = [s = stride, o = offset](Int t) { return 4 * (t * s + o); };
  CHECK(sectors_of(map(report), device::AccessKind::load) == sectors_counted(n, 4, at));
  CHECK(sectors_of(map(report), device::AccessKind::store) ==
        sectors_counted(n, 4, [](Int t) { return 4 * t; }));
  CHECK(answer(report, "sectors") == std::to_string(sectors_counted(std::min<Int>(n, 32), 4, at)));
  for (const auto& request : map(report).requests) {
    if (map(report).places[request.place].kind != device::AccessKind::load) continue;
    bool right = true;
    for (const auto& lane : request.lanes) {
      const Int thread = request.block * 64 + request.warp * 32 + lane.lane;
      right = right && lane.offset == static_cast<std::uint64_t>(at(thread));
    }
    CHECK(right);
  }
}

TEST_CASE(
    "Coalescing: particles move a sector a field as structures, and an eighth of that as arrays") {
  const auto n = GENERATE(Int{1}, Int{33}, Int{128}, Int{1000});
  CAPTURE(n);
  const lab::Report together = run({{"layout", std::string("aos")}, {"particles", n}}),
                    apart = run({{"layout", std::string("soa")}, {"particles", n}});
  check_clean(together);
  check_clean(apart);
  CHECK(lab::totals_of(map(together, "particles")).sectors == 3 * static_cast<std::uint64_t>(n));
  CHECK(lab::totals_of(map(apart, "particles")).sectors ==
        3 * sectors_counted(n, 4, [](Int t) { return 4 * t; }));
}

TEST_CASE(
    "Coalescing: sums move the sectors that plain counting finds, whichever way they are shared "
    "out") {
  const auto [n, items] =
      GENERATE(table<Int, Int>({{128, 16}, {1, 1}, {33, 5}, {100, 32}, {64, 4}}));
  CAPTURE(n, items);
  for (const char* walk : {"chunk", "interleaved", "vectors"}) {
    const lab::Report report = run({{"walk", std::string(walk)}, {"n", n}, {"items", items}});
    CAPTURE(walk);
    check_clean(report);
    std::uint64_t wanted = 0;
    const std::string name = walk;
    const Int fours = name == "vectors" ? items / 4 : 0;
    for (Int k = 0; k < fours; ++k)
      wanted += sectors_counted(n, 16, [&, n = n](Int t) { return 16 * (k * n + t); });
    for (Int k = 4 * fours; k < items; ++k) {
      wanted += sectors_counted(n, 4, [&, n = n, items = items](Int t) {
        return 4 * (name == "chunk" ? t * items + k : k * n + t);
      });
    }
    CHECK(sectors_of(map(report, "walk"), device::AccessKind::load) == wanted);
  }
}

TEST_CASE("Coalescing: the misconceptions' questions have the curriculum's answers") {
  CHECK(answer(run({{"items", Int{16}}}), "walks") == "32; 4");
  CHECK(answer(run({{"walk", std::string("vectors")}, {"items", Int{16}}}), "walk-loads") ==
        "16; 256");
  CHECK(answer(run({{"walk", std::string("interleaved")}, {"items", Int{16}}}), "walk-loads") ==
        "64; 256");
  CHECK(answer(run({{"layout", std::string("aos")}}), "particle-sectors") == "32");
  CHECK(answer(run({{"layout", std::string("soa")}}), "particle-sectors") == "4");
}

TEST_CASE("Coalescing: the bars of strides count what plain counting finds, whatever is set") {
  const lab::Report report =
      run({{"stride", Int{5}}, {"n", Int{33}}}, "gather", gather("  if (i < n) out[i] = in[0];\n"));
  const auto& strides = exhibit<lab::BarsExhibit>(report, "strides");
  REQUIRE(strides.groups.size() == 2);
  std::size_t bar = 0;
  for (const Int stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32}) {
    CAPTURE(stride);
    REQUIRE(bar < strides.groups[0].bars.size());
    CHECK(strides.groups[0].bars[bar].value ==
          sectors_counted(32, 4, [&](Int t) { return 4 * t * stride; }));
    std::set<Int> lines;
    for (Int t = 0; t < 32; ++t) lines.insert(4 * t * stride / 128);
    CHECK(strides.groups[1].bars[bar].value == static_cast<double>(lines.size()));
    ++bar;
  }
  CHECK(answer(report, "stride-limit") == "8");
}

TEST_CASE("Coalescing: L1 catches chunks of 24 and pays for them, and cannot hold chunks of 32") {
  const lab::Report caught =
      run({{"n", Int{262144}}, {"items", Int{24}}, {"walk", std::string("interleaved")}});
  check_clean(caught);
  CHECK(answer(caught, "walks") == "32; 4");
  CHECK(answer(caught, "l2-ratio") == "1");
  CHECK(figure(caught, "hits") == "87.5");  // 7 of the 8 floats of a sector
  CHECK(figure(caught, "chunk-l2") == "25 MiB");
  CHECK(figure(caught, "interleaved-l2") == "25 MiB");
  CHECK(answer(caught, "limiter") == "dram");
  // The page works these out: 1,600 clocks of L1, 26.2 MB at 96 % of L2's rate, 25.2 MB at 91 % of DRAM's, and the parts of
  // 1.23 TFLOP/s that 6.3 million additions in 7.81 and in 20.5 microseconds are.
  CHECK(figure(caught, "interleaved-l1-time") == "808 ns");
  CHECK(figure(caught, "interleaved-l2-time") == "4.14 µs");
  CHECK(figure(caught, "interleaved-dram-time") == "5.63 µs");
  CHECK(figure(caught, "interleaved-time") == "7.81 µs");
  CHECK(figure(caught, "chunk-time") == "20.5 µs");
  CHECK(figure(caught, "interleaved-share") == "66");
  CHECK(figure(caught, "chunk-share") == "25");
  // The page says that the bands of the two times are apart, and that what holds up the chunks is L1.
  const auto& roofline = exhibit<lab::RooflineExhibit>(caught, "roofline");
  REQUIRE(roofline.points.size() == 2);
  const auto &chunks = roofline.points[0], &interleaved = roofline.points[1];
  CHECK(chunks.low > interleaved.high);
  CHECK(chunks.limiter == "l1");
  const lab::Report dropped = run({{"n", Int{262144}}, {"items", Int{32}}});
  CHECK(std::stod(answer(dropped, "l2-ratio")) > 2);
}

TEST_CASE("Coalescing: every preset runs clean, and shows what its name says") {
  const lab::Lesson& lesson = *lessons::find("coalescing");
  std::vector<std::string> sectors;
  for (const lab::Preset& preset : lesson.presets) {
    const lab::Report report = run(values_of(preset));
    CAPTURE(preset.name);
    check_clean(report);
    sectors.push_back(answer(report, "sectors") + " " + answer(report, "particle-sectors"));
  }
  CHECK(sectors == std::vector<std::string>{"4 32", "32 32", "5 32", "4 4"});
}

TEST_CASE(
    "Coalescing: a kernel that gives each thread the wrong end shows other offsets, and the check "
    "fails") {
  const lab::Report report =
      run({}, "gather", gather("  if (i < n) out[i] = in[(n - 1 - i) * stride + offset];\n"));
  CHECK(answer(report, "sectors") == "4");
  CHECK(map(report).requests[0].lanes[0].offset == 4 * 127);
  CHECK_FALSE(report.find_as<lab::CheckExhibit>("check")->items[0].mismatches.empty());
}

TEST_CASE(
    "Coalescing: a kernel without its guard reads astray, and those lanes are missing from the "
    "map") {
  const lab::Report report =
      run({{"n", Int{40}}}, "gather", gather("  out[i] = in[i * stride + offset];\n"));
  const lab::SectorsExhibit& sectors = map(report);
  const auto second = std::ranges::find_if(sectors.requests, [&](const auto& request) {
    return request.warp == 1 && sectors.places[request.place].kind == device::AccessKind::load;
  });
  REQUIRE(second != sectors.requests.end());
  CHECK(second->lanes.size() == 8);
  CHECK(report.find_as<lab::CheckExhibit>("check")->items[1].state ==
        lab::CheckExhibit::State::failed);
}

TEST_CASE("Coalescing: a kernel whose first lane reads for all asks once, with one lane") {
  const lab::Report report = run(
      {}, "gather",
      gather("  if (threadIdx.x % 32 != 0) return;\n"
             "  for (int k = i; k < i + 32 && k < n; ++k) out[k] = in[k * stride + offset];\n"));
  const lab::SectorsExhibit& sectors = map(report);
  CHECK(sectors.requests[sectors.chosen].lanes.size() == 1);
  CHECK(answer(report, "used") == "12.5");
  CHECK(figure(report, "moved") == "8 KiB");  // 128 elements, read and written in a sector each
  CHECK(report.find_as<lab::CheckExhibit>("check")->passed());
}

TEST_CASE(
    "Coalescing: lanes in another order touch the same sectors; blocks that take turns do not") {
  const auto variant = [](const std::string& name) {
    return tests::chapter::variant("coalescing", name);
  };
  const lab::Report backwards = run({}, "gather", variant("backwards"));
  check_clean(backwards);
  CHECK(answer(backwards, "sectors") == "4");
  CHECK(map(backwards).requests[0].lanes[0].offset == 4 * 63);
  const lab::Report turns = run({{"n", Int{512}}}, "gather", variant("column"));
  check_clean(turns);
  CHECK(answer(turns, "sectors") == "32");
}

TEST_CASE(
    "Coalescing: the roofline has a dot for each way to share out the sums, all at a quarter of an "
    "operation per byte") {
  const auto walk = GENERATE(as<std::string>{}, "chunk", "interleaved", "vectors");
  const lab::Report report = run({{"walk", walk}, {"n", Int{1 << 16}}, {"items", Int{16}}});
  const auto& roofline = exhibit<lab::RooflineExhibit>(report, "roofline");
  std::vector<std::string> names;
  for (const auto& point : roofline.points) {
    names.push_back(point.name.text);
    CHECK(point.operations == 16 * (1 << 16));
    CHECK(lab::intensity_of(roofline, point) == Catch::Approx(0.25).epsilon(0.02));
    CHECK(lab::is_below_slope(roofline, point));
    CHECK(lab::share_of_roof(roofline, point) < 1);
  }
  CHECK(names.size() == (walk == "vectors" ? 3 : 2));
  CHECK(names[roofline.chosen] == walk);
  // The page works these out by hand.
  CHECK(figure(report, "balance") == "13.6");
  CHECK(figure(report, "dram-rate") == "4.92 TB/s");
  CHECK(figure(report, "peak-rate") == "66.9 TFLOP/s");
  CHECK(figure(report, "l2-rate") == "6.6 TB/s");
}

TEST_CASE(
    "Coalescing: at a million particles both layouts move what the page works out by hand, "
    "whatever is shown") {
  constexpr Int kParticles = 1 << 20;
  const auto layout = GENERATE(as<std::string>{}, "aos", "soa");
  const lab::Report report = run({{"layout", layout}, {"particles", Int{100}}});
  check_clean(report);
  // Bytes for each particle: three accesses at L1; at L2 what is read once and what is stored; from DRAM what is read.
  const auto bytes = [](std::uint64_t each) {
    return lab::byte_count(each * static_cast<std::uint64_t>(kParticles));
  };
  CHECK(figure(report, "aos-l1") == bytes(96));
  CHECK(figure(report, "soa-l1") == bytes(12));
  CHECK(figure(report, "aos-l2") == bytes(64));
  CHECK(figure(report, "soa-l2") == bytes(12));
  CHECK(figure(report, "aos-dram") == bytes(32));
  CHECK(figure(report, "soa-dram") == bytes(8));
  CHECK(answer(report, "dram-ratio") == "4");
  CHECK(figure(report, "layouts-time-ratio") == "3");
  // "10.6 µs": the page names L2 as what needs the longest, and says that the bands of the times are apart.
  const auto seconds = [&](const std::string& name) {
    const std::string text = figure(report, name);
    REQUIRE(text.ends_with("s"));
    return std::stod(text) * (text.find("ns") != std::string::npos ? 1e-9 : 1e-6);
  };
  for (const std::string name : {"aos", "soa"}) {
    CHECK(seconds(name + "-l2-time") > seconds(name + "-l1-time"));
    CHECK(seconds(name + "-l2-time") > seconds(name + "-dram-time"));
  }
  CHECK(seconds("aos-low") > seconds("soa-high"));
}

TEST_CASE("Coalescing: what a reader does to the kernels changes no table of the book's own runs") {
  std::string source = tests::chapter::variant("coalescing", "move");
  const std::size_t at = source.find("void soa(");
  REQUIRE(at != std::string::npos);
  const lab::Report report =
      run({{"layout", std::string("aos")}}, "move", source.replace(at, 9, "void mine("));
  check_clean(report);
  CHECK(answer(report, "dram-ratio") == "4");
}

TEST_CASE(
    "Coalescing: a pointer that nobody allocated, a division by nothing and no kernel are errors, "
    "never a crash") {
  CHECK_FALSE(run({}, "gather", "int nothing;").errors.empty());
  CHECK_FALSE(run({}, "sums", "__global__ void chunk(").errors.empty());
  const lab::Report none = run({}, "gather", gather("  if (i > n) out[i] = 1;\n"));
  const auto* sectors = none.find_as<lab::SectorsExhibit>("map");
  REQUIRE(sectors);
  CHECK(sectors->requests.empty());
  CHECK(answer(none, "sectors").empty());
}

TEST_CASE("Coalescing: the bars of both layouts wait for their own question alone") {
  const lab::Lesson& lesson = *lessons::find("coalescing");
  const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, "en");
  REQUIRE(document);
  lab::Inputs opened;
  opened.values = lab::defaults(lesson.parameters);
  const auto covers = [&](const lab::AnswersGiven& given) {
    const auto* question = lab::veiled_by(*document, lesson, opened, given, "layouts");
    return question ? question->id : std::string();
  };
  CHECK(covers({}) == "down-to-dram");
  CHECK(covers({{"down-to-dram", "4"}}).empty());
}

}  // namespace warpbook::coalescing_test
