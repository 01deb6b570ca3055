// Text at 200 %: on a screen of that many pixels there are half as many points, and still nothing runs off the window or lies on
// something else.
#include <deque>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::large_text_test {
namespace {

/// A chapter whose runs show nothing, so that its page is laid out at once.
lab::Lesson without_runs(lab::Lesson lesson) {
  lesson.experiment = [](lab::Lab&) {};
  return lesson;
}

struct Control {
  std::string name;
  ImRect at;
  const ImGuiWindow* window = nullptr;
};

/// The controls of the bars, of the strip of parameters and of the text, where they are in sight.
std::vector<Control> controls(Stage& stage) {
  std::vector<Control> found;
  stage.act([&](ImGuiTestContext& t) {
    ImGuiTestItemList items;
    t.GatherItems(&items, "//book");
    for (const ImGuiTestItemInfo& item : items) {
      const std::string name = item.DebugLabel, window = item.Window->Name;
      const bool of_page = window == "book" || window.find("/lab top_") != window.npos ||
                           window.find("/document_") != window.npos;
      // The divider is as wide as a hand needs, over the edges of its neighbours.
      if (of_page && (item.ItemFlags & ImGuiItemFlags_NoNav) == 0)
        found.push_back({name, item.RectFull, item.Window});
    }
  });
  return found;
}

void check_layout(Stage& stage, float width) {
  const std::vector<Control> all = controls(stage);
  CHECK(all.size() > 8);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].name);
    CHECK(all[i].at.Min.x >= 0);
    CHECK(all[i].at.Max.x <= width);
    for (std::size_t k = 0; k < i; ++k) {
      if (all[k].window != all[i].window) continue;
      ImRect both = all[k].at;
      both.ClipWith(all[i].at);
      CAPTURE(all[k].name);
      CHECK_FALSE((both.GetWidth() > 1 && both.GetHeight() > 1));
    }
  }
}

}  // namespace

TEST_CASE(
    "at 200 % no control of a chapter runs off the window or lies on another, in any language",
    "[ci]") {
  for (const ImVec2 size : {ImVec2{512, 384}, ImVec2{720, 450}}) {
    for (const std::string language : {"en", "zh"}) {
      std::deque<lab::Lesson> kept;  // the book refers to them
      Stage stage(size.x, size.y, language);
      stage.book().set_reduced_motion(true);
      for (const lab::Lesson& lesson : lessons::catalogue()) {
        CAPTURE(size.x, language, lesson.slug);
        const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
        REQUIRE(document);
        stage.book().open(kept.emplace_back(without_runs(lesson)), *document);
        stage.shell().show_document();
        for (int i = 0; i < 4; ++i) stage.frame();
        check_layout(stage, size.x);
        stage.shell().show_lab();
        for (int i = 0; i < 4; ++i) stage.frame();
        check_layout(stage, size.x);
      }
    }
  }
}

}  // namespace warpbook::gui::large_text_test
