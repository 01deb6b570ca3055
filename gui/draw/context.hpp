// An ImGui context with the book's fonts and settings.
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
  /// The size in the book's units, and the pixels per unit.
  void set_display(float width, float height, float scale) const;
  void make_current() const { ImGui::SetCurrentContext(context_); }
  /// Begins a frame of the current context. Of the events that have come it takes in only as many as keep every chord whole.
  static void new_frame();

 private:
  ImGuiContext* context_;
  Fonts fonts_;
};

}  // namespace warpbook::gui
