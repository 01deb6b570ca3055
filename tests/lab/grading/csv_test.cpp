#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/grading/csv.hpp"

namespace warpbook::lab::csv_test {

TEST_CASE(
    "CSV: quotes, line ends of either kind, a byte order mark and empty lines are read as they are "
    "meant") {
  const auto csv =
      parse_csv("\xef\xbb\xbfid,name\r\n1,\"Lovelace, \"\"Ada\"\"\nof London\"\n\n2,\r\n");
  REQUIRE(csv);
  CHECK(csv->separator == ',');
  CHECK(csv->rows ==
        std::vector<CsvRow>{{"id", "name"}, {"1", "Lovelace, \"Ada\"\nof London"}, {"2", ""}});
}

TEST_CASE("CSV: where the head has more semicolons than commas, they separate") {
  const auto csv = parse_csv("id;name\n1;\"a;b\"\n");
  REQUIRE(csv);
  CHECK(csv->rows.at(1) == CsvRow{"1", "a;b"});
}

TEST_CASE("CSV: a quote that is never closed is refused") {
  CHECK_FALSE(parse_csv("a,\"b\nc,d\n"));
}

TEST_CASE("CSV: what is written reads back as the same cells") {
  const Csv csv{',', {{"a", "b,c"}, {"\"q\"", "two\nlines"}, {"", "x"}}};
  const auto again = parse_csv(to_csv(csv));
  REQUIRE(again);
  CHECK(again->rows == csv.rows);
}

TEST_CASE("CSV: a cell that a spreadsheet would calculate gets an apostrophe in front") {
  const std::string formula =
      GENERATE("=HYPERLINK(\"http://x\")", "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", " =1+1", "＝1+1");
  CAPTURE(formula);
  CHECK(safe_cell(formula).starts_with("'"));
}

TEST_CASE("CSV: numbers and ordinary names stay as they are") {
  const std::string plain =
      GENERATE("-1.5", "3", "Ada Lovelace", "O'Hara", "    Points Possible", "");
  CAPTURE(plain);
  CHECK(safe_cell(plain) == plain);
}

TEST_CASE("CSV: a cell has no line end and no control character") {
  CHECK(safe_cell("a\nb\tc\x1b[31m") == "a b c\xef\xbf\xbd[31m");
}

}  // namespace warpbook::lab::csv_test
