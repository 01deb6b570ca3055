// Machine code in a source's exhibit: the words and marks that all renderers share, and each renderer with nothing, little and
// very much of it.
#include "lab/exhibits/source/sass_summary.hpp"

#include <algorithm>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"
#include "tests/schema.hpp"

namespace warpbook::lab::sass_exhibit_test {
namespace {

using device::Sass;
using device::SassFunction;
using device::SassInstruction;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::holds;

SassInstruction instruction(std::uint32_t number, std::string text, double executed) {
  SassInstruction made;
  made.address = 16 * number;
  made.text = std::move(text);
  made.ptx_line = 2;
  made.line = 3;
  made.stall = 4;
  made.executed = executed;
  return made;
}

/// Two instructions, counted: a load that sets a barrier, and a multiply-add that waits for it.
Sass small() {
  Sass made;
  made.architecture = 90;
  made.disassembler = "nvdisasm";
  SassFunction add{"_Z3addPf", "add", true, {}};
  add.instructions = {instruction(0, "@!P0 LDG.E R2, [R4.64]", 64),
                      instruction(1, "FFMA R5, R2, R3, R5", 1234.4)};
  add.instructions[0].write_barrier = 2;
  add.instructions[0].read_barrier = 0;
  add.instructions[1].wait_mask = 0b000101;
  made.functions = {add};
  return made;
}

SourceExhibit source_with(std::optional<Sass> sass) {
  SourceExhibit made;
  made.file = "add.cu";
  made.text = "a\nb\nc\n";
  made.ptx = "x\ny\n";
  made.sass = std::move(sass);
  return made;
}

Sass with_instructions(std::uint32_t count) {
  Sass made = small();
  made.functions[0].instructions.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    made.functions[0].instructions.push_back(instruction(i, "FFMA R1, R2, R3, R4", i));
  return made;
}

}  // namespace

TEST_CASE("SASS: addresses, counts and barriers are said alike everywhere") {
  const Sass sass = small();
  const std::vector<SassRow> rows = rows_of(sass);
  REQUIRE(rows.size() == 2);  // one function needs no name
  CHECK(address_text(*rows[1].instruction) == "0x0010");
  CHECK(executed_text(rows[1]) == "1,234");
  CHECK(sets_text(*rows[0].instruction) == "2 0r");
  CHECK(waits_text(*rows[0].instruction).empty());
  CHECK(waits_text(*rows[1].instruction) == "0 2");
  CHECK(sets_text(*rows[1].instruction).empty());
  CHECK(most_executed(sass) == 1234.4);
  CHECK(instructions_of(sass) == 2);
}

TEST_CASE("SASS: several functions each begin with a row of their name") {
  Sass sass = small();
  sass.functions.push_back({"_Z4scalePf", "scale", false, {instruction(0, "EXIT", 0)}});
  const std::vector<SassRow> rows = rows_of(sass);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].instruction == nullptr);
  CHECK(rows[3].function->name == "scale");
  CHECK(executed_text(rows[4]).empty());  // it was not launched
  const std::string text = to_text(sass, english(), 100);
  CHECK(text.find("add\n") < text.find("LDG.E"));
  CHECK(text.find("scale\n") > text.find("FFMA"));
}

TEST_CASE("SASS: the summary says who named it, and that no hardware counted it") {
  Sass sass = small();
  CHECK(summary_of(sass, sample::keys()) ==
        "sass.of(architecture=sm_90, instructions=count.machine-instructions(count=2), mix=1 FFMA, "
        "1 LDG); sass.named(disassembler=nvdisasm); sass.counted");
  sass.disassembler.clear();
  sass.why = device::Error{device::ErrorCode::library_missing,
                           {{"library", "nvdisasm"},
                            {"detail", Message{"phrase.detail.not-in-usual-places", {}, {}}},
                            {"command", "./warpbook fetch disassembler"}},
                           {}};
  sass.functions[0].counted = false;
  const std::string said = summary_of(sass, sample::keys());
  CHECK(said ==
        "sass.of(architecture=sm_90, instructions=count.machine-instructions(count=2), mix=1 FFMA, "
        "1 LDG); sass.unnamed(why=error.library_missing.long(library=nvdisasm, "
        "detail=phrase.detail.not-in-usual-places, "
        "command=./warpbook fetch disassembler)); sass.uncounted");
  CHECK(holds(said, "sass.uncounted"));
  CHECK(holds(summary_of(sass, *sample::strings("zh")), "常用位置里没有"));
  CHECK(holds(summary_of({}, sample::keys()), "sass.none"));
}

TEST_CASE("SASS: the opcodes that students meet are explained in both languages") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    for (const char* opcode :
         {"FFMA", "FADD", "FMUL", "FSETP", "FSEL",  "FMNMX", "MUFU",  "IMAD",  "IADD3", "ISETP",
          "LEA",  "LOP3", "SHF",  "SEL",   "PRMT",  "MOV",   "S2R",   "S2UR",  "LDC",   "ULDC",
          "LDG",  "STG",  "LDS",  "STS",   "LDL",   "STL",   "ATOMG", "ATOMS", "RED",   "SHFL",
          "BAR",  "BRA",  "EXIT", "BSSY",  "BSYNC", "NOP",   "HFMA2", "HMMA",  "DFMA",  "VOTE"}) {
      CAPTURE(opcode);
      CHECK_FALSE(meaning_of_opcode(opcode, *strings).empty());
    }
    CHECK(meaning_of_opcode("XYZZY", *strings).empty());
    CHECK(meaning_of_opcode("", *strings).empty());
  }
}

TEST_CASE("SASS: text has an instruction a line, with its marks and a legend") {
  const std::string text = to_text(exhibit(source_with(small())), english(), 100);
  CAPTURE(text);
  CHECK(holds(text, "  0x0000     64        3      4         2 0r  @!P0 LDG.E R2, [R4.64]"));
  CHECK(holds(text, "  0x0010  1,234        3      4    0 2        FFMA R5, R2, R3, R5"));
  CHECK(holds(text, "stall: clocks until"));
  CHECK_FALSE(holds(to_text(exhibit(source_with({})), english(), 100), "SASS"));
  for (const int width : {24, 40, 80}) {
    CAPTURE(width);
    CHECK(tests::widest_line(to_text(exhibit(source_with(small())), english(), width)) <= width);
  }
}

TEST_CASE("SASS: the page has a table folded away, with a strip of heat and the opcodes' meaning") {
  const std::string html = to_html(exhibit(source_with(small())), english());
  CHECK(holds(html, "<summary>SASS</summary>"));
  CHECK(holds(html, "@!P0 <abbr title=\"" + english()("sass.op.ldg").substr(0, 20)));
  CHECK(holds(html, "<span class=\"wb-heat wb-h9\"></span>1,234"));
  CHECK(holds(html, "<span class=\"wb-heat wb-h0\"></span>64"));
  CHECK_FALSE(holds(to_html(exhibit(source_with({})), english()), "SASS"));
}

TEST_CASE(
    "SASS: in CSV an instruction is a row with the line of its source, behind those of the "
    "source") {
  const Table table = table_of(exhibit(source_with(small())), english());
  const Table bare = table_of(exhibit(source_with({})), english());
  REQUIRE(table.rows.size() == bare.rows.size() + 2);
  for (const auto& row : table.rows) CHECK(row.size() == table.head.size());
  CHECK(std::vector(table.head.begin() + static_cast<std::ptrdiff_t>(bare.head.size()),
                    table.head.end()) == std::vector<std::string>{"function", "address", "SASS",
                                                                  "of PTX", "stall", "waits",
                                                                  "sets", "ran"});
  CHECK(table.rows[0].front() == "1");
  CHECK(table.rows[0].back().empty());
  const auto& last = table.rows.back();
  CHECK(last.front() == "3");
  CHECK(last[1].empty());
  CHECK(last[last.size() - 6] == "FFMA R5, R2, R3, R5");
  CHECK(last.back() == "1234.4");
  CHECK(holds(to_csv(table), "\"@!P0 LDG.E R2, [R4.64]\",2,4,,2 0r,64\n"));
}

TEST_CASE("SASS: Markdown has it as a table behind the source, and who named it") {
  const std::string text = to_markdown(exhibit(source_with(small())), english());
  CHECK(holds(text, "```\n\n**SASS**\n\n"));
  CHECK_THAT(text,
             tests::Says("sass.of", {{"architecture", "sm_90"}}, tests::patterns_of(english())));
  CHECK(holds(text, "| 3 | add | 0x0010 | FFMA R5, R2, R3, R5 | 2 | 4 | 0 2 |  | 1234.4 |"));
  CHECK(holds(text, english()("sass.legend")));
  CHECK_FALSE(holds(to_markdown(exhibit(source_with({})), english()), "SASS"));
  const std::string none = to_markdown(exhibit(source_with(Sass{})), english());
  CHECK(holds(none, english()("sass.none")));
  CHECK_FALSE(holds(none, "|"));
}

TEST_CASE("SASS: what a disassembler writes cannot become markup or move a cursor") {
  Sass evil = small();
  evil.functions[0].name = evil.functions[0].instructions[0].text =
      "LDG\"><script>alert(1)</script>\x1b[2J\xff";
  evil.functions.push_back(evil.functions[0]);
  CHECK_FALSE(holds(to_html(exhibit(source_with(evil)), english()), "<script"));
  CHECK_FALSE(holds(to_text(exhibit(source_with(evil)), english(), 100), "\x1b"));
}

TEST_CASE("SASS: nothing, little and very much of it, in every renderer and both languages") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  std::vector<nlohmann::json> reports;
  for (const std::uint32_t count : {0u, 1u, 30'000u}) {
    CAPTURE(count);
    Sass sass = with_instructions(count);
    if (count == 0) sass.functions.clear();
    const Exhibit shown = exhibit(source_with(sass));
    const std::string text = to_text(shown, *strings, 80), html = to_html(shown, *strings);
    CHECK_FALSE(holds(text, "<"));  // no string is missing
    CHECK(count_of(text, "FFMA R1") == std::min(count, 2000u));
    CHECK(count_of(html, "</abbr>") == std::min(count, 2000u));
    CHECK(html.size() < 3'000'000);
    CHECK_FALSE(sentence(shown, *strings).empty());
    if (count > 1) continue;
    Report report = sample::full_report();
    report.exhibits = {shown};
    reports.push_back(to_json(report, *strings));
  }
  CHECK(tests::complaints("report.schema.json", reports) == "");
}

TEST_CASE("SASS: numbers of a damaged report are shown as they are and crash nothing") {
  Sass odd = small();
  odd.functions[0].instructions[0].executed = std::numeric_limits<double>::quiet_NaN();
  odd.functions[0].instructions[1].executed = std::numeric_limits<double>::infinity();
  odd.functions[0].instructions[1].wait_mask = 0xff;
  odd.functions[0].instructions[1].write_barrier = 200;
  CHECK(most_executed(odd) == 0);
  CHECK(waits_text(odd.functions[0].instructions[1]) == "0 1 2 3 4 5");
  CHECK(sets_text(odd.functions[0].instructions[1]).empty());
  CHECK(holds(to_text(odd, english(), 100), "nan"));
  CHECK(holds(to_html(exhibit(source_with(odd)), english()), "inf"));
}

}  // namespace warpbook::lab::sass_exhibit_test
