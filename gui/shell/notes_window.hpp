// The lecturer's notes in a window of their own, for a monitor that the class does not see.
#pragma once

#include <memory>

#include "gui/present/monitors.hpp"
#include "gui/shell/shell.hpp"

struct GLFWwindow;

namespace warpbook::gui {

class NotesWindow {
 public:
  /// `lecture`: the window that the class sees, whose OpenGL context is current and whose keys are taken here, too. `on`: the monitor to
  /// open it on. Null where there can be no second window.
  static std::unique_ptr<NotesWindow> make(GLFWwindow* lecture, const Rectangle& on);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  /// Draws a frame into it. Leaves the ImGui context and the OpenGL context of before current.
  void frame(Book& book, Shell& shell, double time);
  /// The lecturer closed it.
  [[nodiscard]] bool closed() const;
  /// The mouse or its wheel has moved in it since the last frame.
  [[nodiscard]] bool has_input() const { return has_input_; }

 private:
  struct Drawing;
  explicit NotesWindow(GLFWwindow* lecture);
  static NotesWindow& of(GLFWwindow* window);
  void listen();
  /// Notes that there is input, and gives back where it goes.
  ImGuiIO& take_input();

  GLFWwindow* lecture_;
  GLFWwindow* window_ = nullptr;
  bool has_input_ = false;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace warpbook::gui
