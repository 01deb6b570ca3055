#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::table_test {
namespace {
using sample::exhibit;
using sample::tensor;

Table table(ExhibitValue value) {
  return table_of(exhibit(std::move(value)), *sample::strings("en"));
}
}  // namespace

TEST_CASE(
    "Table: a tensor's elements stand beside their indices, row-major, and the wrong ones are "
    "marked") {
  CHECK(table(tensor<int>("out", {6, 8, 10})) ==
        Table{{"i", "out"}, {{"0", "6"}, {"1", "8"}, {"2", "10"}}});
  TensorExhibit matrix = tensor<float>("c", {1, 2.5f, 3, 4, 5, 6}, {2, 3});
  matrix.wrong = {4};
  CHECK(table(matrix) == Table{{"i0", "i1", "c", "wrong"},
                               {{"0", "0", "1", ""},
                                {"0", "1", "2.5", ""},
                                {"0", "2", "3", ""},
                                {"1", "0", "4", ""},
                                {"1", "1", "5", "x"},
                                {"1", "2", "6", ""}}});
  CHECK(table(tensor<int>("none", {})).rows.empty());
}

TEST_CASE("Minus signs: what people read has them, what programs read has hyphens") {
  const Exhibit shown = exhibit(tensor<int>("t", {-3, 250, -40}));
  const auto strings = sample::strings("en");
  const auto has = [](const std::string& text, std::string_view what) {
    return text.find(what) != std::string::npos;
  };
  CHECK(sentence(shown, *strings) == "t holds 3 elements of type i32: −3 250 −40.");
  for (const std::string& text : {to_text(shown, *strings, 90), to_html(shown, *strings)}) {
    CHECK(has(text, "−40"));
    CHECK_FALSE(has(text, "-40"));
  }
  CHECK(has(to_csv(table_of(shown, *strings)), "2,-40\n"));
  CHECK(has(to_json(shown, *strings)["value"].dump(), "-40"));
  CHECK_FALSE(has(to_json(shown, *strings)["value"].dump(), "−"));
}

TEST_CASE("Table: every access of the trace is a row") {
  const AccessesExhibit accesses = sample::guarded(3, 1, 4);
  const Table made = table(accesses);
  REQUIRE(made.rows.size() == accesses.wires.size());
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const auto& wire = accesses.wires[i];
    CHECK(made.rows[i][1] == std::to_string(wire.thread));
    CHECK(made.rows[i][3] == accesses.arrays[wire.array].tensor.name);
    CHECK(made.rows[i][4] == std::to_string(wire.element));
  }
}

TEST_CASE("Table: every kind has one, in both languages, each row as long as its head") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    for (const Exhibit& each : sample::full_report().exhibits) {
      CAPTURE(each.id, language);
      const Table made = table_of(each, *strings);
      REQUIRE_FALSE(made.head.empty());
      CHECK_FALSE(made.rows.empty());
      for (const std::string& name : made.head) CHECK(name.find('<') == std::string::npos);
      for (const auto& row : made.rows) CHECK(row.size() == made.head.size());
      const std::string markdown = to_markdown(each, *strings);
      CHECK(markdown.starts_with("**"));
      CHECK(markdown.find("<table.") == std::string::npos);
    }
  }
}

TEST_CASE("CSV: a cell is quoted where it holds a comma, a quote or a line break") {
  CHECK(to_csv({{"a", "b,c"}, {{"say \"so\"", "1\n2"}, {"", "plain"}}}) ==
        "a,\"b,c\"\n\"say \"\"so\"\"\",\"1\n2\"\n,plain\n");
}

TEST_CASE("Markdown: a bar in a cell does not part it") {
  CheckExhibit check;
  check.items.push_back({"or",
                         CheckExhibit::State::passed,
                         Message::plain("a | b"),
                         Message::plain("1 of 1"),
                         {},
                         0,
                         {},
                         {}});
  const std::string text = to_markdown(exhibit(check), *sample::strings("en"));
  CHECK(text.find("| a \\| b | passed | 1 of 1 |") != std::string::npos);
}

}  // namespace warpbook::lab::table_test
