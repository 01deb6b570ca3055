// Libraries' algorithms as an exhibit: what it says of lists, times and what is absent, in all renderers; and what is put in
// it for a problem.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"
#include "lab/exhibits/algorithms/algorithms_summary.hpp"
#include "lab/ladder/algorithms_of.hpp"
#include "lab/ladder/library_problem.hpp"
#include "lab/ladder/library_truth.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::algorithms_exhibit_test {
namespace {

using Group = AlgorithmsExhibit::Group;
using Row = AlgorithmsExhibit::Row;
using device::libraries::Problem;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::holds;
using tests::widest_line;

Row timed(const std::string& name, double seconds, double spread = 0) {
  Row row;
  row.name = name;
  row.time = {seconds, seconds - spread, seconds + spread, 5};
  return row;
}
AlgorithmsExhibit of(std::vector<Row> rows, device::EvidenceKind evidence) {
  Group group;
  group.name = Message::plain("lib");
  group.evidence = device::Evidence{evidence, Message::plain("a device"), ""};
  group.rows = std::move(rows);
  return {{}, {group}};
}
std::string sentence_of(const AlgorithmsExhibit& algorithms) {
  return sentence(exhibit(algorithms), sample::keys());
}

/// A convolution that both libraries take, small enough to be timed at once.
Problem small_convolution() {
  Problem problem;
  problem.image = {1, 8, 12, 12};
  problem.filters = 16;
  problem.window = {3, 3};
  problem.pad = {1, 1};
  return problem;
}
bool is_missing(const Group& group) {
  return group.error && group.error->code == device::ErrorCode::library_missing;
}

}  // namespace

TEST_CASE("Algorithms: each library speaks for itself, and one that is missing does not end it") {
  const std::string says = sentence_of(sample::algorithms());
  CHECK(
      says ==
      "algorithms.listed(count=2, name=cuDNN 9.19.0, first=engine 70, "
      "least=algorithms.no-workspace, most=5.17 MiB, from=algorithms.from(badge=evidence.reported "
      "· H200)); algorithms.fastest(name=oneDNN 2.6.3, count=2, fastest=jit:avx2, time=36 ms, "
      "from=algorithms.from(badge=evidence.measured · a CPU, 2 threads)); "
      "algorithms.absent(name=cuBLAS); algorithms.only(name=algorithms.own, fastest=direct, "
      "time=timings.band(low=30 µs, high=60 µs), from=algorithms.from(badge=evidence.estimated · "
      "H200))");
}

TEST_CASE("Algorithms: where a spread reaches into another's, none is called the fastest") {
  const auto apart =
      of({timed("slow", 3e-3, 1e-4), timed("quick", 1e-3, 1e-4)}, device::EvidenceKind::measured);
  CHECK(sentence_of(apart) ==
        "algorithms.fastest(name=lib, count=2, fastest=quick, time=1 ms, "
        "from=algorithms.from(badge=evidence.measured · a device))");
  const auto alike =
      of({timed("slow", 3e-3, 1.5e-3), timed("quick", 1e-3, 1e-3)}, device::EvidenceKind::measured);
  CHECK(sentence_of(alike) ==
        "algorithms.alike(name=lib, count=2, fastest=quick, time=1 ms, "
        "from=algorithms.from(badge=evidence.measured · a device))");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(sentence_of(of({timed("odd", nan), timed("even", 1e-3)}, device::EvidenceKind::measured)) ==
        "algorithms.only(name=lib, fastest=even, time=1 ms, "
        "from=algorithms.from(badge=evidence.measured · a device))");
}

TEST_CASE("Algorithms: measured times whose samples differ widely are marked, with the remedy") {
  const auto remarks = [](const AlgorithmsExhibit& shown) {
    return remarks_of(shown.groups.front(), sample::keys());
  };
  Row busy = timed("b", 3);
  busy.time->low = 2;
  const auto said = [&](double high, device::EvidenceKind evidence) {
    busy.time->high = high;
    return of({timed("a", 1, 0.1), busy}, evidence);
  };
  using enum device::EvidenceKind;
  CHECK(remarks(said(3.1, measured)) ==
        std::vector<std::string>{sample::keys()("algorithms.unsteady", {{"names", "b"}})});
  CHECK(remarks(said(3, measured)).empty());
  CHECK(remarks(said(9, estimated)).empty());  // a band, not samples
  const auto shown = exhibit(said(3.1, measured));
  const std::string sentence = english()("algorithms.unsteady", {{"names", "b"}});
  CHECK(holds(to_html(shown, english()), sentence));
  CHECK(holds(to_text(shown, english(), 200), sentence));
}

TEST_CASE("Algorithms: nothing asked, nothing there, one") {
  CHECK(sentence_of({}) == "algorithms.nothing");
  AlgorithmsExhibit none = of({}, device::EvidenceKind::reported);
  CHECK(sentence_of(none) == "algorithms.none(name=lib)");
  Row row;
  row.name = "only";
  row.workspace = 131;
  CHECK(sentence_of(of({row}, device::EvidenceKind::reported)) ==
        "algorithms.listed-alike(count=1, name=lib, first=only, most=131 B, "
        "from=algorithms.from(badge=evidence.reported · a device))");
  row.workspace = 0;
  CHECK(sentence_of(of({row, row}, device::EvidenceKind::reported)) ==
        "algorithms.listed-alike(count=2, name=lib, first=only, most=algorithms.no-workspace, "
        "from=algorithms.from(badge=evidence.reported · a device))");
  CHECK(to_html(exhibit(AlgorithmsExhibit{}), english()).find("<table") == std::string::npos);
  CHECK(table_of(exhibit(AlgorithmsExhibit{}), english()).rows.empty());
}

TEST_CASE("Algorithms: bars are held against their own group only") {
  const AlgorithmsExhibit sample = sample::algorithms();
  CHECK(longest_time(sample.groups[0]) == 0);
  CHECK(longest_time(sample.groups[1]) == 0.2);  // the longest band reaches that far
  CHECK(longest_time(sample.groups[3]) == 6e-5);
  CHECK(largest_workspace(sample.groups[0]) == 5'419'008);
  CHECK(largest_workspace(sample.groups[1]) == 290'816);
  const std::string html = to_html(exhibit(sample), english());
  CHECK(count_of(html, "width=\"100\"") == 2);  // the largest workspace of cuDNN's and of oneDNN's
}

TEST_CASE("Algorithms: a missing library comes with the command that mends it, in every form") {
  const Exhibit sample = exhibit(sample::algorithms());
  CHECK(holds(to_text(sample, english(), 100), "./warpbook fetch"));
  CHECK(holds(to_html(sample, english()), "./warpbook fetch"));
  const auto json = to_json(sample, english())["value"]["groups"];
  CHECK(json[2]["error"]["code"] == "library_missing");
  CHECK(json[2]["rows"].empty());
  CHECK(json[0]["error"].is_null());
  CHECK(json[1]["rows"][2]["not_done_after"] == 2.0);
  CHECK(json[1]["rows"][2]["time"].is_null());
}

TEST_CASE("Algorithms: the text names settings, notes, workspaces, times and what was stopped") {
  const std::string text = to_text(exhibit(sample::algorithms()), english(), 120);
  CAPTURE(text);
  for (const char* part : {"engine 70", "TILE_SIZE=2", "STRICT_NAN_PROP", "5.17 MiB", "36 ms",
                           "not done after 2 s", "off by 2.5e-7", "30 µs to 60 µs", "34 more",
                           "64 of its engines", "1 MiB", "[measured · a CPU, 2 threads]"}) {
    CAPTURE(part);
    CHECK(holds(text, part));
  }
  CHECK_THAT(text, tests::Says("algorithms.untimed.described", {{"gpu", "H200"}},
                               tests::patterns_of(english())));
}

TEST_CASE("Algorithms: a hundred rows, NaN times and huge workspaces keep to the page") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  std::vector<Row> rows;
  for (int i = 0; i < 100; ++i) {
    Row row = timed("engine <" + std::to_string(i) + "> of a rather long name", i % 3 ? nan : inf);
    row.workspace = i % 2 ? ~std::uint64_t{0} : 0;
    row.settings = std::string(300, 'x') + "\x1b[31m";
    row.notes = {"A\nB"};
    row.off = nan;
    rows.push_back(row);
  }
  const Exhibit many = exhibit(of(rows, device::EvidenceKind::measured));
  for (const int width : {24, 60, 100}) {
    const std::string text = to_text(many, *strings, width);
    CAPTURE(text);
    CHECK(widest_line(text) <= width);
    CHECK(text.find('\x1b') == std::string::npos);
  }
  CHECK(holds(to_text(many, *strings, 100), "76"));  // 24 rows are shown
  CHECK(holds(to_text(many, *strings, 100), "16 EiB"));
  const std::string html = to_html(many, *strings);
  CHECK(count_of(html, "<tr>") == 101);
  CHECK_FALSE(holds(html, "engine <1>"));
  CHECK(table_of(many, *strings).rows.size() == 100);
  Report report;
  report.exhibits = {many};
  CHECK(report_from_binary(to_binary(report)).has_value());
}

TEST_CASE("algorithms_of: cuDNN's engines for a described GPU are reported, without times") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.onednn = false;
  const auto made = algorithms_of(request);
  REQUIRE(made);
  REQUIRE(made->groups.size() == 1);
  const Group& cudnn = made->groups.front();
  if (is_missing(cudnn)) SKIP("cuDNN is not here");
  REQUIRE_FALSE(cudnn.error);
  REQUIRE_FALSE(cudnn.rows.empty());
  REQUIRE(cudnn.evidence);
  CHECK(cudnn.evidence->kind == device::EvidenceKind::reported);
  CHECK(cudnn.evidence->on.text == "H200");
  CHECK_FALSE(cudnn.description.empty());
  CHECK_FALSE(tells_times(cudnn));
  CHECK(cudnn.untimed.key == "algorithms.untimed.described");
  CHECK(algorithms_of(request)->groups.front() == cudnn);  // remembered
}

TEST_CASE("algorithms_of: a GPU that nobody knows, a bad problem") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.gpu = "h9999";
  CHECK(algorithms_of(request).error().code == device::ErrorCode::no_such_gpu);
  request.gpu = "h200";
  request.problem.window = {99, 99};
  CHECK(algorithms_of(request).error().code == device::ErrorCode::bad_problem);
}

TEST_CASE("algorithms_of: a run that is cancelled already asks nobody") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.problem.image.h = 13;  // not remembered from another test
  std::stop_source stop;
  stop.request_stop();
  const auto made = algorithms_of(request, stop.get_token());
  REQUIRE_FALSE(made);
  CHECK(made.error().code == device::ErrorCode::cancelled);
}

TEST_CASE("algorithms_of: oneDNN's results are timed on this CPU and held against the truth",
          "[ci]") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.nvidia = false;
  // One tap of ones: each output is the sum of the three-by-three window over all channels.
  auto truth = std::make_shared<LibraryTruth>();
  const auto tensors = device::libraries::tensors_of(request.problem);
  for (const auto& input : tensors.inputs)
    truth->inputs.emplace_back(static_cast<std::size_t>(input.shape.count()), 1.0f);
  const auto [n, k, h, w] = tensors.output.shape.extents();
  for (std::int64_t i = 0; i < n * k * h * w; ++i) {
    const std::int64_t y = i / w % h, x = i % w;
    const auto inside = [](std::int64_t at, std::int64_t extent) {
      return 1 + (at > 0) + (at + 1 < extent);
    };
    truth->output.push_back(8.0 * static_cast<double>(inside(y, h) * inside(x, w)));
  }
  request.truth = truth;
  const auto made = algorithms_of(request);
  REQUIRE(made);
  REQUIRE(made->groups.size() == 1);
  const Group& onednn = made->groups.front();
  if (is_missing(onednn)) SKIP("oneDNN is not here");
  REQUIRE_FALSE(onednn.error);
  REQUIRE(onednn.evidence);
  CHECK(onednn.evidence->kind == device::EvidenceKind::measured);
  REQUIRE(onednn.rows.size() >= 2);
  std::size_t timed_rows = 0;
  for (const Row& row : onednn.rows) {
    CAPTURE(row.name);
    CHECK_FALSE((row.name.starts_with("ref") && (row.time || row.stopped)));
    if (!row.time) continue;
    ++timed_rows;
    CHECK(row.time->seconds > 0);
    CHECK(row.time->low <= row.time->seconds);
    REQUIRE(row.off);
    CHECK(*row.off == 0);  // sums of at most 72 ones are exact
  }
  CHECK(timed_rows >= 1);

  truth = std::make_shared<LibraryTruth>(*truth);
  truth->output[5] += 0.5;
  request.truth = truth;
  const auto wrong = algorithms_of(request);
  REQUIRE(wrong);
  for (const Row& row : wrong->groups.front().rows) {
    if (row.off) CHECK(*row.off == 0.5);
  }
}

TEST_CASE(
    "hold: a result within its tolerance is right and keeps its time, any other is wrong and has "
    "none") {
  LibraryTruth truth;
  truth.output = {1, -2, 3, 0.5};
  truth.products = 9;
  truth.tolerance = parse_tolerance("products");
  REQUIRE(truth.tolerance);
  const std::vector<float> right{1, -2, 3, 0.5f};
  const auto held = [&](const std::vector<float>& result, const std::string& name = "jit:avx2",
                        std::vector<std::string> notes = {}) {
    Row row;
    row.name = name;
    row.notes = std::move(notes);
    row.time = AlgorithmsExhibit::Time{1e-3, 1e-3, 1e-3, 5};
    judge(row, result, truth);
    return row;
  };
  const Row good = held(right);
  CHECK(good.notes == std::vector<std::string>{"RIGHT"});
  CHECK(good.time);
  CHECK(good.off == 0.0);

  std::vector<float> off = right;
  off[2] = 3.1f;
  const Row bad = held(off);
  CHECK(bad.notes == std::vector<std::string>{"WRONG"});
  CHECK_FALSE(bad.time);
  CHECK(bad.off.value() > 0.09);

  off[2] = std::nanf("");
  CHECK(held(off).notes.back() == "WRONG");
  CHECK(held({1, -2, 3}).notes.back() == "WRONG");  // one is missing
  CHECK(held({}).notes.back() == "WRONG");

  // What adds before it multiplies is allowed what our own Winograd rungs are, and no more.
  off[2] = 3.00001f;
  const Row beyond = held(off);  // and no further off than TF32 would be
  CHECK(beyond.notes.back() == "BEYOND");
  CHECK(beyond.time);
  CHECK(held(off, "jit_wino:avx512_core").notes.back() == "RIGHT");
  CHECK(held(off, "engine 12", {"WINOGRAD"}).notes.back() == "RIGHT");
  off[2] = 3.001f;
  CHECK(held(off, "jit_wino:avx512_core").notes.back() == "BEYOND");

  truth.tolerance.reset();
  const Row told = held(off);
  CHECK(told.notes.empty());
  CHECK(told.time);
}

TEST_CASE("algorithms_of: a library whose results are not the truth's has no times", "[ci]") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.nvidia = false;
  const auto& p = request.problem;
  auto truth = std::make_shared<LibraryTruth>();
  const auto tensors = tensors_of(p);
  for (const auto& input : tensors.inputs)
    truth->inputs.emplace_back(static_cast<std::size_t>(input.shape.count()), 1.0f);
  // Sums of 0, when every one is at least 32.
  truth->output.assign(static_cast<std::size_t>(tensors.output.shape.count()), 0);
  truth->products = 72;
  truth->tolerance = parse_tolerance("products");
  request.truth = truth;
  const auto made = algorithms_of(request);
  REQUIRE(made);
  const Group& onednn = made->groups.front();
  if (is_missing(onednn)) SKIP("oneDNN is not here");
  std::size_t wrong = 0;
  for (const Row& row : onednn.rows) {
    CHECK_FALSE(row.time);
    wrong += static_cast<std::size_t>(std::ranges::count(row.notes, "WRONG"));
  }
  CHECK(wrong >= 1);
}

TEST_CASE(
    "library_truth: oneDNN computes every operation that libraries know, products as exactly as "
    "rungs",
    "[ci]") {
  const std::string root = device::root_folder().string();
  std::size_t held = 0;
  for (const std::string& name : operation_names(root)) {
    const auto operation = load_operation(root, name);
    REQUIRE(operation);
    OperationCase size = operation->ladder;
    REQUIRE(!add_values(*operation, size.scalars));
    const auto problem = library_problem(name, size.scalars);
    if (!problem) continue;
    CAPTURE(name);
    AlgorithmsRequest request;
    request.problem = *problem;
    request.nvidia = false;
    request.limits = {0, 1e9, 0};
    request.time_references = true;
    request.longest = 2;
    const auto truth = library_truth(*operation, size, *problem);
    REQUIRE(truth);
    REQUIRE(truth->tolerance);
    request.truth = truth;
    const auto made = algorithms_of(request);
    REQUIRE(made);
    const Group& onednn = made->groups.front();
    if (is_missing(onednn)) SKIP("oneDNN is not here");
    REQUIRE_FALSE(onednn.error);
    std::size_t right = 0;
    for (const Row& row : onednn.rows) {
      CAPTURE(row.name, row.settings, row.off.value_or(-1));
      const bool is_right = std::ranges::count(row.notes, "RIGHT") == 1;
      right += is_right || std::ranges::count(row.notes, "BEYOND") == 1 ? 1 : 0;
      CHECK(std::ranges::count(row.notes, "WRONG") == 0);
      // Its plain loops add up in order; its functions are polynomials that are less exact than our rungs.
      const bool function = problem->kind == device::libraries::ProblemKind::activation;
      if (row.time && !row.name.starts_with("ref") && !function) CHECK(is_right);
    }
    CHECK(right >= 1);
    ++held;
  }
  CHECK(held >= 15);
}

TEST_CASE("algorithms_of: who asks for longer measuring gets it, whatever is remembered of shorter",
          "[ci]") {
  AlgorithmsRequest request;
  request.problem = small_convolution();
  request.nvidia = false;
  const auto most_samples = [&](const device::TimeLimits& limits) {
    request.limits = limits;
    const auto made = algorithms_of(request);
    REQUIRE(made);
    if (is_missing(made->groups.front())) SKIP("oneDNN is not here");
    std::uint32_t most = 0;
    for (const Row& row : made->groups.front().rows)
      most = std::max(most, row.time ? row.time->samples : 0);
    return most;
  };
  constexpr double kAnyNoise = 1e9;
  CHECK(most_samples({0, kAnyNoise, 0}) == 1);
  CHECK(most_samples({0, kAnyNoise, 10}) > 1);
}

TEST_CASE("algorithms_of: for activations cuDNN has calls, no engines of a GPU, and no GELU") {
  AlgorithmsRequest request;
  request.problem.kind = device::libraries::ProblemKind::activation;
  request.problem.image = {1, 1, 4, 8};
  request.onednn = false;
  const auto relu = algorithms_of(request);
  REQUIRE(relu);
  const Group& group = relu->groups.front();
  if (is_missing(group)) SKIP("cuDNN is not here");
  CHECK(group.rows.size() == 1);
  CHECK_FALSE(group.evidence);
  CHECK(group.untimed.key == "algorithms.untimed.calls");
  CHECK(english()(relu->problem) == "ReLU forward, fp32: 1x1x4x8");
  request.problem.activation = device::libraries::Activation::gelu;
  const auto gelu = algorithms_of(request);
  REQUIRE(gelu);
  REQUIRE(gelu->groups.front().error);
  CHECK(gelu->groups.front().error->code == device::ErrorCode::library_refused);
}

TEST_CASE("own_row: a rung's workspace, and no time where a launch has no estimate") {
  Operation operation;
  operation.name = "made-up";
  Rung rung;
  rung.name = "two_steps";
  rung.launches = {{"", {}, "32", "1", "", 1}};
  rung.workspaces = {{"a", device::ElementType::f32, {"n", "3"}},
                     {"b", device::ElementType::f64, {"2 * n"}}};
  RungResult result;
  auto record = std::make_shared<device::LaunchRecord>(sample::full_record());
  result.records = {record, record};
  const Row row = own_row(operation, rung, {{"n", 5}}, result);
  CHECK(row.name == "two_steps");
  CHECK(row.workspace == 5 * 3 * 4 + 10 * 8);
  REQUIRE(row.time);
  CHECK(row.time->seconds == 2 * record->estimate->seconds);
  CHECK(row.time->high == 2 * record->estimate->high);
  CHECK_FALSE(row.off);
  result.outputs.emplace("out", sample::tensor<float>("out", {1, 2, -3}));
  const std::vector<double> truth{1, 2.25, -2.5};
  CHECK(own_row(operation, rung, {{"n", 5}}, result, truth).off == 0.5);
  auto without = std::make_shared<device::LaunchRecord>(*record);
  without->estimate.reset();
  result.records.push_back(without);
  CHECK_FALSE(own_row(operation, rung, {{"n", 5}}, result).time);
  CHECK(own_kernels("H200").evidence->kind == device::EvidenceKind::estimated);
}

}  // namespace warpbook::lab::algorithms_exhibit_test
