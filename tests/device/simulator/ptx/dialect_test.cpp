// Directives and the versions of PTX and targets that have them; ptxas is the judge where it is installed.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <fmt/format.h>

#include "tests/device/simulator/isa/ptxas.hpp"
#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::ptx::dialect_test {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr std::uint32_t kVersions[] = {100, 101, 102, 103, 104, 105, 200, 201, 202, 203, 300,
                                       301, 302, 400, 401, 402, 403, 500, 600, 601, 602, 603,
                                       604, 605, 700, 701, 702, 703, 704, 705, 706, 707, 708,
                                       800, 801, 802, 803, 804, 805, 806, 807, 808, 900};

/// The targets that the cases need, and the versions that brought them.
struct Architecture {
  std::uint32_t number, version;
};
constexpr Architecture kArchitectures[] = {{10, 100}, {13, 102}, {20, 200}, {30, 300},
                                           {50, 400}, {52, 401}, {53, 402}, {60, 500},
                                           {70, 600}, {75, 603}, {80, 700}, {90, 708}};

struct Case {
  std::string name;  ///< as the failure says it, without phrase.ptx-feature.
  std::string text;
  std::uint32_t first = 100, last = 900;  ///< versions that have it
  std::uint32_t target = 0;
};

/// One for each line of the parser's table that stands alone; .pragma and kernels' parameters in .param need more.
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {".maxntid", ".entry k() .maxntid 32 { exit; }", 103},
      {".maxnreg", ".entry k() .maxnreg 32 { exit; }", 103},
      {".maxnctapersm", ".entry k() .maxntid 32 .maxnctapersm 2 { exit; }", 103, 200},
      {".minnctapersm", ".entry k() .maxntid 32 .minnctapersm 2 { exit; }", 200},
      {".reqntid", ".entry k() .reqntid 32 { exit; }", 201},
      {".reqnctapercluster", ".entry k() .reqnctapercluster 2 { exit; }", 708, 900, 90},
      {".explicitcluster", ".entry k() .explicitcluster { exit; }", 708, 900, 90},
      {".maxclusterrank", ".entry k() .maxclusterrank 8 { exit; }", 708, 900, 90},
      {".blocksareclusters",
       ".entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { exit; }", 900, 900, 90},
      {".noreturn", ".func f() .noreturn { trap; }", 604},
      {".noreturn", ".entry k() { p: .callprototype _ () .noreturn; exit; }", 604},
      {".abi_preserve", ".func f() .abi_preserve 8 { ret; }", 900, 900, 80},
      {".abi_preserve_control", ".func f() .abi_preserve_control 8 { ret; }", 900, 900, 80},
      {".pragma", ".pragma \"nounroll\"; .entry k() { exit; }", 200},
      {".pragma", ".entry k() { .pragma \"what nobody knows\"; exit; }", 200},
      {".pragma \"used_bytes_mask\"", ".entry k() { .pragma \"used_bytes_mask 0x3\"; exit; }", 803},
      {".pragma \"frequency\"", ".entry k() { .pragma \"frequency 3\"; exit; }", 900},
      {".weak", ".weak .func f() { ret; }", 301},
      {".common", ".common .global .u32 c;", 500},
      {".alias", ".visible .func g();\n.visible .func f() { ret; }\n.alias g, f;", 603},
      {".attribute", ".global .attribute(.managed) .u32 m;", 400},
      {".ptr", ".entry k(.param .u64 .ptr .global .align 4 a) { exit; }", 202},
      {".tex", ".tex .u32 t;", 100, 104},
      {".section", ".section .debug_abbrev { .b8 1 }", 200},
      {".branchtargets", ".entry k() { t: .branchtargets A; A: exit; }", 600},
      {".calltargets", ".func f() { ret; }\n.entry k() { t: .calltargets f; exit; }", 201},
      {".callprototype", ".entry k() { p: .callprototype _ (); exit; }", 201},
      {"type-b128", ".entry k() { .reg .b128 x; exit; }", 803, 900, 70},
      {"type-f16x2", ".entry k() { .reg .f16x2 x; exit; }", 402, 900, 53},
      {"opaque-types", ".global .texref t;", 105},
      {"parameters-of-functions-in-param", ".func f(.param .u32 a) { ret; }", 200},
      {"more-than-4352-bytes-of-parameters-of-a-kernel",
       ".entry k(.param .align 8 .b8 a[4000], .param .align 8 .b8 b[400]) { exit; }", 801, 900, 70},
      {"functions-as-initial-values", ".func f() { ret; }\n.global .u64 p[1] = {f};", 201},
      {"generic-in-initial-values", ".global .u32 a;\n.global .u64 p = generic(a);", 301},
      {"masks-in-initial-values", ".global .u32 a;\n.global .u8 p[1] = {0xff(a)};", 701},
      {"time-and-size-in-file", ".file 1 \"a.cu\", 1, 2", 302},
      {"inlined-at-in-loc",
       ".file 1 \"a.cu\"\n.entry k() { .loc 1 2 3\n.loc 1 4 5, function_name $s, inlined_at 1 2 3\n"
       "exit; }\n.section .debug_str\n{\n$s:\n.b8 102,0\n}",
       700},
  };
  return all;
}

std::string module_of(const std::string& text, std::uint32_t version, std::uint32_t target) {
  const std::string size = version >= 203 ? ".address_size 64\n" : "";
  return fmt::format(".version {}.{}\n.target sm_{}\n{}{}\n", version / 100, version % 100, target,
                     size, text);
}

/// The newest target that a version has.
std::uint32_t newest_with(std::uint32_t version) {
  std::uint32_t newest = 0;
  for (const Architecture& a : kArchitectures) {
    if (a.version <= version) newest = a.number;
  }
  return newest;
}

std::uint32_t version_before(std::uint32_t version) {
  return *(std::ranges::find(kVersions, version) - 1);
}
std::uint32_t version_after(std::uint32_t version) {
  return *(std::ranges::find(kVersions, version) + 1);
}
std::uint32_t target_before(std::uint32_t target) {
  return (std::ranges::find(kArchitectures, target, &Architecture::number) - 1)->number;
}

/// The modules at the bounds of a case, and whether each has it.
struct Sample {
  std::string text;
  bool has;
};
std::vector<Sample> bounds_of(const Case& c) {
  std::vector<Sample> samples{{module_of(c.text, c.first, newest_with(c.first)), true},
                              {module_of(c.text, c.last, newest_with(c.last)), true}};
  // .f16x2 came with its target, which is refused before
  if (c.first > 100 && c.name != "type-f16x2") {
    const std::uint32_t before = version_before(c.first);
    samples.push_back({module_of(c.text, before, newest_with(before)), false});
  }
  if (c.last < 900) {
    const std::uint32_t after = version_after(c.last);
    samples.push_back({module_of(c.text, after, newest_with(after)), false});
  }
  if (c.target != 0) {
    samples.push_back({module_of(c.text, 900, c.target), true});
    samples.push_back({module_of(c.text, 900, target_before(c.target)), false});
  }
  return samples;
}

std::string failure_in_module(std::string_view text) {
  return failure_of(std::string(kHead) + std::string(text));
}

}  // namespace

TEST_CASE("a directive needs the version of PTX and the target that have it", "[ptx]") {
  for (const Case& c : cases()) {
    for (const Sample& sample : bounds_of(c)) {
      CAPTURE(sample.text);
      const std::string said = failure_of(sample.text);
      if (sample.has) {
        CHECK(said == "it parses");
      } else {
        // Something else that the case needs, such as another directive of its text, may be refused first.
        constexpr std::string_view kFeature = "(feature=", kNamed = "phrase.ptx-feature.";
        const std::size_t at = said.find(kFeature);
        REQUIRE(at != std::string::npos);
        std::string feature = said.substr(at + kFeature.size());
        if (feature.starts_with(kNamed)) feature.erase(0, kNamed.size());
        CHECK_THAT(c.text + c.name, ContainsSubstring(feature.substr(0, 4)));
      }
    }
  }
}

TEST_CASE("ptxas has each directive in the same versions and targets", "[ptx]") {
  if (!tests::refusal_of_module(module_of(".entry k() { exit; }", 900, 90)))
    SKIP("there is no ptxas of CUDA 13.0");
  for (const Case& c : cases()) {
    for (const Sample& sample : bounds_of(c)) {
      CAPTURE(sample.text, *tests::refusal_of_module(sample.text));
      CHECK(tests::refusal_of_module(sample.text)->empty() == sample.has);
    }
  }
}

TEST_CASE("a directive that is refused is named with what would have it", "[ptx]") {
  CHECK(failure_of(".version 7.7\n.target sm_89\n.entry k() .maxclusterrank 8 { ret; }") ==
        "2:9 phrase.ptx-syntax.target-version(first=7.8, target=sm_89, version=7.7)");
  CHECK(failure_of(".version 7.7\n.target sm_80\n.entry k() .maxclusterrank 8 { ret; }") ==
        "3:12 phrase.ptx-syntax.before-version(feature=.maxclusterrank, first=7.8, version=7.7)");
  CHECK(failure_of(".version 9.0\n.target sm_80\n.entry k() .maxclusterrank 8 { ret; }") ==
        "3:12 phrase.ptx-syntax.before-target(feature=.maxclusterrank, first=90, target=80)");
  CHECK(failure_in_module(".tex .u64 t;") ==
        "4:1 phrase.ptx-syntax.after-version(feature=.tex, last=1.4, version=9.0)");
  CHECK(failure_in_module(".const[2] .u32 c;") ==
        "4:7 phrase.ptx-syntax.after-version(feature=phrase.ptx-feature.numbered-constant-banks, "
        "last=2.1, version=9.0)");
  CHECK(failure_of(".version 8.0\n.target sm_75\n.func .attribute(.unified(1, 2)) f() { ret; }") ==
        "3:18 phrase.ptx-syntax.before-target(feature=.attribute(.unified), first=90, target=75)");
  CHECK(
      failure_of(".version 9.0\n.target sm_70\n.entry k() { .pragma \"enable_smem_spilling\"; }") ==
      "3:22 phrase.ptx-syntax.before-target(feature=.pragma \"enable_smem_spilling\", first=75, "
      "target=70)");
}

TEST_CASE("directives stand where they mean something", "[ptx]") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {".func f() .maxntid 32 { ret; }",
       "4:11 phrase.ptx-syntax.no-directive-of-function(directive=maxntid)"},
      {".func f() .maxnreg 32 { ret; }",
       "4:11 phrase.ptx-syntax.no-directive-of-function(directive=maxnreg)"},
      {".entry k() .noreturn { trap; }",
       "4:12 phrase.ptx-syntax.no-directive-of-kernel(directive=noreturn)"},
      {".entry k() .abi_preserve 8 { ret; }",
       "4:12 phrase.ptx-syntax.no-directive-of-kernel(directive=abi_preserve)"},
      {".func .noreturn f() { trap; }",
       "4:7 phrase.ptx-syntax.expected(found='.noreturn', "
       "what=phrase.ptx-what.the-name-of-the-function)"},
      {".entry .maxnreg 8 k() { ret; }",
       "4:8 phrase.ptx-syntax.expected(found='.maxnreg', "
       "what=phrase.ptx-what.the-name-of-the-function)"},
      {".entry k() .minperctamemory 8 { ret; }",
       "4:12 phrase.ptx-syntax.no-directive-of-kernel(directive=minperctamemory)"},
      {".pragma \"frequency 3\";",
       "4:9 phrase.ptx-syntax.within-function(directive=.pragma \"frequency\")"},
      {".sreg .u32 s;", "4:1 phrase.ptx-syntax.no-directive-in-module(directive=sreg)"},
      {".global .v8 .b32 x;",
       "4:9 phrase.ptx-syntax.expected(found=.v8, what=phrase.ptx-what.a-type)"},
      {".entry k() { .loc_intermediate 1 2 3 ret; }",
       "4:14 phrase.ptx-syntax.no-directive-in-function(directive=loc_intermediate)"},
  }));
  CHECK(failure_in_module(text) == why);
}

TEST_CASE("directives that contradict each other are refused", "[ptx]") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {".entry k() .maxntid 32 .reqntid 32 { ret; }", "4:12 phrase.ptx-syntax.maxntid-reqntid"},
      {".entry k() .reqnctapercluster 2 .maxclusterrank 8 { ret; }",
       "4:12 phrase.ptx-syntax.two-clusters"},
      {".entry k() .reqntid 32 .blocksareclusters { ret; }",
       "4:12 phrase.ptx-syntax.blocksareclusters"},
      {".func (.param .b32 r) f() .noreturn { trap; }", "4:27 phrase.ptx-syntax.noreturn"},
      {".entry k() { p: .callprototype (.param .b32 _) _ () .noreturn; ret; }",
       "4:53 phrase.ptx-syntax.noreturn"},
  }));
  CHECK(failure_in_module(text) == why);
  if (const auto refusal = tests::refusal_of_module(std::string(kHead) + text))
    CHECK_FALSE(refusal->empty());
}

TEST_CASE("a target is an architecture, and its options are known", "[ptx]") {
  CHECK(failure_of(".version 3.0\n.target sm_30, texmode_independent, debug\n") == "it parses");
  CHECK(failure_of(".version 1.4\n.target sm_10, map_f64_to_f32\n") == "it parses");
  CHECK(failure_of(".version 3.0\n.target sm_30, strange\n") ==
        "2:16 phrase.ptx-syntax.unknown-target(target=strange)");
  CHECK(failure_of(".version 3.0\n.target texmode_independent\n") ==
        "2:1 phrase.ptx-syntax.no-architecture");
}

}  // namespace warpbook::device::ptx::dialect_test
