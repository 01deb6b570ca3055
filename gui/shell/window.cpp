// The window on a display: GLFW, OpenGL, and frames that are drawn only where something has changed (gui/shell/pace.hpp).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
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
#include "gui/draw/image_clipboard.hpp"
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

/// A unit of the book is as many pixels as the monitor's scale times the reader's zoom. Gives back how many of the window's
/// own units, in which GLFW reports the mouse, that is.
double fit_display(GLFWwindow* window, const Context& context, float zoom) {
  int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels_x, &pixels_y);
  float monitor = 1, unused = 1;
  glfwGetWindowContentScale(window, &monitor, &unused);
  const float scale = std::max(0.5f, monitor * zoom);
  context.set_display(static_cast<float>(pixels_x) / scale, static_cast<float>(pixels_y) / scale,
                      scale);
  return pixels_x > 0 ? static_cast<double>(width) * static_cast<double>(scale) / pixels_x : 1;
}

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

  Pace pace;
  while (!glfwWindowShouldClose(window.get())) {
    // Input and news end the wait early, but no frame follows the last by less than it may.
    if (const double wait = pace.wait(glfwGetTime()); wait > 0) glfwWaitEventsTimeout(wait);
    glfwPollEvents();
    if (const double rest = pace.rest(glfwGetTime()); rest > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(rest));
    if (glfwGetWindowAttrib(window.get(), GLFW_ICONIFIED)) continue;
    if (has_input(inbox)) pace.input(glfwGetTime());
    if (session.poll() || inbox.woken.exchange(false)) pace.news();
    if (!pace.draws(glfwGetTime(), glfwGetTime() + book.seconds_to_change())) continue;
    inbox.uncovered = false;

    for (const std::string& path : std::exchange(inbox.dropped, {})) book.drop_file(path);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    inbox.per_unit = fit_display(window.get(), context, shell.zoom());
    context.fonts().set_han_marks(book.strings().language().han_marks);
    ImGui::NewFrame();
    shell.frame(book, context.fonts(), glfwGetTime());
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window.get(), &width, &height);
    glViewport(0, 0, width, height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window.get());
    pace.drew(glfwGetTime(), shell.busy(), shell.waiting());
    for (const Export& wanted : book.take_exports()) carry_out(wanted, book, outlets);
  }
  session.save_now();
  return 0;
}

}  // namespace warpbook::gui
