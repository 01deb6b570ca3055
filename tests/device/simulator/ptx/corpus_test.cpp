// PTX as NVRTC and clang make it (corpus/*.ptx, of our own sources beside it), whole, cut off and
// damaged.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/ptx/parsing.hpp"
#include "tests/device/simulator/ptx/well_formed.hpp"

namespace warpbook::device::ptx::corpus_test {
namespace {

std::string read_corpus(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::path(WARPBOOK_SOURCE_DIR) / "tests/device/simulator/ptx/corpus" / name;
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Parses what may be broken: either a well-formed module or an error with a place and a reason.
bool survives(const std::string& text) {
  Expected<Module> module = parse(text, "t.ptx");
  if (module) {
    const std::string complaint = WellFormed(*module).complaint();
    CHECK(complaint == "");
    return complaint.empty();
  }
  const Error& error = module.error();
  const bool placed =
      error.code == ErrorCode::not_text || (error.place.line > 0 && error.place.column > 0);
  const bool reasoned = !error.arguments.empty() && !error.arguments.front().value.empty();
  CHECK(placed);
  CHECK(reasoned);
  return placed && reasoned;
}

}  // namespace

TEST_CASE("everything that NVRTC and clang emit is known by name", "[ptx]") {
  const std::string name =
      GENERATE("everyday.ptx", "everyday_debug.ptx", "inline.ptx", "freestanding.ptx");
  CAPTURE(name);
  const Module module = parsed(read_corpus(name));
  CHECK(WellFormed(module).complaint() == "");
  std::size_t instructions = 0;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      const auto modifiers = module.modifiers_of(instruction);
      const bool known =
          instruction.opcode != Word::unknown &&
          std::find(modifiers.begin(), modifiers.end(), Word::unknown) == modifiers.end();
      if (!known) {
        FAIL_CHECK(module.text_of(instruction));
      }
      ++instructions;
    }
  }
  CHECK(instructions > 50);
}

TEST_CASE("a real module has the kernels, variables and lines of its source", "[ptx]") {
  const Module module = parsed(read_corpus("everyday.ptx"));
  CHECK(module.target == 90);
  for (const char* kernel : {"saxpy", "transpose", "choose"}) {
    CHECK(function_of(module, kernel).entry);
    CHECK_FALSE(function_of(module, kernel).external);
  }
  CHECK(function_of(module, "vprintf").external);
  const Function& saxpy = function_of(module, "saxpy");
  CHECK(saxpy.max_threads[0] == 256);
  REQUIRE(saxpy.parameters.size() == 5);
  CHECK(saxpy.parameters[4].bytes == 16);
  CHECK(variable_of(module, "table").initial.size() >= 13);
  CHECK(variable_of(module, "pointers").addresses.size() == 2);
  CHECK(variable_of(module, "pointers").addresses[1].addend == 8);
  CHECK(variable_of(module, "functions").addresses.size() == 1);
  CHECK(variable_of(module, "coefficients").space == StateSpace::constant);
  CHECK(variable_of(module, "dynamic_tile").external);
  for (const Instruction& instruction : saxpy.instructions) {
    if (instruction.opcode == Word::st && module.modifiers_of(instruction)[0] == Word::global) {
      CHECK(module.locations.at(instruction.location).line == 29);  // y[i] = ..
    }
  }
  const auto inlined =
      std::find_if(module.locations.begin(), module.locations.end(),
                   [](const Location& location) { return location.inlined_at != kNone; });
  REQUIRE(inlined != module.locations.end());
  CHECK(inlined->function == "_Z5blendfff");
  CHECK(module.locations[inlined->inlined_at].line == 44);
}

TEST_CASE("a module cut off anywhere is an error or a shorter module", "[ptx]") {
  const std::string text = read_corpus("inline.ptx");
  for (std::size_t size = 0; size < text.size(); ++size) {
    if (!survives(text.substr(0, size))) {
      CAPTURE(size);
      FAIL("cut off here");
    }
  }
}

TEST_CASE("a larger module cut off anywhere is an error or a shorter module", "[ptx][ci]") {
  const std::string text = read_corpus("everyday.ptx");
  for (std::size_t size = 0; size < text.size(); ++size) {
    if (!survives(text.substr(0, size))) {
      CAPTURE(size);
      FAIL("cut off here");
    }
  }
}

TEST_CASE("damaged modules are errors or modules, never a crash", "[ptx][ci]") {
  const std::string name = GENERATE("everyday.ptx", "inline.ptx");
  const std::string original = read_corpus(name);
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "(",
                                          ")",
                                          "[",
                                          "]",
                                          ";",
                                          ",",
                                          "@",
                                          "%",
                                          ".",
                                          "<",
                                          ">",
                                          "-",
                                          "0x",
                                          "\"",
                                          "/*",
                                          "//",
                                          ":",
                                          "|",
                                          "4294967295",
                                          "18446744073709551616",
                                          "0f",
                                          ".reg .b32 ",
                                          ".section x {",
                                          "call ",
                                          "_",
                                          "\n",
                                          "\x80",
                                          "WARP_SZ",
                                          "generic("};
  for (int round = 0; round < 20'000; ++round) {
    std::string text = original;
    for (std::size_t damage = 1 + below(4); damage > 0; --damage) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0: text[at] = static_cast<char>(random()); break;
        case 1: text.erase(at, 1 + below(40)); break;
        case 2: text.insert(at, kPieces[below(std::size(kPieces))]); break;
        case 3: text.insert(at, text.substr(below(text.size()), below(200))); break;
        default: std::swap(text[at], text[below(text.size())]);
      }
    }
    if (!survives(text)) {
      CAPTURE(name, round);
      FAIL("damaged so");
    }
  }
}

}  // namespace warpbook::device::ptx::corpus_test
