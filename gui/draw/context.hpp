// An ImGui context as the book wants it; ends with its owner.
#pragma once

#include <imgui.h>

#include "gui/draw/fonts.hpp"

namespace warpbook::gui {

class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Fonts& fonts() { return fonts_; }
  /// The size in the book's own units, and how many pixels each is.
  void set_display(float width, float height, float scale) const;
  void make_current() const { ImGui::SetCurrentContext(context_); }

 private:
  ImGuiContext* context_;
  Fonts fonts_;
};

}  // namespace warpbook::gui
