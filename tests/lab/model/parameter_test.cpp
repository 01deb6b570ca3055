#include "lab/model/parameter.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lab::parameter_test {
namespace {

std::vector<Parameter> parameters() {
  Parameter n{"n", Message::plain("n"), {}, Parameter::Type::integer, std::int64_t{4}};
  n.minimum = 1;
  n.maximum = 1024;
  Parameter rate{"rate", Message::plain("rate"), {}, Parameter::Type::real, 0.5};
  rate.minimum = 0;
  rate.maximum = 1;
  Parameter guard{"guard", Message::plain("guard"), {}, Parameter::Type::toggle, true};
  Parameter layout{
      "layout", Message::plain("layout"), {}, Parameter::Type::choice, std::string("rows")};
  layout.choices = {"rows", "columns"};
  return {n, rate, guard, layout};
}

/// The key and the arguments of an assignment's error; empty where it was taken.
std::string refusal(std::string_view assignment) {
  Values values;
  const auto done = assign(parameters(), values, assignment);
  return done ? "" : tests::keyed(done.error());
}

}  // namespace

TEST_CASE("Parameter: defaults are what the lesson says") {
  const Values values = defaults(parameters());
  CHECK(values.integer("n") == 4);
  CHECK(values.real("rate") == 0.5);
  CHECK(values.toggle("guard"));
  CHECK(values.choice("layout") == "rows");
}

TEST_CASE("Parameter: assignments are typed") {
  Values values = defaults(parameters());
  REQUIRE(assign(parameters(), values, "n=12"));
  REQUIRE(assign(parameters(), values, " rate = 1e-3 "));
  REQUIRE(assign(parameters(), values, "guard=off"));
  REQUIRE(assign(parameters(), values, "layout=columns"));
  CHECK(values.integer("n") == 12);
  CHECK(values.real("rate") == 1e-3);
  CHECK_FALSE(values.toggle("guard"));
  CHECK(values.choice("layout") == "columns");
}

TEST_CASE("Parameter: whole numbers are taken however they are spelled") {
  const std::string text = GENERATE("100", "+100", "1e2", "100.0");
  CAPTURE(text);
  const auto value = parse(parameters()[0], text);
  REQUIRE(value);
  CHECK(std::get<std::int64_t>(*value) == 100);
}

TEST_CASE("Parameter: a number that was copied from a figure, with its minus sign, is taken") {
  Parameter shift = parameters()[0], scale = parameters()[1];
  shift.minimum = scale.minimum = -8;
  CHECK(std::get<std::int64_t>(*parse(shift, typeset("-5"))) == -5);
  CHECK(std::get<double>(*parse(scale, typeset("-2.5e-3"))) == -2.5e-3);
  CHECK(to_text(Value{std::int64_t{-5}}) == "-5");
}

TEST_CASE("Parameter: both ends of the range belong to it") {
  CHECK(refusal("n=1").empty());
  CHECK(refusal("n=1024").empty());
  CHECK(refusal("n=0") == "parameter_out_of_range(maximum=1024, minimum=1, name=n, value=0)");
  CHECK(refusal("n=1025") == "parameter_out_of_range(maximum=1024, minimum=1, name=n, value=1025)");
  CHECK(refusal("rate=1.01") ==
        "parameter_out_of_range(maximum=1, minimum=0, name=rate, value=1.01)");
}

TEST_CASE("Parameter: a refusal names what is possible") {
  for (const std::string text : {"four", "4.5", "", "12x", "nan"}) {
    CAPTURE(text);
    CHECK(refusal("n=" + text) ==
          "parameter_not_integer(maximum=1024, minimum=1, name=n, value=" + text + ")");
  }
  CHECK(refusal("n=99999999999999999999999") ==
        "parameter_out_of_range(maximum=1024, minimum=1, name=n, value=99999999999999999999999)");
  CHECK(refusal("rate=nan") == "parameter_not_number(maximum=1, minimum=0, name=rate, value=nan)");
  CHECK(refusal("rate=inf") ==
        "parameter_out_of_range(maximum=1, minimum=0, name=rate, value=inf)");
  CHECK(refusal("guard=maybe") == "parameter_not_a_choice(known=on, off, name=guard, value=maybe)");
  CHECK(refusal("layout=Rows") ==
        "parameter_not_a_choice(known=rows, columns, name=layout, value=Rows)");
  CHECK(refusal("m=3") == "no_such_parameter(known=n; rate; guard; layout, name=m)");
  CHECK(refusal("12") == "bad_assignment(known=n; rate; guard; layout, text=12)");
}

TEST_CASE("Parameter: a refused assignment changes nothing") {
  Values values = defaults(parameters());
  REQUIRE_FALSE(assign(parameters(), values, "n=5000"));
  CHECK(values == defaults(parameters()));
}

TEST_CASE("Parameter: a value's text gives the value back") {
  const auto which = GENERATE(0, 1, 2, 3);
  const Parameter parameter = parameters()[static_cast<std::size_t>(which)];
  const auto value = parse(parameter, to_text(parameter.initial));
  REQUIRE(value);
  CHECK(*value == parameter.initial);
}

TEST_CASE("Parameter: a picture is a file that holds one, by its whole path, or none") {
  const tests::TemporaryFolder folder;
  // The first bytes of a PNG of 1 x 1 pixel: enough to say that it is one.
  using namespace std::string_literals;
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\0\0\0\0"s;
  const std::string file = folder.write("a picture.png", png).string();
  const std::vector<Parameter> one{
      {"picture", Message::plain("picture"), {}, Parameter::Type::picture, std::string()}};
  Values values = defaults(one);
  CHECK(values.picture("picture").empty());
  REQUIRE(assign(one, values, "picture=" + file));
  CHECK(values.picture("picture") == file);
  REQUIRE(assign(one, values, "picture=" + (folder.path() / "." / "a picture.png").string()));
  CHECK(values.picture("picture") == file);
  CHECK_FALSE(assign(one, values, "picture=" + (folder.path() / "b.png").string()));
  const auto text = assign(one, values, "picture=" + folder.write("c.png", "hello").string());
  REQUIRE_FALSE(text);
  CHECK(tests::keyed(text.error()) == "file_unreadable(file=" + (folder.path() / "c.png").string() +
                                          ", why=phrase.why.no-picture)");
  CHECK(values.picture("picture") == file);  // refused, so nothing changed
  REQUIRE(assign(one, values, "picture="));
  CHECK(values.picture("picture").empty());
}

TEST_CASE("Values: asking for what is not there is a bug, and says so") {
  CHECK_THROWS_AS(Values().integer("n"), std::logic_error);
  CHECK_THROWS_AS(defaults(parameters()).real("n"), std::logic_error);
}

}  // namespace warpbook::lab::parameter_test
