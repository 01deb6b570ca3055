// The compiler sees one file at a time: two types of one name in one namespace go unnoticed by it, and then the linker
// takes the functions of one of them for both.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture::names_test {
namespace {

const std::filesystem::path kRoot = WARPBOOK_SOURCE_DIR;

/// "warpbook::device::Frame" -> the files that define it. Types of unnamed namespaces and inside other types do not count.
using Definitions = std::map<std::string, std::vector<std::string>>;

void collect(const SourceFile& file, Definitions& definitions) {
  static const std::regex open("^(inline )?namespace ?([A-Za-z_:]*) ?\\{$"),
      close("^\\}  // namespace.*"),
      type(
          "^(struct|class|enum class|union)( alignas\\([^)]*\\))? ([A-Z][A-Za-z0-9]*)( final)?( "
          ":.*)? \\{.*");
  std::vector<std::string> inside;
  std::istringstream lines(file.text);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, found, open)) {
      inside.push_back(found[2]);
    } else if (!inside.empty() && std::regex_match(line, close)) {
      inside.pop_back();
    } else if (std::regex_match(line, found, type) &&
               std::ranges::find(inside, "") == inside.end()) {
      std::string name;
      for (const std::string& space : inside) name += space + "::";
      definitions[name + std::string(found[3])].push_back(file.path);
    }
  }
}

TEST_CASE("no two types share a name in one namespace") {
  Definitions definitions;
  for (const SourceFile& file : source_files(kRoot, {".cpp", ".hpp"})) {
    // Tests of different rooms are different programs.
    if (!file.path.starts_with("tests/")) collect(file, definitions);
  }
  CHECK(definitions.size() > 200);
  for (const auto& [name, files] : definitions) {
    CAPTURE(name, files);
    CHECK(files.size() == 1);
  }
}

TEST_CASE("two types of one name are seen, and those of unnamed namespaces are not") {
  Definitions definitions;
  collect({"a.hpp",
           "namespace warpbook::device {\nstruct Frame {\n};\nnamespace {\nclass Own {\n};\n}  // "
           "namespace\n}  // namespace x\n"},
          definitions);
  collect({"b.hpp",
           "namespace warpbook::device {\nclass Frame final {\n};\nnamespace {\nstruct Own "
           "{\n};\n}  // namespace\n}  // namespace x\n"},
          definitions);
  CHECK(definitions == Definitions{{"warpbook::device::Frame", {"a.hpp", "b.hpp"}}});
}

}  // namespace
}  // namespace warpbook::architecture::names_test
