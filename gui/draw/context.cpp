#include "gui/draw/context.hpp"

#include <imgui_internal.h>

namespace warpbook::gui {
namespace {
bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

/// How many of the events one frame can take: a key counts with the modifiers that are held at the frame's end, so a modifier that
/// changes after a key was pressed has to wait for the next frame.
int events_of_one_frame(const ImVector<ImGuiInputEvent>& events) {
  bool pressed = false;
  for (int i = 0; i < events.Size; ++i) {
    if (events[i].Type != ImGuiInputEventType_Key) continue;
    const bool modifier = is_modifier(events[i].Key.Key);
    if (modifier && pressed) return i;
    pressed |= !modifier && events[i].Key.Down;
  }
  return events.Size;
}
}  // namespace

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

void Context::new_frame() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  ImVector<ImGuiInputEvent> later;
  for (int i = events_of_one_frame(queue); i < queue.Size; ++i) later.push_back(queue[i]);
  queue.resize(queue.Size - later.Size);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

void Context::set_display(float width, float height, float scale) const {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width, height};
  io.DisplayFramebufferScale = {scale, scale};
  // ImGui tells only the faces that are pushed; the others would be drawn from pixels of a point and enlarged.
  for (ImFont* font : io.Fonts->Fonts) font->CurrentRasterizerDensity = scale;
}

}  // namespace warpbook::gui
