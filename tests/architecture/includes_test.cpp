#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/rooms.hpp"
#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture::includes_test {
namespace {

const std::filesystem::path kRoot = WARPBOOK_SOURCE_DIR;

Rooms the_rooms() { return read_rooms(read_text(kRoot / "tests/architecture/rooms.toml")); }

std::vector<SourceFile> code() { return source_files(kRoot, {".cpp", ".hpp", ".inc"}); }

std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

TEST_CASE("every #include keeps to the table of rooms and sub-rooms") {
  const Rooms rooms = the_rooms();
  const auto files = code();
  REQUIRE(files.size() > 50);
  std::string wrong;
  for (const SourceFile& file : files) {
    for (const Include& include : includes_of(file.text)) {
      if (const auto reason = violation(rooms, file.path, include)) {
        wrong += file.path + ":" + std::to_string(include.line) + ": " + *reason + "\n";
      } else if (include.quoted && !std::filesystem::exists(kRoot / include.header) &&
                 std::ranges::find(rooms.generated, include.header) == rooms.generated.end()) {
        wrong += file.path + ":" + std::to_string(include.line) + ": there is no " +
                 include.header + "\n";
      }
    }
  }
  INFO(wrong);
  CHECK(wrong.empty());
}

TEST_CASE("no arrow of the table runs back, and each line of it names what is there") {
  const auto wrong = faults(the_rooms());
  INFO(lines(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("the table has a line for every folder with code, and no other") {
  const auto wrong = strangers(the_rooms(), code());
  INFO(lines(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("docs/architecture.md shows every sub-room") {
  const std::string text = read_text(kRoot / "docs/architecture.md");
  std::string missing;
  for (const auto& [room, table] : the_rooms().inside) {
    // Chapters, exercises and commands are as many as there are.
    if (room == "lessons" || room == "exercises" || room == "cli") continue;
    const std::size_t map = text.find("\n| `" + room + "/` | what it holds |");
    CAPTURE(room);
    REQUIRE(map != std::string::npos);
    const std::string rows = text.substr(map, text.find("\n\n", map) - map);
    for (const auto& [line, open] : table) {
      if (line != "." && line.find('/') == std::string::npos &&
          rows.find("`" + line + "/`") == std::string::npos) {
        missing += room + "/" + line + "\n";
      }
    }
  }
  INFO(missing);
  CHECK(missing.empty());
}

TEST_CASE("a folder of tests has the name of the folder that it tests") {
  namespace fs = std::filesystem;
  const Rooms rooms = the_rooms();
  for (const auto& [room, open] : rooms.rooms) {
    if (!fs::is_directory(kRoot / "tests" / room)) continue;
    for (fs::recursive_directory_iterator entry(kRoot / "tests" / room), end; entry != end;
         ++entry) {
      if (!entry->is_directory()) continue;
      const std::string folder = entry->path().lexically_relative(kRoot).generic_string();
      if (std::ranges::find(rooms.test_folders, folder) != rooms.test_folders.end()) {
        entry.disable_recursion_pending();
        continue;
      }
      CAPTURE(folder);
      CHECK(fs::is_directory(kRoot / folder.substr(std::string_view("tests/").size())));
    }
  }
  for (const std::string& folder : rooms.test_folders) {
    CAPTURE(folder);
    CHECK(fs::is_directory(kRoot / folder));
  }
}

TEST_CASE("an #include that breaks the table of rooms is caught") {
  const Rooms rooms = the_rooms();
  const auto caught = [&](std::string_view file, const std::string& text) {
    const auto includes = includes_of(text);
    REQUIRE(includes.size() == 1);
    return violation(rooms, file, includes[0]).has_value();
  };
  CHECK(caught("device/types.cpp", "#include \"lab/text/unicode.hpp\"\n"));
  CHECK(caught("lab/text/unicode.cpp", "#include \"gui/app.hpp\"\n"));
  CHECK(caught("lab/text/unicode.cpp", "#include \"lessons/catalogue.hpp\"\n"));
  CHECK(caught("lab/text/unicode.cpp", "  #  include <imgui.h>\n"));
  CHECK(caught("cli/main.cpp", "#include <imgui_internal.h>\n"));
  CHECK(caught("cli/main.cpp", "#include <GLFW/glfw3.h>\n"));
  CHECK(caught("gui/book/book.cpp", "#include <imgui.h>\n"));
  CHECK(caught("cli/verb.cpp", "#include \"gui/app.hpp\"\n"));
  CHECK(caught("cli/main.cpp", "#include \"gui/shell/window.hpp\"\n"));
  CHECK(caught("gui/shell/window.cpp", "#include \"cli/verb.hpp\"\n"));
  CHECK(caught("gui/shell/window.cpp", "#include \"lessons/first-kernel/lesson.hpp\"\n"));
  CHECK(caught("gui/shell/window.cpp", "#include \"tests/gui/stage.hpp\"\n"));
  CHECK(caught("lab/text/unicode.cpp", "#include <catch2/catch_test_macros.hpp>\n"));
  CHECK(caught("lab/text/unicode.cpp", "#include <cuda.h>\n"));
  CHECK(caught("lab/text/unicode.cpp", "#include \"unicode.hpp\"\n"));
  CHECK(caught("utilities/strings.cpp", "#include \"lab/text/unicode.hpp\"\n"));
  CHECK(caught("tests/device/types_test.cpp", "#include \"lab/text/unicode.hpp\"\n"));
}

TEST_CASE("an #include that keeps to the table of rooms is not caught") {
  const Rooms rooms = the_rooms();
  const auto allowed = [&](std::string_view file, std::string_view header, bool quoted) {
    return !violation(rooms, file, {1, quoted, std::string(header)}).has_value();
  };
  CHECK(allowed("lab/text/unicode.cpp", "device/types.hpp", true));
  CHECK(allowed("lab/text/unicode.cpp", "vector", false));
  CHECK(allowed("cli/main.cpp", "gui/app.hpp", true));
  CHECK(allowed("gui/shell/window.cpp", "lessons/catalogue.hpp", true));
  CHECK(allowed("gui/shell/window.cpp", "imgui.h", false));
  CHECK(allowed("tests/gui/shell/window_test.cpp", "imgui_te_engine.h", false));
  CHECK(allowed("device/driver/driver.cpp", "cuda.h", false));
  CHECK(allowed("tests/lab/text/unicode_test.cpp", "catch2/catch_test_macros.hpp", false));
}

/// A house with sub-rooms in two of its folders.
const char* const kHouse = R"([rooms]
lab = []

[inside.lab]
text = []
"exhibits/*" = ["text"]
"exhibits/comparison" = ["exhibits/*", "text"]
render = ["exhibits/*"]
"." = ["render"]
engine = ["text"]

[inside."lab/engine"]
parts = []
whole = ["parts"]
)";

TEST_CASE("sub-rooms include what their line opens, and the reason says which arrow runs back") {
  const Rooms rooms = read_rooms(kHouse);
  const auto reason = [&](std::string_view file, std::string_view header) {
    return violation(rooms, file, {1, true, std::string(header)}).value_or("");
  };
  CHECK(reason("lab/text/a.cpp", "lab/text/b.hpp").empty());
  CHECK(reason("lab/exhibits/curve/a.cpp", "lab/text/deeper/b.hpp").empty());
  CHECK(reason("lab/exhibits/curve/a.cpp", "lab/exhibits/curve/b.hpp").empty());
  CHECK(reason("lab/exhibits/comparison/a.cpp", "lab/exhibits/curve/b.hpp").empty());
  CHECK(reason("lab/render/a.cpp", "lab/exhibits/comparison/b.hpp").empty());
  CHECK(reason("lab/a.cpp", "lab/render/b.hpp").empty());
  CHECK(reason("lab/engine/whole/a.cpp", "lab/engine/parts/b.hpp").empty());
  CHECK(reason("tests/lab/text/a_test.cpp", "lab/render/b.hpp").empty());

  CHECK(reason("lab/text/a.cpp", "lab/render/b.hpp") ==
        "lab/text may not include lab/render/b.hpp: that arrow would run back, against render -> "
        "exhibits/* -> text");
  CHECK(reason("lab/exhibits/curve/a.cpp", "lab/exhibits/image/b.hpp") ==
        "lab/exhibits/curve may not include lab/exhibits/image/b.hpp: of lab/ it may include text");
  CHECK(reason("lab/render/a.cpp", "lab/text/b.hpp") ==
        "lab/render may not include lab/text/b.hpp: of lab/ it may include exhibits/*");
  CHECK(reason("lab/engine/parts/a.cpp", "lab/engine/whole/b.hpp") ==
        "lab/engine/parts may not include lab/engine/whole/b.hpp: that arrow would run back, "
        "against whole -> parts");
  CHECK(reason("lab/engine/parts/a.cpp", "lab/render/b.hpp") ==
        "lab/engine may not include lab/render/b.hpp: of lab/ it may include text");
  CHECK(reason("lab/text/a.cpp", "lab/attic/b.hpp") ==
        "rooms.toml has no line in [inside.lab] for lab/attic");
}

TEST_CASE("a table that runs in a circle is refused, also one through a pattern") {
  CHECK(faults(read_rooms(kHouse)).empty());
  CHECK(faults(read_rooms("[rooms]\nlab = [\"gui/\"]\ngui = [\"lab/\"]\n")) ==
        std::vector<std::string>{"[rooms] runs in a circle: gui -> lab -> gui"});
  CHECK(faults(read_rooms("[rooms]\nlab = []\n[inside.lab]\na = [\"b\"]\nb = [\"c\"]\nc = "
                          "[\"a\"]\n")) ==
        std::vector<std::string>{"[inside.lab] runs in a circle: a -> b -> c -> a"});
  CHECK(faults(read_rooms("[rooms]\nlab = []\n[inside.lab]\n\"a/*\" = [\"a/*\"]\n")) ==
        std::vector<std::string>{"[inside.lab] runs in a circle: a/* -> a/*"});
  CHECK(faults(read_rooms("[rooms]\nlab = []\n[inside.lab]\n\"a/*\" = []\n\"a/x\" = "
                          "[\"a/*\"]\n\"a/y\" = [\"a/*\"]\n")) ==
        std::vector<std::string>{"[inside.lab] runs in a circle: a/x -> a/y -> a/x"});
  CHECK(faults(read_rooms("[rooms]\nlab = []\n[inside.lab]\na = [\"b\"]\n")) ==
        std::vector<std::string>{"[inside.lab] a names b, which has no line"});
}

TEST_CASE(
    "a folder that the table does not name is a stranger, and so is a line without a folder") {
  const Rooms rooms = read_rooms(
      "[rooms]\nlab = []\ngui = []\n[inside.lab]\ntext = []\n\"exhibits/*\" = []\nempty = []\n");
  CHECK(strangers(rooms, {{"lab/text/deeper/a.cpp", ""},
                          {"lab/exhibits/curve/a.cpp", ""},
                          {"lab/attic/a.cpp", ""},
                          {"lab/a.cpp", ""},
                          {"gui/a.cpp", ""},
                          {"gui/shell/a.cpp", ""},
                          {"kernels/add/a.cu", ""}}) ==
        std::vector<std::string>{"[inside.lab] has a line for empty, which holds no file",
                                 "rooms.toml has no [inside.gui] for gui/shell",
                                 "rooms.toml has no line in [inside.lab] for lab",
                                 "rooms.toml has no line in [inside.lab] for lab/attic"});
}

TEST_CASE("directives within raw strings are not taken for our own") {
  const auto includes = includes_of(
      "#include <vector>\nconst char* kSource = R\"(\n#include \"secret.h\"\n)\";\n#include "
      "\"lab/a.hpp\"\n");
  REQUIRE(includes.size() == 2);
  CHECK(includes[0].header == "vector");
  CHECK(includes[1].header == "lab/a.hpp");
  CHECK(includes[1].line == 5);
}

}  // namespace
}  // namespace warpbook::architecture::includes_test
