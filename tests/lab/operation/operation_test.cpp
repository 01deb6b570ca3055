#include "lab/operation/operation.hpp"

#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/operation/rung_block.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::operation_test {

using namespace warpbook;
using namespace warpbook::lab;
namespace fs = std::filesystem;

TEST_CASE("expressions follow the rules of arithmetic") {
  const std::map<std::string, std::int64_t> names = {{"n", 10}, {"block", 4}, {"M_2", 3}};
  const auto value = [&](std::string_view text) {
    const auto result = evaluate(text, names);
    INFO((result ? "" : result.error().english()));
    REQUIRE(result.has_value());
    return *result;
  };
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("20 - 5 - 3") == 12);
  CHECK(value("n / block") == 2);
  CHECK(value("n % block") == 2);
  CHECK(value("-n + 3") == -7);
  CHECK(value("--n") == 10);
  CHECK(value("ceil_div(n, block)") == 3);
  CHECK(value("ceil_div(0, block)") == 0);
  CHECK(value("ceil_div(-7, 2)") == -3);
  CHECK(value("ceil_div(8, 4)") == 2);
  CHECK(value("min(n, max(2, M_2)) * 12") == 36);
  CHECK(value(" 9223372036854775807 ") == INT64_MAX);
  CHECK(value("n == 10") == 1);
  CHECK(value("n != 10") == 0);
  CHECK(value("n - 1 < block * 2") == 0);
  CHECK(value("n >= 10") == 1);
  CHECK(value("n <= 9") == 0);
  CHECK(value("(n > 9) + (block > 9)") == 1);
  CHECK(value("ceil_log2(1)") == 0);
  CHECK(value("ceil_log2(n)") == 4);
  CHECK(value("ceil_log2(16)") == 4);
}

TEST_CASE("an expression that cannot be evaluated says why and where") {
  struct Wrong {
    const char* text;
    const char* why;
    const char* position;
  };
  const auto wrong = GENERATE(
      Wrong{"", "ends where", "1"}, Wrong{"1 +", "ends where", "4"},
      Wrong{"(1", "closing parenthesis", "3"}, Wrong{"1 2", "after its end", "3"},
      Wrong{"m", "there is no name m (there is n)", "1"}, Wrong{"1 / 0", "divides by 0", "6"},
      Wrong{"n % (n - n)", "divides by 0", "12"}, Wrong{"9223372036854775807 + 1", "64 bits", "24"},
      Wrong{"9223372036854775808", "64 bits", "19"},
      Wrong{"9223372036854775807 * 2", "64 bits", "24"}, Wrong{"min(1)", "two arguments", "6"},
      Wrong{"ceil_log2(0)", "1 or more", "13"}, Wrong{"1 < 2 < 3", "after its end", "7"},
      Wrong{"min 1", "parenthesis is due", "5"}, Wrong{"1 $ 2", "after its end", "3"},
      Wrong{"* 2", "number or a name is due", "1"});
  CAPTURE(wrong.text);
  const auto result = evaluate(wrong.text, {{"n", 1}});
  REQUIRE_FALSE(result.has_value());
  const std::string says = result.error().english();
  CAPTURE(says);
  CHECK(says.find(wrong.why) != std::string::npos);
  CHECK(says.find(std::string("at character ") + wrong.position) != std::string::npos);
  CHECK_FALSE(evaluate(std::string(10000, '('), {}).has_value());
  CHECK_FALSE(evaluate(std::string(10000, '-') + "1", {}).has_value());
  CHECK_FALSE(evaluate("(0 - 9223372036854775807 - 1) / -1", {}).has_value());
}

TEST_CASE("a //@ block says what a rung is") {
  const auto rung = parse_rung(
      "kernels/transpose/03_padded.cu",
      "//@ idea: a padded tile\n//@ kernel: transpose\n//@ block: TILE, 8\n"
      "//@ grid: ceil_div(columns, TILE), ceil_div(rows, TILE)\n//@ shared: 4 * TILE * (TILE + 1)\n"
      "//@ needs: 80\n//@ defines: TILE=32, PAD=1\n//@ bytes: 8 * rows * columns\n//@ flops: "
      "0\n\ncode\n");
  INFO((rung ? "" : rung.error().english()));
  REQUIRE(rung.has_value());
  CHECK(rung->operation == "transpose");
  CHECK(rung->number == 3);
  CHECK(rung->name == "padded");
  CHECK(rung->needs == 80);
  CHECK(rung->defines ==
        std::vector<std::pair<std::string, std::string>>{{"TILE", "32"}, {"PAD", "1"}});
  REQUIRE(rung->launches.size() == 1);
  CHECK(rung->launches[0].kernel == "transpose");
  CHECK(rung->launches[0].block == "TILE, 8");
  CHECK(rung->launches[0].shared == "4 * TILE * (TILE + 1)");
  CHECK(split_expressions(rung->launches[0].grid) ==
        std::vector<std::string>{"ceil_div(columns, TILE)", "ceil_div(rows, TILE)"});
}

TEST_CASE("a //@ block may launch several kernels, with workspaces and names of its own") {
  const auto rung = parse_rung(
      "kernels/reduction/04_two_passes.cu",
      "//@ idea: sums of blocks, then their sum\n//@ block: 256\n//@ registers: 24\n//@ zero: "
      "count, "
      "out\n"
      "//@ only: n < 1000, n % 4 == 0\n//@ atomics: f32\n//@ tolerance: tf32\n//@ depth: "
      "ceil_log2(n)\n"
      "//@ let: blocks = ceil_div(n, block)\n//@ workspace: partial f32[blocks, max(1, 2)]\n"
      "//@ workspace: count u32[1]\n"
      "//@ launch: sum_blocks(x, partial + 2 * n, min(n, 7))\n//@ grid: blocks\n"
      "//@ launch: sum_blocks(partial, out, blocks)\n//@ grid: 1\n//@ block: 32\n//@ shared: "
      "128\n");
  INFO((rung ? "" : rung.error().english()));
  REQUIRE(rung.has_value());
  REQUIRE(rung->launches.size() == 2);
  CHECK(rung->launches[0].kernel == "sum_blocks");
  CHECK(rung->launches[0].arguments ==
        std::vector<std::string>{"x", "partial + 2 * n", "min(n, 7)"});
  CHECK(rung->launches[0].block == "256");
  CHECK(rung->launches[0].grid == "blocks");
  CHECK(rung->launches[0].shared.empty());
  CHECK(rung->launches[1].block == "32");
  CHECK(rung->launches[1].grid == "1");
  CHECK(rung->launches[1].shared == "128");
  CHECK(rung->launches[1].line == 14);
  REQUIRE(rung->workspaces.size() == 2);
  CHECK(rung->workspaces[0].name == "partial");
  CHECK(rung->workspaces[0].shape == std::vector<std::string>{"blocks", "max(1, 2)"});
  CHECK(rung->workspaces[1].type == device::ElementType::u32);
  CHECK(rung->zero == std::vector<std::string>{"count", "out"});
  CHECK(rung->float_atomics);
  CHECK(rung->tolerance == "tf32");
  CHECK(rung->registers == 24);
  CHECK(names_of(*rung, {{"n", 1000}}).at("blocks") == 4);
  CHECK(admits(*rung, {{"n", 8}}));
  CHECK_FALSE(admits(*rung, {{"n", 9}}));
  CHECK_FALSE(admits(*rung, {{"n", 1000}}));
}

TEST_CASE("a broken //@ block is refused at its line") {
  struct Wrong {
    const char* path;
    const char* text;
    std::uint32_t line;
    const char* says;
  };
  const auto wrong = GENERATE(
      Wrong{"kernels/add/guarded.cu", "//@ idea: a\n", 0, "call it NN_idea.cu"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ blok: 1\n", 2, "no key \"blok\""},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ idea: b\n", 2, "twice"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ block 3\n", 2, "key: value"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ block: 1\n", 1, "lacks \"grid\""},
      Wrong{"kernels/add/01_a.cu", "//@ block: 1, 2, 3, 4\n", 1, "three"},
      Wrong{"kernels/add/01_a.cu", "//@ needs: sm_80\n", 1, "such as 75"},
      Wrong{"kernels/add/01_a.cu", "//@ defines: TILE\n", 1, "NAME=VALUE"},
      Wrong{"kernels/add/01_a.cu", "//@ idea:\n", 1, "says nothing"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ workspace: w f32\n", 2, "partial f32"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ workspace: w int[2]\n", 2, "partial f32"},
      Wrong{"kernels/add/01_a.cu", "//@ let: 2 = 3\n", 1, "NAME = EXPRESSION"},
      Wrong{"kernels/add/01_a.cu", "//@ launch: sum\n", 1, "KERNEL(ARGUMENT"},
      Wrong{"kernels/add/01_a.cu", "//@ tolerance: nearly\n", 1, "bitwise"},
      Wrong{"kernels/add/01_a.cu", "//@ atomics: yes\n", 1, "f32"},
      Wrong{"kernels/add/01_a.cu", "//@ constant: taps\n", 1, "NAME=VALUE"},
      Wrong{"kernels/add/01_a.cu", "//@ registers: -1\n", 1, "whole number"},
      Wrong{"kernels/add/01_a.cu",
            "//@ idea: a\n//@ block: 1\n//@ launch: f(x)\n//@ grid: 1\n//@ needs: 80\n", 5,
            "above the first launch"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ grid: 1\n//@ launch: f(x)\n//@ grid: 1\n", 1,
            "lacks \"block\" for the launch of f"});
  CAPTURE(wrong.text);
  const auto rung = parse_rung(wrong.path, wrong.text);
  REQUIRE_FALSE(rung.has_value());
  CAPTURE(rung.error().english());
  CHECK(rung.error().place.line == wrong.line);
  CHECK(rung.error().english().find(wrong.says) != std::string::npos);
}

TEST_CASE("the operations of the book load") {
  for (const auto& folder : fs::directory_iterator(fs::path(WARPBOOK_SOURCE_DIR) / "kernels")) {
    const std::string name = folder.path().filename().string();
    CAPTURE(name);
    const auto operation = load_operation(WARPBOOK_SOURCE_DIR, name);
    INFO((operation ? "" : operation.error().english()));
    REQUIRE(operation.has_value());
    CHECK_FALSE(operation->rungs.empty());
    CHECK_FALSE(operation->parameters.empty());
  }
}

TEST_CASE("a broken operation.toml is refused at its line") {
  const warpbook::tests::TemporaryFolder folder;
  const auto says = [&](const std::string& text) {
    folder.write("kernels/add/operation.toml", text);
    const auto operation = load_operation(folder.path().string(), "add");
    REQUIRE_FALSE(operation.has_value());
    return operation.error().english();
  };
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"in\"\ntype = "
             "\"i32\"\nshape = [\"n\"]\n")
            .find("kernels/add/operation.toml:4: \"kind\" of parameter is \"in\"") == 0);
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"int\"\nshape = [\"n\"]\n")
            .find("operation.toml:5:") != std::string::npos);
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"i32\"\n")
            .find("shape") != std::string::npos);
  CHECK(says("tolerance = \"bitwise\"\n").find("[[parameter]]") != std::string::npos);
  CHECK(says("tolerance = \n").find("operation.toml:1:") != std::string::npos);

  const std::string sizes =
      "tolerance = \"bitwise\"\n[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n"
      "[[parameter]]\nname = \"half\"\nkind = \"scalar\"\ntype = \"i32\"\n";
  CHECK(says(sizes + "value = \"m / 2\"\n[[case]]\nn = 3\n").find("there is no name m") !=
        std::string::npos);
  CHECK(says(sizes + "value = \"n / 2\"\n[[case]]\nn = 3\nhalf = 1\n").find("\"half\"") !=
        std::string::npos);
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"i32\"\nshape = [\"1\"]\nvalue = \"2\"\n")
            .find("\"value\"") != std::string::npos);
}

TEST_CASE("a scalar may be computed from the others, in cases and in runs") {
  const warpbook::tests::TemporaryFolder folder;
  folder.write("kernels/add/operation.toml",
               "tolerance = \"bitwise\"\nladder = { n = 8 }\n"
               "[[parameter]]\nname = \"half\"\nkind = \"scalar\"\ntype = \"i32\"\n"
               "value = \"ceil_div(n, 2)\"\n"
               "[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n"
               "[[case]]\nn = [3, 5]\n");
  const auto operation = load_operation(folder.path().string(), "add");
  INFO((operation ? "" : operation.error().english()));
  REQUIRE(operation.has_value());
  CHECK(operation->ladder.scalars.at("half") == 4);
  REQUIRE(operation->cases.size() == 2);
  CHECK(operation->cases[0].scalars.at("half") == 2);
  CHECK(operation->cases[1].scalars.at("half") == 3);
  std::map<std::string, std::int64_t> scalars = {{"n", 7}, {"half", 1}};
  CHECK_FALSE(add_values(*operation, scalars).has_value());
  CHECK(scalars.at("half") == 4);
  scalars.clear();
  CHECK(add_values(*operation, scalars).has_value());
}

}  // namespace warpbook::tests::operation_test
