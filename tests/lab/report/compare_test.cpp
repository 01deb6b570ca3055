// Two reports held against each other: per cent, elements, times, sources, and what all renderers say of them.
#include "lab/report/compare.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/schema.hpp"

namespace warpbook::lab::comparison_test {
namespace {

using Catch::Approx;
using device::EvidenceKind;
using sample::english;
using sample::exhibit;
using sample::tensor;
using tests::holds;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Report report_of(std::vector<Exhibit> exhibits) {
  Report report;
  report.device = {"phrase.device.simulated", {{"gpu", "H200"}}, {}};
  report.exhibits = std::move(exhibits);
  return report;
}
Exhibit named(const std::string& id, ExhibitValue value) {
  return {id, Message::plain(id), std::nullopt, std::move(value)};
}

SourceExhibit source(const std::string& text, std::vector<SourceExhibit::Line> lines = {}) {
  SourceExhibit made;
  made.file = "add.cu";
  made.slot = "add";
  made.text = text;
  made.lines = std::move(lines);
  return made;
}
SourceExhibit::Line line(std::uint32_t number, std::uint64_t threads, std::uint64_t sectors) {
  SourceExhibit::Line made{number, threads, {}};
  made.counters.warp_instructions = threads / 32;
  made.counters.global_sectors = sectors;
  return made;
}

TimingsExhibit times(double seconds, double spread, EvidenceKind evidence,
                     const char* on = "H200") {
  return {{},
          {{Message::plain("one launch"), seconds, seconds - spread, seconds + spread, seconds, 1,
            device::Evidence{evidence, Message::plain(on), ""}}}};
}

const ComparisonExhibit::Figure* figure(const ComparisonExhibit& made, std::string_view name) {
  for (const auto& one : made.figures) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// What all renderers make of it; gives back the text.
std::string drawn(const ComparisonExhibit& comparison) {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    for (const int width : {24, 80, 200}) {
      const std::string text = to_text(exhibit(comparison), *strings, width);
      CHECK_FALSE(holds(text, "<comparison."));
    }
    CHECK_FALSE(to_html(exhibit(comparison), *strings).empty());
    CHECK_FALSE(holds(to_csv(table_of(exhibit(comparison), *strings)), "<comparison."));
  }
  Report whole = report_of({exhibit(comparison)});
  CHECK(tests::complaints("report.schema.json", {to_json(whole, english())}).empty());
  const auto back = report_from_binary(to_binary(whole));
  REQUIRE(back);
  CHECK((*back == whole));
  return to_text(exhibit(comparison), english(), 120);
}

}  // namespace

TEST_CASE("Comparison: a change is signed and of A, and there is none where no number says it") {
  CHECK(change_of(200, 100) == -50);
  CHECK(change_of(100, 125) == 25);
  CHECK(change_of(7, 7) == 0);
  CHECK(change_of(0, 0) == 0);
  CHECK(change_of(-4, -2) == 50);
  for (const double none : {kInf, -kInf, kNaN}) {
    CHECK_FALSE(change_of(none, 1));
    CHECK_FALSE(change_of(1, none));
  }
  CHECK_FALSE(change_of(0, 7));
  CHECK_FALSE(change_of(std::nullopt, 7));
  CHECK_FALSE(change_of(7, std::nullopt));
  CHECK_FALSE(change_of(1e-300, 1e300));  // past a double: never inf
  CHECK(change_text(200, 100, english()) == "−50 %");
  CHECK(change_text(96, 128, english()) == "+33.3 %");
  CHECK(change_text(0, 7, english()) == "A has 0");
  CHECK(change_text(7, 7, english()) == "the same");
  CHECK(change_text(7, std::nullopt, english()) == "A alone");
  CHECK(change_text(1e-300, 1e300, english()) == "no number");
}

TEST_CASE("Comparison: arrays that are the same, of any size and with NaN") {
  const auto count = GENERATE(std::size_t{1}, std::size_t{4095}, std::size_t{4097});
  std::vector<float> values(count, 1.5f);
  values.back() = std::numeric_limits<float>::quiet_NaN();
  const auto made = output_of(tensor("a", values), tensor("b", values));
  CHECK(made.compared == count);
  CHECK(made.differing == 0);
  CHECK_FALSE(made.absolute);
  CHECK(made.name == "b");
  std::vector<float> other = values;
  other.back() = -std::numeric_limits<float>::quiet_NaN();  // other bits
  CHECK(output_of(tensor("a", values), tensor("b", other)).differing == 0);
  CHECK(output_of(tensor<float>("z", {0.0f}), tensor<float>("z", {-0.0f})).differing == 0);
}

TEST_CASE("Comparison: the element that is farthest apart is found, as a number and as a share") {
  const auto made =
      output_of(tensor<float>("out", {100, 1, 5, 0}), tensor<float>("out", {110, 2, 5, 0}));
  CHECK(made.compared == 4);
  CHECK(made.differing == 2);
  REQUIRE(made.absolute);
  CHECK(made.absolute->index == 0);
  CHECK(made.absolute->difference == 10);
  CHECK(made.absolute->a == "100");
  CHECK(made.absolute->b == "110");
  REQUIRE(made.relative);
  CHECK(made.relative->index == 1);
  CHECK(made.relative->difference == Approx(0.5));
  CHECK(sentence_of(made, sample::keys()) ==
        "comparison.differing(count=2, total=4); comparison.absolute(place=out[0], a=100, b=110, "
        "apart=10); comparison.relative(place=out[1], a=1, b=2, apart=50)");
}

TEST_CASE(
    "Comparison: elements that no difference can be told of are counted, never taken for one") {
  const auto made = output_of(tensor<double>("x", {kNaN, 1, kInf, -kInf, 3, kInf}),
                              tensor<double>("x", {1, kNaN, 2, kInf, 4, kInf}));
  CHECK(made.differing == 5);
  CHECK(made.incomparable == 4);
  REQUIRE(made.first_incomparable);
  CHECK(made.first_incomparable->index == 0);
  CHECK(made.first_incomparable->a == "nan");
  REQUIRE(made.absolute);
  CHECK(made.absolute->index == 4);
  CHECK(made.absolute->difference == 1);
}

TEST_CASE("Comparison: the widest integers and doubles differ by a finite number") {
  const auto integers =
      output_of(tensor<std::int64_t>("i", {std::numeric_limits<std::int64_t>::min()}),
                tensor<std::int64_t>("i", {std::numeric_limits<std::int64_t>::max()}));
  CHECK(integers.absolute->difference == Approx(18446744073709551615.0));
  const auto close =
      output_of(tensor<std::uint64_t>("i", {~0ull}), tensor<std::uint64_t>("i", {~0ull - 1}));
  CHECK(close.absolute->difference == 1);
  const double most = std::numeric_limits<double>::max();
  const auto doubles = output_of(tensor<double>("d", {most}), tensor<double>("d", {-most}));
  CHECK(std::isfinite(doubles.absolute->difference));
  CHECK(doubles.relative->difference == 2);
}

TEST_CASE(
    "Comparison: arrays of different shapes, of none, and damaged ones are told, not compared") {
  const auto shapes =
      output_of(tensor<int>("m", {1, 2, 3, 4}, {2, 2}), tensor<int>("m", {1, 2, 3, 4}));
  CHECK(shapes.compared == 0);
  CHECK(sentence_of(shapes, sample::keys()) == "comparison.shapes(a=2 × 2, b=4)");
  const auto none = output_of(tensor<int>("m", {}), tensor<int>("m", {}));
  CHECK(none.compared == 0);
  CHECK(sentence_of(none, sample::keys()) == "comparison.no-elements");
  TensorExhibit cut = tensor<int>("m", {1, 2, 3});
  cut.data.resize(8);
  CHECK(output_of(cut, tensor<int>("m", {1, 2, 3})).compared == 0);
  CHECK(output_of(cut, cut).compared == 2);
  // The same numbers in another type are the same numbers.
  CHECK(output_of(tensor<int>("m", {1, 2}), tensor<float>("m", {1, 2.5f})).differing == 1);
}

TEST_CASE("Comparison: ten million elements, all different") {
  std::vector<float> a(10'000'000), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = a[i] + 1;
  }
  b[9'999'999] += 5;
  const auto made = output_of(tensor("big", a), tensor("big", b));
  CHECK(made.differing == a.size());
  REQUIRE(made.absolute);
  CHECK(made.absolute->index == 9'999'999);
  CHECK(made.absolute->difference == 6);
}

TEST_CASE("Comparison: counters of sources are summed, and one that did not run has none") {
  const std::string text = "one\ntwo\nthree\n";
  const Report a = report_of({named("add", source(text, {line(2, 64, 96), line(3, 32, 4)}))}),
               b = report_of({named("add", source(text, {line(2, 64, 32), line(3, 32, 4)}))});
  const ComparisonExhibit made = compare(a, b);
  const auto* sectors = figure(made, "global_sectors");
  REQUIRE(sectors);
  CHECK(sectors->a == 100);
  CHECK(sectors->b == 36);
  CHECK(change_of(sectors->a, sectors->b) == Approx(-64));
  CHECK(sectors->evidence == EvidenceKind::counted);
  CHECK_FALSE(figure(made, "atomics"));  // 0 in both
  CHECK(figure(made, "warp_instructions")->a == 3);
  REQUIRE(made.sources.size() == 1);
  CHECK(made.sources[0].removed + made.sources[0].added == 0);

  const ComparisonExhibit broken = compare(a, report_of({named("add", source(text))}));
  CHECK(broken.figures.empty());  // nothing is said of what was not counted
  REQUIRE(broken.only.size() == 1);
  CHECK_FALSE(broken.only[0].in_b);
  CHECK(broken.sources.empty());
  CHECK(compare(a, a).sources.empty());
  CHECK_FALSE(differs(compare(a, a)));
}

TEST_CASE(
    "Comparison: of a source the lines that differ in text or costs stand with their neighbours") {
  std::string text, edited;
  for (int i = 1; i <= 40; ++i) {
    const std::string one = "line " + std::to_string(i) + "\n";
    text += one;
    edited += i == 20 ? "other\n" : one;
  }
  using Kind = ComparisonExhibit::Source::Line::Kind;
  const auto made = source_of(source(text, {line(5, 32, 8), line(20, 32, 4)}),
                              source(edited, {line(5, 32, 1), line(20, 32, 4)}));
  CHECK(made.removed == 1);
  CHECK(made.added == 1);
  CHECK(made.least);
  std::vector<Kind> kinds;
  for (const auto& one : made.lines) kinds.push_back(one.kind);
  // 1 left out, 2 to 8 with line 5, 8 left out, 17 to 23 with line 20 twice, 17 left out
  REQUIRE(made.lines.size() == 1 + 7 + 1 + 3 + 2 + 3 + 1);
  CHECK(made.lines[0].a == 1);
  CHECK(made.lines[8].kind == Kind::gap);
  CHECK(made.lines[8].a == 8);
  CHECK(made.lines[12].text == "line 20");
  CHECK(made.lines[12].kind == Kind::removed);
  CHECK(made.lines[13].text == "other");
  CHECK(made.lines.back().a == 17);
  const SourceExhibit joint = joint_costs(made);
  CHECK(joint.lines.size() == 4);
  CHECK(cost_line(made, 12, true) == 0);
  CHECK(cost_line(made, 12, false) == 13);
  CHECK(cost_line(made, 13, true) == 14 + made.lines.size());
}

TEST_CASE("Comparison: of huge sources a part is kept, and it says so") {
  std::string a, b;
  for (int i = 0; i < 30'000; ++i) {
    a += "a" + std::to_string(i) + "\n";
    b += "b" + std::to_string(i) + "\n";
  }
  const auto made = source_of(source(a), source(b));
  CHECK(made.removed == 30'000);
  CHECK(made.added == 30'000);
  CHECK_FALSE(made.least);
  CHECK(made.cut);
  CHECK(made.lines.size() == 400);
}

TEST_CASE(
    "Comparison: times of the same evidence alone are held against each other, and by their "
    "bands") {
  const auto held = [](const TimingsExhibit& a, const TimingsExhibit& b) {
    return compare(report_of({named("time", a)}), report_of({named("time", b)})).times;
  };
  const auto apart = held(times(4e-5, 1e-6, EvidenceKind::estimated),
                          times(2e-5, 1e-6, EvidenceKind::estimated, "T4"));
  REQUIRE(apart.size() == 1);
  CHECK(is_apart(apart[0]));
  CHECK(change_text(apart[0], english()) == "−50 %");
  CHECK(apart[0].a->on.text == "H200");
  CHECK(apart[0].b->on.text == "T4");
  const auto alike =
      held(times(4e-5, 1e-5, EvidenceKind::estimated), times(3e-5, 1e-5, EvidenceKind::estimated));
  CHECK_FALSE(is_apart(alike[0]));
  CHECK(change_text(alike[0], sample::keys()) == "comparison.overlap");
  const auto other =
      held(times(4e-5, 0, EvidenceKind::measured), times(2e-5, 0, EvidenceKind::estimated));
  REQUIRE(other.size() == 2);
  for (const auto& time : other) {
    CHECK(time.a.has_value() != time.b.has_value());
    CHECK_FALSE(is_apart(time));
  }
  // Two kernels of different names, each the only one, are one thing that was timed.
  TimingsExhibit aos = times(4e-5, 1e-6, EvidenceKind::estimated),
                 soa = times(2e-5, 1e-6, EvidenceKind::estimated);
  aos.rows[0].label = Message::plain("aos");
  soa.rows[0].label = Message::plain("soa");
  REQUIRE(held(aos, soa).size() == 1);
  CHECK(english()(held(aos, soa)[0].row) == "aos, soa");
  soa.rows.push_back(soa.rows[0]);
  CHECK(held(aos, soa).size() == 3);
  const auto broken =
      held(times(kNaN, 0, EvidenceKind::measured), times(kInf, 0, EvidenceKind::measured));
  CHECK_FALSE(holds(change_text(broken[0], english()), "%"));
}

TEST_CASE("Comparison: settings, words, checks, and exhibits that one run alone has") {
  Report a = report_of({named("words", TextExhibit{Message::plain("12 warps"), false}),
                        named("out", tensor<int>("out", {1})), named("old", TextExhibit{})});
  Report b = report_of({named("words", TextExhibit{Message::plain("3 warps"), false}),
                        named("out", TextExhibit{}), named("new", GeometryExhibit{})});
  a.inputs.values.set("n", std::int64_t{8});
  b.inputs.values.set("n", std::int64_t{32});
  b.inputs.values.set("extra", true);
  b.inputs.gpu = "t4";
  a.errors = {{device::ErrorCode::trap, {}, {}}};
  const ComparisonExhibit made = compare(a, b);
  using Setting = ComparisonExhibit::Setting;
  CHECK(made.settings ==
        std::vector<Setting>{{"extra", "", "on"}, {"n", "8", "32"}, {"GPU", "H200", "T4"}});
  REQUIRE(made.words.size() == 1);
  CHECK(made.words[0].b.text == "3 warps");
  CHECK(made.only.size() == 4);  // new in B, old in A, and out in both, each of its kind
  CHECK(made.a.errors.size() == 1);
  drawn(made);
}

TEST_CASE("Comparison: figures that a sentence calls by a counter's name are compared") {
  const auto said = [](const char* sectors, const char* lanes) {
    return report_of({named("cost", TextExhibit{{"report.ran",
                                                 {{"global_sectors", sectors},
                                                  {"lanes", lanes},
                                                  {"barriers", "few"},
                                                  {"warps", "8"}}}})});
  };
  const ComparisonExhibit made = compare(said("1,024", "3.5"), said("512", "30"));
  REQUIRE(made.figures.size() == 2);
  CHECK(made.figures[0].name == "global_sectors");
  CHECK(change_of(made.figures[0].a, made.figures[0].b) == -50);
  CHECK(made.figures[1].name == "warps");
  Report other = said("512", "30");
  std::get<TextExhibit>(other.exhibits[0].value).text.key = "report.page";
  CHECK(compare(said("1,024", "3.5"), other).figures.empty());
}

TEST_CASE("Comparison: only the exhibits asked for, and all sources") {
  const auto with = [](int value, const char* text) {
    return report_of({named("one", tensor<int>("one", {value})),
                      named("two", tensor<int>("two", {value})), named("add", source(text))});
  };
  const std::vector<std::string> ids{"two"};
  const ComparisonExhibit made = compare(with(1, "a\n"), with(2, "b\n"), ids);
  REQUIRE(made.outputs.size() == 1);
  CHECK(made.outputs[0].name == "two");
  CHECK(made.sources.size() == 1);
}

TEST_CASE(
    "Comparison: a run that did not come to compile is compared by the sources it was given") {
  Report a = report_of({named("add", source("int i;\n", {line(1, 32, 4)}))}), b = report_of({});
  a.inputs.sources["add"] = "int i;\n";
  b.inputs.sources["add"] = "int j;\n";
  b.errors = {{device::ErrorCode::compile_error, {}, {}}};
  const ComparisonExhibit made = compare(a, b);
  REQUIRE(made.sources.size() == 1);
  CHECK(made.sources[0].removed == 1);
  CHECK(made.sources[0].added == 1);
  CHECK(made.only.size() == 1);
}

TEST_CASE("Comparison: every kind of exhibit against itself differs in nothing") {
  const Report whole = sample::full_report();
  const ComparisonExhibit made = compare(whole, whole);
  CHECK_FALSE(differs(made));
  CHECK(sentence(exhibit(made), sample::keys()) == "comparison.nothing");
  drawn(made);
  CHECK_FALSE(differs(compare(Report{}, Report{})));
  CHECK(compare(Report{}, whole).only.size() == whole.exhibits.size());
  drawn(compare(Report{}, whole));
  drawn(compare(whole, Report{}));
  drawn({});
}

TEST_CASE("Comparison: the sentence and the text say what differs most, and never blend evidence") {
  const std::string text = drawn(sample::comparison());
  CHECK(holds(text, "A: narrow"));
  CHECK(holds(text, "B: wide"));
  CHECK(holds(text, "−66.7 %"));
  CHECK(holds(text, "A has 0"));
  CHECK(holds(text, sample::english()("comparison.overlap")));
  CHECK(holds(text, sample::english()("comparison.alike", {{"count", 1}})));
  CHECK(holds(text, "2 × 2") == false);
  CHECK(holds(text, "4 against 5"));
  const std::string says = sentence(exhibit(sample::comparison()), sample::keys());
  CHECK(holds(says,
              "comparison.more-times(more=A, does=comparison.does.moves, "
              "ratio=comparison.ratio.times(ratio=3), name=comparison.noun.global_sectors, less=B, "
              "values=comparison.against(big=3, small=1 KiB))"));
  CHECK(holds(says,
              "comparison.longer-times(more=A, ratio=comparison.ratio.twice, less=B, "
              "values=comparison.against(big=40, small=20 µs), evidence=evidence.estimated)"));
  CHECK(holds(says, "comparison.check-failed(side=A, check=right)"));
}

TEST_CASE("Comparison: the sentence says who does more of what, by how much and in whose units") {
  const auto says = [](const char* name, std::optional<double> a, std::optional<double> b,
                       EvidenceKind evidence = EvidenceKind::counted) {
    ComparisonExhibit made;
    made.figures = {{{"add", Message::plain("add.cu")}, name, {}, evidence, a, b}};
    return sentence(exhibit(made), sample::keys());
  };
  constexpr double kSectorsOfMiB = 32768;
  CHECK(says("global_sectors", 64 * kSectorsOfMiB, 512 * kSectorsOfMiB) ==
        "comparison.more-times(more=B, does=comparison.does.moves, "
        "ratio=comparison.ratio.times(ratio=8), name=comparison.noun.global_sectors, less=A, "
        "values=comparison.against(big=512, small=64 MiB))");
  CHECK(says("sectors", 64, 16) ==
        "comparison.more-times(more=A, does=comparison.does.moves, "
        "ratio=comparison.ratio.times(ratio=4), name=comparison.noun.sectors, less=B, "
        "values=comparison.against(big=2 KiB, small=512 B))");
  CHECK(says("blocks", 8, 4) ==
        "comparison.more-times(more=A, does=comparison.does.starts, ratio=comparison.ratio.twice, "
        "name=comparison.figure.blocks, less=B, values=comparison.against(big=8, small=4))");
  CHECK(says("warp_instructions", 1000, 1176) ==
        "comparison.more-percent(more=B, does=comparison.does.runs, ratio=17.6, "
        "name=comparison.figure.warp_instructions, less=A, values=comparison.against(big=1,176, "
        "small=1,000))");
  CHECK(says("branches", 4, 40000) ==
        "comparison.more-times(more=B, does=comparison.does.has, "
        "ratio=comparison.ratio.times(ratio=10,000), name=comparison.figure.branches, less=A, "
        "values=comparison.against(big=40,000, small=4))");
  CHECK(says("atomics", 0, 7) ==
        "comparison.more-alone(more=B, does=comparison.does.has, name=comparison.figure.atomics, "
        "less=A, big=7)");
  CHECK(says("registers", std::nullopt, 18) ==
        "comparison.figure-other(name=comparison.figure.registers, a=–, b=18)");
  CHECK(
      says("dram_bytes", 4096, 1024, EvidenceKind::estimated) ==
      "comparison.more-times(more=A, does=comparison.does.moves, "
      "ratio=comparison.ratio.times(ratio=4), name=comparison.by(name=comparison.noun.dram_bytes, "
      "evidence=evidence.estimated), less=B, values=comparison.against(big=4, small=1 KiB))");
}

TEST_CASE("Comparison: one estimate of a run is the run's; what else was timed is named") {
  const auto says = [](const TimingsExhibit& a, const TimingsExhibit& b) {
    return sentence(exhibit(compare(report_of({named("time", a)}), report_of({named("time", b)}))),
                    sample::keys());
  };
  const auto estimated = [](double seconds) {
    return times(seconds, 1e-6, EvidenceKind::estimated);
  };
  CHECK(says(estimated(24e-6), estimated(6e-6)) ==
        "comparison.longer-times(more=A, ratio=comparison.ratio.times(ratio=4), less=B, "
        "values=comparison.against(big=24, small=6 µs), evidence=evidence.estimated)");
  CHECK(says(estimated(20e-6), estimated(25e-6)) ==
        "comparison.longer-percent(more=B, ratio=25, less=A, values=comparison.against(big=25, "
        "small=20 µs), evidence=evidence.estimated)");
  CHECK(
      says(times(24e-6, 1e-6, EvidenceKind::measured), times(6e-6, 1e-6, EvidenceKind::measured)) ==
      "comparison.row(row=one launch, name=comparison.longer-times(more=A, "
      "ratio=comparison.ratio.times(ratio=4), less=B, values=comparison.against(big=24, small=6 "
      "µs), evidence=evidence.measured))");
  // What the simulation took is no matter where the run has an estimate.
  TimingsExhibit a = estimated(6e-6), b = estimated(6e-6);
  a.rows.push_back(times(0.4, 0, EvidenceKind::measured).rows.front());
  b.rows.push_back(times(0.2, 0, EvidenceKind::measured).rows.front());
  CHECK_FALSE(holds(says(a, b), "comparison.longer"));
}

TEST_CASE("Comparison: lines are shown in the counter that tells the runs apart") {
  const SourceExhibit a = source("int i;\nint j;\n", {line(1, 64, 4), line(2, 64, 4)}),
                      b = source("int i;\nint j;\n", {line(1, 64, 32), line(2, 64, 4)});
  const auto made = source_of(a, b);
  CHECK(telling_heat(made) == Heat::sectors);
  CHECK(telling_heat(source_of(a, a)) == Heat::instructions);
  ComparisonExhibit shown;
  shown.sources = {made};
  const std::string text = drawn(shown);
  CHECK(holds(text, "sectors moved"));
  CHECK(holds(text, "32"));
}

TEST_CASE("Comparison: JSON holds the changes as numbers, and null where there is none") {
  const auto json = to_json(exhibit(sample::comparison()), english())["value"];
  CHECK(json["differs"] == true);
  CHECK(json["figures"][0]["change_percent"].get<double>() == Approx(-200.0 / 3));
  CHECK(json["figures"][2]["change_percent"].is_null());
  CHECK(json["figures"][3]["a"].is_null());
  CHECK(json["times"][0]["change_percent"].get<double>() == Approx(-50));
  CHECK(json["times"][1]["change_percent"].is_null());
  CHECK(json["sources"][0]["lines"][0]["kind"] == "gap");
  CHECK(json["sources"][0]["lines"][0]["a"] == 3);
  CHECK(json["sources"][0]["costs_b"][1]["threads"] == 8);
}

TEST_CASE("Comparison: HTML shows changed lines, and lets no markup through") {
  ComparisonExhibit made = sample::comparison();
  made.sources[0].lines[2].text = "<script>";
  made.settings[0].a = "<b>";
  const std::string html = to_html(exhibit(made), english());
  CHECK(holds(html, "wb-removed"));
  CHECK(holds(html, "wb-added"));
  CHECK_FALSE(holds(html, "<script>"));
  CHECK_FALSE(holds(html, "<b>"));
}

}  // namespace warpbook::lab::comparison_test
