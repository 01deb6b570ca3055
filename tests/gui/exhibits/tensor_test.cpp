// A tensor in the window: the switch among its views under the keyboard, what is pointed at, and that the largest keeps to
// its share of vertices.
#include <imgui_internal.h>

#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "gui/exhibits/tensor_views.hpp"
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
  const Ui ui{open.stage.book(),
              theme_named("dark"),
              open.stage.context().fonts(),
              paragraphs,
              posts,
              motion,
              figures,
              boxes};
  std::vector<float> warm = uneven(600);
  warm[7] = -50;
  const lab::Exhibit a = tensor(uneven(600), {20, 30}), b = tensor(warm, {20, 30});
  for (const View view : {View::heat, View::plot}) {
    const auto scale = [&](const lab::Exhibit& shown, const lab::Exhibit* beside) {
      const Frame frame{ui, {0, 0}, 400, false, beside};
      return scale_of(
          {frame, std::get<lab::TensorExhibit>(shown.value), view, shown.id, {0, 0}, 400});
    };
    const lab::TensorScale alone = scale(a, nullptr), in_a = scale(a, &b), in_b = scale(b, &a);
    CHECK(alone.low == 0);
    CHECK(in_a.low == -50);
    CHECK(in_b.low == -50);
    CHECK(in_a.high == in_b.high);
    CHECK(in_a.high == alone.high);
    const Frame single{ui, {0, 0}, 400, false}, paired{ui, {0, 0}, 400, false, &b};
    CHECK(figure(paired, a) > figure(single, a));  // a line more: the range
  }
}

}  // namespace warpbook::gui::tensor_test
