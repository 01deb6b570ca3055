// The page for a kernel of the reader's own, and the list of chapters above it.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::scratch_page_test {
namespace {
constexpr const char* kMine = "__global__ void mine(int* x) { x[threadIdx.x] = 7; }\n";
constexpr const char* kTyped = "__global__ void typed(int* x) { x[threadIdx.x] = 8; }";

std::size_t copies_in(const std::filesystem::path& folder) {
  std::size_t copies = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    copies += entry.path().filename().string().starts_with("scratch") ? 1 : 0;
  return copies;
}
}  // namespace

TEST_CASE("a snippet opens on the scratch page, runs there, and is there the next time", "[ci]") {
  const tests::TemporaryFolder folder;
  OpenOptions options{"", WARPBOOK_SOURCE_DIR, folder.path().string()};
  {
    OpenOptions with = options;
    with.chapter = lessons::scratch().slug;
    with.snippet = kMine;
    Stage stage(with);
    stage.settle();
    CHECK(stage.book().source("scratch") == kMine);
    CHECK(stage.book().report()->find("after-x") != nullptr);
    stage.session().save_now();
  }
  {
    Stage stage(options);
    stage.settle();
    REQUIRE(stage.book().on_scratch_page());
    CHECK(stage.book().source("scratch") == kMine);
  }
  options.chapter = lessons::scratch().slug;
  options.snippet = "__global__ void other() {}\n";
  Stage stage(options);
  stage.settle();
  CHECK(stage.book().source("scratch") == options.snippet);
  CHECK(copies_in(folder.path()) == 1);  // what was written before is not lost
}

TEST_CASE("the scratch page opens by its row and by keys, and the arguments can be typed") {
  Stage stage;
  stage.open("first-kernel");
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/scratch page"); });
  stage.settle();
  REQUIRE(stage.book().on_scratch_page());
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/arguments/##value");
    t.KeyChars("ramp:8 zeros:8 8");
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(2);
  });
  stage.settle();
  CHECK(stage.book().inputs().values.text("arguments") == "ramp:8 zeros:8 8");
  CHECK(stage.book().report()->errors.empty());
  stage.open("grids");
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_K); });
  stage.settle();
  CHECK(stage.book().on_scratch_page());
}

TEST_CASE(
    "the original of the scratch page replaces no kernel of the reader's: undo brings it back",
    "[ci]") {
  const tests::TemporaryFolder folder;
  OpenOptions options{"", WARPBOOK_SOURCE_DIR, folder.path().string()};
  options.chapter = lessons::scratch().slug;
  Stage stage(options);
  stage.settle();
  const std::string original = stage.book().source("scratch");
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    t.KeyChars(kTyped);
    t.Yield(3);
  });
  stage.settle();
  REQUIRE(stage.book().source("scratch") == kTyped);
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/original");
    t.Yield(4);
    CHECK(stage.book().source("scratch") == original);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    t.Yield(4);
  });
  CHECK(stage.book().source("scratch") == kTyped);
  CHECK(copies_in(folder.path()) == 1);
}

TEST_CASE(
    "the list of chapters is filtered by a few letters, and Enter opens the first that fits") {
  Stage stage;
  stage.open("first-kernel");
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/##chapter filter");
    t.KeyChars("coal");
    t.Yield(3);
  });
  CHECK(stage.has("**/coalescing/chapter"));
  CHECK_FALSE(stage.has("**/grids/chapter"));
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/##chapter filter");
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(2);
  });
  stage.settle();
  CHECK(stage.book().lesson()->slug == "coalescing");
  CHECK(stage.has("**/grids/chapter"));
}

}  // namespace warpbook::gui::scratch_page_test
