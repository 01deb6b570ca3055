// The memory spaces as a panel, and a value's way over them under mouse and keyboard: the whole chapter with every question
// answered.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "lab/text/source_text.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::spaces_test {
namespace {
constexpr std::size_t kExplain = 3;

class Spaces {
 public:
  explicit Spaces(float width = 1440, float height = 2600, const std::string& language = "en")
      : stage(width, height, language) {
    stage.open_answered("memory-spaces");
    stage.shell().document().go_to_step(kExplain);
    stage.settle();
  }
  void click(const std::string& item) {
    stage.act([&](ImGuiTestContext& t) { t.ItemClick(("**/journey/" + item).c_str()); });
  }
  void press(const std::string& item, ImGuiKey key) {
    stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo(("**/journey/" + item).c_str());
      t.KeyPress(key);
    });
  }
  void run_variant(const std::string& name) {
    const auto text = lab::read_source_file(WARPBOOK_SOURCE_DIR,
                                            "lessons/memory-spaces/variants/" + name + ".cu");
    REQUIRE(text);
    stage.book().set_source("filter", *text);
    stage.settle();
  }
  [[nodiscard]] const lab::SpacesExhibit::Journey& journey() {
    const auto* found = stage.book().report()->find_as<lab::SpacesExhibit>("journey");
    REQUIRE(found);
    REQUIRE(found->journey);
    return *found->journey;
  }
  [[nodiscard]] Link pinned() { return stage.book().link.pinned(); }
  Stage stage;
};
}  // namespace

TEST_CASE("the memory spaces of a run are drawn, and the page keeps to its share of vertices") {
  for (const std::string language : {"en", "zh"}) {
    Spaces page(1440, 2600, language);
    CHECK(page.stage.book().report()->find_as<lab::SpacesExhibit>("spaces"));
    CHECK(Stage::vertices() > 1000);
    CHECK(Stage::vertices() < 40'000);
  }
  Spaces narrow(1024, 700);
  CHECK(Stage::vertices() < 40'000);
}

TEST_CASE(
    "a press on a station or on its line marks the thread and the line of source that do it") {
  Spaces page;
  page.run_variant("ring");
  REQUIRE(page.journey().stations.size() == 7);  // x[37], kept in a local array
  page.click("step 4");
  CHECK(page.pinned().line == 8u);
  CHECK(page.pinned().thread == Link::Thread{0, 31});
  page.click("station 7");
  CHECK(page.pinned().line == 11u);
  page.click("step 1");  // the host put it there: no line
  CHECK(page.pinned().empty());
}

TEST_CASE("the journey's buttons and keys go on, back, to the first and to the last station") {
  Spaces page;
  page.run_variant("ring");
  page.click("last station");
  CHECK(page.pinned().line == 11u);
  page.click("station before");
  CHECK(page.pinned().thread == Link::Thread{0, 31});
  CHECK(page.pinned().line == 11u);
  page.click("station before");
  CHECK(page.pinned().line == 8u);
  page.click("first station");
  CHECK(page.pinned().empty());
  page.click("station after");
  CHECK(page.pinned().line == 8u);
  page.press("step 2", ImGuiKey_End);
  CHECK(page.pinned().line == 11u);
  page.press("step 2", ImGuiKey_Home);
  CHECK(page.pinned().empty());
  page.press("step 2", ImGuiKey_RightArrow);
  CHECK(page.pinned().line == 8u);
  page.press("step 2", ImGuiKey_LeftArrow);
  page.press("step 2", ImGuiKey_LeftArrow);  // there is none before the first
  CHECK(page.pinned().empty());
}

TEST_CASE("where another kernel's way is shorter, its last station is shown") {
  Spaces page;
  page.run_variant("ring");
  page.click("last station");
  page.run_variant("constant");
  REQUIRE(page.journey().stations.size() == 5);
  page.click("station before");
  CHECK(page.pinned().line == 10u);
  page.stage.book().set_value("array", lab::Value(std::string("c")));
  page.stage.book().set_value("follow", lab::Value(std::int64_t{3}));
  page.run_variant("shared");
  CHECK(page.journey().stations.size() == 7);
  page.click("station 5");
  CHECK(page.pinned().line == 6u);
}

TEST_CASE("with reduced motion the journey is drawn at its station at once") {
  Spaces page;
  page.stage.book().set_reduced_motion(true);
  page.click("last station");
  page.stage.frame();
  const int there = Stage::vertices();
  page.stage.frame();
  CHECK(Stage::vertices() == there);
}

TEST_CASE("another kernel's local array shows in the memory spaces") {
  Spaces page;
  const auto local_bytes = [&] {
    const auto* spaces = page.stage.book().report()->find_as<lab::SpacesExhibit>("spaces");
    return spaces ? spaces->local_bytes : 0;
  };
  CHECK(local_bytes() == 20);  // five samples to sort
  page.run_variant("ring");
  CHECK(local_bytes() == 32);  // eight samples
  page.run_variant("exchanged");
  CHECK(local_bytes() == 0);
}

}  // namespace warpbook::gui::spaces_test
