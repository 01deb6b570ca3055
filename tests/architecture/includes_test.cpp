#include <toml++/toml.h>
#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture::includes_test {
namespace {

const std::filesystem::path kRoot = WARPBOOK_SOURCE_DIR;

/// rooms.toml.
struct Table {
  struct Outside {
    std::string what;
    std::vector<std::string> headers;  ///< beginnings of names
    std::vector<std::string> rooms;
  };
  std::map<std::string, std::vector<std::string>> rooms;
  std::map<std::string, std::vector<std::string>> files;
  std::vector<Outside> outside;
};

std::vector<std::string> strings(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> result;
  for (const toml::node& value : *node.as_array())
    result.push_back(value.value<std::string>().value());
  return result;
}

Table read_table() {
  const toml::table toml = toml::parse_file((kRoot / "tests/architecture/rooms.toml").string());
  Table table;
  for (const auto& [room, open] : *toml["rooms"].as_table()) {
    table.rooms[std::string(room.str())] = strings(toml::node_view<const toml::node>(open));
  }
  for (const auto& [file, open] : *toml["files"].as_table()) {
    table.files[std::string(file.str())] = strings(toml::node_view<const toml::node>(open));
  }
  for (const toml::node& node : *toml["outside"].as_array()) {
    const toml::node_view<const toml::node> rule(node);
    table.outside.push_back({rule["what"].value<std::string>().value(), strings(rule["headers"]),
                             strings(rule["rooms"])});
  }
  return table;
}

std::string top_folder(std::string_view path) {
  return std::string(path.substr(0, path.find('/')));
}

bool opens(const std::vector<std::string>& open, std::string_view header) {
  for (const std::string& name : open) {
    if (name.ends_with('/') ? header.starts_with(name) : header == name) return true;
  }
  return false;
}

/// What is wrong with this #include in this file; nothing if nothing is.
std::optional<std::string> violation(const Table& table, std::string_view file,
                                     const Include& include) {
  const bool in_tests = file.starts_with("tests/");
  const std::string room = top_folder(in_tests ? file.substr(6) : file);

  if (!include.quoted) {
    for (const Table::Outside& rule : table.outside) {
      bool concerned = false;
      for (const std::string& start : rule.headers) concerned |= include.header.starts_with(start);
      if (!concerned) continue;
      for (const std::string& allowed : rule.rooms) {
        if (allowed == room || (allowed == "tests" && in_tests)) return std::nullopt;
      }
      return rule.what + " are not for " + room;
    }
    return std::nullopt;
  }

  const std::string target = top_folder(include.header);
  if (target == "tests")
    return in_tests ? std::nullopt : std::optional<std::string>("only tests include tests");
  if (!table.rooms.contains(target))
    return "a quoted name starts at the root, with a room; other libraries stand in <>";
  if (target == room) return std::nullopt;
  if (const auto open = table.files.find(std::string(file));
      open != table.files.end() && opens(open->second, include.header)) {
    return std::nullopt;
  }
  const auto own = table.rooms.find(room);
  // A folder of tests that is no room (main, bench) tests across rooms.
  if (own == table.rooms.end() && in_tests) return std::nullopt;
  if (own == table.rooms.end()) return room + " is not a room";
  if (opens(own->second, include.header)) return std::nullopt;
  return room + " may not include " + include.header;
}

TEST_CASE("every #include keeps to the table of rooms") {
  const Table table = read_table();
  const auto files = source_files(kRoot, {".cpp", ".hpp", ".inc"});
  REQUIRE(files.size() > 50);
  std::string wrong;
  for (const SourceFile& file : files) {
    for (const Include& include : includes_of(file.text)) {
      if (const auto reason = violation(table, file.path, include)) {
        wrong += file.path + ":" + std::to_string(include.line) + ": " + *reason + "\n";
      } else if (include.quoted && !std::filesystem::exists(kRoot / include.header)) {
        wrong += file.path + ":" + std::to_string(include.line) + ": there is no " +
                 include.header + "\n";
      }
    }
  }
  INFO(wrong);
  CHECK(wrong.empty());
}

TEST_CASE("an #include that breaks the table is caught") {
  const Table table = read_table();
  const auto caught = [&](std::string_view file, const std::string& text) {
    const auto includes = includes_of(text);
    REQUIRE(includes.size() == 1);
    return violation(table, file, includes[0]).has_value();
  };
  CHECK(caught("device/device.cpp", "#include \"lab/model/report.hpp\"\n"));
  CHECK(caught("lab/model/report.cpp", "#include \"gui/app.hpp\"\n"));
  CHECK(caught("lab/model/report.cpp", "#include \"lessons/catalogue.hpp\"\n"));
  CHECK(caught("lab/model/report.cpp", "  #  include <imgui.h>\n"));
  CHECK(caught("cli/main.cpp", "#include <imgui_internal.h>\n"));
  CHECK(caught("cli/main.cpp", "#include <GLFW/glfw3.h>\n"));
  CHECK(caught("cli/run.cpp", "#include \"gui/app.hpp\"\n"));
  CHECK(caught("cli/main.cpp", "#include \"gui/shell/window.hpp\"\n"));
  CHECK(caught("gui/app.cpp", "#include \"cli/run.hpp\"\n"));
  CHECK(caught("gui/app.cpp", "#include \"lessons/first-kernel/lesson.hpp\"\n"));
  CHECK(caught("gui/app.cpp", "#include \"tests/gui/driver.hpp\"\n"));
  CHECK(caught("lab/model/report.cpp", "#include <catch2/catch_test_macros.hpp>\n"));
  CHECK(caught("lab/model/report.cpp", "#include <cuda.h>\n"));
  CHECK(caught("lab/model/report.cpp", "#include \"report.hpp\"\n"));
  CHECK(caught("utilities/strings.cpp", "#include \"lab/model/report.hpp\"\n"));
  CHECK(caught("tests/device/device_test.cpp", "#include \"lab/model/report.hpp\"\n"));
}

TEST_CASE("an #include that keeps to the table is not caught") {
  const Table table = read_table();
  const auto allowed = [&](std::string_view file, std::string_view header, bool quoted) {
    return !violation(table, file, {1, quoted, std::string(header)}).has_value();
  };
  CHECK(allowed("lab/model/report.cpp", "device/device.hpp", true));
  CHECK(allowed("lab/model/report.cpp", "vector", false));
  CHECK(allowed("cli/main.cpp", "gui/app.hpp", true));
  CHECK(allowed("gui/app.cpp", "lessons/catalogue.hpp", true));
  CHECK(allowed("gui/app.cpp", "imgui.h", false));
  CHECK(allowed("tests/gui/app_test.cpp", "imgui_te_engine.h", false));
  CHECK(allowed("device/driver/driver.cpp", "cuda.h", false));
  CHECK(allowed("tests/lab/report_test.cpp", "catch2/catch_test_macros.hpp", false));
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
