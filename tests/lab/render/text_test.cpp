#include <chrono>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/accesses/wire_rows.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/render/render.hpp"
#include "lab/text/unicode.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::text_test {
namespace {

using sample::exhibit;
using sample::tensor;
using tests::holds;

std::string english(ExhibitValue value, int width = 90) {
  return to_text(exhibit(std::move(value)), *sample::strings("en"), width);
}

}  // namespace

TEST_CASE("Columns: Chinese characters take two, marks none, broken bytes one each") {
  CHECK(columns_of(std::string_view("abc")) == 3);
  CHECK(columns_of(std::string_view("线程束")) == 6);
  CHECK(columns_of(std::string_view("e\xcc\x81")) == 1);
  CHECK(columns_of(std::string_view("\xff\xe7\xba")) == 3);
}

TEST_CASE("Printable: escape codes, turned text and broken bytes are replaced") {
  CHECK(printable("a\x1b[31mb") == "a\xef\xbf\xbd[31mb");
  CHECK(printable("\xe2\x80\xae") == "\xef\xbf\xbd");
  CHECK(printable("线\xff") == "线\xef\xbf\xbd");
  CHECK(printable("a\tb\n") == "a\tb\n");
  CHECK(valid_utf8("\xed\xa0\x80") ==
        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");                // a surrogate is no character
  CHECK(valid_utf8("\xc0\xaf") == "\xef\xbf\xbd\xef\xbf\xbd");  // nor is a longer spelling of "/"
}

TEST_CASE("Wrapping: at spaces, between Chinese characters, never before closing punctuation") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("线程块，线程", 6) == std::vector<std::string>{"线程", "块，线", "程"});
  CHECK(wrapped("unbreakable", 4) == std::vector<std::string>{"unbreakable"});
  CHECK(wrapped("a\nb", 10) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("Bars: in eighths of a column; what is above 0 always shows") {
  CHECK(bar(1, 4) == "████");
  CHECK(bar(0.5, 3) == "█▌");
  CHECK(bar(1e-9, 10) == "▏");
  CHECK(bar(0, 10).empty());
  CHECK(bar(7, 2) == "██");
}

TEST_CASE("Text: a run says how long it compiled only where something was compiled") {
  Report report;
  report.device = {"phrase.device.simulated", {{"gpu", "H200"}}, {}};
  report.run_seconds = 0.5;
  const auto strings = sample::strings("en");
  CHECK(holds(to_text(report, *strings, 90, false), "H200, simulated; ran in 500 ms"));
  CHECK(holds(to_html(report, *strings), "H200, simulated; ran in 500 ms"));
  report.compile_seconds = 0.25;
  CHECK(holds(to_text(report, *strings, 90, false), "compiled in 250 ms, ran in 500 ms"));
}

TEST_CASE("Text: every kind, in both languages, keeps to the width and to printable characters") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const int width = GENERATE(60, 100);
  const Report report = sample::full_report();
  const std::string text = to_text(report, *sample::strings(language), width);
  CHECK_FALSE(holds(text,
                    "<"
                    "report."));
  for (const std::string_view line : lines_of(text)) {
    CAPTURE(line);
    CHECK(line.find('\x1b') == std::string_view::npos);
    // A badge and the unbreakable list of a geometry may stand out; nothing else does.
    if (!holds(std::string(line), "·")) CHECK(columns_of(line) <= width + 2);
  }
}

TEST_CASE("Text: colour only where it is asked for, and the same words with it") {
  const auto strings = sample::strings("en");
  std::string coloured = to_text(sample::full_report(), *strings, 90, true);
  CHECK(holds(coloured, "\x1b[31m"));
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b', at)) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  std::erase(coloured, ' ');
  std::string plain = to_text(sample::full_report(), *strings, 90, false);
  std::erase(plain, ' ');
  CHECK(coloured == plain);
}

TEST_CASE("Text of a tensor: cells in line, wrong ones marked") {
  TensorExhibit out = tensor<int>("out", {6, 8, 0, 12});
  out.wrong = {2};
  CHECK(holds(english(out), "[0]    6   8  0✗  12\n"));
}

TEST_CASE(
    "Text of a tensor: ten million elements are a screenful, and wrong ones far down are named") {
  std::vector<int> many(10'000'000, 7);
  TensorExhibit big = tensor("big", many);
  big.wrong = {9'999'999};
  for (const auto view : {TensorExhibit::View::automatic, TensorExhibit::View::table,
                          TensorExhibit::View::heat, TensorExhibit::View::image}) {
    big.view = view;
    const std::string text = english(big);
    CHECK(text.size() < 8000);
    CHECK(tests::Says("tensor.more", {}, tests::patterns_of(sample::english())).match(text) ==
          (view == TensorExhibit::View::table));
    CHECK(holds(text, "big[9999999] = 7"));
  }
}

TEST_CASE("Text of a tensor: rows and slices are labelled by their indices") {
  const std::string text = english(tensor<int>("t", {0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2}));
  CHECK(holds(text, "[0][0]  0 1\n"));
  CHECK(holds(text, "[1][1]  6 7\n"));
}

TEST_CASE("Text of accesses: one row a thread, the idle ones too") {
  const std::string text = english(sample::guarded(10, 3, 4));
  CHECK(holds(text, "  2      1       x[9]  y[9]  out[9]\n"));
  CHECK(holds(text, "  2      3       no access\n"));
}

TEST_CASE("Text of accesses: a thousand threads fold into rows, strays apart") {
  const std::string text = english(sample::wires(1000, 4, 256, [](std::int64_t i) { return i; }));
  CHECK(holds(text, "0 – 255    x[0 … 255]  y[0 … 255]            out[0 … 255]\n"));
  CHECK(holds(text, "232 – 255  x[1000 … 1023]✗  y[1000 … 1023]✗  out[1000 … 1023]✗\n"));
  CHECK(holds(text, sample::english()("accesses.legend-stray")));
}

TEST_CASE("Wire rows: whatever the pattern, at most as many as asked for, and none is lost") {
  const std::int64_t stride = GENERATE(1, 2, 7);
  const auto accesses = sample::wires(
      1000, 4, 256, [=](std::int64_t i) { return i % stride ? sample::kNothing : i; });
  const WireRows rows = rows_of(accesses, 24);
  CHECK(rows.rows.size() <= 24);
  const WireRows all = rows_of(accesses, 100'000);
  CHECK(rows.rows.size() + rows.more <= 2 * 1024);
  std::uint64_t threads = 0;
  for (const WireRow& row : all.rows) {
    threads += (row.last_block - row.first_block + 1) * (row.last_thread - row.first_thread + 1);
  }
  CHECK(threads == 1024);
}

TEST_CASE("Wire rows: a grid of a thousand million idle blocks is one row") {
  AccessesExhibit accesses = sample::guarded(4, 1, 4);
  accesses.grid.x = 1'000'000'000;
  const WireRows rows = rows_of(accesses, 24);
  REQUIRE(rows.rows.size() == 2);
  CHECK(rows.rows[1].idle());
  CHECK(rows.rows[1].last_block == 999'999'999);
}

TEST_CASE("Wire rows: a thread that walks the array is one run") {
  AccessesExhibit accesses = sample::guarded(10, 1, 1);
  accesses.wires.clear();
  for (int i = 0; i < 10; ++i)
    accesses.wires.push_back({0, 0, 2, 2 * (i % 5), device::AccessKind::store, 4});
  const WireRows rows = rows_of(accesses, 24);
  REQUIRE(rows.rows.size() == 1);
  CHECK(runs_text(accesses, rows.rows[0].writes) == "out[0, 2 … 8]  out[0, 2 … 8]");
}

TEST_CASE("Text of source: a mark stands under its column, whatever its line holds") {
  SourceExhibit source{"a.cu", "", "int x;\n\x1b[2Jevil\n", "", {}, {}};
  source.marks = {{1, 5, device::Severity::error, Message::plain("no\nsuch thing")},
                  {7, 1, device::Severity::note, Message::plain("past the end")}};
  const std::string text = english(source);
  CHECK(holds(text, "     1  int x;\n            ^\n        error: no\n        such thing\n"));
  CHECK(holds(text, "line 7: past the end"));
  CHECK_FALSE(holds(text, "\x1b"));
}

TEST_CASE("Text of timings: rows of one evidence stand under one badge") {
  const std::string text =
      english(std::get<TimingsExhibit>(sample::full_report().find("time")->value));
  const std::size_t recorded = text.find("[recorded"), measured = text.find("[measured");
  REQUIRE(recorded != std::string::npos);
  REQUIRE(measured != std::string::npos);
  CHECK(text.find("vectorised ", recorded) < measured);
  const std::size_t simulation = text.find("  simulation ", measured);
  REQUIRE(simulation != std::string::npos);
  CHECK_THAT(text.substr(simulation), tests::Says("estimate.because.fp64", {{"part", "73"}},
                                                  tests::patterns_of(sample::english())));
}

TEST_CASE("Text of checks: what to do next stands under what failed") {
  const std::string text =
      english(std::get<CheckExhibit>(sample::full_report().find("check")->value));
  CHECK(holds(text, "✗ right at every size"));
  CHECK(holds(text, "n = 33 ✗   n = 32 ✓"));
  CHECK(holds(text, "element 4: expected 9, got 0\n"));
  CHECK(holds(text, "written by block 0, thread 3"));
  CHECK(holds(text, "→ look at the guard"));
  CHECK(holds(text, "✓ stays inside its arrays"));
  CHECK(holds(text, "! no spills"));
}

TEST_CASE("Text of checks: what was found goes below a title that it leaves no room for") {
  CheckExhibit check;
  const std::string title = "a title of an item that says what is counted",
                    got = "four words were found";
  check.items = {{"counted",
                  CheckExhibit::State::passed,
                  Message::plain(title),
                  Message::plain(got),
                  {},
                  0,
                  {},
                  {}}};
  CHECK(holds(english(check, 100), title + "     " + got));
  CHECK(holds(english(check, 60), "✓ " + title + "\n    " + got + "\n"));
}

TEST_CASE(
    "Text: printed lines stand without a sentence, are wrapped, and cut where they are endless") {
  const std::string shown = english(TextExhibit{Message::plain("one two three\n4 5"), true}, 20);
  CHECK(shown.ends_with("\n  | one two three\n  | 4 5\n"));
  CHECK(english(TextExhibit{Message::plain("one two three four five six"), true}, 20)
            .ends_with("\n  | one two three four\n  | five six\n"));
  // What is ours is not marked.
  CHECK(english(TextExhibit{Message{"text.no-lines", {}, {}}, true}, 60).find("  | ") ==
        std::string::npos);
  const std::string endless =
      english(TextExhibit{Message::plain(std::string(1000, 'x')), true}, 20);
  CHECK(tests::count_of(endless, "\n") == 2);
  CHECK_FALSE(holds(shown, sample::english()("text.no-lines")));
  CHECK(holds(english(TextExhibit{Message::plain(""), true}), sample::english()("text.no-lines")));
}

TEST_CASE("Text: an empty report says so") {
  CHECK(holds(to_text(Report{}, sample::english()), sample::english()("report.nothing")));
}

}  // namespace warpbook::lab::text_test
