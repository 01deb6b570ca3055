// A picture of the reader's own: dropped on the window, typed as a path, taken away again.
#include <catch2/catch_test_macros.hpp>

#include "gui/shell/png.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::picture_parameter_test {
namespace {
/// The made-up chapter with one parameter more.
const lab::Lesson& lesson() {
  static const lab::Lesson with_picture = [] {
    lab::Lesson made = made_up::lesson();
    made.parameters.push_back({"picture",
                               lab::Message::plain("picture"),
                               {},
                               lab::Parameter::Type::picture,
                               std::string()});
    return made;
  }();
  return with_picture;
}
std::string png(const tests::TemporaryFolder& folder, const std::string& name) {
  Pixels pixels;
  pixels.width = 2;
  pixels.height = 2;
  pixels.rgb.assign(12, 200);
  return folder.write(name, png_of(pixels)).string();
}
const std::string& picture(Stage& stage) { return stage.book().inputs().values.picture("picture"); }
}  // namespace

TEST_CASE("a picture that is dropped on the window is the chapter's, and a bad one is refused") {
  const tests::TemporaryFolder folder;
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document(lab::Language::english));
  stage.settle();
  const std::string file = png(folder, "a.png");
  stage.book().drop_file(file);
  stage.settle();
  CHECK(picture(stage) == file);
  CHECK(stage.book().toasts().empty());
  stage.book().drop_file(folder.write("b.png", "no picture").string());
  stage.settle();
  CHECK(picture(stage) == file);
  REQUIRE(stage.book().toasts().size() == 1);
  CHECK(stage.book().toasts()[0].kind == Toast::Kind::bad);
  CHECK(stage.book().toasts()[0].text.find("b.png") != std::string::npos);
}

TEST_CASE("a chapter that takes no picture says so where one is dropped") {
  const tests::TemporaryFolder folder;
  Stage stage(1440, 900);
  stage.open_made_up();
  stage.book().drop_file(png(folder, "a.png"));
  REQUIRE(stage.book().toasts().size() == 1);
  CHECK(stage.book().toasts()[0].kind == Toast::Kind::bad);
}

TEST_CASE("a picture's path is typed, and an empty one takes it away") {
  const tests::TemporaryFolder folder;
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document(lab::Language::english));
  stage.settle();
  const std::string file = png(folder, "a.png");
  const auto type = [&](const std::string& text) {
    stage.act([&](ImGuiTestContext& t) {
      t.ItemInput("**/picture/##value");
      t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
      t.KeyPress(ImGuiKey_Delete);
      if (!text.empty()) t.KeyChars(text.c_str());
      t.KeyPress(ImGuiKey_Enter);
    });
    stage.settle();
  };
  type(file);
  CHECK(picture(stage) == file);
  type(folder.path().string() + "/none.png");
  CHECK(picture(stage) == file);
  type("");
  CHECK(picture(stage).empty());
}

}  // namespace warpbook::gui::picture_parameter_test
