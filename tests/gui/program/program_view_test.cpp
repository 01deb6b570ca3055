// The page of the reader's own program, under mouse and keyboard.
#include "gui/program/program_view.hpp"

#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::program_view_test {
namespace {
namespace fs = std::filesystem;

constexpr const char* kStray = R"(#include <cstdio>
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* d_out;
  cudaMalloc(&d_out, 10 * sizeof(int));
  fill<<<1, 32>>>(d_out);
  cudaDeviceSynchronize();
  cudaFree(d_out);
  printf("done\n");
}
)";

/// A reader's folders, and a sitting in them.
struct Sitting {
  tests::TemporaryFolder folder;
  fs::path file = folder.write("mine.cu", kStray);

  [[nodiscard]] OpenOptions options(const fs::path& program = {}) const {
    return {"first-kernel", WARPBOOK_SOURCE_DIR, (folder.path() / "state").string(),
            (folder.path() / "work").string(), program.string()};
  }
};

bool exists(Stage& stage, const char* item) {
  bool there = false;
  stage.act([&](ImGuiTestContext& t) { there = t.ItemExists(item); });
  return there;
}
}  // namespace

TEST_CASE("the key for the own program opens its page with a copy of the chapter's program") {
  const Sitting sitting;
  Stage stage(sitting.options());
  stage.settle();
  CHECK_FALSE(stage.book().program_open());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_R); });
  CHECK(stage.book().program_open());
  const MyProgram& program = stage.book().my_program();
  CHECK(program.file() == sitting.folder.path() / "work" / "programs" / "vector_add.cu");
  CHECK(program.text().find("__global__ void add") != std::string::npos);
  CHECK_FALSE(fs::exists(program.file()));  // nothing was changed yet
  CHECK(exists(stage, "**/new program"));
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_R); });
  CHECK_FALSE(stage.book().program_open());
}

TEST_CASE("what is typed on the page is saved into the reader's file") {
  const Sitting sitting;
  Stage stage(sitting.options(sitting.file));
  stage.settle();
  REQUIRE(stage.book().program_open());
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(4);
    t.KeyChars("// mine\n");
    t.Yield(4);
  });
  CHECK(stage.book().my_program().text().find("// mine\n") != std::string::npos);
  REQUIRE(stage.until([&] { return !stage.book().my_program().unsaved(); }));
  CHECK(device::read_file(sitting.file).value_or("").find("// mine\n") != std::string::npos);
}

TEST_CASE("a .cu file that is dropped on the window opens on the page") {
  const Sitting sitting;
  Stage stage(sitting.options());
  stage.settle();
  stage.book().drop_file(sitting.file.string());
  CHECK(stage.book().program_open());
  CHECK(stage.book().my_program().file() == fs::canonical(sitting.file));
  stage.book().drop_file((sitting.folder.path() / "none.cu").string());
  CHECK(stage.book().toasts().size() == 1);
  CHECK(stage.book().my_program().file() == fs::canonical(sitting.file));
}

TEST_CASE("a chapter of the list closes the page, also the one that is open") {
  const Sitting sitting;
  Stage stage(sitting.options(sitting.file));
  stage.settle();
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/first-kernel/chapter"); });
  CHECK_FALSE(stage.book().program_open());
  CHECK(stage.book().lesson()->slug == "first-kernel");
}

TEST_CASE("the next sitting opens the page where the last one left it") {
  const Sitting sitting;
  {
    Stage stage(sitting.options(sitting.file));
    stage.settle();
    stage.book().set_program_arguments("-n 5");
    stage.frame();
    stage.session().save_now();
  }
  OpenOptions again = sitting.options();
  again.chapter.clear();
  Stage stage(again);
  stage.settle();
  CHECK(stage.book().program_open());
  CHECK(stage.book().my_program().file() == fs::canonical(sitting.file));
  CHECK(stage.book().my_program().arguments() == "-n 5");
}

TEST_CASE("Ctrl+Enter runs the program; a finding and a bar of the timeline lead to their lines",
          "[ci]") {
  if (const auto nvcc = device::find_nvcc(); !nvcc) SKIP(nvcc.error().english());
  const auto width = GENERATE(1024.0f, 1920.0f);
  CAPTURE(width);
  const Sitting sitting;
  Stage stage(sitting.options(sitting.file), width, 1400);
  stage.settle();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); });
  REQUIRE(stage.until([&] { return stage.book().my_program().result() != nullptr; }, 60));
  stage.settle();
  REQUIRE(stage.book().my_program().result()->end);
  CHECK(exists(stage, "**/timeline/rows"));
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/to line"); });
  CHECK(stage.book().link.pinned().line == 2);
  // Somewhere on the last row, the stream's, is the kernel's bar.
  stage.act([&](ImGuiTestContext& t) {
    t.ScrollToItemY("**/timeline/rows");
    const ImRect rows = t.ItemInfo("**/timeline/rows").RectFull;
    for (int x = 0;
         static_cast<float>(x) < rows.GetWidth() && stage.book().link.current().line != 6; x += 3)
      t.MouseMoveToPos({rows.Min.x + static_cast<float>(x), rows.Max.y - 10});
    t.MouseClick();
  });
  CHECK(stage.book().link.pinned().line == 6);
  // The key that pins a line pins the caret's, from the editor to the bars.
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(4);
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_L);
  });
  CHECK(stage.book().link.pinned().line == 1);
  // Another text makes the results ones of an earlier version.
  CHECK_FALSE(stage.book().my_program().stale());
  stage.book().write_program("int main() {}\n");
  stage.settle();
  CHECK(stage.book().my_program().stale());
}

}  // namespace warpbook::gui::program_view_test
