#include "gui/shell/panel_picture.hpp"

#include <cmath>
#include <optional>

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include "gui/draw/context.hpp"
#include "gui/draw/framebuffer.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/shell/actions.hpp"

namespace warpbook::gui {
namespace {
constexpr float kPanelPictureMargin = 12;

/// Restores the state of OpenGL and ImGui that drawing a picture beside the window changes.
class Restored {
 public:
  Restored() : context_(ImGui::GetCurrentContext()) {
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer_);
    glGetIntegerv(GL_VIEWPORT, viewport_);
  }
  ~Restored() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    ImGui::SetCurrentContext(context_);
  }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  ImGuiContext* context_;
  GLint framebuffer_ = 0, viewport_[4] = {};
};

/// ImGui's renderer, for as long as it is needed.
class Renderer {
 public:
  Renderer() { ImGui_ImplOpenGL3_Init("#version 330 core"); }
  ~Renderer() { ImGui_ImplOpenGL3_Shutdown(); }
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
};
}  // namespace

device::Expected<Pixels> panel_picture(const Book& book, const lab::Exhibit& exhibit, float width,
                                       float scale) {
  const Restored restored;
  Context context;
  context.fonts().set_han_marks(book.strings().language().han_marks);
  Pictures pictures;
  const Renderer renderer;
  const Theme& theme = theme_named(book.theme());
  apply(theme, ImGui::GetStyle());
  ParagraphCache paragraphs;
  Posts posts;
  Motion motion;
  FigureCache figures;
  BoxPainter boxes;
  std::unique_ptr<Framebuffer> screen;
  float height = 0;
  const float whole = width + 2 * kPanelPictureMargin;
  for (int frame = 0; frame < 4;
       ++frame) {  // measured, then drawn until fonts and places have settled
    motion.next_frame(frame, true);
    paragraphs.next_frame();
    pictures.next_frame();
    context.set_display(whole, std::max(64.0f, height + 2 * kPanelPictureMargin), scale);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("picture", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoInputs);
    const Ui ui{book,
                theme,
                context.fonts(),
                paragraphs,
                posts,
                motion,
                figures,
                boxes,
                pictures,
                keys_of,
                static_cast<double>(frame),
                false};
    height = std::ceil(exhibit_panel_alone(
        {ui, {kPanelPictureMargin, kPanelPictureMargin}, width, frame > 0}, exhibit));
    ImGui::End();
    ImGui::Render();
    if (frame == 0) continue;
    const auto pixels = [&](float points) { return static_cast<int>(std::lround(points * scale)); };
    if (!screen)
      screen = Framebuffer::make(pixels(whole), pixels(height + 2 * kPanelPictureMargin));
    if (!screen)
      return device::failure(device::ErrorCode::no_offscreen,
                             {{"what", "a framebuffer of that size"}});
    screen->bind();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  return screen->pixels();
}

}  // namespace warpbook::gui
