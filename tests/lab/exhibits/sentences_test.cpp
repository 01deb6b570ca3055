#include "lab/exhibits/exhibit.hpp"

#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/accesses/accesses_summary.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::exhibits_test {
namespace {

using sample::exhibit;
using sample::tensor;

std::string said(ExhibitValue value) { return sentence(exhibit(std::move(value)), sample::keys()); }

TensorExhibit of_bits(device::ElementType type, const std::vector<std::uint16_t>& bits) {
  TensorExhibit made = tensor<std::uint16_t>("h", bits);
  made.type = type;
  return made;
}

CheckExhibit::Item item(CheckExhibit::State state, const std::string& got = "") {
  CheckExhibit::Item made;
  made.id = "right";
  made.state = state;
  made.sentence = Message::plain("right at every size");
  made.got = Message::plain(got);
  return made;
}

}  // namespace

TEST_CASE("Tensor: elements of every type are read exactly") {
  CHECK(element_text(tensor<std::uint64_t>("t", {~0ull}), 0) == "18446744073709551615");
  CHECK(element_text(tensor<std::int64_t>("t", {std::numeric_limits<std::int64_t>::min()}), 0) ==
        "-9223372036854775808");
  CHECK(element_text(tensor<std::uint8_t>("t", {255}), 0) == "255");
  CHECK(element_text(tensor<std::int8_t>("t", {-128}), 0) == "-128");
  CHECK(element_text(tensor<float>("t", {0.1f}), 0) == "0.1");
  CHECK(element_text(tensor<float>("t", {1.0f}), 0) == "1");
  CHECK(element_text(tensor<double>("t", {0.1}), 0) == "0.1");
  CHECK(element(tensor<double>("t", {1e300}), 0) == 1e300);
  const TensorExhibit half =
      of_bits(device::ElementType::f16, {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00, 0x8000});
  CHECK(element(half, 0) == 1);
  CHECK(element(half, 1) == -2);
  CHECK(element(half, 2) == 0x1p-24);
  CHECK(element(half, 3) == 65504);
  CHECK(element_text(half, 4) == "inf");
  CHECK(element_text(half, 5) == "nan");
  CHECK(element_text(half, 6) == "-0");
  CHECK(element(of_bits(device::ElementType::bf16, {0x3f80}), 0) == 1);
}

TEST_CASE("Tensor: an element outside it is a bug") {
  CHECK_THROWS_AS(element(tensor<int>("t", {1, 2}), 2), std::out_of_range);
}

TEST_CASE("Sentence of a tensor: a short one is read out, a long one by its range") {
  CHECK(said(tensor<int>("out", {6, 8, 10, 12})) == "out holds 4 elements of type i32: 6 8 10 12.");
  CHECK(said(tensor<int>("out", {7})) == "out holds 1 element of type i32: 7.");
  CHECK(said(tensor<int>("out", {})) == "out has no elements.");
  std::vector<int> many(10'000'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int>(i) - 5;
  CHECK(said(tensor("big", many)) ==
        "big holds 10,000,000 elements of type i32, from −5 to 9999994.");
  CHECK(said(tensor("ones", std::vector<float>(9, 1))) ==
        "ones holds 9 elements of type f32, all of them 1.");
}

TEST_CASE("Sentence of a tensor: what is not finite is counted") {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  std::vector<float> values(10, 2);
  CHECK(said(tensor("t", std::vector<float>(9, nan))) ==
        "t holds 9 elements of type f32, and none is a finite number.");
  values[3] = nan;
  CHECK(said(tensor("t", values)) ==
        "t holds 10 elements of type f32; the finite ones are all 2. One of them is not a finite "
        "number: t[3].");
  values[0] = 1;
  values[9] = -inf;
  CHECK(said(tensor("t", values)) ==
        "t holds 10 elements of type f32, from 1 to 2. 2 of them are not finite numbers, the first "
        "t[3].");
}

TEST_CASE("Sentence of a tensor: 64-bit values beyond a double's digits are told apart") {
  std::vector<std::uint64_t> values(9, ~0ull - 1);
  values[4] = ~0ull;
  CHECK(said(tensor("t", values)) ==
        "t holds 9 elements of type u64, from 18446744073709551614 to 18446744073709551615.");
}

TEST_CASE("Sentence of a tensor: wrong elements come with the first of them") {
  TensorExhibit out = tensor<int>("out", {6, 0, 10, 0});
  out.wrong = {3, 1};
  CHECK(said(out) ==
        "out holds 4 elements of type i32: 6 0 10 0. 2 of them are wrong; the first is out[1], "
        "which is 0.");
  out.wrong = {1};
  CHECK(said(out) ==
        "out holds 4 elements of type i32: 6 0 10 0. One of them is wrong: out[1] is 0.");
  out.wrong = {0, 1, 2, 3};
  CHECK(said(out) ==
        "out holds 4 elements of type i32: 6 0 10 0. All of them are wrong; out[0] is 6.");
}

TEST_CASE("Sentence of a geometry: threads, blocks and who was idle") {
  GeometryExhibit geometry{"add", {3, 1, 1}, {4, 1, 1}, 12, 2, true};
  CHECK(said(geometry) == "12 threads in 3 blocks of 4; 2 of them stored nothing.");
  geometry.idle = 0;
  CHECK(said(geometry) == "12 threads in 3 blocks of 4; each of them stored something.");
  geometry.idle = 12;
  CHECK(said(geometry) == "12 threads in 3 blocks of 4; none of them stored anything.");
  geometry.idle_known = false;
  CHECK(said(geometry) ==
        "12 threads in 3 blocks of 4; how many of them stored nothing is not known, because the "
        "trace was cut.");
  CHECK(said(GeometryExhibit{"add", {1, 1, 1}, {1, 1, 1}, 1, 1, true}) ==
        "1 thread in 1 block of 1; it stored nothing.");
  CHECK(said(GeometryExhibit{"add", {2, 2, 1}, {16, 16, 1}, 1024, 1, true}) ==
        "1,024 threads in 4 blocks of 16 × 16; 1 of them stored nothing.");
  CHECK(said(GeometryExhibit{"add", {0, 1, 1}, {4, 1, 1}, 0, 0, true}) ==
        "No thread of add was launched.");
}

TEST_CASE("Sentence of accesses: the right kernel") {
  CHECK(said(sample::guarded(10, 3, 4)) ==
        "Threads 0 to 9 each wrote one element of out, the one with the thread's own number. "
        "Nobody wrote outside it.");
  CHECK(said(sample::guarded(1, 1, 4)) ==
        "Only thread 0 of block 0 wrote out: 1 element. Nobody wrote outside it.");
}

TEST_CASE("Sentence of accesses: wrong kernels sound wrong") {
  const auto reversed =
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 10 ? 9 - i : sample::kNothing; });
  CHECK(said(reversed) ==
        "Threads 0 to 9 each wrote one element of out, not always the one with the thread's own "
        "number: thread 0 wrote out[9]. Nobody wrote outside it.");
  const auto even = sample::wires(
      10, 3, 4, [](std::int64_t i) { return i < 10 && i % 2 == 0 ? i : sample::kNothing; });
  CHECK(
      said(even) ==
      "5 threads wrote 5 elements of out. Nobody wrote out[1], out[3], out[5], out[7] and out[9]. "
      "Nobody wrote outside it.");
  const auto unguarded = sample::wires(10, 3, 4, [](std::int64_t i) { return i; });
  CHECK(said(unguarded) ==
        "Threads 0 to 9 each wrote one element of out, the one with the thread's own number. 2 "
        "writes fell outside out, "
        "the first at out[10], by thread 2 of block 2. 2 reads fell outside x, the first at x[10], "
        "by thread 2 of block "
        "2. 2 reads fell outside y, the first at y[10], by thread 2 of block 2.");
  const auto crowd = sample::wires(4, 1, 4, [](std::int64_t) { return 0; });
  CHECK(said(crowd) ==
        "Threads 0 to 3 each wrote one element of out, not always the one with the thread's own "
        "number: thread 1 wrote "
        "out[0]. out[0] was written 4 times. Nobody wrote out[1], out[2] and out[3]. Nobody wrote "
        "outside it.");
  const auto before = sample::wires(4, 1, 4, [](std::int64_t i) { return i - 1; });
  CHECK(said(before).find("accesses.stray-writes(count=1, name=out, element=out[-1], "
                          "thread=name.thread(thread=0, block=0))") != std::string::npos);
}

TEST_CASE("Sentence of accesses: a kernel that writes nothing, and one that does nothing") {
  AccessesExhibit reads = sample::guarded(4, 1, 4);
  std::erase_if(reads.wires,
                [](const auto& wire) { return wire.kind == device::AccessKind::store; });
  CHECK(said(reads) == "Nobody wrote an element of out.");
  reads.arrays[2].written = false;
  CHECK(said(reads) == "4 threads read 4 elements of x. 4 threads read 4 elements of y.");
  reads.wires.clear();
  CHECK(said(reads) == "No thread touched the arrays.");
  CHECK(said(AccessesExhibit{}) == "No thread touched the arrays.");
}

TEST_CASE("Sentence of accesses: of a cut trace nothing is said to be absent") {
  AccessesExhibit cut =
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 5 ? i : sample::kNothing; });
  cut.cut = true;
  CHECK(said(cut) ==
        "The trace was cut: this tells of the 15 accesses that it holds, and more happened. "
        "Threads 0 to "
        "4 each wrote one element of out, the one with the thread's own number.");
  cut.wires.clear();
  CHECK(said(cut) == "The trace was cut before any thread touched the arrays.");
}

TEST_CASE("Summary of accesses: atomic operations are writes, also several by one thread") {
  AccessesExhibit accesses = sample::guarded(4, 1, 4);
  for (auto& wire : accesses.wires) {
    if (wire.kind == device::AccessKind::store) wire.kind = device::AccessKind::atomic;
  }
  accesses.wires.push_back({0, 0, 2, 3, device::AccessKind::atomic, 4});
  const AccessesSummary summary = summarise(accesses);
  CHECK(summary.storing == 4);
  CHECK(summary.arrays[2].stores == 5);
  CHECK_FALSE(summary.arrays[2].one_each);
  CHECK(summary.arrays[2].repeated == 1);
  CHECK(summary.arrays[2].most_repeated == 3);
  CHECK(summary.arrays[2].unwritten == 0);
}

TEST_CASE("Sentence of source: what the compiler said comes before what a line cost") {
  SourceExhibit source{"add.cu", "add", "a\nb\n", "", {}, {}};
  CHECK(said(source) == "add.cu has 2 lines; nothing was counted in it.");
  source.marks = {
      {2, 1, device::Severity::error, Message::plain("identifier \"z\" is undefined.")}};
  CHECK(said(source) ==
        "add.cu does not compile: one error, at line 2: identifier \"z\" is undefined.");
  source.settings = true;
  CHECK(said(source) == "Line 2 of add.cu: identifier \"z\" is undefined.");
  source.settings = false;
  source.ptx = ".version 9.0";
  source.lines = {{1, 12, {}}, {2, 10, {}}};
  source.lines[0].counters.thread_instructions = 30;
  source.lines[1].counters.thread_instructions = 70;
  source.marks = {};
  CHECK(said(source) ==
        "Line 2 of add.cu cost the most: 70 of 100 thread instructions. "
        "Line 1 was run by 12 threads, line 2 by 10 threads.");
  source.marks = {{2, 0, device::Severity::error, Message::plain("write past out[9]")}};
  CHECK(said(source).starts_with("Line 2 of add.cu: write past out[9]. Line 2"));
}

TEST_CASE(
    "Sentence of timings: only what has the same evidence is compared, and only bands that are "
    "apart") {
  const device::Evidence here{device::EvidenceKind::measured, Message::plain("this CPU"), ""},
      there{device::EvidenceKind::recorded, Message::plain("H200"), "2026"};
  TimingsExhibit timings;
  CHECK(said(timings) == "There is no time to show.");
  timings.rows = {{Message::plain("a"), 2e-3, 2e-3, 2e-3, 2e-3, 1, here, {}}};
  CHECK(said(timings) == "a took 2 ms (measured · this CPU).");
  timings.rows.push_back({Message::plain("b"), 1e-3, 1e-3, 1e-3, 1e-3, 1, there, {}});
  CHECK(said(timings) ==
        "a took 2 ms (measured · this CPU). b took 1 ms (recorded · H200 · 2026).");
  timings.rows[1].evidence = here;
  CHECK(said(timings) ==
        "Of 2, b is the fastest with 1 ms; a takes 2 times as long (measured · this CPU).");
  timings.rows[1].high = 3e-3;
  CHECK(said(timings) ==
        "The 2 times do not differ by more than their spread: 1 ms to 2 ms (measured · this CPU).");
  const device::Evidence estimated{device::EvidenceKind::estimated, Message::plain("H200"), ""};
  TimingsExhibit bands;
  bands.rows = {{Message::plain("a"), 2e-6, 1e-6, 4e-6, 1e-6, 1, estimated, {}},
                {Message::plain("b"), 3e-6, 2e-6, 5e-6, 2e-6, 1, estimated, {}}};
  CHECK(said(bands) ==
        "The 2 times do not differ by more than their spread: 1 µs to 5 µs (estimated · H200).");
  timings.rows[1] = {Message::plain("b"), 0, 0, 0, 0, 1, here, {}};
  CHECK(said(timings).find("timings.fastest") == std::string::npos);
}

TEST_CASE("Sentence of checks: counts, and the first that fails") {
  using State = CheckExhibit::State;
  CHECK(said(CheckExhibit{}) == "Nothing has been checked.");
  CHECK(said(CheckExhibit{{item(State::passed)}}) == "The one check holds.");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::passed)}}) == "All 2 checks hold.");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::failed, "7 of 9")}}) ==
        "1 of 2 checks does not hold: right at every size (7 of 9).");
  CHECK(said(CheckExhibit{{item(State::failed), item(State::waiting)}}) ==
        "1 of 2 checks does not hold: right at every size. 1 is still waiting.");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::warning)}}) ==
        "1 of 2 checks hold. 1 is a warning.");
}

TEST_CASE("Check: passed only where something was checked and nothing failed or waits") {
  using State = CheckExhibit::State;
  CHECK_FALSE(CheckExhibit{}.passed());
  CHECK(CheckExhibit{{item(State::passed), item(State::warning)}}.passed());
  CHECK_FALSE(CheckExhibit{{item(State::passed), item(State::waiting)}}.passed());
  CHECK_FALSE(CheckExhibit{{item(State::failed)}}.passed());
}

TEST_CASE("Sentence of text: the first line that says anything") {
  CHECK(said(TextExhibit{}) == "There is nothing to say.");
  CHECK(said(TextExhibit{Message::plain("\n\nhello\nyou\n"), true}) == "4 lines, the first: hello");
  CHECK(said(TextExhibit{Message::plain(""), true}) == "There was no output.");
  CHECK(said(TextExhibit{Message::plain("A sentence."), false}) == "A sentence.");
}

TEST_CASE("Sentence: one line, in both languages, whatever the data holds") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  Report report = sample::full_report();
  report.exhibits.push_back(
      exhibit(TensorExhibit{"a\nb\x1b[31m\xff", device::ElementType::f32, {0}, {}, {}}));
  report.exhibits.push_back(exhibit(AccessesExhibit{}));
  for (const Exhibit& one : report.exhibits) {
    const std::string text = sentence(one, *strings);
    CAPTURE(one.id, text);
    CHECK_FALSE(text.empty());
    CHECK(text.find_first_of("\n\t\x1b") == std::string::npos);
    CHECK(text.find('{') == std::string::npos);
    CHECK(text.find('<') == std::string::npos);
  }
}

}  // namespace warpbook::lab::exhibits_test
