// Windows of a convolution: what their sentence says and their renderers show of right, wrong, empty, huge and broken data;
// and that they are made from the trace.
#include <algorithm>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/sliding_window/sliding_window_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::window_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using sample::slid;
using tests::count_of;
using tests::holds;

std::string said(const SlidingWindowExhibit& window) {
  return sentence(exhibit(window), sample::keys());
}
std::string shown(const SlidingWindowExhibit& window, int width = 110) {
  return to_text(exhibit(window), english(), width);
}
SlidingWindowRead read(const SlidingWindowExhibit& window) {
  const auto sizes = sizes_of(window);
  REQUIRE(sizes);
  return read_of(window, *sizes, window.outputs[window.chosen]);
}
/// Drawn by every renderer, in both languages; gives back the HTML.
Drawing picture(const SlidingWindowExhibit& window) {
  const auto& chosen = window.outputs[window.chosen];
  const SlidingWindowLayout layout(window, *sizes_of(window), chosen, 768);
  return drawing_of(window, layout, {&chosen, &chosen}, svg_canvas(768, english()));
}
std::string drawn(const SlidingWindowExhibit& window) {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  CHECK_FALSE(to_text(exhibit(window), *strings, 24).empty());
  CHECK(to_json(exhibit(window), english())["kind"] == "sliding_window");
  CHECK(table_of(exhibit(window), *strings).head.size() == 8);
  return to_html(exhibit(window), *strings);
}

}  // namespace

TEST_CASE(
    "Sliding window: the sentence tells the output, what was read of its window, and the column") {
  SlidingWindowExhibit window = slid(1, 6, 1);
  window.chosen = 14;
  CHECK(said(window) ==
        "sliding_window.output(place=(2, 2), filter=0, value=−2, thread=14, block=0); "
        "sliding_window.read(read=9, taps=9); sliding_window.straight; "
        "sliding_window.column(number=14, taps=9, windows=36)");
  CHECK(holds(said(window), "sliding_window.read"));
  CHECK(holds(said(window), "sliding_window.straight"));
  CHECK(said(window) ==
        "sliding_window.output(place=(2, 2), filter=0, value=−2, thread=14, block=0); "
        "sliding_window.read(read=9, taps=9); sliding_window.straight; "
        "sliding_window.column(number=14, taps=9, windows=36)");
  window.chosen = 0;
  CHECK(said(window) ==
        "sliding_window.output(place=(0, 0), filter=0, value=−2, thread=0, block=0); "
        "sliding_window.read-padded(read=4, taps=4, padding=sliding_window.padding(count=5)); "
        "sliding_window.straight; sliding_window.column(number=0, taps=9, windows=36)");
  CHECK(read(window).padding == 5);
}

TEST_CASE(
    "Sliding window: a tap's input is where stride, padding and dilation put it, in both layouts") {
  const auto [stride, pad, dilation] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>(
      {{1, 0, 1}, {1, 1, 1}, {2, 1, 1}, {1, 2, 2}, {3, 0, 2}}));
  const bool last = GENERATE(false, true);
  CAPTURE(stride, pad, dilation, last);
  SlidingWindowExhibit window;
  window.channels_last = last;
  window.stride = stride;
  window.pad = pad;
  window.dilation = dilation;
  using Shape = std::vector<std::uint64_t>;
  window.input = sample::tensor<float>("x", std::vector<float>(2 * 7 * 8),
                                       last ? Shape{7, 8, 2} : Shape{2, 7, 8});
  window.weights = sample::tensor<float>("w", std::vector<float>(3 * 2 * 3 * 2),
                                         last ? Shape{3, 3, 2, 2} : Shape{3, 2, 3, 2});
  window.filters = 3;
  window.out_rows = window.out_columns = 2;
  const auto sizes = sizes_of(window);
  REQUIRE(sizes);
  SlidingWindowExhibit::Output output;
  output.element = last ? 3 * 3 + 2 : 2 * 4 + 3;  // filter 2, row 1, column 1
  const OutputPlace place = place_of(window, *sizes, output.element);
  CHECK((place.filter == 2 && place.row == 1 && place.column == 1));
  CHECK(output_element(window, *sizes, place) == output.element);
  const SlidingWindowRead got = read_of(window, *sizes, output);
  REQUIRE(got.taps.size() == 12);
  std::size_t number = 0, right = 0;
  const auto visit = [&](std::int64_t channel, std::int64_t r, std::int64_t s) {
    const std::int64_t row = std::int64_t{stride} - pad + r * dilation,
                       column = std::int64_t{stride} - pad + s * dilation;
    const bool inside = row >= 0 && row < 7 && column >= 0 && column < 8;
    const std::int64_t wanted = !inside ? -1
                                : last  ? (row * 8 + column) * 2 + channel
                                        : (channel * 7 + row) * 8 + column;
    const SlidingWindowTap& tap = got.taps[number];
    right += tap.input == wanted && tap.weight == static_cast<std::int64_t>(24 + number) ? 1 : 0;
    if (inside) {
      const InputPlace back = input_place(window, *sizes, wanted);
      right += back.channel == channel && back.row == row && back.column == column ? 0 : -100;
    }
    CHECK(column_cell(window, *sizes, static_cast<std::int64_t>(number), 3) == wanted);
    ++number;
  };
  for (std::int64_t a = 0; a < (last ? 3 : 2); ++a) {
    for (std::int64_t b = 0; b < (last ? 2 : 3); ++b) {
      for (std::int64_t c = 0; c < 2; ++c) last ? visit(c, a, b) : visit(a, b, c);
    }
  }
  CHECK(right == 12);
}

TEST_CASE(
    "Sliding window: reads outside it, inputs not read and a filter turned round are told apart") {
  SlidingWindowExhibit window = slid(1, 6, 1);
  window.chosen = 14;
  auto& output = window.outputs[14];
  SECTION("shifted by a row") {
    for (std::int64_t& input : output.inputs) input += 6;
    const SlidingWindowRead got = read(window);
    CHECK(got.missing == 3);
    CHECK(got.astray == std::vector<std::int64_t>{25, 26, 27});
    CHECK(said(window) ==
          "sliding_window.output(place=(2, 2), filter=0, value=−2, thread=14, block=0); "
          "sliding_window.read(read=6, taps=9); sliding_window.astray(count=3); "
          "sliding_window.astray-first(row=4, column=1, channel=0); sliding_window.crossed; "
          "sliding_window.column(number=14, taps=9, windows=36)");
    CHECK(holds(said(window), "sliding_window.astray"));
    CHECK(holds(said(window), "sliding_window.crossed"));
    CHECK(holds(shown(window), "!"));
    CHECK(count_of(picture(window), "astray") == 3);
  }
  SECTION("turned round") {
    std::reverse(output.weights.begin(), output.weights.end());
    CHECK(read(window).pairing == SlidingWindowRead::Pairing::flipped);
    CHECK(holds(said(window), "sliding_window.flipped"));
    CHECK(to_json(exhibit(window), english())["value"]["outputs"][14]["pairing"] == "flipped");
  }
  SECTION("weights not read") {
    output.weights.clear();
    CHECK(read(window).pairing == SlidingWindowRead::Pairing::unknown);
    CHECK_THAT(shown(window),
               !tests::Says("sliding_window.terms", {}, tests::patterns_of(english())));
  }
  SECTION("read twice, and outside the array") {
    output.inputs.push_back(output.inputs.front());
    output.inputs.push_back(-3);
    CHECK(read(window).repeated == 1);
    CHECK(holds(said(window), "sliding_window.astray-outside(element=−3, name=x)"));
    CHECK(holds(said(window), "sliding_window.repeated(count=1)"));
    CHECK(holds(drawn(window), "</svg>"));
  }
  SECTION("nothing read") {
    output.inputs.clear();
    output.weights.clear();
    output.wrong = true;
    CHECK(read(window).missing == 9);
    CHECK(holds(said(window), "sliding_window.wrong"));
    CHECK(count_of(picture(window), "unread") == 9);
  }
}

TEST_CASE("Sliding window: text shows the window, the terms of the sum and the matrix") {
  SlidingWindowExhibit window = slid(1, 4, 1);
  window.chosen = 5;
  const std::string text = shown(window);
  CHECK(holds(text, "[0][1][2]"));
  CHECK_THAT(text, tests::Says("sliding_window.terms", {}, tests::patterns_of(english())));
  CHECK(holds(text, "0 × −2 + 1 × −1 + 2 × 0 + 4 × 1"));
  CHECK(holds(text, "im2col: 9 × 16, from column 0"));
  CHECK(holds(shown(slid(8, 4, 1)), english()("sliding_window.more-rows", {{"count", 45}})));
}

TEST_CASE("Sliding window: where a channel of several is shown, text and page say so") {
  const auto says = [](int channels) {
    return english()("sliding_window.first-channel", {{"channels", channels}});
  };
  const auto page = [](const SlidingWindowExhibit& window) {
    return to_html(exhibit(window), english());
  };
  const SlidingWindowExhibit eight = slid(8, 4, 1), one = slid(1, 4, 1);
  // Wide enough for the sentence to stay on one line.
  CHECK(holds(to_text(exhibit(eight), english(), 200), says(8)));
  CHECK(holds(page(eight), says(8)));
  CHECK_FALSE(holds(to_text(exhibit(one), english(), 200), says(1)));
  CHECK_FALSE(holds(page(one), says(1)));
}

TEST_CASE(
    "Sliding window: nothing, shapes that do not fit, and no output are said, never a crash") {
  CHECK(said(SlidingWindowExhibit{}) == "sliding_window.unfit");
  CHECK_FALSE(holds(drawn(SlidingWindowExhibit{}), "<svg"));
  SlidingWindowExhibit none = slid(1, 4, 1);
  none.outputs.clear();
  CHECK(said(none) == "sliding_window.nobody");
  CHECK_FALSE(holds(drawn(none), "<svg"));
  SlidingWindowExhibit broken = slid(1, 4, 1);
  broken.stride = 0;
  CHECK_FALSE(sizes_of(broken));
  broken = slid(1, 4, 1);
  broken.weights.shape = {1, 3, 3, 1};
  CHECK_FALSE(sizes_of(broken));
  broken = slid(1, 4, 1);
  broken.input.data.clear();
  CHECK_FALSE(sizes_of(broken));
  CHECK_FALSE(holds(drawn(broken), "<svg"));
  broken = slid(1, 4, 1);
  broken.dilation = ~0u;
  CHECK_FALSE(sizes_of(broken));
}

TEST_CASE("Sliding window: tiny and huge layers, NaN and infinity are drawn") {
  SlidingWindowExhibit tiny = slid(1, 1, 1);
  CHECK(read(tiny).padding == 8);
  CHECK(holds(drawn(tiny), "</svg>"));
  SlidingWindowExhibit huge = slid(1, 3200, 1, 2000);  // 10 million inputs
  huge.chosen = 1999;
  const std::string html = drawn(huge);
  CHECK(html.size() < 400'000);
  CHECK(said(huge) ==
        "sliding_window.output(place=(0, 1999), filter=0, value=3, thread=1,999, block=0); "
        "sliding_window.read-padded(read=6, taps=6, padding=sliding_window.padding(count=3)); "
        "sliding_window.straight; sliding_window.column(number=1,999, taps=9, windows=10,240,000)");
  SlidingWindowExhibit odd = slid(1, 4, 1);
  odd.outputs[3].value = std::numeric_limits<double>::quiet_NaN();
  odd.outputs[4].value = std::numeric_limits<double>::infinity();
  odd.input = sample::tensor<float>(
      "x", std::vector<float>(16, std::numeric_limits<float>::infinity()), {1, 4, 4});
  odd.chosen = 3;
  CHECK(holds(drawn(odd), "var(--bad-tint)"));
  CHECK(said(odd) ==
        "sliding_window.output(place=(0, 3), filter=0, value=nan, thread=3, block=0); "
        "sliding_window.read-padded(read=4, taps=4, padding=sliding_window.padding(count=5)); "
        "sliding_window.straight; sliding_window.column(number=3, taps=9, windows=16)");
}

TEST_CASE("Sliding window: the binary form refuses outputs that are not there or out of order") {
  Report report;
  const auto comes_back = [&](const SlidingWindowExhibit& window) {
    report.exhibits = {exhibit(window)};
    return report_from_binary(to_binary(report)).has_value();
  };
  SlidingWindowExhibit window = slid(1, 4, 2);
  CHECK(comes_back(window));
  window.chosen = 32;
  CHECK_FALSE(comes_back(window));
  window = slid(1, 4, 2);
  std::swap(window.outputs[0], window.outputs[1]);
  CHECK_FALSE(comes_back(window));
  window = slid(1, 4, 2);
  window.out_rows = 1;
  CHECK_FALSE(comes_back(window));
  window = slid(1, 4, 2);
  window.weights.data.pop_back();
  CHECK_FALSE(comes_back(window));
}

TEST_CASE(
    "Window: it is made from the trace; what a thread read belongs to the output it stored next") {
  device::LaunchRecord record;
  record.grid = {1, 1, 1};
  record.block = {32, 1, 1};
  record.instructions.resize(1);
  record.allocations = {{"x", 4096, 64, device::ElementType::f32},
                        {"weights", 8192, 16, device::ElementType::f32},
                        {"y", 12288, 36, device::ElementType::f32}};
  const auto access = [&](std::uint64_t address, std::uint32_t thread, device::AccessKind kind,
                          std::uint8_t bytes = 4) {
    record.trace.push_back({address, 0, 0, thread, 0, bytes, device::Space::global, kind});
  };
  using Kind = device::AccessKind;
  access(4096 + 8, 3, Kind::load);
  access(8192 + 4, 3, Kind::load);
  access(4096, 5, Kind::load, 16);  // four elements at once
  access(12288 + 4, 3, Kind::store);
  access(4096 + 12, 3, Kind::load);
  access(12288, 3, Kind::store);
  access(12288 + 8, 5, Kind::store);
  access(999'999, 5, Kind::load);  // nobody's
  device::Finding stray;
  stray.error.code = device::ErrorCode::out_of_bounds_read;
  stray.space = device::Space::global;
  stray.allocation = "x";
  stray.address = 4096 + 64;
  stray.by.thread = 5;
  record.findings = {stray};
  record.trace_cut = true;
  const TensorExhibit x = sample::tensor<float>("x", std::vector<float>(16), {1, 4, 4}),
                      weights =
                          sample::tensor<float>("weights", std::vector<float>(4), {1, 1, 2, 2});
  TensorExhibit y = sample::tensor<float>("y", {7, 8, 9, 0, 0, 0, 0, 0, 0}, {1, 3, 3});
  y.wrong = {8, 1};
  const SlidingWindowExhibit made = sliding_window_of(record, {x, weights, y, false, 1, 0, 1, 1});
  REQUIRE(made.outputs.size() == 3);
  CHECK(made.outputs[0].inputs == std::vector<std::int64_t>{3});
  CHECK(made.outputs[1].inputs == std::vector<std::int64_t>{2});
  CHECK(made.outputs[1].weights == std::vector<std::int64_t>{1});
  CHECK(made.outputs[1].value == 8);
  CHECK(made.outputs[1].wrong);
  CHECK_FALSE(made.outputs[0].wrong);
  CHECK(made.outputs[2].inputs == std::vector<std::int64_t>{0, 1, 2, 3, 16});
  CHECK(made.chosen == 1);
  CHECK(made.cut);
  CHECK_FALSE(made.stopped);
  CHECK(sizes_of(made));
  record.trace_cut = false;
  record.error = device::Error{device::ErrorCode::budget_instructions, {}, {}};
  const SlidingWindowExhibit stopped =
      sliding_window_of(record, {x, weights, y, false, 1, 0, 1, 1});
  CHECK(stopped.cut);
  CHECK(stopped.stopped);
}

}  // namespace warpbook::lab::window_exhibit_test
