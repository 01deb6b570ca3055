#include "gui/editor/cuda_words.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::cuda_words_test {
namespace {
bool offers(const std::vector<std::string>& words, const char* word) {
  return std::ranges::find(words, word) != words.end();
}
}  // namespace

TEST_CASE("words of CUDA are in order, and each is explained in every language") {
  CHECK(std::ranges::is_sorted(cuda_words(), {}, &CudaWord::name));
  for (const char* language : {"en", "zh"}) {
    const auto strings = lab::Strings::load(language, WARPBOOK_SOURCE_DIR);
    REQUIRE(strings);
    for (const CudaWord& word : cuda_words()) {
      CAPTURE(language, word.name);
      CHECK((*strings)->all().contains("word." + std::string(word.name)));
      CHECK(cuda_word(word.name) == &word);
    }
  }
  CHECK(cuda_word("threadId") == nullptr);
}

TEST_CASE(
    "three letters are completed: from CUDA, with or without underscores, and from the source") {
  CHECK(completions_of("th", {}).empty());
  CHECK(offers(completions_of("thr", {}), "threadIdx"));
  CHECK(offers(completions_of("sync", {}), "__syncthreads"));
  CHECK(offers(completions_of("__sh", {}), "__shared__"));
  CHECK(offers(completions_of("ATOMIC", {}), "atomicAdd"));
  CHECK(offers(completions_of("par", {"partial"}), "partial"));
  CHECK(completions_of("warpSize", {"warpSize"}).empty());  // it is whole
}

TEST_CASE("typing completes in the editor, and F1 explains the word at the caret") {
  Stage stage;
  stage.open_made_up();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyChars(" ");  // so that the word ends before the next one
    t.KeyPress(ImGuiKey_Home);
    t.KeyChars("blockId");
    std::this_thread::sleep_for(std::chrono::milliseconds(400));  // the list waits for a pause
    t.Yield(4);
    t.KeyPress(ImGuiKey_Tab);
    t.Yield(3);
  });
  stage.settle();
  CHECK(stage.book().source("add").starts_with("blockIdx "));
  std::string drawn;
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyPress(ImGuiKey_F1);
    t.Yield(3);
    stage.context().fonts().set_watch({[&](std::string_view text) { drawn += text; }, {}});
    t.Yield(1);
    stage.context().fonts().set_watch({});
  });
  CHECK(drawn.find("uint3 blockIdx") != std::string::npos);
}

TEST_CASE("what was begun in a text that is gone is not completed in the next one") {
  Stage stage;
  stage.open_made_up();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
    t.KeyChars("blockId");
    t.Yield(1);
    stage.book().set_source("add", "// short");  // as another chapter has, or the original
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    t.Yield(4);
    CHECK(ImGui::GetCurrentContext()->OpenPopupStack.empty());
  });
  CHECK(stage.book().source("add") == "// short");
}

}  // namespace warpbook::gui::cuda_words_test
