// What stands around the kernels: the menu of each operation says what its `//@` blocks say, and nothing is missing.
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "lab/operation/reference/reference.hpp"
#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::menu_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

/// The rows of the menu's table as cells: rung, idea, bytes moved, operations, constraints, should reach.
std::vector<std::vector<std::string>> menu_of(const Operation& operation) {
  const auto text = device::read_file(
      std::filesystem::path(WARPBOOK_SOURCE_DIR) / "kernels" / operation.name / "README.md",
      1 << 20);
  REQUIRE(text.has_value());
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| rung")) continue;
    std::vector<std::string> cells;
    std::size_t begin = 2;
    for (std::size_t end; (end = line.find(" |", begin)) != line.npos; begin = end + 3)
      cells.push_back(line.substr(begin, end - begin));
    rows.push_back(std::move(cells));
  }
  return rows;
}

std::string quoted(const std::string& text) { return "`" + text + "`"; }

}  // namespace

TEST_CASE("the menu of each operation says what its //@ blocks say") {
  for (const Operation& operation : tests::operations()) {
    CAPTURE(operation.name);
    const auto menu = menu_of(operation);
    REQUIRE(menu.size() == operation.rungs.size());
    for (std::size_t i = 0; i < menu.size(); ++i) {
      const Rung& rung = operation.rungs[i];
      CAPTURE(rung.path);
      REQUIRE(menu[i].size() == 6);
      CHECK(menu[i][0] == fmt::format("{:02} {}", rung.number, rung.name));
      CHECK(menu[i][1] == rung.idea);
      CHECK(menu[i][2] == quoted(rung.bytes));
      CHECK(menu[i][3] == quoted(rung.flops));
      const std::string& constraints = menu[i][4];
      if (rung.needs > 75)
        CHECK(constraints.find(fmt::format("{}.{}", rung.needs / 10, rung.needs % 10)) !=
              std::string::npos);
      for (const std::string& condition : rung.only)
        CHECK(constraints.find(quoted(condition)) != std::string::npos);
      if (rung.float_atomics) CHECK(constraints.find("atomic") != std::string::npos);
      if (!rung.tolerance.empty()) CHECK(constraints.find(rung.tolerance) != std::string::npos);
      CHECK_FALSE(menu[i][5].empty());
    }
  }
}

TEST_CASE("each folder of kernels/ is an operation with a truth, a ladder and stated costs") {
  for (const auto& folder : std::filesystem::directory_iterator(
           std::filesystem::path(WARPBOOK_SOURCE_DIR) / "kernels")) {
    CAPTURE(folder.path().filename().string());
    CHECK(std::filesystem::exists(folder.path() / "operation.toml"));
  }
  for (const Operation& operation : tests::operations()) {
    CAPTURE(operation.name);
    CHECK(find_reference(operation.name) != nullptr);
    CHECK_FALSE(operation.rungs.empty());
    CHECK_FALSE((operation.ladder.scalars.empty() && operation.ladder.real_scalars.empty()));
    for (std::size_t i = 0; i < operation.rungs.size(); ++i) {
      const Rung& rung = operation.rungs[i];
      CAPTURE(rung.path);
      CHECK(rung.number == static_cast<int>(i) + 1);
      CHECK(rung.caught.empty());
      CHECK(rung.registers > 0);
      const auto names = names_of(rung, operation.ladder.scalars);
      CHECK(evaluate(rung.bytes, names).value_or(-1) >= 0);
      CHECK(evaluate(rung.flops, names).value_or(-1) >= 0);
    }
  }
}

}  // namespace warpbook::tests::menu_test
