// Timelines: shares, overlaps, order and folding held against plain arithmetic; what the renderers say of none, one, many and
// broken spans.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "lab/report/compare.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::timeline_exhibit_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::holds;
using enum TimelineExhibit::Activity;
using Span = TimelineExhibit::Span;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string said(const TimelineExhibit& timeline) {
  return sentence(exhibit(timeline), sample::keys());
}

/// A host and two streams, measured, with these spans.
TimelineExhibit timed(std::vector<Span> spans) {
  TimelineExhibit made;
  made.rows = {host_row(), stream_row(1), stream_row(2)};
  made.spans = std::move(spans);
  made.times = device::Evidence{device::EvidenceKind::measured, Message::plain("GPU"), {}};
  return made;
}
Span span(std::uint32_t row, TimelineExhibit::Activity activity, double begin, double end) {
  Span made;
  made.row = row;
  made.activity = activity;
  made.label = std::string(device::name_of(activity));
  made.begin = begin;
  made.end = end;
  return made;
}

/// The same without its times.
TimelineExhibit ordered(TimelineExhibit timeline) {
  timeline.times.reset();
  timeline.total = timeline.low = timeline.high = 0;
  for (Span& one : timeline.spans) one.begin = one.end = 0;
  return timeline;
}
/// Spans whose times do not matter.
TimelineExhibit in_order(std::vector<Span> spans) { return ordered(timed(std::move(spans))); }
Span step(std::uint32_t row, TimelineExhibit::Activity activity,
          std::vector<std::uint32_t> after = {}, std::optional<std::uint32_t> call = {}) {
  Span made = span(row, activity, 0, 0);
  made.after = std::move(after);
  made.call = call;
  return made;
}

/// A loop that launches a kernel `count` times, and then waits.
TimelineExhibit loop(std::uint32_t count) {
  TimelineExhibit made = timed({});
  for (std::uint32_t i = 0; i < count; ++i) {
    made.spans.push_back(span(0, host_call, i * 1e-6, (i + 1) * 1e-6));
    made.spans.push_back(span(1, kernel, (i + 1) * 1e-6, (i + 2) * 1e-6));
    made.spans.back().label = "matrixMul";
    made.spans.back().line = 7;
    made.spans.back().call = 2 * i;
  }
  made.spans.push_back(span(0, waiting, count * 1e-6, (count + 1) * 1e-6));
  made.spans.back().after = {2 * count - 1};
  return made;
}

/// The steps of all spans, where only the order is known.
std::vector<double> steps_of(const TimelineExhibit& timeline) {
  const TimelineRuns runs = runs_of(timeline);
  std::vector<double> steps;
  for (const std::uint32_t run : runs.of_span) steps.push_back(runs.runs[run].begin);
  return steps;
}

/// All renderers; gives back the HTML.
std::string drawn(const TimelineExhibit& timeline, const Strings& strings) {
  for (const int width : {24, 80, 200}) {
    const std::string text = to_text(exhibit(timeline), strings, width);
    CHECK_FALSE(text.empty());
    CHECK(tests::widest_line(text) <= width);
  }
  CHECK(to_json(exhibit(timeline), english())["kind"] == "timeline");
  CHECK(table_of(exhibit(timeline), strings).rows.size() == timeline.spans.size());
  return to_html(exhibit(timeline), strings);
}

}  // namespace

TEST_CASE("Timeline: shares count time once, however many things are under way") {
  // Stream 1: copy 0 to 4, kernel 6 to 8. Stream 2: kernel 2 to 7. The host waits from 1 to 10.
  TimelineExhibit made = timed({span(1, copy_in, 0, 4), span(2, kernel, 2, 7),
                                span(1, kernel, 6, 8), span(0, waiting, 1, 10)});
  made.total = 12;
  const TimelineShares shares = shares_of(made);
  CHECK(shares.total == 12);
  CHECK(shares.copies == Approx(4));
  CHECK(shares.kernels == Approx(6));
  CHECK(shares.both == Approx(2));
  CHECK(shares.overlapped == Approx(3));
  CHECK(shares.idle == Approx(4));
  CHECK(shares.waiting == Approx(9));
}

TEST_CASE("Timeline: what ends when another begins does not overlap it") {
  const TimelineExhibit made = timed({span(1, copy_in, 0, 1), span(2, kernel, 1, 2)});
  CHECK(shares_of(made).overlapped == 0);
  CHECK_FALSE(longest_overlap(made));
}

TEST_CASE("Timeline: the overlap that is named is the longest, on the device, of two streams") {
  const TimelineExhibit made = timed({span(1, copy_in, 0, 3), span(0, waiting, 0, 9),
                                      span(2, kernel, 2, 8), span(1, copy_out, 4, 7)});
  const auto pair = longest_overlap(made);
  REQUIRE(pair);
  CHECK(*pair == TimelinePair{2, 3});
}

TEST_CASE("Timeline: its sentence says what overlaps, and where the time goes") {
  CHECK(said(sample::timeline()) ==
        "timeline.takes-about(time=1.1 ms, low=900 µs, high=1.4 ms, from=evidence.estimated · "
        "H200); timeline.shares(copies=100, kernels=36); timeline.overlap(share=45, "
        "a=timeline.named.kernel(name=saxpy, row=timeline.row.stream(stream=1)), "
        "b=timeline.named.copy-in(row=timeline.row.stream(stream=2))); "
        "timeline.waits(share=98, name=cudaDeviceSynchronize)");
}

TEST_CASE("Timeline: its sentence says that nothing overlaps, and that the device is idle") {
  const std::string text = said(timed({span(1, copy_in, 0, 80), span(1, kernel, 90, 100)}));
  CHECK(holds(text, "timeline.takes(time=100 s, from=evidence.measured · GPU)"));
  CHECK(holds(text, "timeline.shares(copies=80, kernels=10)"));
  CHECK(holds(text, "timeline.never-both"));
  CHECK(holds(text, "timeline.idle(share=10)"));
  CHECK_FALSE(holds(text, "timeline.waits"));
  CHECK_FALSE(
      holds(said(timed({span(1, copy_in, 0, 80), span(1, kernel, 81, 100)})), "timeline.idle"));
}

TEST_CASE("Timeline: its sentence tells streams that take turns from kernels that copies miss") {
  CHECK(holds(said(timed({span(1, kernel, 0, 1), span(2, kernel, 1, 2)})),
              "timeline.never(count=2)"));
  const std::string text =
      said(timed({span(1, kernel, 0, 2), span(2, kernel, 1, 3), span(1, copy_out, 4, 5)}));
  CHECK(holds(text, "timeline.overlap(share=20"));
  CHECK(holds(text, "timeline.never-both"));
}

TEST_CASE("Timeline: work of one kind, and no work, are said") {
  CHECK(holds(said(timed({span(1, copy_in, 0, 1)})), "timeline.copies-alone(copies=100"));
  CHECK(holds(said(timed({span(1, kernel, 0, 1)})), "timeline.kernels-alone(kernels=100"));
  const std::string none = said(timed({span(0, host_call, 0, 1)}));
  CHECK(holds(none, "timeline.no-work"));
  CHECK_FALSE(holds(none, "timeline.idle"));
  CHECK(said(TimelineExhibit{}) == "timeline.nothing");
  CHECK(said(timed({span(0, host_call, 0, 0)})) ==
        "timeline.takes(time=0 s, from=evidence.measured · GPU)");
}

TEST_CASE("Timeline: each step comes after all that it has to wait for") {
  // The host launches on both streams; stream 2 waits for stream 1's first kernel, and the host for stream 2.
  const TimelineExhibit made =
      in_order({step(0, host_call), step(1, kernel, {}, 0), step(0, callback),
                step(2, copy, {1}, 2), step(1, fill, {}, 2), step(0, waiting, {3})});
  CHECK(steps_of(made) == std::vector<double>{0, 1, 1, 2, 2, 3});
}

TEST_CASE("Timeline: the order alone tells what may overlap and what must not") {
  SECTION("streams that do not wait for each other") {
    const TimelineFreedom freedom = freedom_of(in_order({step(1, kernel), step(2, copy_in)}));
    CHECK(freedom.pair == TimelinePair{0, 1});
  }
  SECTION("an event orders them") {
    CHECK_FALSE(freedom_of(in_order({step(1, kernel), step(2, copy_in, {0})})).pair);
  }
  SECTION("the host orders them, because it waits for one before it asks for the other") {
    CHECK_FALSE(freedom_of(in_order({step(1, kernel), step(0, waiting, {0}), step(0, host_call),
                                     step(2, copy_in, {}, 2)}))
                    .pair);
  }
  SECTION("what comes much later may still overlap, if nothing waits") {
    const TimelineFreedom freedom = freedom_of(in_order(
        {step(1, kernel), step(0, host_call), step(0, callback), step(2, copy_in, {}, 2)}));
    CHECK(freedom.pair == TimelinePair{0, 3});
  }
  SECTION("waiting for an earlier kernel of a stream leaves the later one free") {
    const TimelineFreedom freedom =
        freedom_of(in_order({step(1, kernel), step(1, kernel), step(2, copy_in, {0})}));
    CHECK(freedom.pair == TimelinePair{1, 2});
  }
}

TEST_CASE("Timeline: where only the order is known, its sentence says so") {
  const std::string free = said(in_order({step(1, kernel), step(2, copy_in)}));
  CHECK(holds(free, "timeline.order-only"));
  CHECK(holds(free, "timeline.may-overlap(b=timeline.named.copy-in("));
  CHECK(said(in_order({step(1, kernel), step(2, copy_in, {0})})) ==
        "timeline.order-only; timeline.must-follow");
  CHECK(said(in_order({step(1, kernel)})) == "timeline.order-only");
}

TEST_CASE("Timeline: more rows and spans than can be looked through leave the order open") {
  TimelineExhibit made = in_order({});
  made.rows.assign(5'000, stream_row(1));
  for (std::uint32_t i = 0; i < 5'000; ++i) made.spans.push_back(step(i, kernel));
  CHECK_FALSE(freedom_of(made).known);
  CHECK(said(made) == "timeline.order-only");
}

TEST_CASE("Timeline: equal neighbours fold into one run, with its times added up") {
  const TimelineRuns runs = runs_of(loop(300));
  REQUIRE(runs.runs.size() == 3);
  const TimelineRun& kernels = runs.runs[1];
  CHECK(kernels.count == 300);
  CHECK(kernels.seconds == Approx(300e-6));
  CHECK(kernels.begin == Approx(1e-6));
  CHECK(kernels.end == Approx(301e-6));
  CHECK(run_name(loop(300), kernels) == "300 × matrixMul");
  CHECK(runs.of_span[599] == 1);
}

TEST_CASE("Timeline: what differs, waits or is waited for ends a run") {
  const auto change = GENERATE(0, 1, 2, 3, 4, 5);
  CAPTURE(change);
  TimelineExhibit made = loop(4);
  const auto second = [&]() -> Span& { return made.spans[3]; };
  switch (change) {
    case 0: second().label = "other"; break;
    case 1: second().line = 8; break;
    case 2: second().bytes = 4; break;
    case 3: second().activity = fill; break;
    case 4: second().after = {0}; break;
    default: made.spans[4].after = {3};  // the host waits for the second kernel
  }
  CHECK(runs_of(made).runs.size() > 3);
}

TEST_CASE("Timeline: a folded loop takes few steps, and what waits for it comes after it") {
  const TimelineExhibit made = ordered(loop(10'000));
  const std::vector<double> steps = steps_of(made);
  CHECK(steps.front() == 0);
  CHECK(steps[1] == 1);
  CHECK(steps.back() == 2);
}

TEST_CASE("Timeline: an axis is marked at round numbers that it holds") {
  CHECK(axis_marks({0, 10}, 6) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(axis_marks({0, 9.9}, 6) == std::vector<double>{0, 2, 4, 6, 8});
  CHECK(axis_marks({0, 1}, 3) == std::vector<double>{0, 0.5, 1});
  for (const double end : {0.0, -1.0, kNaN, kInf}) CHECK(axis_marks({0, end}, 8).size() == 1);
  for (int power = 0; power < 53; ++power) {
    const double end = 1e-9 * std::pow(1.7, power);  // up to 1,000
    CAPTURE(end);
    const auto marks = axis_marks({0, end}, 8);
    CHECK(marks.size() >= 3);
    CHECK(marks.size() <= 8);
    CHECK(marks.back() <= end * 1.000001);
  }
}

TEST_CASE("Timeline: a stretch of the axis is marked within it, by numbers that differ") {
  CHECK(axis_marks({7.5, 12}, 6) == std::vector<double>{8, 9, 10, 11, 12});
  const TimelineStretch close{1.2304e-3, 1.2312e-3};
  const auto marks = axis_marks(close, 6);
  REQUIRE(marks.size() >= 3);
  CHECK(marks.front() >= close.begin);
  CHECK(marks.back() <= close.end);
  std::vector<std::string> words;
  for (const double mark : marks) words.push_back(mark_text(mark, marks[1] - marks[0]));
  std::ranges::sort(words);
  CHECK(std::ranges::adjacent_find(words) == words.end());
  CHECK(mark_text(2e-3, 1e-3) == "2 ms");
  CHECK(mark_text(1.2304e-3, 2e-7) == "1230.4 µs");
  CHECK(mark_text(0, 1e-3) == "0");
}

TEST_CASE("Timeline: a closer look keeps its place, stays on the axis and has an end") {
  const TimelineStretch whole{0, 10};
  const TimelineStretch half = zoomed(whole, 0.5, 4, 10);
  CHECK(half.begin == Approx(2));
  CHECK(half.end == Approx(7));
  CHECK(zoomed(half, 2, 4, 10) == whole);
  CHECK(zoomed(whole, 4, 4, 10) == whole);
  CHECK(zoomed({9, 10}, 2, 10, 10).end == Approx(10));
  TimelineStretch closest = whole;
  for (int i = 0; i < 100; ++i) closest = zoomed(closest, 0.5, 3, 10);
  CHECK(closest.length() == Approx(10 / kClosest));
  CHECK(closest.begin <= 3);
  CHECK(closest.end >= 3);
  CHECK(moved(half, 1, 10).begin == Approx(3));
  CHECK(moved(half, 100, 10).end == Approx(10));
  CHECK(moved(half, -100, 10).begin == 0);
}

TEST_CASE("Timeline: a terminal shows each row as a row of signs with names where they fit") {
  const std::string text = to_text(exhibit(sample::timeline()), english(), 100);
  for (const char* part : {"▼", "▲", "█ saxpy █", "cudaDeviceSynchronize", "500 µs", "16 MiB"})
    CHECK(holds(text, part));
  CHECK(tests::widest_line(to_text(exhibit(sample::timeline()), english(), 300)) <= 300);
  // The row of the first stream: a copy, then a kernel, then a copy.
  const std::size_t row =
      text.find(english()("timeline.row.stream", {{"stream", "1"}}) + " ", text.find(" |"));
  REQUIRE(row != std::string::npos);
  const std::string line = text.substr(row, text.find('\n', row) - row);
  CHECK(line.find("▼") < line.find("█"));
  CHECK(line.find("█") < line.find("▲"));
}

TEST_CASE("Timeline: every renderer has each run, in both languages, with and without times") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    for (const TimelineExhibit& made : {sample::timeline(), ordered(sample::timeline())}) {
      const std::string html = drawn(made, *strings);
      CHECK(holds(html, "<svg"));
      std::uint64_t left_out = 0;
      CHECK(count_of(html, "<tr") == 1 + longest_runs(made, 99, left_out).size());
      CHECK(holds(html, "<td>16 MiB</td>"));
      CHECK_FALSE(holds(html, "&lt;"));  // a key without a string
    }
  }
  const auto json = to_json(exhibit(sample::timeline()), english())["value"];
  CHECK(json["overlapped_seconds"].get<double>() == Approx(500e-6));
  CHECK(json["spans"][7]["activity"] == "copy-in");
  CHECK(json["spans"][7]["after"][0] == 1);
  CHECK(
      to_json(exhibit(ordered(sample::timeline())), english())["value"]["copy_seconds"].is_null());
}

TEST_CASE("Timeline: its table has every span, and no times where only the order is known") {
  const Table table = table_of(exhibit(sample::timeline()), english());
  CHECK(table.rows[7] == std::vector<std::string>{"7", "stream 2", "copy to the device",
                                                  "cudaMemcpyAsync", "0.000304", "0.000604",
                                                  "16777216", "20", "6", "1"});
  const Table order = table_of(exhibit(ordered(sample::timeline())), english());
  CHECK(order.rows[7][4] == "–");
  CHECK(order.rows[7][9] == "1");
}

TEST_CASE(
    "Timeline: a box in words says what it is, how long, how much, where, and what came first") {
  const TimelineExhibit made = sample::timeline();
  const TimelineRuns items = items_of(made);
  const std::string text =
      run_text(made, items.runs[items.of_span[7]], whole_of(made), sample::keys());
  CHECK(text ==
        "timeline.facts(name=cudaMemcpyAsync, what=timeline.activity.copy-in, "
        "row=timeline.row.stream(stream=2), begin=304 µs, end=604 µs, time=300 µs, share=27); "
        "timeline.bytes-rate(bytes=16 MiB, rate=55.9 GB/s); timeline.line(line=20); "
        "timeline.waited(names=timeline.named.copy-in(row=timeline.row.stream(stream=1)))");
  CHECK(holds(run_text(made, items.runs[items.of_span[3]], whole_of(made), sample::keys()),
              "timeline.line(line=21)"));
}

TEST_CASE("Timeline: ten thousand spans make a short text and a short page") {
  for (const TimelineExhibit& made : {loop(5'000), ordered(loop(5'000))}) {
    const std::string html = drawn(made, english());
    CHECK(html.size() < 20'000);
    CHECK(holds(html, "5,000 × matrixMul"));
    const std::string text = to_text(exhibit(made), english(), 100);
    CHECK(text.size() < 5'000);
    CHECK(holds(text, "5,000 × matrixMul"));
  }
}

TEST_CASE("Timeline: only the longest runs are in a page's table, the rest is counted") {
  TimelineExhibit many = timed({});
  for (std::uint32_t i = 0; i < 40; ++i) {
    many.spans.push_back(span(1, kernel, i, i + 0.5 + 0.01 * i));
    many.spans.back().label = "kernel " + std::to_string(i);
  }
  const std::string html = drawn(many, english());
  CHECK(holds(html, english()("timeline.more", {{"count", "24"}})));
  CHECK(holds(html, "<td class=\"wb-words\">kernel 39</td>"));
  CHECK_FALSE(holds(html, "<td class=\"wb-words\">kernel 3</td>"));
}

TEST_CASE("Timeline: a table of the longest joins what is alike on a row, however it is mixed") {
  TimelineExhibit made = timed({});
  for (int i = 0; i < 500; ++i) {
    made.spans.push_back(span(1, copy_in, 2 * i, 2 * i + 0.5));
    made.spans.push_back(span(1, kernel, 2 * i + 0.5, 2 * i + 1.5));
  }
  std::uint64_t left_out = 1;
  const std::vector<TimelineRun> rows = longest_runs(made, 9, left_out);
  REQUIRE(rows.size() == 2);
  CHECK(run_name(made, rows[0]) == "500 × kernel");
  CHECK(rows[0].seconds == Approx(500));
  CHECK(left_out == 0);
  CHECK(longest_runs(made, 1, left_out).size() == 1);
  CHECK(left_out == 500);
  CHECK(longest_runs(ordered(made), 9, left_out).size() == 9);  // in their order
}

TEST_CASE("Timeline: where activities share places, each is shown as often as its time asks for") {
  ActivityMixture mixture;
  ActivityParts place{};
  place[static_cast<std::size_t>(kernel)] = 0.6;
  place[static_cast<std::size_t>(copy_in)] = 0.4;
  int kernels = 0;
  for (int i = 0; i < 100; ++i) kernels += mixture.shown(place) == kernel ? 1 : 0;
  CHECK(kernels == Approx(60).margin(1));
  ActivityParts alone{};
  alone[static_cast<std::size_t>(fill)] = 1e-9;
  CHECK(mixture.shown(alone) == fill);
}

TEST_CASE("Timeline: times that are no numbers are drawn as no time") {
  for (const double odd : {kNaN, kInf, -1.0, 1e300}) {
    CAPTURE(odd);
    TimelineExhibit made = sample::timeline();
    made.spans[3].end = odd;
    made.total = odd;
    const std::string html = drawn(made, english());
    CHECK_FALSE(holds(html, "nan"));
    CHECK(seconds_of(made.spans[3]) >= 0);
    made.spans[5].begin = odd;
    CHECK_FALSE(holds(drawn(made, english()), "nan"));
  }
}

TEST_CASE("Timeline: two runs are compared by their whole time and by what they asked for") {
  Report a, b;
  a.exhibits = {exhibit(sample::timeline())};
  TimelineExhibit slow = sample::timeline();
  slow.total = slow.low = slow.high = 3e-3;
  slow.spans.pop_back();
  slow.spans.pop_back();
  b.exhibits = {exhibit(slow)};
  const ComparisonExhibit made = compare(a, b);
  REQUIRE(made.times.size() == 1);
  CHECK(made.times[0].a->seconds == Approx(1104e-6));
  CHECK(made.times[0].b->seconds == Approx(3e-3));
  const auto copies = std::ranges::find(made.figures, "copies", &ComparisonExhibit::Figure::name);
  REQUIRE(copies != made.figures.end());
  CHECK(copies->a == 4);
  CHECK(copies->b == 3);
  b.exhibits = {exhibit(ordered(slow))};
  CHECK(compare(a, b).times.empty());
}

TEST_CASE("Timeline: a damaged form is refused") {
  Report report;
  report.exhibits = {exhibit(sample::timeline())};
  REQUIRE(report_from_binary(to_binary(report)));
  const auto refused = [&](const auto& damage) {
    TimelineExhibit damaged = sample::timeline();
    damage(damaged);
    report.exhibits = {exhibit(damaged)};
    CHECK_FALSE(report_from_binary(to_binary(report)));
  };
  refused([](TimelineExhibit& t) { t.rows.pop_back(); });
  refused([](TimelineExhibit& t) { t.spans[7].after = {7}; });
  refused([](TimelineExhibit& t) { t.spans[7].call = 8; });
  refused([](TimelineExhibit& t) { t.spans[7].end = t.spans[7].begin / 2; });
  refused([](TimelineExhibit& t) { t.spans[7].end = kInf; });
  refused([](TimelineExhibit& t) { t.spans[7].begin = kNaN; });
  refused([](TimelineExhibit& t) { t.spans[7].begin = -1; });
}

}  // namespace warpbook::lab::timeline_exhibit_test
