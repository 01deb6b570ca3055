// A tensor in the window: the switch among its views under the keyboard, what is pointed at, and that the largest keeps to
// its share of vertices.
#include <imgui_internal.h>

#include <cstring>
#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "gui/exhibits/tensor/tensor_views.hpp"
#include "tests/gui/open_frame.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::tensor_test {
namespace {
using View = lab::TensorExhibit::View;

lab::Exhibit tensor(const std::vector<float>& values, std::vector<std::uint64_t> shape,
                    View view = View::automatic) {
  lab::TensorExhibit made{"t", device::ElementType::f32, std::move(shape), {}, {}};
  const auto bytes = std::as_bytes(std::span(values));
  made.data.assign(bytes.begin(), bytes.end());
  made.view = view;
  return {"t", lab::Message::plain("A tensor"), std::nullopt, std::move(made)};
}

/// Values that no two neighbours share: nothing can be drawn as one.
std::vector<float> uneven(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i * 7919 % 1009);
  return values;
}

/// The textures of pictures that the renderer has, beside those of the fonts.
std::vector<const ImTextureData*> pictures() {
  std::vector<const ImTextureData*> found;
  for (const ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->UseColors && texture->Status == ImTextureStatus_OK) found.push_back(texture);
  }
  return found;
}
Colour pixel(const ImTextureData& texture, int x, int y) {
  Colour colour = 0;
  std::memcpy(&colour, texture.Pixels + 4 * (y * texture.Width + x), sizeof colour);
  return colour;
}
}  // namespace

TEST_CASE("the views of a tensor are switched by keys, and the choice stays") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(1200), {30, 40}));
  CHECK(stage.book().choice("t/view") < 0);
  for (const auto& [name, view] :
       {std::pair{"table", View::table}, std::pair{"plot", View::plot},
        std::pair{"image", View::image}, std::pair{"heat", View::heat}}) {
    stage.act([name = std::string(name)](ImGuiTestContext& t) {
      t.NavMoveTo(("**/t/" + name).c_str());
      t.NavActivate();
    });
    stage.settle();
    CHECK(stage.book().choice("t/view") == static_cast<int>(view));
    CHECK(Stage::vertices() < 40'000);
  }
}

TEST_CASE("a few numbers are numbers, with no switch above them") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(8), {8}));
  stage.act([](ImGuiTestContext& t) {
    CHECK_FALSE(t.ItemExists("**/t/heat"));
    CHECK_FALSE(t.ItemExists("**/t/cells"));
  });
}

TEST_CASE("a cell of a heat map is pinned by a click, and the arrow keys go on from it") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(6 * 8), {6, 8}, View::heat));
  ImRect cells;
  stage.act([&](ImGuiTestContext& t) { cells = t.ItemInfo("**/t/cells").RectFull; });
  const float cell = std::min(28.0f, cells.GetHeight() / 6);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({cells.Min.x + 2.5f * cell, cells.Min.y + 1.5f * cell});
    t.MouseClick();
  });
  CHECK(stage.book().choice("t/at") == 8 + 2);
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) {
      t.NavMoveTo("**/t/cells");
      t.KeyPress(key);
    });
    return stage.book().choice("t/at");
  };
  CHECK(press(ImGuiKey_RightArrow) == 11);
  CHECK(press(ImGuiKey_DownArrow) == 19);
  CHECK(press(ImGuiKey_LeftArrow) == 18);
  CHECK(press(ImGuiKey_UpArrow) == 10);
  CHECK(press(ImGuiKey_UpArrow) == 2);
  CHECK(press(ImGuiKey_UpArrow) == 2);  // there is no row above the first
}

TEST_CASE("a tensor of ten million elements, and one that is all marks, keep to their vertices",
          "[ci]") {
  Stage stage(1440, 900);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const View view : {View::automatic, View::table, View::plot, View::heat, View::image}) {
    show(stage, tensor(uneven(10'000'000), {10, 1000, 1000}, view));
    CHECK(Stage::vertices() < 40'000);
    lab::Exhibit bad = tensor(std::vector<float>(10'000, nan), {100, 100}, view);
    auto& value = std::get<lab::TensorExhibit>(bad.value);
    for (std::uint64_t i = 0; i < 10'000; ++i) value.wrong.push_back(i);
    show(stage, bad);
    CHECK(Stage::vertices() < 40'000);
  }
}

TEST_CASE("a heat map of more cells than are drawn is one texture with a pixel for each element") {
  Stage stage(1440, 900);
  std::vector<float> values(128 * 256, 0.5f);
  values[0] = 0;
  values[3 * 256 + 2] = 1;
  values[5 * 256 + 7] = std::numeric_limits<float>::quiet_NaN();
  values[6 * 256 + 7] = -std::numeric_limits<float>::infinity();
  lab::Exhibit exhibit = tensor(values, {128, 256}, View::heat);
  std::get<lab::TensorExhibit>(exhibit.value).wrong = {9 * 256 + 100};
  show(stage, exhibit);
  REQUIRE(pictures().size() == 1);
  const ImTextureData& texture = *pictures().front();
  CHECK(texture.Width == 256);
  CHECK(texture.Height == 128);
  CHECK(pixel(texture, 0, 0) == viridis(0));
  CHECK(pixel(texture, 2, 3) == viridis(1));
  CHECK(pixel(texture, 200, 100) == viridis(0.5f));
  CHECK(pixel(texture, 7, 5) == dark_theme().bad);
  CHECK(pixel(texture, 7, 6) == dark_theme().warn);
  CHECK(pixel(texture, 100, 9) != viridis(0.5f));
  CHECK(Stage::vertices() < 10'000);
  stage.book().set_theme("light");
  stage.settle();
  CHECK(pixel(*pictures().back(), 7, 5) == light_theme().bad);
}

TEST_CASE("a picture goes with the report that it shows") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(100 * 100), {100, 100}));
  CHECK(pictures().size() == 1);
  show(stage, tensor(uneven(100 * 120), {100, 120}));
  REQUIRE(pictures().size() == 1);
  CHECK(pictures().front()->Width == 120);
  show(stage, tensor(uneven(8), {8}));
  CHECK(pictures().empty());
}

TEST_CASE("a pixel of a texture is pinned by a click, and the arrow keys go from pixel to pixel") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(2000 * 2000), {2000, 2000}, View::image));
  ImRect cells;
  stage.act([&](ImGuiTestContext& t) {
    cells = t.ItemInfo("**/t/cells").RectFull;
    t.MouseMoveToPos({cells.Min.x + 10.5f, cells.Min.y + 3.5f});
    t.MouseClick();
  });
  const int pinned = stage.book().choice("t/at");
  const int step = pinned % 2000 / 10;  // a point is a pixel
  CHECK(step > 1);
  CHECK(pinned == 3 * step * 2000 + 10 * step);
  stage.act([](ImGuiTestContext& t) {
    t.NavMoveTo("**/t/cells");
    t.KeyPress(ImGuiKey_RightArrow);
    t.KeyPress(ImGuiKey_DownArrow);
  });
  CHECK(stage.book().choice("t/at") == 4 * step * 2000 + 11 * step);
}

TEST_CASE(
    "keys, buttons and the wheel with Ctrl look closer at a tensor, dragging moves along, and 0 "
    "shows all") {
  Stage stage(1440, 1400);
  show(stage, tensor(uneven(64 * 64), {64, 64}, View::heat));
  const auto choice = [&](const char* what) {
    stage.settle();
    return stage.book().choice(std::string("t/") + what);
  };
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) {
      t.NavMoveTo("**/t/cells");
      t.KeyPress(key);
    });
  };
  press(ImGuiKey_Equal);
  press(ImGuiKey_Equal);
  CHECK(choice("closer") == 2);
  CHECK(choice("row") == 16);  // the middle stays
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/t/look closer"); });
  CHECK(choice("closer") == 3);
  press(ImGuiKey_Minus);
  CHECK(choice("closer") == 2);
  const int row = choice("row"), column = choice("column");
  const ImRect cells = stage.rectangle("**/t/cells");
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({cells.Min.x + 100, cells.Min.y + 100});
    t.MouseDown();
    t.MouseMoveToPos({cells.Min.x + 60, cells.Min.y + 100});
    t.MouseUp();
  });
  CHECK(choice("column") > column);
  CHECK(choice("row") == row);
  CHECK(choice("at") == -1);  // a drag is no click
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({cells.Min.x + 100, cells.Min.y + 100});
    t.KeyDown(ImGuiMod_Ctrl);
    t.MouseWheelY(1);
    t.KeyUp(ImGuiMod_Ctrl);
  });
  CHECK(choice("closer") == 3);
  press(ImGuiKey_0);
  CHECK(choice("closer") == 0);
}

TEST_CASE(
    "a click in a closer look pins the element of the whole, and the arrow keys take the look "
    "along") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(64 * 64), {64, 64}, View::heat));
  stage.book().choose("t/closer", 4);  // 16 x 16
  stage.book().choose("t/row", 8);
  stage.book().choose("t/column", 20);
  stage.settle();
  const ImRect cells = stage.rectangle("**/t/cells");
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({cells.Min.x + 2, cells.Min.y + 2});
    t.MouseClick();
  });
  CHECK(stage.book().choice("t/at") == 8 * 64 + 20);
  stage.act([](ImGuiTestContext& t) {
    t.NavMoveTo("**/t/cells");
    t.KeyPress(ImGuiKey_UpArrow);
  });
  stage.settle();
  CHECK(stage.book().choice("t/at") == 7 * 64 + 20);
  CHECK(stage.book().choice("t/row") == 7);
}

TEST_CASE("a stack of planes is looked at plane by plane, in the same height at every distance") {
  Stage stage(1440, 900);
  show(stage, tensor(uneven(5 * 30 * 40), {5, 30, 40}, View::heat));
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) {
      t.NavMoveTo("**/t/cells");
      t.KeyPress(key);
    });
    stage.settle();
  };
  press(ImGuiKey_PageDown);
  CHECK(stage.book().choice("t/plane") == 0);
  press(ImGuiKey_PageDown);
  CHECK(stage.book().choice("t/plane") == 1);
  const float whole = stage.rectangle("**/t/plane after").Min.y;
  press(ImGuiKey_Equal);
  press(ImGuiKey_Equal);
  CHECK(stage.book().choice("t/closer") == 2);
  CHECK(stage.rectangle("**/t/plane after").Min.y == whole);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/t/plane before"); });
  stage.settle();
  CHECK(stage.book().choice("t/plane") == 0);
  CHECK(stage.book().choice("t/closer") == 2);
  press(ImGuiKey_PageUp);
  CHECK(stage.book().choice("t/plane") == -1);
}

TEST_CASE("another report at the same place shows its own values") {
  Stage stage(1440, 900);
  show(stage, tensor(std::vector<float>(1200, 1), {30, 40}));
  const int alike = Stage::vertices();
  show(stage, tensor(uneven(1200), {30, 40}));
  CHECK(Stage::vertices() > alike + 1000);
  show(stage, tensor(std::vector<float>(1200, 1), {30, 40}));
  CHECK(Stage::vertices() == alike);
}

TEST_CASE("a tensor of a single number, of none, and one that nothing finite is in are drawn") {
  Stage stage(1440, 900);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const View view : {View::plot, View::heat, View::image}) {
    show(stage, tensor({5}, {1}, view));
    show(stage, tensor({}, {0, 4}, view));
    show(stage, tensor(std::vector<float>(40, nan), {40}, view));
    CHECK(Stage::vertices() > 0);
  }
}

TEST_CASE("a heat map or plot beside another one has the range of both, and says so") {
  OpenFrame open;
  ParagraphCache paragraphs;
  Posts posts;
  Motion motion;
  FigureCache figures;
  BoxPainter boxes;
  Pictures pictures;
  const Ui ui{open.stage.book(),
              theme_named("dark"),
              open.stage.context().fonts(),
              paragraphs,
              posts,
              motion,
              figures,
              boxes,
              pictures};
  std::vector<float> warm = uneven(600);
  warm[7] = -50;
  const lab::Exhibit a = tensor(uneven(600), {20, 30}), b = tensor(warm, {20, 30});
  for (const View view : {View::heat, View::plot}) {
    const auto scale = [&](const lab::Exhibit& shown, const lab::Exhibit* beside) {
      const FigureArea area{ui, {0, 0}, 400, false, beside};
      return scale_of(
          {area, std::get<lab::TensorExhibit>(shown.value), view, shown.id, {0, 0}, 400});
    };
    const lab::TensorScale alone = scale(a, nullptr), in_a = scale(a, &b), in_b = scale(b, &a);
    CHECK(alone.low == 0);
    CHECK(in_a.low == -50);
    CHECK(in_b.low == -50);
    CHECK(in_a.high == in_b.high);
    CHECK(in_a.high == alone.high);
    const FigureArea single{ui, {0, 0}, 400, false}, paired{ui, {0, 0}, 400, false, &b};
    CHECK(figure(paired, a) > figure(single, a));  // a line more: the range
  }
}

}  // namespace warpbook::gui::tensor_test
