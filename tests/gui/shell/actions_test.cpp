// Every key is named once, in the table of actions: its chord, the settings, the tips and the guides agree.
#include "gui/shell/actions.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "gui/book/command_line.hpp"
#include "tests/gui/stage.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::actions_test {
namespace {
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The chords that a text names: "Ctrl+K", "Alt+Right".
std::set<std::string> chords_in(const std::string& text) {
  static const std::regex chord(R"((Ctrl|Alt|Shift)\+[A-Za-z0-9+-]+)");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), chord), end; at != end; ++at)
    found.insert(at->str());
  return found;
}

/// "Ctrl+Shift+A" as ImGui names it.
std::string name_of(ImGuiKeyChord chord) {
  std::string name = ImGui::GetKeyChordName(chord);
  static const std::pair<std::string, std::string> our_names[]{
      {"RightArrow", "Right"}, {"LeftArrow", "Left"}, {"UpArrow", "Up"}, {"DownArrow", "Down"},
      {"Period", "."},         {"Escape", "Esc"},     {"Equal", "+"},    {"Minus", "-"}};
  for (const auto& [theirs, ours] : our_names) {
    if (name.ends_with(theirs)) return name.substr(0, name.size() - theirs.size()) + ours;
  }
  return name;
}

/// "A-D" of an action with a row of keys.
std::string keys_named(const Action& action) {
  const std::string first = name_of(action.chord);
  return action.row > 1 ? first + "-" + name_of(action.chord + action.row - 1) : first;
}
}  // namespace

TEST_CASE("the keys that a reader sees are those that the window listens to") {
  Stage stage;
  std::set<std::string_view> keys;
  for (const Action& action : actions()) {
    CAPTURE(action.id);
    CHECK(keys_of(action.id) == action.keys);
    CHECK_FALSE(stage.book().strings()("gui.action." + std::string(action.id)).empty());
    if (action.chord == 0 && action.keys.empty()) continue;  // the palette alone has it
    CHECK(keys_named(action) == action.keys);
    CHECK(keys.insert(action.keys).second);  // no two actions share a chord
  }
}

TEST_CASE("no key means two things at once, whether its action is named by it or by another one") {
  std::set<ImGuiKeyChord> reading_or_presenting, counting;
  for (const Action& action : actions()) {
    auto& taken = action.when == When::voting ? counting : reading_or_presenting;
    CAPTURE(action.id);
    for (int key = 0; key < std::max(1, action.row); ++key) {
      if (action.chord != 0) CHECK(taken.insert(action.chord + key).second);
    }
    if (action.other_chord != 0) CHECK(taken.insert(action.other_chord).second);
    CHECK((action.act != nullptr) == (action.row == 0));
    CHECK((action.act_on != nullptr) == (action.row > 0));
  }
  for (const ImGuiKeyChord chord : counting) CHECK(counts_votes(chord));
  CHECK_FALSE(counts_votes(ImGuiKey_Period));
}

TEST_CASE("no string of a language names a key: it is given the action's") {
  for (const auto& entry : fs::recursive_directory_iterator(WARPBOOK_SOURCE_DIR "/lang")) {
    if (entry.path().extension() != ".toml") continue;
    CAPTURE(entry.path().string());
    std::string text = text_of(entry.path());
    // The terminal's own key, which ends `warpbook watch`.
    if (const auto at = text.find("Ctrl+C"); at != text.npos) text.erase(at, 6);
    CHECK(chords_in(text).empty());
  }
}

TEST_CASE("the guides name keys that there are") {
  std::set<std::string> keys;
  for (const Action& action : actions()) keys.insert(std::string(action.keys));
  for (const char* file : {"/README.md", "/README.zh.md"}) {
    const std::set<std::string> named = chords_in(text_of(std::string(WARPBOOK_SOURCE_DIR) + file));
    CAPTURE(file);
    for (const std::string& chord : named) {
      CAPTURE(chord);
      CHECK(keys.contains(chord));
    }
    for (const char* action : {"keep-run", "compare", "gpu"})
      CHECK(named.contains(std::string(keys_of(action))));
  }
}

TEST_CASE("a key copies the command that runs what the window shows") {
  Stage stage;
  stage.open_made_up();
  const std::string command = copied(stage, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
  CHECK(command == command_of(stage.book()));
  CHECK(stage.book().toasts().size() == 1);
}

}  // namespace warpbook::gui::actions_test
