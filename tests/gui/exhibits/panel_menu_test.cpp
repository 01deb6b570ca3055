#include "gui/book/exports.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "gui/draw/offscreen.hpp"
#include "gui/shell/panel_picture.hpp"
#include "lab/markup/table.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::exports_test {
namespace {
namespace fs = std::filesystem;

/// Outlets that keep what they are given.
struct Kept {
  std::string text, png, trouble;
  fs::path folder = fs::temp_directory_path() / ("warpbook-exports-" + std::to_string(::getpid()));
  Kept() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Kept() { fs::remove_all(folder); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  Outlets outlets() {
    return {[this](const std::string& copied) { text = copied; },
            [this](std::string copied) {
              png = std::move(copied);
              return trouble;
            },
            [](const Book&, const lab::Exhibit&) { return std::string("a picture"); }, folder};
  }
};

/// What the reader wants after choosing from the menu of a panel.
std::vector<Export> chosen(Stage& stage, const std::string& panel, const std::string& choice) {
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick(("**/" + panel + "/menu").c_str());
    t.Yield(2);
    t.ItemClick(("**/" + choice).c_str());
  });
  stage.frame();
  return stage.book().take_exports();
}
}  // namespace

TEST_CASE("every panel has a menu that copies and saves what it shows") {
  Stage stage(1440, 2000);
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
  for (const std::string panel : {"wires", "time", "check"}) {
    CAPTURE(panel);
    const auto wanted = chosen(stage, panel, "copy-csv");
    REQUIRE(wanted.size() == 1);
    CHECK(wanted[0].exhibit == *stage.book().report()->find(panel));
    Kept kept;
    carry_out(wanted[0], stage.book(), kept.outlets());
    CHECK(kept.text ==
          lab::to_csv(lab::table_of(*stage.book().report()->find(panel), stage.book().strings())));
    REQUIRE_FALSE(stage.book().toasts().empty());
    CHECK(stage.book().toasts().back().kind == Toast::Kind::ok);
  }
  const auto code = chosen(stage, "code", "copy-markdown");
  REQUIRE(code.size() == 1);
  Kept kept;
  carry_out(code[0], stage.book(), kept.outlets());
  CHECK(kept.text.find("```cuda\n__global__ void add") != std::string::npos);
}

TEST_CASE("nothing stale is copied, and nothing that a question still covers") {
  Stage stage;
  stage.open_made_up();
  bool menu = true;
  stage.act([&menu](ImGuiTestContext& t) { menu = t.ItemExists("**/wires/menu"); });
  CHECK_FALSE(menu);
  stage.book().answer("threads", "12");
  stage.settle();
  stage.book().set_live(false);
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  stage.settle();
  REQUIRE(stage.book().stale());
  bool possible = true;
  stage.act([&possible](ImGuiTestContext& t) {
    t.ItemClick("**/wires/menu");
    t.Yield(2);
    possible = (t.ItemInfo("**/copy-csv").ItemFlags & ImGuiItemFlags_Disabled) == 0;
  });
  CHECK_FALSE(possible);
  CHECK(stage.book().take_exports().empty());
}

TEST_CASE("files are saved under names of their own, never over others") {
  Stage stage;
  stage.open_made_up();
  Kept kept;
  const lab::Exhibit exhibit = *stage.book().report()->find("out");
  for (int i = 0; i < 2; ++i)
    carry_out({Export::What::csv, Export::To::file, exhibit}, stage.book(), kept.outlets());
  CHECK(fs::exists(kept.folder / "made-up-out.csv"));
  CHECK(fs::exists(kept.folder / "made-up-out-2.csv"));
  CHECK(stage.book().toasts().back().text.find("made-up-out-2.csv") != std::string::npos);
  fs::remove_all(kept.folder);
  std::ofstream(kept.folder) << "a file where the folder was";
  carry_out({Export::What::csv, Export::To::file, exhibit}, stage.book(), kept.outlets());
  CHECK(stage.book().toasts().back().kind == Toast::Kind::bad);
}

TEST_CASE("a picture that cannot be copied says why") {
  Stage stage;
  stage.open_made_up();
  Kept kept;
  kept.trouble = "no X server";
  carry_out({Export::What::image, Export::To::clipboard, *stage.book().report()->find("out")},
            stage.book(), kept.outlets());
  CHECK(stage.book().toasts().back().kind == Toast::Kind::bad);
  CHECK(stage.book().toasts().back().text.find("no X server") != std::string::npos);
}

TEST_CASE(
    "a panel is drawn alone at the size and scale asked for, and leaves the window's own frame "
    "alone",
    "[ci]") {
  Stage stage;
  stage.open_made_up();
  const auto screen = Offscreen::make(64, 64);
  REQUIRE(screen);
  const ImGuiContext* before = ImGui::GetCurrentContext();
  const auto picture = panel_picture(stage.book(), *stage.book().report()->find("out"), 400, 2);
  REQUIRE(picture);
  CHECK(picture->width == 2 * (400 + 24));
  CHECK(picture->height > 2 * 60);
  CHECK(ImGui::GetCurrentContext() == before);
  const std::string png = png_of(*picture);
  CHECK(png.substr(1, 3) == "PNG");
  stage.settle();
}

}  // namespace warpbook::gui::exports_test
