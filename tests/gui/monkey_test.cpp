// A monkey at the keyboard: whatever keys, clicks, drags, texts and sizes come, the window goes on. Run under ASan, it is also
// that no memory is misused. WARPBOOK_MONKEY=EVENTS[:SEED] asks for another number of events, or for those of a failure.
#include <array>
#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/gui/event_order.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::monkey_test {
namespace {

class Monkey {
 public:
  Monkey(Stage& stage, std::uint32_t seed) : stage_(stage), random_(seed) {}

  /// One event, and the frames in which the window takes it in.
  void act() {
    switch (below(9)) {
      case 0: move(); break;
      case 1: click(); break;
      case 2: drag(); break;
      case 3: ImGui::GetIO().AddMouseWheelEvent(0, static_cast<float>(below(9)) - 4); break;
      case 4: press(); break;
      case 5: chord(); break;
      case 6: type(); break;
      case 7: rarely(); break;
      default: move(); break;
    }
    for (std::uint32_t frames = 1 + below(2); frames > 0; --frames) stage_.frame();
  }

 private:
  std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(random_() % most); }
  float share() { return static_cast<float>(below(1001)) / 1000; }

  void move() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::GetIO().AddMousePosEvent(share() * size.x, share() * size.y);
  }
  void click() {
    const int button = below(6) == 0 ? 1 : 0;
    move();
    stage_.frame();
    ImGui::GetIO().AddMouseButtonEvent(button, true);
    stage_.frame();
    ImGui::GetIO().AddMouseButtonEvent(button, false);
  }
  void drag() {
    move();
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    for (int i = 0; i < 3; ++i) {
      move();
      stage_.frame();
    }
    ImGui::GetIO().AddMouseButtonEvent(0, false);
  }
  void press() {
    static constexpr std::array kKeys{ImGuiKey_Tab,      ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                      ImGuiKey_UpArrow,  ImGuiKey_DownArrow, ImGuiKey_PageUp,
                                      ImGuiKey_PageDown, ImGuiKey_Home,      ImGuiKey_End,
                                      ImGuiKey_Delete,   ImGuiKey_Backspace, ImGuiKey_Space,
                                      ImGuiKey_Enter,    ImGuiKey_Escape,    ImGuiKey_1,
                                      ImGuiKey_2,        ImGuiKey_F1,        ImGuiKey_F3};
    strike(kKeys[below(kKeys.size())]);
  }
  void chord() {
    static constexpr std::array kModifiers{ImGuiMod_Ctrl, ImGuiMod_Alt, ImGuiMod_Shift};
    std::array<bool, kModifiers.size()> held{};
    for (std::size_t i = 0; i < held.size(); ++i) {
      held[i] = below(2) == 0;
      ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(kModifiers[i]), held[i]);
    }
    strike(static_cast<ImGuiKey>(ImGuiKey_A + static_cast<int>(below(26))));
    for (const auto modifier : kModifiers)
      ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(modifier), false);
  }
  void strike(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    stage_.frame();
    ImGui::GetIO().AddKeyEvent(key, false);
  }
  void type() {
    static constexpr std::array<const char*, 8> kTexts{
        "7", "-1e999", "for (;;) {", "线程束", "\xF0\x9F\x98\x80", "__sync", "/*", "coal"};
    ImGui::GetIO().AddInputCharactersUTF8(kTexts[below(kTexts.size())]);
  }
  /// What a reader does now and then.
  void rarely() {
    Book& book = stage_.book();
    switch (below(24)) {
      case 0: book.set_language(below(2) == 0 ? "en" : "zh"); break;
      case 1: {
        static constexpr std::array kThemes{"dark", "light", "contrast"};
        book.set_theme(kThemes[below(kThemes.size())]);
        break;
      }
      case 2: {
        static constexpr std::array kSizes{ImVec2{1440, 900}, ImVec2{1024, 768}, ImVec2{320, 240},
                                           ImVec2{2560, 1440}};
        static constexpr std::array kScales{1.0f, 1.25f, 1.5f, 2.0f};
        const ImVec2 size = kSizes[below(kSizes.size())];
        stage_.context().set_display(size.x, size.y, kScales[below(kScales.size())]);
        break;
      }
      case 3: book.open(made_up::lesson(), made_up::document(book.language())); break;
      case 4: book.drop_file("no/such/picture.png"); break;
      case 5: stage_.shell().set_zoom(0.6f + share() * 1.9f); break;
      default: move(); break;
    }
  }

  Stage& stage_;
  std::mt19937 random_;
};

void let_loose(const EventOrder& order, bool whole_book) {
  const tests::TemporaryFolder folder;
  const std::string root = folder.path().string();
  OpenOptions options{"first-kernel", WARPBOOK_SOURCE_DIR, root + "/state", root + "/work"};
  Stage stage(options);
  if (!whole_book) stage.open_made_up();
  Monkey monkey(stage, order.seed);
  constexpr std::uint64_t kChapter = 2000;  // events until the next chapter is opened
  for (std::uint64_t event = 0; event < order.events; ++event) {
    CAPTURE(order.seed, event);
    if (whole_book && event % kChapter == 0) {
      const auto chapters = lessons::catalogue();
      stage.book().open(chapters[(event / kChapter) % chapters.size()].slug);
    }
    monkey.act();
  }
  stage.settle();
  CHECK(stage.vertices() > 0);  // there still is a window
}

}  // namespace

TEST_CASE("a monkey at the keyboard cannot break the window", "[ci]") {
  let_loose({400, 1}, false);
}

TEST_CASE("a monkey with much time cannot break the window in any chapter", "[long]") {
  let_loose(event_order("WARPBOOK_MONKEY", 100'000), true);
}

}  // namespace warpbook::gui::monkey_test
