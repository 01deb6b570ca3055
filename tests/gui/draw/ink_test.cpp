#include "gui/draw/ink.hpp"

#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::ink_test {

TEST_CASE("letters lie on whole pixels at every scale, so that none is blurred") {
  Stage stage;
  for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f}) {
    stage.context().set_display(1440 / scale, 900 / scale, scale);
    for (int i = 0; i < 3; ++i) stage.frame();
    stage.context().make_current();
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRectFullScreen();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    const Ink ink(stage.context().fonts(), &list);
    for (const float x : {20.0f, 33.3f, 51.0f}) {
      const int first = list.VtxBuffer.Size;
      ink.text(x, 101 + x, {Face::bold, 17, 0xFFFFFFFF}, "H");
      REQUIRE(list.VtxBuffer.Size > first);
      const ImVec2 corner = list.VtxBuffer[first].pos;
      CAPTURE(scale, x, corner.x, corner.y);
      CHECK(std::abs(corner.x * scale - std::round(corner.x * scale)) < 0.02f);
      CHECK(std::abs(corner.y * scale - std::round(corner.y * scale)) < 0.02f);
    }
  }
}

}  // namespace warpbook::gui::ink_test
