// Two runs in the lab: a chapter's variants, the live run against one that was kept, and an edit against the original.
#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "gui/lab/compare_view.hpp"
#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::compare_test {
namespace {
using Kind = CompareSide::Kind;

/// Whether the reader's comparison shows it, as A.
bool is_a(Stage& stage, Kind kind, std::size_t kept = 0) {
  return stage.book().comparing() && stage.book().side(false) == CompareSide{kind, kept};
}
bool is_b(Stage& stage, Kind kind, std::size_t kept = 0) {
  return stage.book().comparing() && stage.book().side(true) == CompareSide{kind, kept};
}

void read_on(Stage& stage, std::string_view step) {
  stage.shell().document().go_to_step(step);
  stage.settle();
  stage.settle();
}

/// How far a step's heading is below the view's top.
float heading_of(Stage& stage, std::string_view step) {
  const DocumentView& document = stage.shell().document();
  const auto found = std::ranges::find(document.steps(), step, &DocumentView::Step::name);
  REQUIRE(found != document.steps().end());
  return found->top - document.scroll();
}

void open_answered(Stage& stage) {
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
}

void press(Stage& stage, ImGuiKeyChord keys) {
  stage.act([keys](ImGuiTestContext& t) { t.KeyPress(keys); });
  stage.settle();
}

void click(Stage& stage, const char* item) {
  stage.act([item](ImGuiTestContext& t) { t.ItemClick(item); });
  stage.settle();
}

std::size_t first_comparison(const Book& book) {
  const auto& blocks = book.document().nodes;
  const auto found = std::ranges::find_if(blocks, [](const lab::DocumentNode& block) {
    return std::holds_alternative<lab::CompareDirective>(block);
  });
  REQUIRE(found != blocks.end());
  return static_cast<std::size_t>(found - blocks.begin());
}

const lab::ComparisonExhibit& relation_of(const std::optional<Compared>& compared) {
  REQUIRE(compared);
  REQUIRE(compared->relation);
  return std::get<lab::ComparisonExhibit>(compared->relation->value);
}

void set_n(Stage& stage, std::int64_t n) {
  stage.book().set_value("n", lab::Value(n));
  stage.settle();
}
}  // namespace

TEST_CASE("a comparison that takes its room leaves the heading of its step in view", "[ci]") {
  Stage stage(1440, 900);
  stage.open_answered("memory-spaces");
  read_on(stage, "compare");
  REQUIRE(stage.shell().stop() == Shell::Stop::lab);
  CHECK(std::fabs(heading_of(stage, "compare") - 8) < 1.5f);
  // Who has read on keeps the comparison where it is, and is not taken back to the heading.
  const float on = stage.shell().document().scroll() + 60;
  stage.shell().document().scroll_to(on);
  stage.settle();
  stage.shell().set_stop(Shell::Stop::lab_only);
  stage.settle();
  stage.shell().set_stop(Shell::Stop::read);
  stage.settle();
  CHECK(std::fabs(heading_of(stage, "compare") - 8) > 2);
}

TEST_CASE("the step Compare has its variants side by side, and the divider makes room for them") {
  Stage stage;
  open_answered(stage);
  CHECK_FALSE(stage.book().compare_node());
  CHECK(stage.shell().stop() == Shell::Stop::read);
  read_on(stage, "compare");
  const std::size_t block = first_comparison(stage.book());
  REQUIRE(stage.book().compare_node() == block);
  CHECK(stage.shell().stop() == Shell::Stop::lab);
  const LabView::Place* place = stage.shell().lab().place_of("comparison");
  REQUIRE(place);
  CHECK(place->max.x - place->min.x >= kSideBySide);
  CHECK(place->min.x < 1440 - 760);  // 800 wide, less its margins
  // Beside each other: not as high as both below each other.
  const auto compared = stage.book().comparison_of(block);
  CHECK(compared->name_a == "Blocks of 4");
  const auto& relation = relation_of(compared);
  CHECK(relation.settings.size() == 1);
  CHECK(relation.settings[0].name == "block");
  REQUIRE(relation.outputs.size() == 1);
  CHECK(relation.outputs[0].compared == 8);
  CHECK(relation.outputs[0].differing == 0);
  CHECK(relation.times.size() == 1);
}

TEST_CASE("what is read stays where it stands while the divider moves") {
  Stage stage;
  open_answered(stage);
  const std::size_t block = first_comparison(stage.book());
  stage.shell().document().go_to_step("compare");
  for (int i = 0; i < 4; ++i) stage.frame();
  REQUIRE(stage.book().compare_node() == block);
  for (int i = 0; i < 60; ++i) {
    stage.frame();
    CHECK(stage.book().compare_node() == block);  // it never goes and comes
  }
  CHECK(stage.shell().stop() == Shell::Stop::lab);
}

TEST_CASE(
    "a comparison that was put away comes back when it is read again, and so does the divider") {
  Stage stage(1440, 500);
  open_answered(stage);
  read_on(stage, "compare");
  const std::size_t block = first_comparison(stage.book());
  REQUIRE(stage.book().compare_node() == block);
  click(stage, "**/end");
  CHECK_FALSE(stage.book().compare_node());
  CHECK(stage.shell().stop() == Shell::Stop::read);
  CHECK(stage.shell().lab().place_of("parameters"));
  read_on(stage, "ask");
  CHECK_FALSE(stage.book().compare_node());
  read_on(stage, "compare");
  CHECK(stage.book().compare_node() == block);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_M);
  CHECK_FALSE(stage.book().compare_node());
  press(stage, ImGuiMod_Ctrl | ImGuiKey_M);
  CHECK(stage.book().compare_node() == block);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_P);  // to the parameters: they are the live run's
  CHECK_FALSE(stage.book().compare_node());
}

TEST_CASE("a divider that the reader moved is left alone") {
  Stage stage;
  open_answered(stage);
  read_on(stage, "compare");
  REQUIRE(stage.shell().stop() == Shell::Stop::lab);
  stage.shell().set_stop(Shell::Stop::read);
  stage.settle();
  CHECK(stage.book().compare_node());
  CHECK(stage.shell().stop() == Shell::Stop::read);
}

TEST_CASE("in a narrow window both variants stand in the text, one above the other") {
  Stage stage(840, 900);
  open_answered(stage);
  read_on(stage, "compare");
  CHECK_FALSE(stage.book().compare_node());
  CHECK_FALSE(stage.shell().lab().place_of("comparison"));
  const std::size_t block = first_comparison(stage.book());
  CHECK(relation_of(stage.book().comparison_of(block)).outputs.size() == 1);
  float words = 0;
  for (const auto& set : stage.shell().document().paragraphs()) words = std::max(words, set.width);
  CHECK(words <= 840);
  CHECK(Stage::vertices() < 40'000);
}

TEST_CASE("a run that is kept stays as it was, and the next one is held against it") {
  Stage stage;
  open_answered(stage);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  REQUIRE(stage.book().kept_runs().size() == 1);
  CHECK(is_a(stage, Kind::kept));
  CHECK(stage.shell().stop() == Shell::Stop::lab);
  const auto kept = stage.book().report();
  CHECK_FALSE(lab::differs(relation_of(stage.book().own_comparison())));

  set_n(stage, 20);
  const auto compared = stage.book().own_comparison();
  REQUIRE(compared);
  CHECK(compared->a == kept);
  CHECK(compared->b == stage.book().report());
  CHECK(compared->name_b == "n = 20");
  CHECK_FALSE(compared->stale_relation);
  const auto& relation = relation_of(compared);
  REQUIRE(relation.settings.size() == 1);
  CHECK(relation.settings[0].a == "10");
  CHECK(relation.settings[0].b == "20");
  REQUIRE_FALSE(relation.outputs.empty());
  CHECK(relation.outputs[0].shape_a == "10");
  CHECK(relation.outputs[0].shape_b == "20");
  CHECK(stage.shell().lab().place_of("comparison"));
  CHECK(stage.shell().lab().place_of("parameters"));

  press(stage, ImGuiMod_Ctrl | ImGuiKey_M);
  CHECK_FALSE(stage.book().comparing());
  CHECK(stage.shell().stop() == Shell::Stop::read);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_M);
  CHECK(is_a(stage, Kind::kept));
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/choose A");
    t.ItemClick("**/remove kept 0");
    t.KeyPress(ImGuiKey_Escape);
  });
  stage.settle();
  CHECK(stage.book().kept_runs().empty());
  CHECK_FALSE(stage.book().comparing());
}

TEST_CASE("several runs can be kept, each once, and any of them is A") {
  Stage stage;
  open_answered(stage);
  for (const std::int64_t n : {4, 6, 4}) {
    set_n(stage, n);
    press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  }
  REQUIRE(stage.book().kept_runs().size() == 2);
  CHECK(is_a(stage, Kind::kept, 0));
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/choose A");
    t.ItemClick("**/kept 1");
  });
  stage.settle();
  CHECK(is_a(stage, Kind::kept, 1));
  CHECK(is_b(stage, Kind::live));
  CHECK(stage.book().own_comparison()->name_a == "n = 6");
  // They stay while another chapter is read.
  stage.open("first-kernel");
  CHECK(stage.book().kept_runs().empty());
  CHECK_FALSE(stage.book().comparing());
  stage.open_made_up();
  CHECK(stage.book().kept_runs().size() == 2);
}

TEST_CASE("two runs that were kept are held against each other, by mouse or by keys") {
  Stage stage(1440, 1200);
  open_answered(stage);
  for (const std::int64_t n : {4, 6}) {
    set_n(stage, n);
    press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  }
  set_n(stage, 9);
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/choose B");
    t.ItemClick("**/kept 0");
  });
  stage.settle();
  REQUIRE(is_a(stage, Kind::kept, 1));
  REQUIRE(is_b(stage, Kind::kept, 0));
  const auto compared = stage.book().own_comparison();
  CHECK(compared->a == stage.book().kept_runs()[1].report);
  CHECK(compared->b == stage.book().kept_runs()[0].report);
  CHECK(compared->name_a == "n = 6");
  CHECK(compared->name_b == "n = 4");
  const auto& relation = relation_of(compared);
  REQUIRE(relation.settings.size() == 1);
  CHECK(relation.settings[0].a == "6");
  CHECK(relation.settings[0].b == "4");
  // What is set decides neither side, and is not shown; an edit makes nothing stale.
  CHECK_FALSE(compared->follows_inputs);
  CHECK_FALSE(stage.shell().lab().place_of("parameters"));
  stage.book().set_live(false);
  set_n(stage, 10);
  CHECK_FALSE(stage.book().own_comparison()->stale_relation);

  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_B);
    t.Yield(2);
    t.KeyPress(ImGuiKey_UpArrow);
    t.KeyPress(ImGuiKey_Enter);
  });
  stage.settle();
  CHECK(is_b(stage, Kind::live));
  CHECK(stage.shell().lab().place_of("parameters"));
  CHECK(stage.book().own_comparison()->stale_b);
}

TEST_CASE("A and B change places, by mouse and by keys, and so does what stands between them") {
  Stage stage;
  open_answered(stage);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  set_n(stage, 20);
  const auto kept = stage.book().kept_runs()[0].report, live = stage.book().report();
  for (const bool by_mouse : {true, false}) {
    if (by_mouse)
      click(stage, "**/swap");
    else
      press(stage, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_M);
    const auto compared = stage.book().own_comparison();
    CAPTURE(by_mouse);
    CHECK(compared->a == (by_mouse ? live : kept));
    CHECK(compared->b == (by_mouse ? kept : live));
    CHECK_FALSE(compared->stale_relation);
    CHECK(relation_of(compared).settings.at(0).a == (by_mouse ? "20" : "10"));
  }
  // Choosing for one side the run that is on the other side swaps them, too.
  stage.book().choose_side(true, {Kind::kept, 0});
  CHECK(is_a(stage, Kind::live));
  CHECK(is_b(stage, Kind::kept));
}

TEST_CASE("the variants of a directive change places, in the lab and in the text") {
  Stage stage;
  open_answered(stage);
  read_on(stage, "compare");
  const std::size_t block = first_comparison(stage.book());
  const auto before = stage.book().comparison_of(block);
  press(stage, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_M);
  const auto after = stage.book().comparison_of(block);
  CHECK(stage.book().swapped(block));
  CHECK(after->name_a == "Blocks of 8");
  CHECK(after->a == before->b);
  CHECK(after->b == before->a);
  CHECK(relation_of(after).settings.at(0).a == relation_of(before).settings.at(0).b);
  click(stage, "**/swap");
  CHECK(stage.book().comparison_of(block)->a == before->a);
}

TEST_CASE("an edit is held against the original in one press, and follows the parameters") {
  Stage stage;
  open_answered(stage);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_O);
  CHECK_FALSE(stage.book().comparing());  // nothing is edited
  CHECK_FALSE(stage.book().toasts().empty());
  std::string edited = stage.book().source("add");
  const std::size_t guard = edited.find("if (i < n)");
  REQUIRE(guard != std::string::npos);
  edited.erase(guard, 10);
  stage.book().set_source("add", edited);
  stage.settle();
  click(stage, "**/against original");
  REQUIRE(is_a(stage, Kind::original));
  const auto& relation = relation_of(stage.book().own_comparison());
  CHECK(relation.settings.empty());
  REQUIRE(relation.sources.size() == 1);
  CHECK(relation.sources[0].removed == 1);
  CHECK(relation.sources[0].added == 1);
  const auto sectors =
      std::ranges::find(relation.figures, "global_sectors", &lab::ComparisonExhibit::Figure::name);
  REQUIRE(sectors != relation.figures.end());
  CHECK(sectors->a < sectors->b);

  set_n(stage, 14);
  const auto compared = stage.book().own_comparison();
  REQUIRE(compared->a);
  CHECK(compared->a->inputs.values.integer("n") == 14);
  CHECK(compared->b->inputs.values.integer("n") == 14);
  CHECK_FALSE(compared->stale_relation);
}

TEST_CASE("A and B stay in place while the lab scrolls, and their lists open below their buttons") {
  Stage stage(1440, 600);
  open_answered(stage);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  set_n(stage, 20);
  const LabView::Place before = *stage.shell().lab().place_of("comparison");
  CHECK(stage.shell().lab().place_of("code")->min.y == before.min.y);  // the relation contains it
  stage.act([](ImGuiTestContext& t) {
    t.MouseMoveToPos({1100, 500});
    t.MouseWheelY(-8);
    t.Yield(10);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_A);
    t.Yield(2);
    const ImRect button = t.ItemInfo("**/choose A").RectFull,
                 first = t.ItemInfo("**/kept 0").RectFull;
    CHECK(button.Min.y >= measure::kTopBar);
    CHECK(first.Min.y >= button.Max.y);
    CHECK(first.Min.y <= button.Max.y + 60);  // the second row
    t.KeyPress(ImGuiKey_Escape);
  });
  CHECK(stage.shell().lab().place_of("comparison")->min.y < before.min.y);
}

TEST_CASE("an open question covers what a comparison would give away, on either side") {
  Stage stage;
  stage.open_made_up();
  REQUIRE(stage.book().open_question(stage.book().inputs()));
  press(stage, ImGuiMod_Ctrl | ImGuiKey_K);
  set_n(stage, 20);
  REQUIRE_FALSE(stage.book().open_question(stage.book().inputs()));
  REQUIRE(stage.book().open_question(stage.book().own_comparison()->a->inputs));
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/comparison/show me"); });
  stage.settle();
  CHECK(stage.book().answered("threads"));
  CHECK_FALSE(stage.book().open_question(stage.book().own_comparison()->a->inputs));
}

TEST_CASE("the comparisons of the chapters keep to a page's share of vertices", "[ci]") {
  for (const char* chapter : {"memory-spaces", "first-kernel", "activations"}) {
    CAPTURE(chapter);
    Stage stage(1440, 2600);
    stage.open_answered(chapter);
    read_on(stage, "compare");
    CHECK(stage.book().compare_node());
    CHECK(Stage::vertices() < 40'000);
  }
}

}  // namespace warpbook::gui::compare_test
