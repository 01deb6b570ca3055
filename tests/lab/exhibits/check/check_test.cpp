// Checks: how their cases are listed, and what is said of a case's inputs.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/check/check.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::check_test {
namespace {

using Case = CheckExhibit::Case;
using sample::english;
using sample::exhibit;
using tests::holds;

/// "+n = 1 -n = 2": each label behind its state.
std::string listed(const std::vector<Case>& cases) {
  std::string text;
  for (const CaseLabel& label : labels_of(cases, english()))
    text += (text.empty() ? "" : " ") + std::string(label.passed ? "+" : "-") + label.text;
  return text;
}

/// So many cases "n = 1", "n = 2", ...
std::vector<Case> cases_of(int count, bool passed, int first = 1) {
  std::vector<Case> cases;
  for (int n = first; n < first + count; ++n) cases.push_back({"n = " + std::to_string(n), passed});
  return cases;
}

std::vector<Case> joined(std::vector<Case> cases, const std::vector<Case>& more) {
  cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace

TEST_CASE("a few cases are listed one by one, of many those that say most") {
  CHECK(listed({{"n = 1", true}, {"n = 2", false}, {"", false}}) == "+n = 1 -n = 2 -a hidden case");
  const std::vector<Case> hidden(4, Case{"", false});
  // 26 that are wrong for one reason, behind 2 that do not show it.
  CHECK(listed(joined(joined(cases_of(2, true), cases_of(22, false, 3)), hidden)) ==
        "-n = 3 -n = 4 -n = 5 -n = 6 -n = 7 -21 more +2 are right");
  CHECK(listed(joined(cases_of(1, false), cases_of(9, true, 2))) == "-n = 1 +9 are right");
  CHECK(listed(joined(cases_of(6, false), cases_of(3, true, 7))) ==
        "-n = 1 -n = 2 -n = 3 -n = 4 -n = 5 -1 more +3 are right");
  CHECK(listed(joined(cases_of(9, true), hidden)) == "-4 hidden cases +9 are right");
}

TEST_CASE("the inputs of a case are written as a call and the elements that it reads") {
  CHECK(values_text({"x", 33, 8, {"0.5", "-1.5"}}, english()) ==
        "x has 33 elements, from x[8] on: 0.5, −1.5, …");
  CHECK(values_text({"x", 2, 0, {"0.5", "7"}}, english()) ==
        "x has 2 elements, from x[0] on: 0.5, 7");
  CHECK(values_text({"b", 1, 0, {"3"}}, english()) == "b has 1 element: 3");
  CHECK(values_text({"x", 0, 0, {}}, english()) == "x has no elements");

  CheckExhibit check;
  CheckExhibit::Item& wrong = check.items.emplace_back();
  wrong.state = CheckState::failed;
  wrong.inputs = {"n = 33", {"saxpy<<<2, 32>>>(33, 2.5, x, y)"}, {{"x", 33, 0, {"0.5"}}}};
  const auto text = [&] { return to_text(exhibit(check), english(), 80); };
  for (const std::string& shown : {text(), to_html(exhibit(check), english())}) {
    CHECK(holds(shown, "What goes into the case n = 33:"));
    CHECK(holds(shown, "(33, 2.5, x, y)"));
    CHECK(holds(shown, "x has 33 elements, from x[0] on: 0.5, …"));
  }
  // What passed is not explained.
  check.items[0].state = CheckState::passed;
  CHECK_FALSE(holds(text(), "(33, 2.5"));
}

}  // namespace warpbook::lab::check_test
