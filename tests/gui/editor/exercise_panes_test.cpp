// What is written for an exercise, with its PTX and its machine code: of the last check, in the chapter's own panes.
#include <imgui_internal.h>
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/source/line_heat.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::exercise_panes_test {
namespace {
/// The exercise saxpy with its solution written and checked.
struct Checked {
  Stage stage{1440, 2600};
  Checked() {
    stage.open("first-kernel");
    stage.shell().hold_lab(true);
    stage.book().set_active_exercise("saxpy");
    const auto solution = lab::load_solution(WARPBOOK_SOURCE_DIR, *attempt().text());
    REQUIRE(solution);
    stage.book().write_exercise("saxpy", *solution);
    stage.book().run_now();
    stage.settle();
    REQUIRE(attempt().findings());
  }
  ExerciseAttempt& attempt() { return *stage.book().active_attempt(); }
  CodeEditor& editor() { return stage.shell().lab().code().editor("exercise:saxpy"); }
  bool has(const char* item) { return stage.has(item); }
};
}  // namespace

TEST_CASE("an exercise's lines and their PTX lead to each other, and both have the check's heat",
          "[ci]") {
  Checked checked;
  const lab::SourceExhibit& found = *checked.attempt().findings();
  REQUIRE_FALSE(found.instructions.empty());
  const auto& first = found.instructions.front();
  const std::string row = "**/ptx " + std::to_string(first.ptx_line);
  CHECK_FALSE(checked.has(row.c_str()));
  checked.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_P); });
  checked.stage.settle();
  checked.stage.act([&](ImGuiTestContext& t) { t.ItemClick(row.c_str()); });
  CHECK(checked.stage.book().link.pinned().line == first.line);
  CHECK(checked.stage.book().link.pinned().ptx_line == first.ptx_line);
  CHECK(checked.has("**/heat"));
  checked.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_Escape); });
  checked.editor().widget().SetCursor({first.line - 1, 0});
  checked.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_L); });
  CHECK(checked.stage.book().link.pinned().line == first.line);
}

TEST_CASE("the machine code of an exercise is made when it is shown, by one check more", "[ci]") {
  Checked checked;
  CHECK_FALSE(checked.attempt().findings()->sass);
  const auto before = checked.attempt().result();
  checked.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/sass"); });
  checked.stage.settle();
  REQUIRE(checked.attempt().result() != before);
  REQUIRE(checked.attempt().findings()->sass);
  CHECK(checked.attempt().result()->passed);
  CHECK_FALSE(checked.attempt().findings()->sass->functions.empty());
  const auto shown = checked.attempt().result();
  for (int i = 0; i < 2; ++i) {  // hidden and shown again: it is there
    checked.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_S); });
    checked.stage.settle();
  }
  CHECK(checked.attempt().result() == shown);
}

TEST_CASE("an exercise that one comes back to has its whole code in the first frame", "[ci]") {
  Checked checked;
  const auto height = [&] {
    const LabView::Place* place = checked.stage.shell().lab().place_of("exercise");
    REQUIRE(place);
    return place->max.y - place->min.y;
  };
  const float before = height();
  checked.stage.shell().lab().forget();  // as when another chapter was open
  checked.stage.frame();
  CHECK(height() == before);
}

TEST_CASE(
    "what a check found is said beside the code, with the smallest case that fails and the first "
    "wrong element",
    "[ci]") {
  Checked checked;
  const auto said = [&] { return checked.stage.shell().lab().verdict(); };
  CHECK(said().find("passed") != std::string::npos);
  std::string wrong = checked.attempt().source();
  const std::size_t factor = wrong.find("a * x[i] + y[i];");
  REQUIRE(factor != std::string::npos);
  checked.stage.book().write_exercise("saxpy", wrong.erase(factor, 4));
  checked.stage.book().run_now();
  checked.stage.settle();
  const auto* failed = checked.attempt().first_failed();
  REQUIRE(failed);
  const lab::Strings& strings = checked.stage.book().strings();
  CHECK(said().find(strings(failed->sentence)) != std::string::npos);
  CHECK(said().find("n = 1,") != std::string::npos);
  REQUIRE_FALSE(failed->mismatches.empty());
  CHECK(said().find(strings("gui.exercise.wrong-in",
                            {{"case", failed->inputs.name},
                             {"index", lab::grouped(failed->mismatches[0].index)},
                             {"expected", lab::typeset(failed->mismatches[0].expected)},
                             {"got", lab::typeset(failed->mismatches[0].got)}})) !=
        std::string::npos);
  // A check is named by what holds when it passes, so a message must not leave it at that.
  CHECK(checked.stage.book().toasts().back().text ==
        "Not passed yet, because this does not hold: " + strings(failed->sentence) + " (" +
            strings(failed->got) + ")");
}

TEST_CASE("what was written since the check is not checked for its machine code", "[ci]") {
  Checked checked;
  const auto before = checked.attempt().result();
  checked.stage.book().write_exercise("saxpy", checked.attempt().source() + "// mine\n");
  checked.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_S); });
  checked.stage.settle();
  CHECK(checked.attempt().stale());
  CHECK(checked.attempt().result() == before);
  CHECK_FALSE(checked.attempt().progress().running);
}

TEST_CASE("settings have no PTX and no machine code to show") {
  Stage stage(1440, 2600);
  stage.open("convolution-algorithms");
  stage.shell().hold_lab(true);
  stage.shell().lab().code().show_ptx(true);
  stage.book().set_active_exercise("read-the-engine-list");
  REQUIRE(stage.book().active_attempt());
  for (int i = 0; i < 4; ++i) stage.frame();
  stage.act([](ImGuiTestContext& t) {
    CHECK(t.ItemExists("**/slot"));
    CHECK_FALSE(t.ItemExists("**/ptx"));
    CHECK_FALSE(t.ItemExists("**/sass"));
  });
}

}  // namespace warpbook::gui::exercise_panes_test
