#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture::files_test {
namespace {

const std::filesystem::path kRoot = WARPBOOK_SOURCE_DIR;

const std::vector<std::string> kCode{".cpp", ".hpp", ".inc", ".cu", ".cuh"};
const std::vector<std::string> kText{".cpp",  ".hpp", ".inc",   ".cu",  ".cuh", ".toml",
                                     ".json", ".md",  ".cmake", ".txt", ".sh"};

TEST_CASE("only the rooms and what stands beside them lie at the root") {
  const std::set<std::string> known{"lessons",
                                    "kernels",
                                    "gui",
                                    "exercises",
                                    "solutions",
                                    "tests",
                                    "device",
                                    "lab",
                                    "training",
                                    "ranks",
                                    "cli",
                                    "lang",
                                    "docs",
                                    "cmake",
                                    "warpbook",
                                    "CMakeLists.txt",
                                    "CMakePresets.json",
                                    "README.md",
                                    "README.zh.md",
                                    "CONTRIBUTING.md",
                                    "LICENSE",
                                    "THIRD_PARTY.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.starts_with("build")) continue;
    CAPTURE(name);
    CHECK(known.contains(name));
  }
}

TEST_CASE(
    "every file is plain text: no tabs, no trailing blanks, no carriage returns, one newline at "
    "the end") {
  for (const SourceFile& file : source_files(kRoot, kText)) {
    CAPTURE(file.path);
    CHECK(file.text.find('\r') == std::string::npos);
    CHECK(file.text.find('\t') == std::string::npos);
    CHECK(file.text.find(" \n") == std::string::npos);
    CHECK((file.text.empty() || (file.text.ends_with('\n') && !file.text.ends_with("\n\n"))));
  }
}

TEST_CASE("source files are named in snake_case, and solutions as their exercises") {
  for (const SourceFile& file : source_files(kRoot, kCode)) {
    CAPTURE(file.path);
    if (file.path.starts_with("solutions/")) {
      const std::string exercise = std::filesystem::path(file.path).stem().string();
      CHECK(std::filesystem::is_regular_file(kRoot / "exercises" / exercise / "exercise.toml"));
      continue;
    }
    const std::string name = std::filesystem::path(file.path).stem().string();
    CHECK(std::ranges::all_of(name, [](char c) {
      return std::islower(static_cast<unsigned char>(c)) ||
             std::isdigit(static_cast<unsigned char>(c)) || c == '_';
    }));
  }
}

TEST_CASE("every header is guarded by #pragma once and opens no namespace to its includers") {
  for (const SourceFile& file : source_files(kRoot, {".hpp"})) {
    CAPTURE(file.path);
    CHECK(file.text.find("#pragma once\n") != std::string::npos);
    CHECK(file.text.find("\nusing namespace") == std::string::npos);
  }
}

TEST_CASE("nothing is left for later: no TODO or FIXME in the code") {
  for (const SourceFile& file :
       source_files(kRoot, {".cpp", ".hpp", ".inc", ".cu", ".cuh", ".cmake", ".sh"})) {
    // This file names them.
    if (file.path == "tests/architecture/files_test.cpp") continue;
    CAPTURE(file.path);
    for (const std::string_view mark : {"TODO", "FIXME"})
      CHECK(file.text.find(mark) == std::string::npos);
  }
}

}  // namespace
}  // namespace warpbook::architecture::files_test
