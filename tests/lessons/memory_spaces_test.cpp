// The chapter Memory spaces without a window: one filter in six places against plain arithmetic, its requests against a
// count by hand, and wrong kernels that look wrong.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::memory_spaces_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::values_of;
using Space = lab::SpacesExhibit::Space;

struct Asked {
  std::int64_t n = 1024, taps = 8, follow = 37;
  std::string index = "uniform";
  std::string gpu = "h200";
  std::string array = "x";
};

lab::Report run(const Asked& asked, const std::string& source = {}) {
  return tests::chapter::run("memory-spaces",
                             {{"n", asked.n},
                              {"taps", asked.taps},
                              {"follow", asked.follow},
                              {"index", asked.index},
                              {"array", asked.array}},
                             {"filter", source, asked.gpu, {}, {}});
}

std::string variant(const std::string& name) {
  return tests::chapter::variant("memory-spaces", name);
}

const lab::SpacesExhibit& spaces(const lab::Report& report) {
  return exhibit<lab::SpacesExhibit>(report, "spaces");
}

const lab::SpacesExhibit::Row& row(const lab::Report& report, Space space) {
  const auto* found = lab::row_of(spaces(report), space);
  REQUIRE(found);
  return *found;
}

bool passed(const lab::Report& report, const char* id) {
  return exhibit<lab::CheckExhibit>(report, id).passed();
}

/// The boxes that the followed value passes.
using Box = lab::SpacesExhibit::Box;
std::vector<Box> way(const lab::Report& report) {
  const auto& found = exhibit<lab::SpacesExhibit>(report, "journey");
  REQUIRE(found.journey);
  std::vector<Box> boxes;
  for (const auto& station : found.journey->stations) boxes.push_back(station.box);
  return boxes;
}
/// The lines of the source that they stem from; 0: none.
std::vector<std::uint32_t> lines_of_way(const lab::Report& report) {
  std::vector<std::uint32_t> lines;
  for (const auto& station : exhibit<lab::SpacesExhibit>(report, "journey").journey->stations)
    lines.push_back(station.line);
  return lines;
}

/// The sum by definition: x[i] is i * 7 % 31 - 15, and coefficient k is k + 1.
double output(std::int64_t i, std::int64_t taps) {
  double sum = 0;
  for (std::int64_t k = 0; k < taps; ++k)
    sum += static_cast<double>((k + 1) * ((i + k) * 7 % 31 - 15));
  return sum;
}

constexpr std::array kKernels{"local",    "registers", "shared",    "global",
                              "constant", "texture",   "read_only", "ring"};

lab::Report run_on_gpu() {
  const lab::Lesson& lesson = *lessons::find("memory-spaces");
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  inputs.device = "gpu";
  return lab::run(lesson, inputs, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR);
}

}  // namespace

TEST_CASE("Memory spaces: every kernel computes the filter, whatever its size and index", "[ci]") {
  const auto [n, taps, index] =
      GENERATE(table<std::int64_t, std::int64_t, std::string>({{1024, 8, "uniform"},
                                                               {1, 1, "by-lane"},
                                                               {33, 16, "by-lane"},
                                                               {129, 3, "uniform"},
                                                               {1000, 5, "by-lane"}}));
  for (const char* kernel : kKernels) {
    CAPTURE(kernel, n, taps, index);
    const lab::Report report = run({n, taps, 0, index, "h200"}, variant(kernel));
    CHECK(report.errors.empty());
    const auto* out = report.find_as<lab::TensorExhibit>("out");
    REQUIRE(out);
    REQUIRE(lab::count(*out) == static_cast<std::uint64_t>(n));
    bool all = true;
    for (std::int64_t i = 0; i < n; ++i)
      all = all && lab::element(*out, static_cast<std::uint64_t>(i)) == output(i, taps);
    CHECK(all);
    CHECK(out->wrong.empty());
    CHECK(passed(report, "check"));
    CHECK(passed(report, "side-check"));
  }
}

TEST_CASE("Memory spaces: requests are those that one counts by hand") {
  const auto [n, taps] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{1024, 8}, {128, 1}, {100, 3}, {4096, 16}}));
  CAPTURE(n, taps);
  const std::uint64_t warps = (n + 31) / 32, blocks = (n + 127) / 128;
  // Samples and the store of every warp; what the coefficients add depends on their place.
  const std::uint64_t samples = warps * (taps + 1), coefficients = warps * taps;
  const auto requests = [&, n = n, taps = taps](const char* kernel, Space space) {
    const Asked asked{static_cast<std::int64_t>(n), static_cast<std::int64_t>(taps), 0, "uniform",
                      "h200"};
    return row(run(asked, variant(kernel)), space).requests.value();
  };
  CHECK(requests("registers", Space::l1) == samples + coefficients);
  CHECK(requests("registers", Space::local) == 0);
  CHECK(requests("global", Space::l1) == samples + coefficients);
  CHECK(requests("shared", Space::l1) == samples + blocks);
  CHECK(requests("shared", Space::shared) == blocks + coefficients);
  CHECK(requests("constant", Space::l1) == samples);
  CHECK(requests("constant", Space::constant) == coefficients);
  CHECK(requests("texture", Space::l1) == samples);
  CHECK(requests("texture", Space::texture) == coefficients);
}

TEST_CASE("Memory spaces: a coefficient's way is that of the memory which the kernel keeps it in") {
  const auto through = [](const char* kernel) {
    return way(run({1024, 8, 3, "uniform", "h200", "c"}, variant(kernel)));
  };
  using enum Box;
  CHECK(through("registers") == std::vector{global, l2, l1, registers, registers});
  CHECK(through("global") == std::vector{global, l2, l1, registers, registers});
  CHECK(through("local") == std::vector{global, l2, l1, registers, local, registers, registers});
  CHECK(through("shared") == std::vector{global, l2, l1, registers, shared, registers, registers});
  CHECK(through("constant") == std::vector{constant, l2, constant_cache, registers, registers});
  CHECK(through("texture") == std::vector{texture, l2, l1, registers, registers});
}

TEST_CASE("Memory spaces: a sample's way does not change with where the coefficients are") {
  for (const char* kernel : {"local", "shared", "constant", "texture"}) {
    CAPTURE(kernel);
    using enum Box;
    CHECK(way(run({}, variant(kernel))) == std::vector{global, l2, l1, registers, registers});
  }
  // But a ring keeps the samples themselves in local memory.
  using enum Box;
  CHECK(way(run({}, variant("ring"))) ==
        std::vector{global, l2, l1, registers, local, registers, registers});
}

TEST_CASE("Memory spaces: each step of the way names the line that does it") {
  // Filled in line 12 of local.cu, read and computed with in line 17.
  CHECK(lines_of_way(run({1024, 8, 3, "uniform", "h200", "c"}, variant("local"))) ==
        std::vector<std::uint32_t>{0, 12, 12, 12, 12, 17, 17});
  CHECK(lines_of_way(run({1024, 8, 3, "uniform", "h200", "c"}, variant("shared"))) ==
        std::vector<std::uint32_t>{0, 7, 7, 7, 7, 14, 14});
}

TEST_CASE("Memory spaces: whoever reads a coefficient is counted, in launches small and large") {
  const auto readers = [](std::int64_t n, const char* kernel) {
    return answer(run({n, 8, 3, "uniform", "h200", "c"}, variant(kernel)), "readers");
  };
  CHECK(readers(1, "global") == "1");
  CHECK(readers(1000, "global") == "1,000");
  CHECK(readers(4096, "constant") == "4,096");
  CHECK(readers(1024, "shared") == "8");  // one thread a block fills the place
}

TEST_CASE("Memory spaces: a computed index makes an array local, a known one does not") {
  for (const std::int64_t taps : {2, 8, 16}) {
    CAPTURE(taps);
    const lab::Report local = run({1024, taps, 0, "by-lane", "h200"}, variant("local"));
    CHECK(answer(local, "local-bytes") == std::to_string(4 * taps));
    CHECK(row(local, Space::local).requests.value() > 0);
    CHECK(answer(run({1024, taps, 0, "uniform", "h200"}, variant("registers")), "local-bytes") ==
          "0");
  }
}

TEST_CASE("Memory spaces: the machine code decides, not PTX") {
  const lab::Report written = run({}, variant("local")), only_read = run({}, variant("read_only"));
  CHECK(answer(written, "machine-local") != "0");
  CHECK(answer(only_read, "machine-local") == "0");
  CHECK(answer(only_read, "local-bytes") == "32");
  CHECK(spaces(written).spilled_bytes == 0u);
}

TEST_CASE("Memory spaces: constant memory takes a pass for each address that a warp names") {
  for (const std::int64_t taps : {1, 3, 8, 16}) {
    CAPTURE(taps);
    const std::string by_lane = variant("constant");
    CHECK(answer(run({1024, taps, 0, "by-lane", "h200"}, by_lane), "passes-a-request") ==
          std::to_string(taps));
    CHECK(answer(run({1024, taps, 0, "uniform", "h200"}, by_lane), "passes-a-request") == "1");
  }
}

TEST_CASE(
    "Memory spaces: a sample is read by as many threads as there are coefficients, less at an "
    "end") {
  const std::string kernel = variant("registers");
  const auto readers = [&](std::int64_t follow) {
    return answer(run({1024, 8, follow, "uniform", "h200"}, kernel), "readers");
  };
  CHECK(readers(0) == "1");
  CHECK(readers(3) == "4");
  CHECK(readers(500) == "8");
  CHECK(readers(1030) == "1");
  CHECK(readers(4000) == "1");  // past the last sample: the last one
  // The first request for x[37]'s sector is thread 31's for x[32], with x[1] to x[31] of the other lanes: five sectors.
  CHECK(figure(run({1024, 8, 37, "uniform", "h200"}, kernel), "sectors") == "5");
}

TEST_CASE(
    "Memory spaces: a block that does not fill its shared array gets wrong sums, and the line is "
    "named") {
  const lab::Report report = run({}, variant("shared_once"));
  CHECK(answer(report, "right") == "128");
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  REQUIRE(check);
  CHECK(check->items[0].state == lab::CheckExhibit::State::failed);
  CHECK(check->items[1].state == lab::CheckExhibit::State::failed);
  CHECK(check->items[1].line == 14);
  CHECK(passed(report, "side-check"));
}

TEST_CASE(
    "Memory spaces: without its barrier the shared array is read too early, which racecheck sees") {
  std::string source = variant("shared");
  const auto barrier = source.find("__syncthreads();");
  REQUIRE(barrier != std::string::npos);
  source.erase(barrier, 16);
  CHECK_FALSE(passed(run({}, source), "check"));
}

TEST_CASE("Memory spaces: a thread that begins one sample late has most outputs wrong") {
  std::string source = variant("global");
  const auto sample = source.find("x[i + j]");
  REQUIRE(sample != std::string::npos);
  source.replace(sample, 8, "x[i + j + 1]");
  const lab::Report report = run({}, source);
  const auto* out = report.find_as<lab::TensorExhibit>("out");
  REQUIRE(out);
  CHECK(out->wrong.size() > 900);
  CHECK_FALSE(passed(report, "check"));
  CHECK_FALSE(report.errors.empty());  // the last thread reads past the last sample
}

TEST_CASE("Memory spaces: a kernel that does nothing asks no memory, and nobody reads the sample") {
  const lab::Report report =
      run({}, "__global__ void filter(const float*, const float*, float*, int, int) {}\n");
  for (const Space space : {Space::local, Space::shared, Space::l1, Space::constant})
    CHECK(row(report, space).requests == 0u);
  CHECK(way(report).empty());
  CHECK_FALSE(passed(report, "check"));
}

TEST_CASE("Memory spaces: every preset runs on GPUs of other architectures without an error",
          "[ci]") {
  const lab::Lesson& lesson = *lessons::find("memory-spaces");
  for (const std::string gpu : {"t4", "a100", "rtx 4090"}) {
    for (const lab::Preset& preset : lesson.presets) {
      const lab::Report report =
          tests::chapter::run("memory-spaces", values_of(preset), {{}, {}, gpu, {}, {}});
      CAPTURE(preset.name, gpu);
      CHECK(report.errors.empty());
      CHECK(passed(report, "check"));
      CHECK(row(report, Space::l2).bytes == device::find_gpu(gpu)->l2_bytes);
    }
  }
}

TEST_CASE(
    "Memory spaces: on a GPU every place gives the sums, and what no GPU tells is not made up",
    "[ci]") {
  const tests::StandIn driver;
  const lab::Report report = run_on_gpu();
  for (const auto& error : report.errors) FAIL_CHECK(error.english());
  CHECK(report.device.text == "Stand-in GPU");
  CHECK(passed(report, "check"));
  const auto& sides = exhibit<lab::CheckExhibit>(report, "side-check");
  CHECK(sides.items.size() == 6);  // the texture's, too
  CHECK(sides.passed());
  CHECK(figure(report, "right") == "1,024");
  for (const lab::Exhibit& each : report.exhibits) {
    CAPTURE(each.id);
    CHECK((!each.evidence || each.evidence->kind != device::EvidenceKind::counted));
  }
  for (const auto& each : spaces(report).rows) CHECK(!each.requests);
  const auto& table = exhibit<lab::TextExhibit>(report, "side").text;
  for (const auto& [place, figures] : table.arguments) {
    CAPTURE(place);
    CHECK(figures.text.find('?') != std::string::npos);
    CHECK(figures.text.find(" 0") == std::string::npos);
  }
  CHECK(exhibit<lab::TextExhibit>(report, "journey").text.key == "memory-spaces.journey.untraced");
  CHECK(exhibit<lab::TimingsExhibit>(report, "side-time").rows.empty());
}

TEST_CASE(
    "Memory spaces: a GPU that faults in the middle of the chapter says so, and ends nothing "
    "else") {
  const tests::StandIn driver("once run 700");
  const lab::Report report = run_on_gpu();
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::gpu_illegal_address);
}

}  // namespace warpbook::memory_spaces_test
