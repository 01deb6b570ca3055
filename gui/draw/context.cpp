#include "gui/draw/context.hpp"

namespace warpbook::gui {

Context::Context() : context_(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the book saves its own state
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;  // each blink would cost a frame of a page at rest
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigNavCaptureKeyboard = false;
  fonts_.load(font_folders());
}

Context::~Context() { ImGui::DestroyContext(context_); }

void Context::set_display(float width, float height, float scale) const {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width, height};
  io.DisplayFramebufferScale = {scale, scale};
  // ImGui tells only the faces that are pushed; the others would be drawn from pixels of a point and enlarged.
  for (ImFont* font : io.Fonts->Fonts) font->CurrentRasterizerDensity = scale;
}

}  // namespace warpbook::gui
