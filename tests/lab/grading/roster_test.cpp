// The gradebooks of Canvas and Moodle, filled field by field.
#include <catch2/catch_test_macros.hpp>

#include "lab/grading/roster.hpp"
#include "tests/keyed.hpp"

namespace warpbook::lab::roster_test {

using tests::keyed;

namespace {

/// As Canvas exports it, with its row about posting and the padded "Points Possible".
const std::string kCanvas =
    "Student,ID,SIS User ID,SIS Login ID,Section,Saxpy (4711),Project (4712),Current Score\n"
    ",,,,,Manual Posting,,(read only)\n"
    "    Points Possible,,,,,20,50,(read only)\n"
    "\"Lovelace, Ada\",123,s1,ada,01,,7,70\n"
    "=cmd(),124,s2,eve,01,5,8,80\n"
    "\"Hopper, Grace\",125,s3,grace,01,1,9,90\n";

const std::string kMoodle =
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
    "changed\",\"Last modified (grade)\"\n"
    "\"Participant 7\",\"李明\",ming@x.edu,Submitted,,100.00,Yes,-\n"
    "\"Participant 8\",\"+Eve\",eve@x.edu,Submitted,50.00,100.00,Yes,-\n";

Roster parsed(const std::string& text) {
  auto roster = Roster::parse(text, "roster.csv");
  INFO((roster ? "" : roster.error().english()));
  REQUIRE(roster);
  return *roster;
}

std::vector<CsvRow> filled(const Roster& roster, const std::map<std::string, double>& points,
                           const std::string& column = "") {
  const auto text = roster.filled(points, 10, column);
  INFO((text ? "" : text.error().english()));
  REQUIRE(text);
  return parse_csv(*text)->rows;
}

}  // namespace

TEST_CASE("Roster of Canvas: the students are those with an ID") {
  const Roster roster = parsed(kCanvas);
  CHECK(roster.form() == RosterForm::canvas);
  REQUIRE(roster.students().size() == 3);
  CHECK(roster.students()[0] == Student{"123", "Lovelace, Ada", ""});
}

TEST_CASE(
    "Roster of Canvas: one assignment goes back, scaled to what it is worth, and nobody else's "
    "cell changes") {
  const auto rows = filled(parsed(kCanvas), {{"123", 8}, {"124", 10}}, "Saxpy");
  CHECK(rows.at(0) ==
        CsvRow{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Saxpy (4711)"});
  CHECK(rows.at(2) == CsvRow{"    Points Possible", "", "", "", "", "20"});
  CHECK(rows.at(3) == CsvRow{"Lovelace, Ada", "123", "s1", "ada", "01", "16"});
  CHECK(rows.at(4) == CsvRow{"'=cmd()", "124", "s2", "eve", "01", "20"});
  CHECK(rows.at(5).back() == "1");
}

TEST_CASE("Roster of Canvas: which of several assignments is meant has to be said") {
  const auto text = parsed(kCanvas).filled({}, 10, "");
  REQUIRE_FALSE(text);
  CHECK(keyed(*argument_of(text.error().arguments, "expected")) ==
        "phrase.handed.one-column(columns=Saxpy (4711); Project (4712))");
  CHECK_FALSE(parsed(kCanvas).find_column(""));
  CHECK(parsed(kCanvas).find_column("Saxpy"));
  CHECK(parsed(kMoodle).find_column(""));
  const auto unknown = parsed(kCanvas).find_column("Crop");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == device::ErrorCode::unknown_name);
  CHECK(unknown.error().english().find("Project (4712)") != std::string::npos);
}

TEST_CASE("Roster of Canvas: of two assignments with one name, the number says which is meant") {
  const Roster roster = parsed("Student,ID,Saxpy (1),Saxpy (2)\nAda,123,,\n");
  CHECK_FALSE(roster.find_column("Saxpy"));
  CHECK(filled(roster, {{"123", 8}}, "Saxpy (2)").at(1).back() == "8");
}

TEST_CASE(
    "Roster of Moodle: the grade is filled by the participant's number, scaled to the maximum "
    "grade") {
  const Roster roster = parsed(kMoodle);
  CHECK(roster.form() == RosterForm::moodle);
  CHECK(roster.students().at(0) == Student{"7", "李明", "ming@x.edu"});
  const auto rows = filled(roster, {{"7", 8.5}});
  CHECK(rows.at(0).at(7) == "Last modified (grade)");
  CHECK(rows.at(1).at(0) == "Participant 7");
  CHECK(rows.at(1).at(4) == "85");
  CHECK(rows.at(2).at(4) == "50.00");
  CHECK(rows.at(2).at(1) == "'+Eve");
}

TEST_CASE("Roster of Moodle: a worksheet in another language is known by its participants") {
  const Roster roster = parsed(
      "ID,\"Vollständiger Name\",Status,Bewertung,Bestwertung\nTeilnehmer/in7,Ada,Abgegeben,,20\n"
      "Teilnehmer/in8,Bob,Abgegeben,,20\n");
  CHECK(roster.form() == RosterForm::moodle);
  CHECK(roster.students().at(1).id == "8");
  CHECK(roster.students().at(1).name == "Bob");
  CHECK_FALSE(roster.find_column(""));
  REQUIRE(roster.find_column("Bewertung"));
  CHECK(filled(roster, {{"8", 5}}, "Bewertung").at(2) ==
        CsvRow{"Teilnehmer/in8", "Bob", "Abgegeben", "10", "20"});
}

TEST_CASE("Roster of Moodle: what Moodle reads back besides the grade stays as it was") {
  const auto rows =
      filled(parsed("Identifier,\"Full name\",Grade,\"Last modified (submission)\",\"Last modified "
                    "(grade)\",\"Feedback comments\"\n"
                    "\"Participant 8\",-Eve,,-,-,\"- nice start, +1\"\n"),
             {{"8", 5}});
  CHECK(rows.at(1) == CsvRow{"Participant 8", "'-Eve", "5", "-", "-", "- nice start, +1"});
}

TEST_CASE("Roster: any table with a column id will do") {
  const Roster roster = parsed("name;id\nAda;a1\n");
  CHECK(roster.form() == RosterForm::table);
  CHECK(roster.students().at(0) == Student{"a1", "Ada", ""});
}

TEST_CASE(
    "Roster: a student who is there twice, and a table without ids, are refused with the row or "
    "the columns") {
  const auto twice = Roster::parse("id,name\n1,a\n1,b\n", "r.csv");
  REQUIRE_FALSE(twice);
  CHECK(keyed(*argument_of(twice.error().arguments, "expected")) == "phrase.handed.once");
  CHECK_FALSE(Roster::parse("name\nAda\n", "r.csv"));
  CHECK_FALSE(Roster::parse("", "r.csv"));
  CHECK_FALSE(Roster::parse("id,\"name\n1,2\n", "r.csv"));
}

TEST_CASE("Points are written without trailing zeros") {
  CHECK(points_text(10) == "10");
  CHECK(points_text(0) == "0");
  CHECK(points_text(8.25) == "8.25");
  CHECK(points_text(20.0 / 3) == "6.67");
}

}  // namespace warpbook::lab::roster_test
