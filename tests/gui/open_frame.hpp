// An open frame without the book in it, for what is laid out by itself.
#pragma once

#include "tests/gui/stage.hpp"

namespace warpbook::gui {

/// Fonts can be asked for widths, and an ink draws into its only window.
struct OpenFrame {
  explicit OpenFrame(const std::string& language = "en") : stage(1440, 900, language) {
    stage.frame();
    ImGui::NewFrame();
    ImGui::Begin("page");
  }
  ~OpenFrame() {
    ImGui::End();
    ImGui::Render();
  }
  OpenFrame(const OpenFrame&) = delete;
  OpenFrame& operator=(const OpenFrame&) = delete;
  [[nodiscard]] Ink ink() { return {stage.context().fonts(), ImGui::GetWindowDrawList()}; }
  Stage stage;
};

}  // namespace warpbook::gui
