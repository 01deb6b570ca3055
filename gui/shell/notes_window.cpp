#include "gui/shell/notes_window.hpp"

#include <algorithm>

#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "gui/draw/context.hpp"
#include "gui/shell/actions.hpp"

namespace warpbook::gui {

/// What is drawn with, which no other window may use: ImGui's context has its own fonts and textures.
struct NotesWindow::Drawing {
  Context context;
  ParagraphCache paragraphs;
  Posts posts;
  Motion motion;
  FigureCache figures;
  BoxPainter boxes;
  Pictures pictures;
  const Theme* theme = nullptr;
};

NotesWindow::NotesWindow(GLFWwindow* lecture) : lecture_(lecture) {}

std::unique_ptr<NotesWindow> NotesWindow::make(GLFWwindow* lecture, const Rectangle& on) {
  std::unique_ptr<NotesWindow> made(new NotesWindow(lecture));
  const int width = std::max(480, on.width * 2 / 3), height = std::max(480, on.height * 4 / 5);
  made->window_ = glfwCreateWindow(width, height, "Warpbook", nullptr, nullptr);
  if (!made->window_) return nullptr;
  glfwSetWindowPos(made->window_, on.x + (on.width - width) / 2, on.y + (on.height - height) / 2);
  ImGuiContext* before = ImGui::GetCurrentContext();
  glfwMakeContextCurrent(made->window_);
  glfwSwapInterval(0);
  made->drawing_ = std::make_unique<Drawing>();
  ImGui_ImplOpenGL3_Init("#version 330 core");
  made->listen();
  ImGui::SetCurrentContext(before);
  glfwMakeContextCurrent(lecture);
  return made;
}

NotesWindow::~NotesWindow() {
  if (!window_) return;
  if (drawing_) {
    ImGuiContext* before = ImGui::GetCurrentContext();
    glfwMakeContextCurrent(window_);
    drawing_->context.make_current();
    ImGui_ImplOpenGL3_Shutdown();
    drawing_.reset();
    ImGui::SetCurrentContext(before);
  }
  glfwDestroyWindow(window_);
  glfwMakeContextCurrent(lecture_);
}

NotesWindow& NotesWindow::of(GLFWwindow* window) {
  return *static_cast<NotesWindow*>(glfwGetWindowUserPointer(window));
}

ImGuiIO& NotesWindow::take_input() {
  has_input_ = true;
  ImGuiContext* before = ImGui::GetCurrentContext();
  drawing_->context.make_current();
  ImGuiIO& io = ImGui::GetIO();
  ImGui::SetCurrentContext(before);
  return io;
}

/// The mouse scrolls the notes; keys go to the lecture, wherever the lecturer clicked last.
void NotesWindow::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    float scale = 1, unused = 1;
    glfwGetWindowContentScale(window, &scale, &unused);
    of(window).take_input().AddMousePosEvent(static_cast<float>(x) / scale,
                                             static_cast<float>(y) / scale);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
    of(window).take_input().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
  });
  glfwSetFramebufferSizeCallback(window_,
                                 [](GLFWwindow* window, int, int) { of(window).take_input(); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { of(window).take_input(); });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    ImGui_ImplGlfw_KeyCallback(of(window).lecture_, key, scancode, action, mods);
  });
}

bool NotesWindow::closed() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }

void NotesWindow::frame(Book& book, Shell& shell, double time) {
  ImGuiContext* before = ImGui::GetCurrentContext();
  has_input_ = false;
  glfwMakeContextCurrent(window_);
  Drawing& drawing = *drawing_;
  drawing.context.make_current();
  const Theme& theme = theme_named(book.theme());
  if (drawing.theme != &theme) apply(*(drawing.theme = &theme), ImGui::GetStyle());
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  float scale = 1, unused = 1;
  glfwGetWindowContentScale(window_, &scale, &unused);
  const ImVec2 size{static_cast<float>(width) / scale, static_cast<float>(height) / scale};
  drawing.context.set_display(size.x, size.y, scale);
  drawing.context.fonts().set_han_marks(book.strings().language().han_marks);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  drawing.paragraphs.next_frame();
  drawing.motion.next_frame(time, book.reduced_motion());
  drawing.figures.next_frame(book.shown_version());
  drawing.pictures.next_frame();
  const Ui ui{book,
              theme,
              drawing.context.fonts(),
              drawing.paragraphs,
              drawing.posts,
              drawing.motion,
              drawing.figures,
              drawing.boxes,
              drawing.pictures,
              keys_of,
              time,
              false};
  shell.draw_notes(ui, {0, 0}, size);
  drawing.posts.apply(book);
  ImGui::Render();
  glViewport(0, 0, width, height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
  ImGui::SetCurrentContext(before);
  glfwMakeContextCurrent(lecture_);
}

}  // namespace warpbook::gui
