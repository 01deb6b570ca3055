// A picture of the reader's own: dropped on the window, typed as a path, taken away again.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "gui/draw/png.hpp"
#include "gui/lab/drawings.hpp"
#include "lab/model/sketch.hpp"
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
  stage.book().open(lesson(), made_up::document("en"));
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
  stage.book().open(lesson(), made_up::document("en"));
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

TEST_CASE("a picture is chosen from the list by keys, in the folder above or below it") {
  const tests::TemporaryFolder folder;
  const std::string here = png(folder, "in/a.png"), above = png(folder, "b.png");
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document("en"));
  stage.book().drop_file(here);
  stage.settle();
  // A folder is read beside the frames that are drawn.
  const auto there = [](ImGuiTestContext& t, const char* item) {
    for (int i = 0; i < 300 && !t.ItemExists(item); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      t.Yield();
    }
    return t.ItemExists(item);
  };
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/picture/choose");
    IM_CHECK(there(t, "**/a.png"));
    t.Yield(2);                  // the first line takes the keyboard
    t.KeyPress(ImGuiKey_Enter);  // the folder above, which comes first
    IM_CHECK(there(t, "**/b.png"));
    CHECK(picture(stage) == here);
    t.KeyPress(ImGuiKey_DownArrow);
    t.KeyPress(ImGuiKey_DownArrow);
    t.KeyPress(ImGuiKey_Enter);
    CHECK_FALSE(t.ItemExists("**/b.png"));
  });
  stage.settle();
  CHECK(picture(stage) == above);
}

TEST_CASE("what is wrong with a picture stands below its row until another takes its place") {
  const tests::TemporaryFolder folder;
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document("en"));
  stage.settle();
  const auto height = [&stage] {
    const auto* place = stage.shell().lab().place_of("parameters");
    REQUIRE(place);
    return place->max.y - place->min.y;
  };
  const float usual = height();
  stage.act([&](ImGuiTestContext& t) {
    t.ItemInput("**/picture/##value");
    t.KeyCharsReplaceEnter((folder.path().string() + "/none.png").c_str());
  });
  stage.settle();
  CHECK(height() > usual);
  stage.book().drop_file(png(folder, "a.png"));
  stage.settle();
  CHECK(height() == usual);
}

TEST_CASE("a reader's picture stays where a case or a preset does not speak of it") {
  const tests::TemporaryFolder folder;
  const std::string file = png(folder, "a.png");
  Stage stage(1440, 900);
  Book& book = stage.book();
  book.open(lesson(), made_up::document("en"));
  book.drop_file(file);
  book.set_case({{{"n", "7"}}, {}, {}});
  CHECK(picture(stage) == file);
  REQUIRE_FALSE(lesson().presets.empty());
  book.choose_preset(lesson().presets.front());
  CHECK(picture(stage) == file);
  book.set_case({{{"picture", ""}}, {}, {}});
  CHECK(picture(stage).empty());
  book.drop_file(file);
  book.reset_values();
  CHECK(picture(stage).empty());
}

TEST_CASE("a drawing on the pad is the picture at each stroke, and undo and clear take it back") {
  const tests::TemporaryFolder home;
  ::setenv("WARPBOOK_HOME", home.path().c_str(), 1);
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document("en"));
  stage.settle();
  const auto drawn = [&] {
    const auto sketch = lab::read_sketch(picture(stage));
    return sketch ? *sketch : lab::Sketch();
  };
  // In one go: the pad closes where the test lets go of the window.
  stage.act([&](ImGuiTestContext& t) {
    const auto stroke = [&](float down) {
      t.MouseMove("**/paper");
      const ImVec2 middle = ImGui::GetMousePos();
      t.MouseMoveToPos({middle.x - 80, middle.y + down});
      t.MouseDown();
      t.MouseMoveToPos({middle.x + 80, middle.y + down});
      t.Yield(2);
      CHECK_FALSE(drawn().empty());  // before the button is let go
      t.MouseUp();
      t.Yield(2);
    };
    t.ItemClick("**/picture/draw");
    t.Yield(2);
    stroke(-40);
    const lab::Sketch first = drawn();
    stroke(40);
    CHECK_FALSE(drawn() == first);
    t.ItemClick("**/undo");
    t.Yield(2);
    CHECK(drawn() == first);
    t.ItemClick("**/clear");
    t.Yield(2);
    CHECK(picture(stage).empty());
  });
  ::unsetenv("WARPBOOK_HOME");
}

TEST_CASE("on the pad Ctrl+Z takes back a stroke, and only the drawing in use stays as a file") {
  const tests::TemporaryFolder home;
  ::setenv("WARPBOOK_HOME", home.path().c_str(), 1);
  Stage stage(1440, 900);
  stage.book().open(lesson(), made_up::document("en"));
  stage.settle();
  const auto files = [] {
    const auto in_folder = std::filesystem::directory_iterator(drawings_folder());
    return std::distance(begin(in_folder), end(in_folder));
  };
  stage.act([&](ImGuiTestContext& t) {
    const auto stroke = [&](float down) {
      t.MouseMove("**/paper");
      const ImVec2 middle = ImGui::GetMousePos();
      t.MouseMoveToPos({middle.x - 80, middle.y + down});
      t.MouseDown();
      for (const float right : {-40.0f, 0.0f, 40.0f, 80.0f}) {
        t.MouseMoveToPos({middle.x + right, middle.y + down});
        t.Yield(2);
      }
      t.MouseUp();
      t.Yield(2);
    };
    t.ItemClick("**/picture/draw");
    t.Yield(2);
    stroke(-40);
    const std::string first = picture(stage);
    stroke(40);
    CHECK(picture(stage) != first);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    t.Yield(2);
    CHECK(picture(stage) == first);
    CHECK(files() > 2);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(2);
    CHECK_FALSE(t.ItemExists("**/paper"));
    CHECK(picture(stage) == first);
    t.ItemClick("**/picture/draw");
    t.Yield(2);
    CHECK(t.ItemExists("**/paper"));
    t.ItemClick("**/close");
    t.Yield(2);
    CHECK_FALSE(t.ItemExists("**/paper"));
    CHECK(picture(stage) == first);
  });
  stage.settle();
  CHECK(files() == 1);
  CHECK(std::filesystem::exists(picture(stage)));
  ::unsetenv("WARPBOOK_HOME");
}

TEST_CASE("a picture that is gone at the next sitting keeps its path, and the page stands",
          "[ci]") {
  const tests::TemporaryFolder folder;
  const std::string file = png(folder, "a.png");
  const OpenOptions options{"convolution", WARPBOOK_SOURCE_DIR, (folder.path() / "state").string()};
  const auto image = [](Stage& stage) { return stage.book().inputs().values.picture("image"); };
  {
    Stage first(options);
    first.settle();
    first.book().drop_file(file);
    first.settle();
    CHECK(image(first) == file);
    CHECK(first.book().report()->errors.empty());
    first.session().save_now();
  }
  std::filesystem::remove(file);
  Stage second(options);
  second.frame();
  second.settle();
  CHECK(image(second) == file);
  const auto parameter =
      std::ranges::find(second.book().lesson()->parameters, "image", &lab::Parameter::name);
  const device::Error* error = second.book().picture_error(*parameter);
  REQUIRE(error);
  CHECK(second.book().strings()(*error).find(file) != std::string::npos);
  CHECK(second.book().report()->find("after"));
  CHECK_FALSE(second.book().stale());
}

TEST_CASE("the text calls a drawing the reader's, and other pictures by the names of their files") {
  const tests::TemporaryFolder home;
  ::setenv("WARPBOOK_HOME", home.path().c_str(), 1);
  Stage stage(1440, 900);
  auto document = lab::parse_document("# Made up\n\nLook at `@picture`.\n", "en.md", "en");
  REQUIRE(document);
  stage.book().open(lesson(), std::move(*document));
  const auto text = [&](const std::filesystem::path& file) {
    stage.book().set_value("picture", lab::Value(file.string()));
    stage.settle();
    stage.shell().document().select_all();
    return stage.shell().document().selected_text();
  };
  CHECK(text(drawings_folder() / "0123456789abcdef.png").ends_with(" picture = your drawing."));
  CHECK(text("/tmp/cat.png").ends_with(" picture = cat.png."));
  ::unsetenv("WARPBOOK_HOME");
}

}  // namespace warpbook::gui::picture_parameter_test
