#include "gui/draw/ink.hpp"

#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "gui/controls/widgets.hpp"
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

TEST_CASE("what is typed into a box lies on whole pixels, too") {
  Stage stage;
  for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f}) {
    stage.context().set_display(1440 / scale, 900 / scale, scale);
    for (int i = 0; i < 3; ++i) stage.frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({300, 300});
    ImGui::Begin("page");
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImDrawListFlags flags = list.Flags;
    for (const float below : {40.0f, 81.4f}) {
      std::string text = "H";
      const ImVec2 window = ImGui::GetWindowPos(), at{window.x + 9.3f, window.y + below};
      text_box(stage.context().fonts(), below < 50 ? "one" : "two", at, 80,
               {Face::mono, 14, {8, 6}}, "", text);
      const ImVec2 corner = list.VtxBuffer[list.VtxBuffer.Size - 4].pos;  // of the letter
      CAPTURE(scale, below, corner.x, corner.y);
      CHECK(std::abs(corner.x * scale - std::round(corner.x * scale)) < 0.02f);
      CHECK(std::abs(corner.y * scale - std::round(corner.y * scale)) < 0.02f);
    }
    CHECK(list.Flags == flags);
    ImGui::End();
    ImGui::Render();
  }
}

}  // namespace warpbook::gui::ink_test
