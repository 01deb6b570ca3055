// A whole lecture, held by keys alone and drawn without a display: a picture of each screen for eyes, in the build's folder.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <imgui_impl_opengl3.h>
#include <catch2/catch_test_macros.hpp>

#include "gui/draw/context.hpp"
#include "gui/draw/offscreen.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui::lecture_pictures_test {
namespace {
namespace fs = std::filesystem;

struct Projector {
  int width, height;
};

/// A book on a projector. Keys and the mouse come as they do from a window.
class LectureHall {
 public:
  LectureHall(Projector projector, const std::string& language, const std::string& theme,
              std::string_view chapter)
      : projector_(projector),
        book_({WARPBOOK_SOURCE_DIR, language, theme, true, nullptr, nullptr}),
        screen_(*Offscreen::make(projector.width, projector.height)) {
    context_.make_current();
    ImGui_ImplOpenGL3_Init("#version 330 core");
    context_.fonts().set_han_marks(book_.strings().language().han_marks);
    folder_ = fs::current_path() / "lecture" /
              (language + "-" + theme + "-" + std::to_string(projector.width));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    REQUIRE(book_.open(chapter));
    settle();
  }
  ~LectureHall() { ImGui_ImplOpenGL3_Shutdown(); }
  LectureHall(const LectureHall&) = delete;
  LectureHall& operator=(const LectureHall&) = delete;

  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      frame();
    }
    settle();
  }
  void point_at(float x, float y) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::GetIO().AddMousePosEvent(size.x * x, size.y * y);
    frame();
  }
  void hold_button(bool down) {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    frame();
  }
  /// The picture of what the class sees; it differs from all before it.
  void picture(const std::string& name) {
    settle();
    const Pixels pixels = screen_->screen().pixels();
    CAPTURE(name);
    CHECK(pixels.width == projector_.width);
    CHECK(seen_.insert(pixels.rgb).second);
    const std::string png = png_of(pixels);
    const std::string number = std::to_string(seen_.size());
    std::ofstream file(folder_ / ((number.size() < 2 ? "0" : "") + number + "-" + name + ".png"),
                       std::ios::binary);
    file.write(png.data(), static_cast<std::streamsize>(png.size()));
  }
  /// The next frame shows what this one shows.
  [[nodiscard]] bool at_rest() {
    const std::vector<std::uint8_t> before = screen_->screen().pixels().rgb;
    frame();
    return screen_->screen().pixels().rgb == before;
  }
  [[nodiscard]] Shell& shell() { return shell_; }
  [[nodiscard]] Book& book() { return book_; }

 private:
  void frame() {
    book_.poll();
    const float scale = shell_.scale_for(projector_.width, projector_.height, 1);
    context_.set_display(static_cast<float>(projector_.width) / scale,
                         static_cast<float>(projector_.height) / scale, scale);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    shell_.frame(book_, context_.fonts(), time_ += 0.25);
    ImGui::Render();
    screen_->screen().bind();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  void settle() {
    for (int i = 0; i < 3; ++i) frame();
    book_.settle();
    for (int i = 0; i < 5; ++i) frame();
  }

  Projector projector_;
  Book book_;
  std::unique_ptr<Offscreen> screen_;
  Context context_;
  Shell shell_;
  double time_ = 0;
  fs::path folder_;
  std::set<std::vector<std::uint8_t>> seen_;
};

/// Ninety people vote on the question that is on the screen: most of them wrong at first.
void vote(LectureHall& hall, const std::string& name) {
  hall.press(ImGuiKey_V);
  for (const ImGuiKey key : {ImGuiKey_A, ImGuiKey_2, ImGuiKey_6, ImGuiKey_B, ImGuiKey_4, ImGuiKey_9,
                             ImGuiKey_C, ImGuiKey_1, ImGuiKey_5})
    hall.press(key);
  hall.picture(name + "-first-vote");
  hall.press(ImGuiKey_T);
  hall.press(ImGuiKey_V);
  for (const ImGuiKey key : {ImGuiKey_A, ImGuiKey_8, ImGuiKey_B, ImGuiKey_7, ImGuiKey_0, ImGuiKey_C,
                             ImGuiKey_1, ImGuiKey_2})
    hall.press(key);
  hall.picture(name + "-second-vote");
  hall.press(ImGuiKey_X);
}

/// A lecture of a few minutes: a question with both votes and its answer, everything that can be shown, and then every screen to
/// the end of the chapter.
void hold_lecture(LectureHall& hall) {
  hall.press(ImGuiKey_F5);
  hall.picture("question");
  vote(hall, "question");
  hall.press(ImGuiKey_R);
  hall.picture("answer");
  hall.press(ImGuiKey_V);
  hall.picture("answer-with-votes");
  hall.press(ImGuiKey_Escape);
  hall.press(ImGuiKey_E);
  hall.picture("exhibit");
  CHECK(hall.at_rest());
  hall.press(ImGuiKey_P);
  hall.point_at(0.6f, 0.4f);
  hall.press(ImGuiKey_D);
  hall.point_at(0.3f, 0.3f);
  hall.hold_button(true);
  for (int i = 0; i <= 20; ++i)
    hall.point_at(0.3f + 0.015f * static_cast<float>(i),
                  0.3f + 0.1f * std::sin(0.4f * static_cast<float>(i)));
  hall.hold_button(false);
  hall.picture("pointer-and-pen");
  for (const ImGuiKey key : {ImGuiKey_D, ImGuiKey_P, ImGuiKey_E}) hall.press(key);
  hall.press(ImGuiKey_N);
  hall.picture("notes");
  hall.press(ImGuiKey_N);
  hall.press(ImGuiKey_F);
  hall.picture("frozen");
  hall.press(ImGuiKey_F);
  hall.press(ImGuiKey_Period);
  hall.picture("blank");
  hall.press(ImGuiKey_Period);
  const std::size_t screens = hall.shell().lecture().screens().size();
  for (int turn = 0; turn < 200 && hall.shell().lecture().at() + 1 < screens; ++turn) {
    const std::size_t before = hall.shell().lecture().at();
    hall.press(ImGuiKey_PageDown);
    const Screen& now = hall.shell().lecture().screen();
    const bool new_screen = hall.shell().lecture().at() != before;
    if (new_screen) hall.picture(now.step + (now.question.empty() ? "" : "-" + now.question));
  }
  CHECK(hall.shell().lecture().at() + 1 == screens);
  hall.press(ImGuiKey_Escape);
  CHECK_FALSE(hall.shell().lecture().on());
}
}  // namespace

TEST_CASE("a whole lecture is held by keys on a small projector, with a picture of each screen",
          "[long]") {
  LectureHall hall({1024, 768}, "en", "light", "first-kernel");
  hold_lecture(hall);
}

TEST_CASE("a whole lecture on the usual projector, in Chinese and on dark ground", "[long]") {
  LectureHall hall({1920, 1080}, "zh", "dark", "first-kernel");
  hold_lecture(hall);
}

TEST_CASE("a whole lecture on a projector of 3840 x 2160, in strong contrast", "[long]") {
  LectureHall hall({3840, 2160}, "en", "contrast", "coalescing");
  hold_lecture(hall);
}

}  // namespace warpbook::gui::lecture_pictures_test
