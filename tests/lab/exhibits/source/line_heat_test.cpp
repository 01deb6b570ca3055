// The heat of lines: each counter is the record's, both texts share a scale, lines are linked both ways, and what a
// damaged report says of lines that are not there is left out.
#include "lab/exhibits/source/line_heat.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/source/source_marks.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::line_heat_test {
namespace {

using sample::exhibit;
using tests::holds;

/// A kernel of four lines: the second branches, the third stores through a function of a header.
device::LaunchRecord record() {
  device::LaunchRecord made;
  const auto counters = [](std::uint64_t warps, std::uint64_t lanes) {
    device::Counters c;
    c.warp_instructions = warps;
    c.thread_instructions = lanes;
    return c;
  };
  device::Counters branch = counters(2, 64), store = counters(2, 40), load = counters(2, 64);
  branch.divergent_branches = 1;
  store.global_sectors = 9;
  load.shared_wavefronts = 12;
  load.shared_wavefronts_ideal = 2;
  made.instructions = {{"@%p1 bra $L1;", 3, {"k.cu", 2, 1}, {}, branch, {}},
                       {"ld.shared.f32", 4, {"k.cu", 3, 1}, {}, load, {}},
                       {"st.global.f32", 5, {"h.h", 9, 1}, {{"k.cu", 3, 5}}, store, {}},
                       {"ret;", 6, {"other.h", 1, 1}, {}, counters(2, 64), {}}};
  made.lines = {{"k.cu", 2, 64, branch, {}, {}}, {"k.cu", 3, 64, load, {}, {}}};
  made.lines[1].counters += store;
  made.lines[1].estimated = {{"dram", 3e-6}, {"latency", 1e-6}};
  made.instructions[1].estimated = 4e-6;
  return made;
}

SourceExhibit source() {
  SourceExhibit empty;
  empty.file = "k.cu";
  empty.text = "kernel {\n  if (a)\n    f();\n}\n";
  empty.ptx = ".entry\n{\nbra\nld\nst\nret\n}\n";
  SourceMarks marks(empty);
  marks.add(record());
  return marks.exhibit();
}

}  // namespace

TEST_CASE("Heat: every counter of a line and of its PTX is the record's") {
  const SourceExhibit made = source();
  CHECK(heats_of(made).size() == kHeats.size());
  const LineHeat threads(made, Heat::threads), instructions(made, Heat::instructions),
      divergent(made, Heat::divergent), sectors(made, Heat::sectors),
      conflicts(made, Heat::conflicts);
  CHECK(threads.of_line(3) == 64);
  CHECK(threads.of_ptx(5) == 40);
  CHECK(instructions.of_line(3) == 4);
  CHECK(instructions.of_ptx(4) == 2);
  CHECK(instructions.most() == 4);
  CHECK(divergent.of_line(2) == 1);
  CHECK(divergent.of_line(3) == 0);
  CHECK(divergent.of_ptx(3) == 1);
  CHECK(sectors.of_line(3) == 9);
  CHECK(sectors.of_ptx(5) == 9);
  CHECK(sectors.share(9) == 1);
  CHECK(conflicts.of_line(3) == 10);
  CHECK(conflicts.of_ptx(4) == 10);
  const LineHeat time(made, Heat::time);
  CHECK(time.text(time.of_line(3)) == "4 µs");
  CHECK(time.of_ptx(4) == time.of_line(3));
  CHECK(time.text(time.of_line(2)).empty());
  for (const std::uint32_t nothing : {0u, 1u, 4u, 5u, 1000u}) CHECK(threads.of_line(nothing) == 0);
}

TEST_CASE("Marks: accesses outside two arrays on one line are counted by array") {
  device::LaunchRecord made = record();
  for (const char* array : {"y", "x", "y"}) {
    device::Finding finding;
    finding.error = {device::ErrorCode::out_of_bounds_read, {{"name", array}}, {"k.cu", 3, 1}};
    made.findings.push_back(finding);
  }
  SourceExhibit empty;
  empty.file = "k.cu";
  SourceMarks gathered(empty);
  gathered.add(made);
  const SourceExhibit marked = gathered.exhibit();
  REQUIRE(marked.marks.size() == 2);
  const auto says = [&](std::size_t mark, const char* name) {
    const auto& arguments = marked.marks[mark].text.arguments;
    return std::ranges::find(arguments, name, &device::MessageArgument::name)->value.text;
  };
  CHECK(says(0, "name") == "x");
  CHECK(says(0, "count") == "1");
  CHECK(says(1, "name") == "y");
  CHECK(says(1, "count") == "2");
}

TEST_CASE("Heat: times of several launches add up by what takes them") {
  SourceExhibit empty = source();
  empty.lines.clear();
  SourceMarks twice(empty);
  device::LaunchRecord other = record();
  other.lines[1].estimated = {{"latency", 5e-6}};
  twice.add(record());
  twice.add(other);
  const SourceExhibit made = twice.exhibit();
  CHECK(LineHeat(made, Heat::time).of_line(3) == 9'000'000);  // picoseconds
  const auto line = std::ranges::find(made.lines, 3u, &SourceExhibit::Line::line);
  CHECK(line->estimated == std::vector<device::EstimateBound>{{"latency", 6e-6}, {"dram", 3e-6}});
}

TEST_CASE("Heat: the text has a line's time and what takes it, where there was an estimate") {
  const auto text = [](const SourceExhibit& shown) {
    return to_text(exhibit(shown), *sample::strings("en"));
  };
  CHECK(holds(text(source()), "4 µs  DRAM"));
  SourceExhibit without = source();
  for (auto& line : without.lines) line.estimated.clear();
  CHECK_FALSE(holds(text(without), "DRAM"));
}

TEST_CASE("Heat: launches add up, and a kernel that does more is warmer") {
  SourceExhibit empty = source();
  empty.lines.clear();
  empty.instructions.clear();
  SourceMarks twice(empty);
  twice.add(record());
  device::LaunchRecord wrong = record();
  wrong.instructions[2].counters.global_sectors = 64;  // a sector a lane
  wrong.lines[1].counters.global_sectors = 64;
  twice.add(wrong);
  const SourceExhibit made = twice.exhibit();
  CHECK(LineHeat(made, Heat::sectors).of_line(3) == 73);
  CHECK(LineHeat(made, Heat::sectors).of_ptx(5) == 73);
  CHECK(LineHeat(made, Heat::threads).of_ptx(5) == 80);
}

TEST_CASE(
    "Heat: lines of the source and of the PTX lead to each other, inlined ones to their caller") {
  const SourceExhibit made = source();
  CHECK(ptx_lines_of(made, 2) == std::vector<std::uint32_t>{3});
  CHECK(ptx_lines_of(made, 3) == std::vector<std::uint32_t>{4, 5});
  CHECK(ptx_lines_of(made, 1).empty());
  CHECK(
      ptx_lines_of(made, 0).empty());  // what stems from no line of this file is linked to nothing
}

TEST_CASE("Heat: a source that did not run has the threads alone, and no warmth") {
  const SourceExhibit nothing;
  CHECK(heats_of(nothing) == std::vector<Heat>{Heat::threads});
  const LineHeat heat(nothing, Heat::threads);
  CHECK(heat.most() == 0);
  CHECK(heat.share(0) == 0);
}

TEST_CASE("Heat: lines that the text does not have are left out") {
  SourceExhibit damaged = source();
  damaged.lines.push_back({4'000'000'000u, 5'000, {}});
  damaged.instructions.push_back({4'000'000'000u, 2, {}});
  const LineHeat heat(damaged, Heat::threads);
  CHECK(heat.most() == 64);
  CHECK_FALSE(to_html(exhibit(damaged), *sample::strings("en")).empty());
}

TEST_CASE(
    "Heat: the page and the table have a column for each counter, and the PTX its source lines") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    const SourceExhibit made = source();
    const std::string html = to_html(exhibit(made), *strings);
    for (const Heat heat : kHeats)
      CHECK(holds(html, "<th scope=\"col\">" + heat_name(heat, *strings) + "</th>"));
    CHECK(holds(html, "<td class=\"wb-threads\"><span class=\"wb-heat wb-h9\"></span>9</td>"));
    CHECK(holds(html,
                "<td class=\"wb-number\">5</td><td class=\"wb-code\">st</td>"
                "<td class=\"wb-number\">3</td>"));
    const Table table = table_of(exhibit(made), *strings);
    CHECK(table.head.size() == 2 + kHeats.size() + 1);
    CHECK(table.rows[2] ==
          std::vector<std::string>{"3", "    f();", "64", "4", "0", "9", "10", "4e-06", ""});
  }
}

}  // namespace warpbook::lab::line_heat_test
