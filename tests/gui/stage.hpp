// A window without window and GL: ImGui draws into lists that nobody shows, and the Test Engine is
// the reader.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include "gui/shell/context.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {

class Stage {
 public:
  explicit Stage(float width = 1440, float height = 900,
                 lab::Language language = lab::Language::english, std::string theme = "dark");
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Book& book() { return book_; }
  Shell& shell() { return shell_; }
  Context& context() { return *context_; }
  /// Opens the made-up chapter, and waits for its runs.
  void open_made_up();
  /// Opens a chapter of the catalogue, and waits for its runs.
  void open(std::string_view slug);
  /// Waits for runs and checks, then draws until nothing moves.
  void settle();
  void frame();
  /// Lets the Test Engine act on the window; fails the Catch2 test where one of its own checks
  /// failed.
  void act(const std::function<void(ImGuiTestContext&)>& steps);
  [[nodiscard]] static int vertices();
  [[nodiscard]] static int draw_calls();

 private:
  Book book_;
  std::unique_ptr<Context> context_;
  ImGuiTestEngine* engine_ = nullptr;
  Shell shell_;
  double time_ = 0;
};

}  // namespace warpbook::gui
