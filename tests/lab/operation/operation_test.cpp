#include "lab/operation/operation.hpp"

#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/operation/rung_block.hpp"
#include "tests/keyed.hpp"
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
      Wrong{"", "ends", "1"}, Wrong{"1 +", "ends", "4"}, Wrong{"(1", "closing", "3"},
      Wrong{"1 2", "after-end", "3"}, Wrong{"m", "no-name(known=n, name=m)", "1"},
      Wrong{"1 / 0", "divides-by-zero", "6"}, Wrong{"n % (n - n)", "divides-by-zero", "12"},
      Wrong{"9223372036854775807 + 1", "overflow", "24"},
      Wrong{"9223372036854775808", "overflow", "19"},
      Wrong{"9223372036854775807 * 2", "overflow", "24"},
      Wrong{"min(1)", "two-arguments(function=min)", "6"}, Wrong{"ceil_log2(0)", "log-range", "13"},
      Wrong{"1 < 2 < 3", "after-end", "7"}, Wrong{"min 1", "opening(function=min)", "5"},
      Wrong{"1 $ 2", "after-end", "3"}, Wrong{"* 2", "operand", "1"});
  CAPTURE(wrong.text);
  const auto result = evaluate(wrong.text, {{"n", 1}});
  REQUIRE_FALSE(result.has_value());
  CHECK(warpbook::tests::keyed(result.error()) == std::string("bad_expression(expression=") +
                                                      wrong.text + ", position=" + wrong.position +
                                                      ", why=phrase.expression." + wrong.why + ")");
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
      Wrong{"kernels/add/guarded.cu", "//@ idea: a\n", 0, "file-name(file=guarded.cu)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ blok: 1\n", 2,
            "no-key(key=blok, known=idea; kernel; "},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ idea: b\n", 2, "twice(key=idea)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ block 3\n", 2, "form"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ block: 1\n", 1, "lacks(key=grid)"},
      Wrong{"kernels/add/01_a.cu", "//@ block: 1, 2, 3, 4\n", 1, "expressions(key=block)"},
      Wrong{"kernels/add/01_a.cu", "//@ needs: sm_80\n", 1, "needs"},
      Wrong{"kernels/add/01_a.cu", "//@ defines: TILE\n", 1,
            "write-as(form=NAME=VALUE, NAME=VALUE, key=defines)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea:\n", 1, "empty(key=idea)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ workspace: w f32\n", 2,
            "write-as-example(example=partial f32[blocks], form=NAME TYPE[EXTENT, ...], "
            "key=workspace)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ workspace: w int[2]\n", 2,
            "write-as-example(example=partial f32[blocks], form=NAME TYPE[EXTENT, ...], "
            "key=workspace)"},
      Wrong{"kernels/add/01_a.cu", "//@ let: 2 = 3\n", 1,
            "write-as(form=NAME = EXPRESSION, key=let)"},
      Wrong{"kernels/add/01_a.cu", "//@ launch: sum\n", 1,
            "write-as(form=KERNEL(ARGUMENT, ...), key=launch)"},
      Wrong{"kernels/add/01_a.cu", "//@ tolerance: nearly\n", 1,
            "tolerance(expected=phrase.toml.one-of(known=bitwise; sum; "},
      Wrong{"kernels/add/01_a.cu", "//@ atomics: yes\n", 1, "atomics"},
      Wrong{"kernels/add/01_a.cu", "//@ constant: taps\n", 1,
            "write-as(form=NAME=VALUE, NAME=VALUE, key=constant)"},
      Wrong{"kernels/add/01_a.cu", "//@ registers: -1\n", 1, "whole-number(key=registers)"},
      Wrong{"kernels/add/01_a.cu",
            "//@ idea: a\n//@ block: 1\n//@ launch: f(x)\n//@ grid: 1\n//@ needs: 80\n", 5,
            "whole-rung(key=needs)"},
      Wrong{"kernels/add/01_a.cu", "//@ idea: a\n//@ grid: 1\n//@ launch: f(x)\n//@ grid: 1\n", 1,
            "launch-lacks(kernel=f, key=block)"});
  CAPTURE(wrong.text);
  const auto rung = parse_rung(wrong.path, wrong.text);
  REQUIRE_FALSE(rung.has_value());
  const std::string said = warpbook::tests::keyed(rung.error());
  CAPTURE(said);
  CHECK(rung.error().place.line == wrong.line);
  CHECK(said.find(std::string("bad_rung(why=phrase.rung.") + wrong.says) != std::string::npos);
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
    return warpbook::tests::keyed(operation.error());
  };
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"in\"\ntype = "
             "\"i32\"\nshape = [\"n\"]\n") ==
        "kernels/add/operation.toml:4: bad_value("
        "expected=phrase.toml.one-of(known=\"scalar\"; \"input\"; \"output\"), got=\"in\", "
        "key=kind, what=parameter)");
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"int\"\nshape = [\"n\"]\n") ==
        "kernels/add/operation.toml:5: bad_value(expected=phrase.operation.element-type, "
        "got=\"int\", key=type, what=parameter)");
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"i32\"\n") ==
        "kernels/add/operation.toml:2: bad_value(expected=phrase.operation.extents("
        "example=[\"rows\", \"columns\"]), got=phrase.toml.absent, key=shape, what=parameter)");
  CHECK(says("tolerance = \"bitwise\"\n") ==
        "kernels/add/operation.toml:1: bad_value(expected=phrase.operation.each-parameter, "
        "got=phrase.toml.absent, key=parameter, what=operation.toml)");
  CHECK(says("tolerance = \n").find("operation.toml:1:") != std::string::npos);

  const std::string sizes =
      "tolerance = \"bitwise\"\n[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n"
      "[[parameter]]\nname = \"half\"\nkind = \"scalar\"\ntype = \"i32\"\n";
  CHECK(says(sizes + "value = \"m / 2\"\n[[case]]\nn = 3\n")
            .find("phrase.expression.no-name(known=n, name=m)") != std::string::npos);
  CHECK(says(sizes + "value = \"n / 2\"\n[[case]]\nn = 3\nhalf = 1\n").find("key=half") !=
        std::string::npos);
  CHECK(says("tolerance = \"bitwise\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = "
             "\"i32\"\nshape = [\"1\"]\nvalue = \"2\"\n") ==
        "kernels/add/operation.toml:7: bad_value(expected=phrase.operation.value, "
        "got=phrase.operation.of-array, key=value, what=parameter)");
}

TEST_CASE("a scalar may be computed from the others, in cases and in runs") {
  const warpbook::tests::TemporaryFolder folder;
  folder.write("kernels/add/operation.toml",
               "tolerance = \"bitwise\"\nladder = { n = 8 }\nlarge = { n = 600 }\n"
               "[[parameter]]\nname = \"half\"\nkind = \"scalar\"\ntype = \"i32\"\n"
               "value = \"ceil_div(n, 2)\"\n"
               "[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n"
               "[[case]]\nn = [3, 5]\n");
  const auto operation = load_operation(folder.path().string(), "add");
  INFO((operation ? "" : operation.error().english()));
  REQUIRE(operation.has_value());
  CHECK(operation->ladder.scalars.at("half") == 4);
  REQUIRE(operation->large.has_value());
  CHECK(operation->large->text() == "half = 300, n = 600");
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
