// The parameters stay above what scrolls in the lab: each in its place, the last folded where there are many.
#include "gui/lab/parameter_strip.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::parameter_strip_test {
namespace {
using Names = std::vector<std::string>;

lab::Parameter number(const std::string& name, double most) {
  lab::Parameter made{name, lab::Message::plain(name), lab::Message::plain("threads")};
  made.initial = std::int64_t{2};
  made.minimum = 1;
  made.maximum = most;
  return made;
}

/// The made-up chapter with nine parameters more, some of every kind, and more presets than have room side by side.
const lab::Lesson& crowded() {
  static const lab::Lesson lesson = [] {
    lab::Lesson made = made_up::lesson();
    made.parameters.push_back(number("few", 4));
    for (const char* name : {"much_longer", "b", "c", "d", "e", "last"})
      made.parameters.push_back(number(name, 1000));
    for (const auto& choices :
         {Names{"soa", "aos"}, Names{"A100 40GB", "A100 80GB", "H100 SXM", "H200", "L40S",
                                     "RTX 2080 Ti", "RTX 4090", "Tesla P100", "Tesla V100"}}) {
      lab::Parameter one{choices.size() == 2 ? "layout" : "gpu", lab::Message::plain("choice"), {}};
      one.type = lab::Parameter::Type::choice;
      one.choices = choices;
      one.initial = choices.front();
      made.parameters.push_back(one);
    }
    for (int i = 0; i < 8; ++i) {
      lab::Preset preset{"preset" + std::to_string(i), lab::Message::plain("a preset of many"), {}};
      preset.values.set("n", std::int64_t{20 + i});
      made.presets.push_back(preset);
    }
    return made;
  }();
  return lesson;
}

void open_crowded(Stage& stage, const std::string& text = {}) {
  auto document = lab::parse_document("# Made up\n\n" + text, "en.md", "en");
  REQUIRE(document);
  stage.book().open(crowded(), std::move(*document));
  stage.settle();
}

const LabView::Place& strip(Stage& stage) {
  const LabView::Place* place = stage.shell().lab().place_of("parameters");
  REQUIRE(place);
  return *place;
}

std::int64_t value(Stage& stage, const char* name) {
  return stage.book().inputs().values.integer(name);
}

/// That, or more, stands between steps of a text.
std::string step(const std::string& name) {
  return "\n\n```step\nname = \"" + name + "\"\n```\n\n";
}
std::string filling() {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "A paragraph of its own, to fill the page.\n\n";
  return text;
}
}  // namespace

TEST_CASE("the parameters stay where they are while the lab scrolls below them") {
  Stage stage(1440, 500);
  stage.open_made_up();
  const LabView::Place before = strip(stage);
  const LabView::Place* code = stage.shell().lab().place_of("code");
  REQUIRE(code);
  const float was = code->min.y;
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({1100, 400});
    t.MouseWheelY(-6);
    t.Yield(4);
  });
  stage.settle();
  CHECK(stage.shell().lab().place_of("code")->min.y < was - 50);
  CHECK(strip(stage).min.y == before.min.y);
  CHECK(strip(stage).max.y <= stage.shell().lab().scroll_top());
}

TEST_CASE("many parameters fold away behind one control that says how many, by mouse and by keys") {
  Stage stage(1440, 900);
  open_crowded(stage);
  const float folded = strip(stage).max.y - strip(stage).min.y;
  CHECK(folded <= kStripShare * (900 - measure::kTopBar - measure::kStatusBar));
  CHECK(stage.has("**/n/##value"));
  CHECK_FALSE(stage.has("**/last/##value"));
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/fold"); });
  stage.settle();
  CHECK(strip(stage).max.y - strip(stage).min.y > folded);
  for (const lab::Parameter& one : crowded().parameters) {
    CAPTURE(one.name);
    const bool choice = one.type == lab::Parameter::Type::choice;
    if (!choice) CHECK(stage.has(("**/" + one.name + "/##value").c_str()));
  }
  CHECK(stage.has("**/layout/aos"));
  stage.act([](ImGuiTestContext& t) {
    t.NavMoveTo("**/fold");
    t.KeyPress(ImGuiKey_Enter);
  });
  stage.settle();
  CHECK(strip(stage).max.y - strip(stage).min.y == folded);
}

TEST_CASE("unfolded in a low window the strip scrolls by itself and leaves the lab its part") {
  Stage stage(1110, 460);
  open_crowded(stage);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/fold"); });
  stage.settle();
  const float bottom = stage.shell().lab().scroll_top(), left = strip(stage).min.x;
  CHECK(bottom <= 460 * 0.7f);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({left + 20, bottom - 20});
    t.MouseWheelY(-40);
    t.Yield(4);
    t.ItemClick("**/gpu/choices/open");  // the last one
    t.ItemClick("**/H100 SXM");
  });
  stage.settle();
  CHECK(stage.book().inputs().values.choice("gpu") == "H100 SXM");
}

TEST_CASE("the parameters keep their places while the reader goes on through the text") {
  Stage stage(1440, 900);
  open_crowded(stage, step("ask") + "See `@n`.\n\n" + filling() + step("explain") +
                          "Then `@last` and `@e`.\n\n" + filling());
  const ImRect first = stage.rectangle("**/n/slider"), second = stage.rectangle("**/block/slider");
  const LabView::Place before = strip(stage);
  stage.shell().document().go_to_step("explain");
  stage.settle();
  CHECK(stage.rectangle("**/n/slider").Min.y == first.Min.y);
  CHECK(stage.rectangle("**/block/slider").Min.y == second.Min.y);
  CHECK(strip(stage).max.y == before.max.y);
}

TEST_CASE("a slider's track can be aimed at, in every chapter and window", "[ci]") {
  Stage stage;
  std::map<float, int> sliders;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    stage.book().open(lesson.slug);
    for (const float width : {960.0f, 1440.0f, 2560.0f}) {
      stage.context().set_display(width, 900, 1);
      for (int i = 0; i < 4; ++i) stage.frame();
      for (const lab::Parameter& parameter : lesson.parameters) {
        const std::string slider = "**/" + parameter.name + "/slider";
        const std::optional<float> track = stage.width_of(slider.c_str());
        if (!track) continue;  // no number, or further down in a strip that scrolls
        ++sliders[width];
        CAPTURE(width, lesson.slug, parameter.name);
        CHECK(*track >= 200);
      }
    }
  }
  CHECK(sliders.size() == 3);
  for (const auto& [width, seen] : sliders) {
    CAPTURE(width);
    CHECK(seen >= 21);
  }
}

TEST_CASE("Up and Down in a number's box take a step, and typing goes on there") {
  Stage stage(1440, 900);
  stage.open_made_up();
  std::vector<std::int64_t> seen;
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/n/##value");
    for (const ImGuiKey key : {ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow}) {
      t.KeyPress(key);
      t.Yield(3);
      seen.push_back(value(stage, "n"));
    }
    t.KeyChars("7");
    t.Yield(3);
    seen.push_back(value(stage, "n"));
    t.KeyPress(ImGuiKey_UpArrow);
    t.Yield(3);
    seen.push_back(value(stage, "n"));
  });
  CHECK(seen == std::vector<std::int64_t>{11, 10, 9, 7, 8});
}

TEST_CASE("a slider goes by keys and by the wheel: a step, a tenth of the track, an end") {
  Stage stage(1440, 900);
  stage.open_made_up();
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) {
      t.NavMoveTo("**/n/slider");
      t.KeyPress(key);
      t.Yield(2);
    });
    stage.settle();
    return value(stage, "n");
  };
  CHECK(press(ImGuiKey_RightArrow) == 11);
  CHECK(press(ImGuiKey_LeftArrow) == 10);
  CHECK(press(ImGuiKey_PageUp) > 12);
  CHECK(press(ImGuiKey_End) == 2048);
  CHECK(press(ImGuiKey_Home) == 1);
  const float scroll = stage.shell().lab().scroll();
  std::int64_t clicked = 0;
  stage.act([&](ImGuiTestContext& t) {  // in one act: each begins without a focus
    t.ItemClick("**/n/slider");
    t.Yield(2);
    clicked = value(stage, "n");
    t.MouseWheelY(1);
    t.Yield(2);
  });
  stage.settle();
  REQUIRE(clicked > 1);
  CHECK(value(stage, "n") == clicked + 1);
  CHECK(stage.shell().lab().scroll() == scroll);
}

TEST_CASE("the wheel over parameters scrolls the lab below them, and changes no value") {
  Stage stage(1440, 500);
  stage.open_made_up();
  for (const char* item : {"**/n/slider", "**/block/##value", "**/parameters/reset"}) {
    CAPTURE(item);
    const float before = stage.shell().lab().scroll();
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMove(item);
      t.MouseWheelY(-1);
      t.Yield(2);
    });
    stage.settle();
    CHECK(value(stage, "n") == 10);
    CHECK(stage.shell().lab().scroll() > before);
  }
}

TEST_CASE("a press on a parameter in the text shows it in the strip and gives it the keyboard") {
  Stage stage(1440, 900);
  open_crowded(stage, "`@n` `@block` `@few` `@b` `@c` `@d` `@e` `@much_longer` `@last`");
  REQUIRE_FALSE(stage.has("**/last/##value"));
  stage.act([](ImGuiTestContext& t) {
    ImGuiTestItemList links;
    t.GatherItems(&links, "//book", -1);
    ImGuiID last = 0;
    for (const ImGuiTestItemInfo& item : links) {
      if (std::string_view(item.DebugLabel) == "parameter") last = item.ID;
    }
    t.ItemClick(last);
    t.Yield(4);
    t.KeyChars("77");
  });
  stage.settle();
  CHECK(value(stage, "last") == 77);
  CHECK(stage.has("**/last/##value"));
}

TEST_CASE("names never touch their controls") {
  Stage stage(1440, 900);
  open_crowded(stage);
  const Ink ink{stage.context().fonts(), nullptr};
  const float name = ink.width({Face::mono, 15, 0}, "much_longer");
  const ImRect slider = stage.rectangle("**/much_longer/slider"),
               above = stage.rectangle("**/n/slider");
  const float left = strip(stage).min.x + measure::kPadding;
  CHECK(above.Min.x - left >= name + 8);
  CHECK(slider.GetWidth() >= 200);
  CHECK(slider.Max.x <= strip(stage).max.x);
}

TEST_CASE("a parameter of few values is stepped, and its ends stay where they are") {
  Stage stage(1440, 900);
  open_crowded(stage);
  const auto press = [&](const char* item) {
    stage.act([item](ImGuiTestContext& t) { t.ItemClick(item); });
    stage.settle();
  };
  press("**/few/more");
  CHECK(value(stage, "few") == 3);
  press("**/few/more");
  stage.act([](ImGuiTestContext& t) {
    const ImGuiTestItemInfo more = t.ItemInfo("**/few/more");
    CHECK((more.ItemFlags & ImGuiItemFlags_Disabled) != 0);
  });
  CHECK(value(stage, "few") == 4);
  press("**/few/less");
  CHECK(value(stage, "few") == 3);
}

TEST_CASE("choices stand side by side where they fit, else in a list that keys open") {
  Stage stage(1440, 900);
  open_crowded(stage);
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/fold");
    t.ItemClick("**/layout/aos");
  });
  stage.settle();
  CHECK(stage.book().inputs().values.choice("layout") == "aos");
  CHECK_FALSE(stage.has("**/gpu/H100 SXM"));
  stage.act([](ImGuiTestContext& t) {
    t.NavMoveTo("**/gpu/choices/open");
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(2);
    t.KeyPress(ImGuiKey_DownArrow);
    t.KeyPress(ImGuiKey_Enter);
  });
  stage.settle();
  CHECK(stage.book().inputs().values.choice("gpu") == "A100 80GB");
}

TEST_CASE("presets that do not fit side by side are a list, and the chosen one is its name") {
  Stage stage(1440, 900);
  open_crowded(stage);
  CHECK_FALSE(stage.has("**/parameters/preset3"));
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/presets/open");
    t.ItemClick("**/preset3");
  });
  stage.settle();
  CHECK(value(stage, "n") == 23);
}

TEST_CASE("presets that fit stand side by side") {
  Stage stage(1440, 900);
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/parameters/eight"); });
  stage.settle();
  CHECK(value(stage, "n") == 8);
}

TEST_CASE("in every chapter, language and size the strip is in sight and leaves the lab its room",
          "[ci]") {
  Stage stage;
  stage.book().set_reduced_motion(true);  // the divider is at its place at once
  stage.shell().show_lab();
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    stage.book().open(lesson.slug);  // its runs need not have ended
    for (const std::string language : {"en", "zh"}) {
      stage.book().set_language(language);
      stage.context().fonts().set_han_marks(stage.book().strings().language().han_marks);
      for (const ImVec2 size : {ImVec2{1440, 900}, ImVec2{1024, 700}, ImVec2{1110, 700}}) {
        stage.context().set_display(size.x, size.y, 1);
        for (int i = 0; i < 4; ++i) stage.frame();
        CAPTURE(lesson.slug, language, size.x);
        const LabView::Place& place = strip(stage);
        const float kept = stage.shell().lab().scroll_top() - place.min.y;
        CHECK(place.min.y >= measure::kTopBar);
        CHECK(place.max.x <= size.x);
        CHECK(kept <= std::max(0.33f * (size.y - measure::kTopBar - measure::kStatusBar), 118.0f));
      }
    }
  }
}

}  // namespace warpbook::gui::parameter_strip_test
