// The window without a display and without OpenGL: ImGui draws into lists that are not shown, and the Test Engine plays the
// reader.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include "gui/draw/context.hpp"
#include "gui/shell/session.hpp"

namespace warpbook::gui {

class Stage {
 public:
  explicit Stage(float width = 1440, float height = 900, const std::string& language = "en",
                 std::string theme = "dark");
  /// A whole sitting: a book on the disk, whose files are watched, and a state folder.
  explicit Stage(const OpenOptions& options, float width = 1440, float height = 900);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Book& book() { return session_ ? session_->book() : *book_; }
  Shell& shell() { return session_ ? session_->shell() : shell_; }
  /// Of a stage with options only.
  Session& session() { return *session_; }
  Context& context() { return *context_; }
  /// Opens the made-up chapter, and waits for its runs.
  void open_made_up();
  /// Opens a chapter of the catalogue, and waits for its runs.
  void open(std::string_view slug);
  /// Also answers every question, so that nothing is covered, and goes back to the inputs that it opened with.
  void open_answered(std::string_view slug);
  /// Waits for runs and checks, then draws until nothing moves.
  void settle();
  /// Draws until it holds; false where it does not within `seconds`.
  bool until(const std::function<bool()>& holds, double seconds = 20);
  void frame();
  /// Lets the Test Engine act on the window; fails the Catch2 test where one of its own checks
  /// failed.
  void act(const std::function<void(ImGuiTestContext&)>& steps);
  [[nodiscard]] bool has(const char* item);
  /// How wide an item is now, whether scrolled into sight or not; none where there is none.
  [[nodiscard]] std::optional<float> width_of(const char* item);
  /// Scrolls to an item and waits until it has come to rest; where it is then.
  ImRect rectangle(const char* item);
  [[nodiscard]] static int vertices();
  [[nodiscard]] static int draw_calls();

 private:
  void start_engine(float width, float height);

  std::unique_ptr<Book> book_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Context> context_;
  ImGuiTestEngine* engine_ = nullptr;
  Shell shell_;
  double time_ = 0;
};

}  // namespace warpbook::gui
