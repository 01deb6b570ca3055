#include "lab/exhibits/exhibit.hpp"

#include <limits>
#include <set>
#include <string>
#include <variant>

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
  CHECK(said(tensor<int>("out", {6, 8, 10, 12})) ==
        "tensor.list(name=out, elements=count.elements(count=4), type=i32, values=6 8 10 12)");
  CHECK(said(tensor<int>("out", {7})) ==
        "tensor.list(name=out, elements=count.elements(count=1), type=i32, values=7)");
  CHECK(said(tensor<int>("out", {})) == "tensor.empty(name=out)");
  std::vector<int> many(10'000'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int>(i) - 5;
  CHECK(said(tensor("big", many)) ==
        "tensor.range(name=big, elements=count.elements(count=10,000,000), type=i32, low=−5, "
        "high=9999994)");
  CHECK(said(tensor("ones", std::vector<float>(9, 1))) ==
        "tensor.same(name=ones, elements=count.elements(count=9), type=f32, value=1)");
}

TEST_CASE("Sentence of a tensor: what is not finite is counted") {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  std::vector<float> values(10, 2);
  CHECK(said(tensor("t", std::vector<float>(9, nan))) ==
        "tensor.nothing-finite(name=t, elements=count.elements(count=9), type=f32)");
  values[3] = nan;
  CHECK(said(tensor("t", values)) ==
        "tensor.same-finite(name=t, elements=count.elements(count=10), type=f32, value=2); "
        "tensor.not-finite(count=1, first=t[3])");
  values[0] = 1;
  values[9] = -inf;
  CHECK(said(tensor("t", values)) ==
        "tensor.range(name=t, elements=count.elements(count=10), type=f32, low=1, high=2); "
        "tensor.not-finite(count=2, first=t[3])");
}

TEST_CASE("Sentence of a tensor: 64-bit values beyond a double's digits are told apart") {
  std::vector<std::uint64_t> values(9, ~0ull - 1);
  values[4] = ~0ull;
  CHECK(said(tensor("t", values)) ==
        "tensor.range(name=t, elements=count.elements(count=9), type=u64, "
        "low=18446744073709551614, high=18446744073709551615)");
}

TEST_CASE("Sentence of a tensor: wrong elements come with the first of them") {
  TensorExhibit out = tensor<int>("out", {6, 0, 10, 0});
  out.wrong = {3, 1};
  CHECK(said(out) ==
        "tensor.list(name=out, elements=count.elements(count=4), type=i32, values=6 0 10 0); "
        "tensor.wrong(count=2, first=out[1], value=0)");
  out.wrong = {1};
  CHECK(said(out) ==
        "tensor.list(name=out, elements=count.elements(count=4), type=i32, values=6 0 10 0); "
        "tensor.wrong(count=1, first=out[1], value=0)");
  out.wrong = {0, 1, 2, 3};
  CHECK(said(out) ==
        "tensor.list(name=out, elements=count.elements(count=4), type=i32, values=6 0 10 0); "
        "tensor.all-wrong(first=out[0], value=6)");
}

TEST_CASE("Sentence of a geometry: threads, blocks and who was idle") {
  GeometryExhibit geometry{"add", {3, 1, 1}, {4, 1, 1}, 12, 2, true};
  CHECK(said(geometry) ==
        "geometry.shape(threads=count.threads(count=12), blocks=count.blocks(count=3), block=4); "
        "geometry.idle(count=2)");
  geometry.idle = 0;
  CHECK(said(geometry) ==
        "geometry.shape(threads=count.threads(count=12), blocks=count.blocks(count=3), block=4); "
        "geometry.none-idle(count=12)");
  geometry.idle = 12;
  CHECK(said(geometry) ==
        "geometry.shape(threads=count.threads(count=12), blocks=count.blocks(count=3), block=4); "
        "geometry.all-idle(count=12)");
  geometry.idle_known = false;
  CHECK(said(geometry) ==
        "geometry.shape(threads=count.threads(count=12), blocks=count.blocks(count=3), block=4); "
        "geometry.idle-unknown");
  CHECK(said(GeometryExhibit{"add", {1, 1, 1}, {1, 1, 1}, 1, 1, true}) ==
        "geometry.shape(threads=count.threads(count=1), blocks=count.blocks(count=1), block=1); "
        "geometry.all-idle(count=1)");
  CHECK(said(GeometryExhibit{"add", {2, 2, 1}, {16, 16, 1}, 1024, 1, true}) ==
        "geometry.shape(threads=count.threads(count=1,024), blocks=count.blocks(count=4), block=16 "
        "× 16); geometry.idle(count=1)");
  CHECK(said(GeometryExhibit{"add", {0, 1, 1}, {4, 1, 1}, 0, 0, true}) ==
        "geometry.nothing(kernel=add)");
}

TEST_CASE("Sentence of accesses: the right kernel") {
  CHECK(said(sample::guarded(10, 3, 4)) ==
        "accesses.one-each(first=0, last=9, name=out)accesses.own; accesses.no-stray");
  CHECK(said(sample::guarded(1, 1, 4)) ==
        "accesses.one-writer(thread=name.thread(thread=0, block=0), name=out, "
        "elements=count.elements(count=1)); accesses.no-stray");
}

TEST_CASE("Sentence of accesses: wrong kernels sound wrong") {
  const auto reversed =
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 10 ? 9 - i : sample::kNothing; });
  CHECK(said(reversed) ==
        "accesses.one-each(first=0, last=9, name=out)accesses.not-own(thread=0, element=out[9]); "
        "accesses.no-stray");
  const auto even = sample::wires(
      10, 3, 4, [](std::int64_t i) { return i < 10 && i % 2 == 0 ? i : sample::kNothing; });
  CHECK(said(even) ==
        "accesses.writers(threads=count.threads(count=5), elements=count.elements(count=5), "
        "name=out); accesses.unwritten(elements=out[1]; out[3]; out[5]; out[7]; out[9]); "
        "accesses.no-stray");
  const auto unguarded = sample::wires(10, 3, 4, [](std::int64_t i) { return i; });
  CHECK(said(unguarded) ==
        "accesses.one-each(first=0, last=9, name=out)accesses.own; accesses.stray-writes(count=2, "
        "name=out, element=out[10], thread=name.thread(thread=2, block=2)); "
        "accesses.stray-reads(count=2, name=x, element=x[10], thread=name.thread(thread=2, "
        "block=2)); accesses.stray-reads(count=2, name=y, element=y[10], "
        "thread=name.thread(thread=2, block=2))");
  const auto crowd = sample::wires(4, 1, 4, [](std::int64_t) { return 0; });
  CHECK(said(crowd) ==
        "accesses.one-each(first=0, last=3, name=out)accesses.not-own(thread=1, element=out[0]); "
        "accesses.repeated(count=1, element=out[0], times=4); accesses.unwritten(elements=out[1]; "
        "out[2]; out[3]); accesses.no-stray");
  const auto before = sample::wires(4, 1, 4, [](std::int64_t i) { return i - 1; });
  CHECK(said(before).find("accesses.stray-writes(count=1, name=out, element=out[-1], "
                          "thread=name.thread(thread=0, block=0))") != std::string::npos);
}

TEST_CASE("Sentence of accesses: a kernel that writes nothing, and one that does nothing") {
  AccessesExhibit reads = sample::guarded(4, 1, 4);
  std::erase_if(reads.wires,
                [](const auto& wire) { return wire.kind == device::AccessKind::store; });
  CHECK(said(reads) == "accesses.nobody-wrote(name=out)");
  reads.arrays[2].written = false;
  CHECK(said(reads) ==
        "accesses.read(threads=count.threads(count=4), elements=count.elements(count=4), name=x); "
        "accesses.read(threads=count.threads(count=4), elements=count.elements(count=4), name=y)");
  reads.wires.clear();
  CHECK(said(reads) == "accesses.nothing");
  CHECK(said(AccessesExhibit{}) == "accesses.nothing");
}

TEST_CASE("Sentence of accesses: of a cut trace nothing is said to be absent") {
  AccessesExhibit cut =
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 5 ? i : sample::kNothing; });
  cut.cut = true;
  CHECK(said(cut) ==
        "accesses.cut(count=15); accesses.one-each(first=0, last=4, name=out)accesses.own");
  cut.wires.clear();
  CHECK(said(cut) == "accesses.nothing-shown");
}

TEST_CASE(
    "Sentence of accesses: of a launch that was stopped it tells what happened up to the stop") {
  AccessesExhibit stopped =
      sample::wires(4, 1, 4, [](std::int64_t i) { return i == 0 ? 9 : sample::kNothing; });
  stopped.cut = stopped.stopped = true;
  const std::string says = said(stopped);
  CHECK(says.starts_with("accesses.stopped(count=3); "));
  CHECK(says.find("accesses.stray-writes(count=1, name=out, element=out[9], ") !=
        std::string::npos);
  stopped.wires.clear();
  CHECK(said(stopped) == "accesses.nothing-before-stop");
}

TEST_CASE(
    "Sentences of tiles, trees, products, windows and sectors: of a launch that was stopped they "
    "tell what happened up to the stop, and call nothing lost or unused") {
  const auto stopped = [](auto made) {
    if constexpr (requires { made.cut; }) made.cut = true;
    made.stopped = true;
    return said(made);
  };
  TileExhibit tile = sample::tile();
  tile.rows *= 2;
  CHECK(said(tile).find("tile.untouched") != std::string::npos);
  const std::string of_tile = stopped(tile), of_tree = stopped(sample::tree());
  CHECK(of_tile.starts_with("trace.stopped; tile.whole("));
  CHECK(of_tile.find("tile.untouched") == std::string::npos);
  CHECK(of_tree.starts_with("trace.stopped; tree.whole("));
  CHECK(of_tree.find("tree.lost") == std::string::npos);
  CHECK(stopped(sample::product()).starts_with("trace.stopped; product.computes("));
  const auto side_by_side = [](unsigned i) { return std::uint64_t{4} * i; };
  CHECK(stopped(sample::lanes(4, 128, side_by_side)).starts_with("trace.stopped; sectors.touch("));

  CHECK(stopped(sample::slid(1, 4, 1)).starts_with("trace.stopped; sliding_window.output("));

  CHECK(stopped(TileExhibit{}) == "trace.stopped; tile.nothing");
  CHECK(stopped(TreeExhibit{}) == "trace.stopped; tree.nothing(block=0)");
  CHECK(stopped(ProductExhibit{}) == "trace.stopped; product.nothing");
  CHECK(stopped(SectorsExhibit{}) == "trace.stopped; sectors.nothing");
  SlidingWindowExhibit unseen = sample::slid(1, 4, 1);
  unseen.outputs.clear();
  unseen.chosen = 0;
  CHECK(stopped(unseen) == "trace.stopped; sliding_window.nobody");
  unseen.cut = true;
  CHECK(said(unseen) == "trace.cut; sliding_window.nobody");
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
  CHECK(said(source) == "source.uncounted(file=add.cu, lines=count.lines(count=2))");
  source.marks = {
      {2, 1, device::Severity::error, Message::plain("identifier \"z\" is undefined.")}};
  CHECK(said(source) ==
        "source.broken(count=1, file=add.cu, line=2, text=identifier \"z\" is undefined)");
  source.settings = true;
  CHECK(said(source) ==
        "source.findings(count=1, line=2, file=add.cu, text=identifier \"z\" is undefined)");
  source.settings = false;
  source.ptx = ".version 9.0";
  source.lines = {{1, 12, {}}, {2, 10, {}}};
  source.lines[0].counters.thread_instructions = 30;
  source.lines[1].counters.thread_instructions = 70;
  source.marks = {};
  CHECK(said(source) ==
        "source.cost(line=2, file=add.cu, part=70, total=100); source.reach(widest=1, "
        "many=count.threads(count=12), narrowest=2, few=count.threads(count=10))");
  source.marks = {{2, 0, device::Severity::error, Message::plain("write past out[9]")}};
  CHECK(said(source) ==
        "source.findings(count=1, line=2, file=add.cu, text=write past out[9]); "
        "source.cost(line=2, file=add.cu, part=70, total=100); source.reach(widest=1, "
        "many=count.threads(count=12), narrowest=2, few=count.threads(count=10))");
}

TEST_CASE("Sentence of a source: where a time was estimated, the line that takes most of it") {
  SourceExhibit source{"add.cu", "add", "a\nb\n", ".version 9.0", {}, {}};
  source.lines = {{1, 12, {}}, {2, 12, {}}};
  source.lines[0].counters.thread_instructions = 30;
  source.lines[1].counters.thread_instructions = 70;
  source.lines[0].estimated = {{"dram", 4e-6}, {"issue", 2e-6}};
  source.lines[1].estimated = {{"dram", 2e-6}};
  CHECK(said(source) == "source.slowest(line=1, file=add.cu, part=6 µs, total=8 µs)");
}

TEST_CASE(
    "Sentence of timings: only what has the same evidence is compared, and only bands that are "
    "apart") {
  const device::Evidence here{device::EvidenceKind::measured, Message::plain("this CPU"), ""},
      there{device::EvidenceKind::recorded, Message::plain("H200"), "2026"};
  TimingsExhibit timings;
  CHECK(said(timings) == "timings.nothing");
  timings.rows = {{Message::plain("a"), 2e-3, 2e-3, 2e-3, 2e-3, 1, here, {}}};
  CHECK(said(timings) == "timings.single(label=a, time=2 ms, from=evidence.measured · this CPU)");
  timings.rows.push_back({Message::plain("b"), 1e-3, 1e-3, 1e-3, 1e-3, 1, there, {}});
  CHECK(said(timings) ==
        "timings.single(label=a, time=2 ms, from=evidence.measured · this CPU); "
        "timings.single(label=b, time=1 ms, from=evidence.recorded · H200 · 2026)");
  timings.rows[1].evidence = here;
  CHECK(said(timings) ==
        "timings.fastest(count=2, label=b, time=1 ms, slowest=a, ratio=2, from=evidence.measured · "
        "this CPU)");
  timings.rows[1].high = 3e-3;
  CHECK(said(timings) ==
        "timings.alike(count=2, time=1 ms, slowest=2 ms, from=evidence.measured · this CPU)");
  const device::Evidence estimated{device::EvidenceKind::estimated, Message::plain("H200"), ""};
  TimingsExhibit bands;
  bands.rows = {{Message::plain("a"), 2e-6, 1e-6, 4e-6, 1e-6, 1, estimated, {}},
                {Message::plain("b"), 3e-6, 2e-6, 5e-6, 2e-6, 1, estimated, {}}};
  CHECK(said(bands) ==
        "timings.alike(count=2, time=1 µs, slowest=5 µs, from=evidence.estimated · H200)");
  bands.rows.push_back({Message::plain("c"), 6e-6, 4.5e-6, 9e-6, 4.5e-6, 1, estimated, {}});
  CHECK(said(bands) ==
        "timings.some-alike(count=1, all=3, label=a, time=timings.band(low=1 µs, high=4 µs), "
        "from=evidence.estimated · H200)");
  timings.rows[1] = {Message::plain("b"), 0, 0, 0, 0, 1, here, {}};
  CHECK(said(timings).find("timings.fastest") == std::string::npos);
}

TEST_CASE("Sentence of checks: counts, and the first that fails") {
  using State = CheckExhibit::State;
  CHECK(said(CheckExhibit{}) == "check.nothing");
  CHECK(said(CheckExhibit{{item(State::passed)}}) == "check.passed(count=1)");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::passed)}}) == "check.passed(count=2)");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::failed, "7 of 9")}}) ==
        "check.failed-with(count=1, total=2, first=right at every size, got=7 of 9)");
  CHECK(said(CheckExhibit{{item(State::failed), item(State::waiting)}}) ==
        "check.failed(count=1, total=2, first=right at every size); check.waiting(count=1)");
  CHECK(said(CheckExhibit{{item(State::passed), item(State::warning)}}) ==
        "check.some-passed(count=1, total=2); check.warned(count=1)");
}

TEST_CASE("Check: passed only where something was checked and nothing failed or waits") {
  using State = CheckExhibit::State;
  CHECK_FALSE(CheckExhibit{}.passed());
  CHECK(CheckExhibit{{item(State::passed), item(State::warning)}}.passed());
  CHECK_FALSE(CheckExhibit{{item(State::passed), item(State::waiting)}}.passed());
  CHECK_FALSE(CheckExhibit{{item(State::failed)}}.passed());
}

TEST_CASE("Sentence of text: the first line that says anything") {
  CHECK(said(TextExhibit{}) == "text.nothing");
  CHECK(said(TextExhibit{Message::plain("\n\nhello\nyou\n"), true}) ==
        "text.lines(count=4, first=hello)");
  CHECK(said(TextExhibit{Message::plain(""), true}) == "text.no-lines");
  CHECK(said(TextExhibit{Message::plain("A sentence."), false}) == "A sentence.");
}

TEST_CASE("Wording: each kind of exhibit speaks whole sentences of English") {
  std::set<std::size_t> kinds;
  std::string text;
  for (const Exhibit& one : sample::full_report().exhibits) {
    if (kinds.insert(one.value.index()).second) text += sentence(one, sample::english()) + "\n";
  }
  CHECK(kinds.size() == std::variant_size_v<ExhibitKinds>);
  const std::string trap = sample::english()("error.trap.long", {{"thread", 1}, {"block", 2}});
  CHECK(
      text ==
      "Threads 0 to 9 each wrote one element of out: the one whose index is the thread's own "
      "number. "
      "No thread wrote outside the array.\n"
      "48 threads in 6 blocks of 4 × 1 × 2; how many of them stored nothing is not known, because "
      "the trace was cut short.\n"
      "out holds 4 elements of type f32: 6 8.5 10 12. One of them is wrong: out[1] is 8.5.\n"
      "The compiler warns at line 3: no guard. Line 3 of add.cu cost the most: 301 of the 402 "
      "thread "
      "instructions. Line 2 was executed by 12 threads, line 3 by 10 threads.\n"
      "Times of add. Of 2, vectorised is the fastest with 20.6 µs; scalar takes 2 times as long "
      "(recorded · H200 · 2026-01-02T03:04:05Z). simulation took 2.1 ms (measured · this CPU).\n"
      "1 of 4 checks failed: right at every size (7 of 9 sizes). 1 gives a warning. 1 is still "
      "waiting.\n"
      "2 lines, the first: hello\n"
      "out has 5 × 3 pixels, of which 14 were written by 6 blocks of 2 × 2 threads. Block 1 wrote "
      "3 pixels "
      "that "
      "do not form a rectangle. No thread wrote the pixel at (2, 1). The pixel at (4, 0) was "
      "written "
      "more than once. The pixel at (2, 1) is wrong.\n"
      "The warps of filter sent 2,176 requests to global memory, 320 requests to local memory, 264 "
      "requests to shared memory, 1 request to constant memory and 16 requests to the texture "
      "unit. "
      "Each thread uses 40 registers and 32 B of local memory. Another 8 B of local memory hold "
      "registers that were spilled, because there was no room for them.\n"
      "1 lane touches 1 sector, using 12.5 % of the bytes that move (line 6, store to out; warp 1 "
      "of "
      "block 2). Together, the 8 requests of the launch asked for 1.03 KiB; to answer them, 62 "
      "sectors moved at L1, which is 1.94 KiB.\n"
      "CUDA C++ compiles here, and kernels run on this machine's GPU. Missing: GPU. Found, but not "
      "usable: NVIDIA driver.\n"
      "Computed at 9 values of t. f: from −0.5 at t = −2 to 0.75 at t = 1. f': from 0.25 at t = 1 "
      "to "
      "1 at t = 0. g is 1 everywhere. Not all values of g are finite: NaN 1, infinite 2; the "
      "first, "
      "at t = −2, is nan. At t = 1: f = 0.75, slope 0.25. 7 of 9 points are kept, including every "
      "extreme.\n"
      "cuDNN 9.19.0 lists 2 algorithms and would try engine 70 first; their workspaces: none to "
      "5.17 "
      "MiB (reported · H200). oneDNN 2.6.3: of 2 algorithms, jit:avx2 has the shortest time, "
      "36 ms, and its range is below all others (measured · a CPU, 2 threads). cuBLAS gave no "
      "list. This book's kernels: direct takes "
      "30 "
      "µs to 60 µs (estimated · H200).\n"
      "Output (1, 1) of filter 0 is −11, from thread 5 of block 0. The thread read 2 of the 2 "
      "inputs "
      "of its window; 16 more taps are in the padding, where it read nothing. It read 17 inputs "
      "that "
      "are not in the window. The first is at row 0, column 0 of channel 0. The value is wrong. "
      "Written as im2col does, the window is column 5 of the im2col matrix of 18 × 16.\n"
      "B tiled does 80 operations per byte. With so many, the ceiling is 60 TFLOP/s (FP32 "
      "multiply-adds); the run reaches 40 TFLOP/s, which is 66.7 %.\n"
      "The whole takes about 1.1 ms, probably between 900 µs and 1.4 ms (estimated · H200). Copies "
      "take 100 % of that "
      "time, kernels 36 %. For 45 % of the time the device does more than one thing at once, for "
      "example the kernel "
      "saxpy (stream 1) together with the copy to the device (stream 2). The host waits for 98 % "
      "of the time, longest in "
      "cudaDeviceSynchronize.\n"
      "t and u: in the host's memory. d_t and d_u: in the GPU's memory. 72 B go to the GPU, in 3 "
      "transfers. 24 B come back, in one transfer.\n"
      "Warp 0 of block 1 issued 9 instructions. In 5 of them only some of its 32 lanes took part.\n"
      "4 warps, 1 per scheduler: 88 clocks, 9.09 % of the issue slots filled. 16 warps, 4 per "
      "scheduler: 100 clocks, 32 % of the issue slots filled. A model: each of 4 schedulers issues "
      "one instruction per clock; 2 times, a warp issues a load, waits 40 clocks and issues 3 "
      "instructions.\n"
      "3 of 8 runs give the right result, in whatever order the GPU ran them. The others give 3 "
      "different wrong ones. Run 4: 2 of 96 elements are wrong; the first is used[32] = 2062 "
      "(should be 62). The checker finds a race: nothing decides whether line 8 (writes) or line "
      "10 (reads) comes first.\n"
      "The trace was cut short, so later accesses are missing here. Block 2 wrote 64 of 64 places "
      "of its shared array (4 × 16) and read values from it 127 times, in 2 steps. 6 requests to "
      "shared memory took 8 passes over its banks.\n"
      "The mistake is in kernel plus, which line 2 launches. It writes t[9]. Line 3 is the first "
      "to "
      "report it: cudaErrorIllegalAddress. Calls shown here that return a code: 2. Of these, with "
      "an error: 1.\n"
      "Block 2 brings 4 values together in 2 rounds. It joins 3 pairs. For these its warps issue 3 "
      "joining instructions, each with 1 of 32 lanes on average. 7 requests to shared memory took "
      "8 passes over its banks. 2 values never reach the last place.\n"
      "3 operations, 3 launches: z = 64. The way back takes 4 launches. Gradients of what was put "
      "in: x = 48.\n"
      "3 devices copy 8.5 KiB to one another. Device 0 sends the most, 4.5 KiB.\n"
      "A step takes about 10 s, probably between 8 s and 12 s. With 2 stages and 2 micro-batches, "
      "the stages wait 33 % of the time until the last backward pass. A stage keeps up to 2 "
      "micro-batches between their two passes.\n"
      "On the frontier of time and warp instructions: A fast (10 µs, 9,000), D mine (20 µs, 2,000) "
      "and B frugal (40 µs, 1,000). D mine takes about 20 µs, probably between 10 µs and 30 µs, at "
      "2,000 warp instructions. It is on the frontier: no kernel here is better in one of the two "
      "and no worse in the other.\n"
      "Twice as many bytes move as are requested.\n"
      "H200 has compute capability 9.0 and 132 multiprocessors. Each has room for 64 warps of 32 "
      "threads, so there is room for 270,336 threads at once. The L2 cache holds 60 MiB. The "
      "memory holds 141 GiB and is read and written at 4,917 GB/s at most.\n"
      "The trace was cut short, so later accesses are missing here. Thread 1 of block 3 computes 2 "
      "elements of c. It uses 4 elements of a. Each of these serves 2 threads of the block, which "
      "loaded it from global memory once. It uses 8 elements of b. Each of these serves 2 threads "
      "of the block, which loaded it from global memory 2 times.\n"
      "A step with 10 images keeps the GPU busy for 12 µs: 2 µs forward, 3 µs for gradients of "
      "data, 6 µs for those of weights, and the rest for moving the weights. conv1 takes longest, "
      "9 µs.\n"
      "rate 0.2: in 30 steps, the loss goes from 2 to 0.001. The first step makes 3 launches, "
      "which take 6 µs together by the estimate.\n"
      "Before step 10, the network gets 1 of 3 points wrong. Its regions cover 75 % and 25 % of "
      "the square.\n"
      "A went wrong: add.cu:4:7: " +
          trap +
          ". A moves 3 times as many bytes at L1 as B: 3 against 1 KiB. out: "
          "3 of 4 elements differ. The largest difference is at out[3]: 12 in A and 20 in B are 8 "
          "apart. "
          "Relative to the larger value, the largest difference is at out[0]: 1 in A, 2 in B, 50 "
          "%. 1 of "
          "them is NaN or infinite in one of the runs: out[1] is nan in A and 8.5 in B. A check "
          "did not "
          "pass in A: right. one launch: A takes twice as long as B: 40 against 20 µs (estimated). "
          "add.cu: 1 line removed, 1 added.\n");
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
