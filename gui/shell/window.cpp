// The window on a display: GLFW, OpenGL, and frames that are drawn only where something has changed (gui/shell/pace.hpp).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include "device/platform.hpp"
#include "gui/app.hpp"
#include "gui/draw/context.hpp"
#include "gui/draw/framebuffer.hpp"
#include "gui/draw/image_clipboard.hpp"
#include "gui/present/monitors.hpp"
#include "gui/shell/notes_window.hpp"
#include "gui/shell/pace.hpp"
#include "gui/shell/panel_picture.hpp"
#include "gui/shell/session.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {
namespace {
std::string last_glfw_error;

/// GLFW for as long as it is needed.
class Glfw {
 public:
  Glfw() {
    glfwSetErrorCallback([](int, const char* text) { last_glfw_error = text; });
    ready_ = glfwInit() == GLFW_TRUE;
  }
  ~Glfw() {
    if (ready_) glfwTerminate();
  }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

struct CloseWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using Window = std::unique_ptr<GLFWwindow, CloseWindow>;

/// What the window's callbacks need and gather.
struct Inbox {
  double per_unit = 1;  ///< the window's units per unit of the book
  std::vector<std::string> dropped;
  bool uncovered = true;            ///< the window's content is to be drawn anew
  std::atomic<bool> woken = false;  ///< there are results to take in
};
Inbox& inbox_of(GLFWwindow* window) {
  return *static_cast<Inbox*>(glfwGetWindowUserPointer(window));
}

/// The back ends of ImGui, shut down in the order that they need.
class Backends {
 public:
  explicit Backends(GLFWwindow* window) {
    ImGui_ImplGlfw_InitForOpenGL(window, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    glfwSetWindowFocusCallback(window, ImGui_ImplGlfw_WindowFocusCallback);
    glfwSetCursorEnterCallback(window, ImGui_ImplGlfw_CursorEnterCallback);
    glfwSetMouseButtonCallback(window, ImGui_ImplGlfw_MouseButtonCallback);
    glfwSetScrollCallback(window, ImGui_ImplGlfw_ScrollCallback);
    glfwSetKeyCallback(window, ImGui_ImplGlfw_KeyCallback);
    glfwSetCharCallback(window, ImGui_ImplGlfw_CharCallback);
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
      const double per_unit = inbox_of(w).per_unit;
      ImGui_ImplGlfw_CursorPosCallback(w, x / per_unit, y / per_unit);
    });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { inbox_of(w).uncovered = true; });
    glfwSetFramebufferSizeCallback(window,
                                   [](GLFWwindow* w, int, int) { inbox_of(w).uncovered = true; });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
      if (count > 0) inbox_of(w).dropped.emplace_back(paths[0]);
    });
  }
  ~Backends() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  Backends(const Backends&) = delete;
  Backends& operator=(const Backends&) = delete;
};

Window make_window() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  int width = 1440, height = 900;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
    if (w > 0 && h > 0) {
      width = std::min(width, w);
      height = std::min(height, h);
    }
  }
  return Window(glfwCreateWindow(width, height, "Warpbook", nullptr, nullptr));
}

int no_display(const std::string& root) {
  const std::string why = last_glfw_error.empty() ? "no X server" : last_glfw_error;
  const device::Error error =
      device::failure(device::ErrorCode::no_display, {{"why", why}}).value();
  const auto strings = lab::Strings::load(lab::language_of_locale(root), root);
  std::fprintf(stderr, "warpbook: %s\n",
               strings ? (**strings)(error).c_str() : error.english().c_str());
  return 3;
}

/// Puts the size of the window into the context. Gives back how many of the window's own units, in which GLFW reports the
/// mouse, a unit of the book is.
double fit_display(GLFWwindow* window, const Context& context, const Shell& shell) {
  int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels_x, &pixels_y);
  float monitor = 1, unused = 1;
  glfwGetWindowContentScale(window, &monitor, &unused);
  const float scale = shell.scale_for(pixels_x, pixels_y, monitor);
  context.set_display(static_cast<float>(pixels_x) / scale, static_cast<float>(pixels_y) / scale,
                      scale);
  return pixels_x > 0 ? static_cast<double>(width) * static_cast<double>(scale) / pixels_x : 1;
}

std::vector<Rectangle> monitor_rectangles(std::span<GLFWmonitor* const> monitors) {
  std::vector<Rectangle> rectangles;
  for (GLFWmonitor* monitor : monitors) {
    Rectangle& one = rectangles.emplace_back();
    glfwGetMonitorPos(monitor, &one.x, &one.y);
    if (const GLFWvidmode* mode = glfwGetVideoMode(monitor)) {
      one.width = mode->width;
      one.height = mode->height;
    }
  }
  return rectangles;
}

/// The window as the class sees it during a lecture: it fills a monitor, and may be frozen.
class ClassScreen {
 public:
  explicit ClassScreen(GLFWwindow* window) : window_(window) {}

  /// Draws the frame into the window; while it is frozen, the picture of when it froze.
  void show(bool frozen) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (!frozen) {
      kept_.reset();
    } else if (!kept_) {
      kept_ = Framebuffer::make(width, height);
      if (kept_) kept_->bind();
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    if (kept_) {
      kept_->copy_to_window(width, height);
    } else if (!frozen) {
      glViewport(0, 0, width, height);
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
  }

  /// Fills a monitor when a lecture begins, and is a window again when it has ended. `notes`: where the notes go then.
  void fill(bool wanted, Shell& shell, NotesPlace notes) {
    if (wanted == std::exchange(filled_, wanted)) return;
    if (!wanted) {
      notes_.reset();
      glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_.width, before_.height,
                           0);
      return;
    }
    glfwGetWindowPos(window_, &before_.x, &before_.y);
    glfwGetWindowSize(window_, &before_.width, &before_.height);
    int count = 0;
    GLFWmonitor** found = glfwGetMonitors(&count);
    const std::span<GLFWmonitor* const> monitors(found, static_cast<std::size_t>(count));
    if (monitors.empty()) return;
    const auto rectangles = monitor_rectangles(monitors);
    const LectureMonitors chosen = lecture_monitors(rectangles, before_);
    const Rectangle& on = rectangles[chosen.audience];
    const bool own_window =
        notes == NotesPlace::window || (notes == NotesPlace::automatic && chosen.notes);
    if (own_window) notes_ = NotesWindow::make(window_, rectangles[chosen.notes.value_or(0)]);
    shell.move_notes(notes_ != nullptr);
    shell.allow_notes(notes != NotesPlace::none);
    shell.want_notes(notes_ != nullptr || notes == NotesPlace::pane);
    glfwSetWindowMonitor(window_, monitors[chosen.audience], 0, 0, on.width, on.height,
                         GLFW_DONT_CARE);
  }

  /// Draws the notes where they have a window; closed, it gives them back to this one, which does not show them unasked.
  void show_notes(Book& book, Shell& shell) {
    if (notes_ && notes_->closed()) {
      notes_.reset();
      shell.move_notes(false);
      shell.want_notes(false);
    }
    if (notes_) notes_->frame(book, shell, glfwGetTime());
  }
  [[nodiscard]] bool notes_have_input() const {
    return notes_ && (notes_->has_input() || notes_->closed());
  }

 private:
  GLFWwindow* window_;
  bool filled_ = false;
  Rectangle before_;  ///< where the window was before the lecture
  std::unique_ptr<Framebuffer> kept_;
  std::unique_ptr<NotesWindow> notes_;
};

/// Something that the reader did has come, which the next frame takes in.
bool has_input(const Inbox& inbox) {
  return inbox.uncovered || !inbox.dropped.empty() ||
         ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}
}  // namespace

int open_window(const OpenOptions& options) {
  last_glfw_error.clear();
  const Glfw glfw;
  if (!glfw.ready()) return no_display(options.root);
  const Window window = make_window();
  if (!window) return no_display(options.root);
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(0);  // this loop paces the frames, because not every driver does in the swap

  Inbox inbox;
  const auto wake = [&inbox] {
    inbox.woken = true;
    glfwPostEmptyEvent();
  };
  Session session(options, wake);
  Context context;
  glfwSetWindowUserPointer(window.get(), &inbox);
  const Backends backends(window.get());
  Book& book = session.book();
  Shell& shell = session.shell();
  for (const std::string& package : context.fonts().missing()) {
    shell.set_notice(book.strings()("gui.status.font-missing", {{"package", package}}));
  }

  ImageClipboard clipboard;
  const Outlets outlets{[](const std::string& text) { ImGui::SetClipboardText(text.c_str()); },
                        [&clipboard](std::string png) { return clipboard.offer(std::move(png)); },
                        [](const Book& from, const lab::Exhibit& exhibit) {
                          return panel_picture(from, exhibit, 640, 2).map(png_of);
                        },
                        downloads_folder()};

  const NotesPlace notes_place = options.lecture ? options.lecture->notes : NotesPlace::automatic;
  ClassScreen class_screen(window.get());
  Pace pace;
  while (!glfwWindowShouldClose(window.get())) {
    // Input and news end the wait early, but no frame follows the last by less than it may.
    if (const double wait = pace.wait(glfwGetTime()); wait > 0) glfwWaitEventsTimeout(wait);
    glfwPollEvents();
    if (const double rest = pace.rest(glfwGetTime()); rest > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(rest));
    if (glfwGetWindowAttrib(window.get(), GLFW_ICONIFIED)) continue;
    if (has_input(inbox) || class_screen.notes_have_input()) pace.input(glfwGetTime());
    if (session.poll() || inbox.woken.exchange(false)) pace.news();
    if (!pace.draws(glfwGetTime(), glfwGetTime() + shell.seconds_to_change(book))) continue;
    inbox.uncovered = false;

    for (const std::string& path : std::exchange(inbox.dropped, {})) book.drop_file(path);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    inbox.per_unit = fit_display(window.get(), context, shell);
    context.fonts().set_han_marks(book.strings().language().han_marks);
    Context::new_frame();
    shell.frame(book, context.fonts(), glfwGetTime());
    ImGui::Render();
    class_screen.show(shell.lecture().frozen());
    glfwSwapBuffers(window.get());
    class_screen.fill(shell.lecture().on(), shell, notes_place);
    class_screen.show_notes(book, shell);
    pace.drew(glfwGetTime(), shell.busy(), shell.waiting());
    for (const Export& wanted : book.take_exports()) carry_out(wanted, book, outlets);
  }
  session.save_now();
  return 0;
}

}  // namespace warpbook::gui
