// The chapter Memory spaces without a window: every kernel against plain arithmetic, requests against a count by hand, and
// wrong kernels that look wrong.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
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
  std::int64_t n = 1024, block = 128, follow = 37;
  std::string array = "x";
  std::string gpu = "h200";
};

lab::Report run(const Asked& asked, const std::string& source = {}) {
  return tests::chapter::run(
      "memory-spaces",
      {{"n", asked.n}, {"block", asked.block}, {"follow", asked.follow}, {"array", asked.array}},
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

/// The recording: a wave, hiss and clicks; past its end it keeps its last value.
double sample(std::int64_t i, std::int64_t n) {
  i = std::min(i, n - 1);
  const std::int64_t up = i % 48 < 24 ? 24 - i % 48 : i % 48 - 24;
  return static_cast<double>(32 * up - 384 + i * 7 % 31 - 15 + (i % 89 == 40 ? 1500 : 0));
}

/// The middle one of five samples.
double median(std::int64_t i, const Asked& asked) {
  std::array<double, 5> window{};
  for (std::size_t k = 0; k < window.size(); ++k)
    window[k] = sample(i + static_cast<std::int64_t>(k), asked.n);
  std::ranges::sort(window);
  return window[2];
}

/// By definition: the weighted mean of eight medians.
double mean(std::int64_t i, const Asked& asked) {
  constexpr std::array kWeights{1, 3, 5, 7, 7, 5, 3, 1};
  double sum = 0;
  for (std::size_t k = 0; k < kWeights.size(); ++k)
    sum += kWeights[k] * median(i + static_cast<std::int64_t>(k), asked);
  return sum / 32;
}

double output(const std::string& kernel, std::int64_t i, const Asked& asked) {
  const bool sorts = kernel == "sorted" || kernel == "exchanged" || kernel == "ranked";
  return sorts ? median(i, asked) : mean(i, asked);
}

constexpr std::array kKernels{"sorted",          "exchanged", "ranked", "literal",
                              "global",          "shared",    "ring",   "constant",
                              "constant_turned", "texture",   "restore"};

lab::Report run_on_gpu() {
  const lab::Lesson& lesson = *lessons::find("memory-spaces");
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  inputs.device = "gpu";
  return lab::run(lesson, inputs, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR);
}

}  // namespace

TEST_CASE("Memory spaces: every kernel computes what it is for, at whatever size", "[ci]") {
  const auto [n, block] = GENERATE(table<std::int64_t, std::int64_t>(
      {{1024, 128}, {1, 32}, {33, 64}, {100, 32}, {1000, 256}, {121, 128}, {128, 128}}));
  const Asked asked{n, block};
  for (const char* kernel : kKernels) {
    CAPTURE(kernel, n, block);
    const lab::Report report = run(asked, variant(kernel));
    CHECK(report.errors.empty());
    const auto* out = report.find_as<lab::TensorExhibit>("out");
    REQUIRE(out);
    REQUIRE(lab::count(*out) == static_cast<std::uint64_t>(std::min<std::int64_t>(n, 48)));
    bool all = true;
    for (std::uint64_t i = 0; i < lab::count(*out); ++i) {
      all = all && lab::element(*out, i) == output(kernel, static_cast<std::int64_t>(i), asked);
    }
    CHECK(all);
    CHECK(out->wrong.empty());
    CHECK(passed(report, "check"));
    CHECK(passed(report, "side-check"));
  }
}

TEST_CASE("Memory spaces: requests are those that one counts by hand") {
  const auto [n, block] = GENERATE(
      table<std::uint64_t, std::uint64_t>({{1024, 128}, {1024, 32}, {100, 64}, {4096, 512}}));
  CAPTURE(n, block);
  const std::uint64_t warps = (n + 31) / 32, blocks = (n + block - 1) / block;
  // Eight samples and the store of every warp; what the weights add depends on their place.
  const std::uint64_t samples = warps * 8, weights = warps * 8;
  const auto requests = [&, n = n, block = block](const char* kernel, Space space) {
    const Asked asked{static_cast<std::int64_t>(n), static_cast<std::int64_t>(block)};
    return row(run(asked, variant(kernel)), space).requests.value();
  };
  CHECK(requests("sorted", Space::l1) == warps * 6);
  CHECK(requests("exchanged", Space::l1) == warps * 6);
  CHECK(requests("exchanged", Space::local) == 0);
  CHECK(requests("literal", Space::l1) == samples + warps);
  CHECK(requests("global", Space::l1) == samples + warps + weights);
  CHECK(requests("shared", Space::l1) == samples + warps + blocks);
  CHECK(requests("shared", Space::shared) == blocks + weights);
  CHECK(requests("constant", Space::l1) == samples + warps);
  CHECK(requests("constant", Space::constant) == weights);
  CHECK(requests("texture", Space::l1) == warps);
  CHECK(requests("texture", Space::texture) == samples);
}

TEST_CASE("Memory spaces: handing medians over costs the requests that one counts by hand") {
  const std::int64_t block = GENERATE(32, 64, 128, 512);
  CAPTURE(block);
  const std::int64_t n = 1024, warps = n / 32, blocks = n / block;
  const lab::Report report = run({n, block}, variant("restore"));
  // Five samples and the store of every warp; five more where a block's first warp computes its last seven medians.
  const auto global = static_cast<std::uint64_t>(warps * 6 + blocks * 5);
  // A store for every warp's medians and for the last seven, and eight loads of every warp.
  const auto shared = static_cast<std::uint64_t>(warps * 9 + blocks);
  CHECK(row(report, Space::l1).requests == global);
  CHECK(row(report, Space::shared).requests == shared);
  const auto figure = [&](std::size_t way, std::size_t quantity) {
    return lessons::side_by_side_figure(report, "handing-over", way, quantity);
  };
  // 33 warps compute the 1,031 medians: 33 x 6 + 32 x 9.
  CHECK(figure(0, 0) == "2");
  CHECK(figure(0, 1) == "486");
  CHECK(figure(0, 2) == "0");
  CHECK(figure(1, 0) == "1");
  CHECK(figure(1, 1) == std::to_string(global));
  CHECK(figure(1, 2) == std::to_string(shared));
}

TEST_CASE("Memory spaces: a weight's way is that of the memory which the kernel keeps it in") {
  const auto through = [](const char* kernel) {
    return way(run({.follow = 3, .array = "c"}, variant(kernel)));
  };
  using enum Box;
  CHECK(through("global") == std::vector{global, l2, l1, registers, registers});
  CHECK(through("shared") == std::vector{global, l2, l1, registers, shared, registers, registers});
  CHECK(through("constant") == std::vector{constant, l2, constant_cache, registers, registers});
  CHECK(through("literal").empty());  // nobody reads it from memory
}

TEST_CASE("Memory spaces: a sample's way ends where its kernel keeps the window") {
  using enum Box;
  for (const char* kernel : {"global", "shared", "constant", "exchanged"}) {
    CAPTURE(kernel);
    CHECK(way(run({}, variant(kernel))) == std::vector{global, l2, l1, registers, registers});
  }
  CHECK(way(run({}, variant("restore"))) == std::vector{global, l2, l1, registers, registers});
  CHECK(way(run({}, variant("sorted"))).back() == local);
  CHECK(way(run({}, variant("ring"))) ==
        std::vector{global, l2, l1, registers, local, registers, registers});
  CHECK(way(run({}, variant("texture"))) == std::vector{texture, l2, l1, registers, registers});
}

TEST_CASE("Memory spaces: each step of the way names the line that does it") {
  // Filled in line 6 of shared.cu, read and computed with in line 11.
  CHECK(lines_of_way(run({.follow = 3, .array = "c"}, variant("shared"))) ==
        std::vector<std::uint32_t>{0, 6, 6, 6, 6, 11, 11});
}

TEST_CASE("Memory spaces: whoever reads a weight is counted, in launches small and large") {
  const auto readers = [](std::int64_t n, const char* kernel) {
    return figure(run({.n = n, .follow = 3, .array = "c"}, variant(kernel)), "readers");
  };
  CHECK(readers(1, "global") == "1");
  CHECK(readers(1000, "global") == "1,000");
  CHECK(readers(4096, "constant") == "4,096");
  CHECK(readers(1024, "shared") == "8");  // one thread a block fills the place
}

TEST_CASE("Memory spaces: a computed index makes an array local, a known one does not") {
  CHECK(answer(run({}, variant("sorted")), "local-bytes") == "20");
  CHECK(answer(run({}, variant("exchanged")), "local-bytes") == "0");
  CHECK(answer(run({}, variant("ranked")), "local-bytes") == "20");
  CHECK(answer(run({}, variant("ring")), "local-bytes") == "32");
}

TEST_CASE("Memory spaces: the machine code decides, not PTX") {
  CHECK(figure(run({}, variant("sorted")), "machine-local") != "0");
  CHECK(figure(run({}, variant("ring")), "machine-local") != "0");
  const lab::Report ranked = run({}, variant("ranked"));
  CHECK(figure(ranked, "machine-local") == "0");
  CHECK(row(ranked, Space::local).requests.value() > 0);
  CHECK(spaces(ranked).spilled_bytes == 0u);
}

TEST_CASE("Memory spaces: constant memory takes a pass for each word that a warp wants") {
  CHECK(answer(run({}, variant("constant")), "passes-a-request") == "1");
  CHECK(answer(run({}, variant("constant_turned")), "passes-a-request") == "8");
  // One warp with four lanes: they want four of the eight words.
  CHECK(answer(run({.n = 4, .block = 32}, variant("constant_turned")), "passes-a-request") == "4");
}

TEST_CASE("Memory spaces: lanes that have ended their loop ask local memory for nothing") {
  const lab::Report report = run({}, variant("sorted"));
  CHECK(figure(report, "local-requests") == "928");
  CHECK(figure(report, "local-full") == "116 KiB");
  CHECK(figure(report, "local-asked") == "84.8 KiB");
}

TEST_CASE(
    "Memory spaces: a sample is read by as many threads as there are weights, less at an end") {
  const std::string kernel = variant("constant");
  const auto readers = [&](std::int64_t follow) {
    return figure(run({.follow = follow}, kernel), "readers");
  };
  CHECK(readers(0) == "1");
  CHECK(readers(3) == "4");
  CHECK(readers(500) == "8");
  CHECK(readers(1030) == "1");
  CHECK(readers(4000) == "1");  // past the last sample: the last one
}

TEST_CASE("Memory spaces: no block can read the medians of the next one, and the line is named") {
  const lab::Report report = run({}, variant("restore_short"));
  CHECK(answer(report, "right") == "968");  // 7 of each of 8 blocks are wrong
  const auto& check = exhibit<lab::CheckExhibit>(report, "check");
  CHECK(check.items[0].state == lab::CheckExhibit::State::failed);
  CHECK(check.items[1].state == lab::CheckExhibit::State::failed);
  CHECK(check.items[1].line == 23);
  CHECK(passed(report, "side-check"));
}

TEST_CASE("Memory spaces: without the barrier three of four warps read too early") {
  const lab::Report report = run({}, variant("restore_early"));
  CHECK(answer(report, "right") == "856");  // 7 of each of 24 warps are wrong
  CHECK(exhibit<lab::CheckExhibit>(report, "check").items[1].line == 23);
  // A single warp has nobody to wait for: all that its lanes need, they have stored before any of them reads.
  CHECK(answer(run({.n = 32, .block = 32}, variant("restore_early")), "right") == "32");
}

TEST_CASE("Memory spaces: threads without an output that return early leave medians out") {
  CHECK(answer(run({.n = 1000}, variant("restore_return")), "right") == "993");
  CHECK(answer(run({}, variant("restore_return")), "right") == "1,024");  // none returns early
}

TEST_CASE("Memory spaces: a thread that begins one sample late has most outputs wrong") {
  std::string source = variant("global");
  const auto sample = source.find("x[i + k]");
  REQUIRE(sample != std::string::npos);
  source.replace(sample, 8, "x[i + k + 1]");
  const lab::Report report = run({}, source);
  const auto* out = report.find_as<lab::TensorExhibit>("out");
  REQUIRE(out);
  CHECK(out->wrong.size() > 40);
  CHECK_FALSE(passed(report, "check"));
  CHECK_FALSE(report.errors.empty());  // the last thread reads past the last sample
}

TEST_CASE(
    "Memory spaces: a kernel that does nothing asks no memory, and no thread reads the sample") {
  const lab::Report report =
      run({}, "__global__ void smooth(const float*, const float*, float*, int) {}\n");
  for (const Space space : {Space::local, Space::shared, Space::l1, Space::constant})
    CHECK(row(report, space).requests == 0u);
  CHECK(way(report).empty());
  CHECK_FALSE(passed(report, "check"));
}

TEST_CASE(
    "Memory spaces: of a million samples the two sorts' bands are apart, whatever the recording") {
  for (const std::int64_t n : {1, 1024}) {
    const lab::Report report = run({.n = n});
    const auto& rows = exhibit<lab::TimingsExhibit>(report, "sorts-time").rows;
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].label.key == "memory-spaces.side.sorted");
    CHECK(rows[1].label.key == "memory-spaces.side.exchanged");
    CHECK(rows[0].low > rows[1].high);
  }
}

TEST_CASE("Memory spaces: a million samples are all right", "[ci]") {
  const lab::Report report = run({.n = 1 << 20}, variant("constant"));
  CHECK(answer(report, "right") == "1,048,576");
  CHECK(passed(report, "side-check"));
  // A one-dimensional texture cannot hold so many.
  CHECK(exhibit<lab::CheckExhibit>(report, "side-check").items.size() == 8);
}

TEST_CASE("Memory spaces: each level of memory has its latency, or a question mark") {
  const lab::Report report = run({});
  std::vector<std::string> clocks;
  for (const auto& bar : exhibit<lab::BarsExhibit>(report, "clocks").groups.front().bars)
    clocks.push_back(bar.text);
  CHECK(clocks == std::vector<std::string>{"28.6", "40", "281", "690"});
}

TEST_CASE("Memory spaces: every preset runs on GPUs of other architectures without an error",
          "[ci]") {
  const lab::Lesson& lesson = *lessons::find("memory-spaces");
  for (const std::string gpu : {"t4", "a100", "rtx 4090"}) {
    for (const lab::Preset& preset : lesson.presets) {
      if (preset.name == "million" && gpu != "t4") continue;  // one is enough for the time it takes
      const lab::Report report =
          tests::chapter::run("memory-spaces", values_of(preset), {{}, {}, gpu, {}, {}});
      CAPTURE(preset.name, gpu);
      CHECK(report.errors.empty());
      CHECK(passed(report, "check"));
      CHECK(row(report, Space::l2).bytes == device::find_gpu(gpu)->l2_bytes);
    }
  }
}

TEST_CASE("Memory spaces: what a block may have of shared memory is the GPU's limit") {
  const lab::Message limits = exhibit<lab::TextExhibit>(run({}), "limits").text;
  CHECK(device::argument_of(limits.arguments, "fixed")->text == "48 KiB");
  CHECK(device::argument_of(limits.arguments, "most")->text == "227 KiB");
}

TEST_CASE("Memory spaces: on a GPU every place gives the sums, and its simulation counts beside it",
          "[ci]") {
  const tests::StandIn driver;
  const lab::Report report = run_on_gpu();
  for (const auto& error : report.errors) FAIL_CHECK(error.english());
  CHECK(device::argument_of(report.device.arguments, "gpu")->text == "Stand-in GPU");
  CHECK(passed(report, "check"));
  const auto& sides = exhibit<lab::CheckExhibit>(report, "side-check");
  CHECK(sides.items.size() == 9);  // the texture's, too
  for (const auto& item : sides.items) {
    CAPTURE(item.id);
    CHECK(item.state == lab::CheckExhibit::State::passed);
  }
  CHECK(figure(report, "right") == "1,024");
  // What was counted is never said to be of the GPU.
  for (const lab::Exhibit& each : report.exhibits) {
    CAPTURE(each.id);
    const bool counted = each.evidence && each.evidence->kind == device::EvidenceKind::counted;
    CHECK((!counted || each.evidence->on.text != "Stand-in GPU"));
  }
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
