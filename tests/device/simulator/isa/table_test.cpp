// The table of instructions: complete, true to what the decoder does, and the source of docs/ptx-support.md.
#include "device/simulator/isa/forms.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/isa/neighbours.hpp"
#include "tests/device/simulator/isa/ptxas.hpp"
#include "tests/device/simulator/isa/samples.hpp"
#include "tests/device/simulator/isa/support_page.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::table_test {
namespace {

using isa::InstructionRow;
using isa::Support;

std::string file_in_tree(const std::string& name) { return WARPBOOK_SOURCE_DIR "/" + name; }

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> instructions_of_the_isa() {
  std::set<std::string> names;
  std::istringstream lines(text_of_file(file_in_tree("tests/device/simulator/isa/isa_9_0.txt")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) names.insert(word);
  }
  return names;
}

/// Why the samples do not load, as the simulator says it; empty where they do.
std::string refusal(const std::vector<std::string>& samples, isa::Dialect dialect = {}) {
  auto module = ptx::parse(kernel_of(samples, dialect), "samples.ptx");
  if (!module) return module.error().english() + " in " + samples.front();
  auto memory = std::make_shared<GlobalMemory>(std::uint64_t{1} << 20);
  auto image = load_module(std::move(*module), small_gpu(), memory);
  if (!image) return image.error().english();
  const auto prepared = (*image)->prepare("k");
  return prepared ? "" : prepared.error().english();
}

/// Calls `visit` with up to 400 of them at a time.
template <class Visit>
void in_portions(const Samples& samples, const Visit& visit) {
  constexpr std::size_t kPortion = 400;
  const auto begin = samples.texts.begin();
  for (std::size_t at = 0; at < samples.texts.size(); at += kPortion) {
    const std::size_t end = std::min(at + kPortion, samples.texts.size());
    visit(std::vector<std::string>(begin + static_cast<std::ptrdiff_t>(at),
                                   begin + static_cast<std::ptrdiff_t>(end)),
          samples.dialect);
  }
}
template <class Visit>
void in_portions(const InstructionRow& row, const Visit& visit) {
  for (const Samples& samples : samples_by_dialect(row)) in_portions(samples, visit);
}

/// Fails for each of the samples that is not taken, and says why of the first five.
void check_taken(const std::vector<std::string>& samples, isa::Dialect dialect) {
  if (refusal(samples, dialect).empty()) return;
  int refused = 0;
  for (const std::string& sample : samples) {
    const std::string why = refusal({sample}, dialect);
    if (!why.empty() && ++refused <= 5) FAIL_CHECK(sample << " - " << why);
  }
  CAPTURE(samples.front(), refused);
  CHECK(refused == 0);
}

/// Those of .version 9.0 and sm_90.
std::vector<std::string> all_samples() {
  std::vector<std::string> samples;
  for (const InstructionRow& row : isa::instruction_table()) {
    for (std::string& s : samples_of(row)) samples.push_back(std::move(s));
  }
  return samples;
}

bool has(std::initializer_list<std::string_view> words, isa::Dialect dialect = {}) {
  std::vector<ptx::Word> m;
  for (const auto w : words) m.push_back(ptx::find_word(w));
  return isa::find_form(m[0], std::span(m).subspan(1), dialect).has == isa::HasForm::yes;
}

/// Holds what the simulator takes of `asked` against ptxas. At most one in 500 is taken here alone, for its operands or the
/// order of its words; and one in 200 by ptxas alone: what docs/ptx-support.md names.
void compare_with_ptxas(const std::vector<std::string>& asked) {
  const auto ptxas = refusals_of_ptxas(asked);
  if (!ptxas) SKIP("there is no ptxas of CUDA 13.0");
  std::vector<std::string> ours, theirs;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool takes = refusal({asked[i]}).empty(), may = (*ptxas)[i].empty();
    if (takes && !may) ours.push_back(asked[i] + " - " + (*ptxas)[i]);
    if (may && !takes) theirs.push_back(asked[i]);
  }
  const auto few = [](const std::vector<std::string>& all) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 20); ++i) text += all[i] + "\n";
    return text;
  };
  INFO("taken here alone:\n" << few(ours) << "taken by ptxas alone:\n" << few(theirs));
  CHECK(500 * ours.size() <= asked.size());
  CHECK(200 * theirs.size() <= asked.size());
}

}  // namespace

TEST_CASE("the table has every instruction of the ISA and no other", "[device]") {
  const std::set<std::string> names = instructions_of_the_isa();
  REQUIRE(names.size() > 150);
  std::set<std::string> had;
  std::set<std::pair<std::string_view, std::string_view>> rows;
  for (const InstructionRow& row : isa::instruction_table()) {
    CAPTURE(row.name, row.group);
    CHECK(names.count(std::string(row.name)) == 1);
    CHECK(rows.insert({row.name, row.group}).second);
    had.insert(std::string(row.name));
    const std::string_view opcode = row.name.substr(0, row.name.find('.'));
    CHECK(ptx::find_word(opcode) != ptx::Word::unknown);
    const bool never = row.support == Support::left_out || row.support == Support::newer;
    CHECK(row.reason.empty() != never);
    CHECK(isa::lines_of(row).empty() == (row.support != Support::executes));
  }
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(had.count(name) == 1);
  }
}

TEST_CASE("every sample bears the name of its row", "[device]") {
  for (const InstructionRow& row : isa::instruction_table()) {
    for (const std::string& sample : samples_of(row)) {
      const std::string_view opcode = row.name.substr(0, row.name.find('.'));
      if (sample.find(opcode) == std::string::npos) FAIL_CHECK(row.name << ": " << sample);
    }
  }
  const auto row = [](std::initializer_list<std::string_view> words) {
    std::vector<ptx::Word> m;
    for (const auto w : words) m.push_back(ptx::find_word(w));
    const InstructionRow* found = isa::row_of(m[0], std::span(m).subspan(1));
    return found ? found->name : "";
  };
  CHECK(row({"add", "u32"}) == "add");
  CHECK(row({"add", "cc", "u32"}) == "add.cc");
  CHECK(row({"ld", "global", "L1::no_allocate", "nc", "u32"}) == "ld.global.nc");
  CHECK(row({"cp", "async", "bulk", "tensor", "2d"}) == "cp.async.bulk.tensor");
  CHECK(row({"wgmma", "fence", "sync", "aligned"}) == "wgmma.fence");
  CHECK(row({"mma", "sp::ordered_metadata", "sync"}) == "mma.sp");
  CHECK(row({"b32"}).empty());
}

TEST_CASE("every form of an instruction that executes is decoded", "[device][ci]") {
  for (const InstructionRow& row : isa::instruction_table()) in_portions(row, check_taken);
}

TEST_CASE("every form of an instruction that executes runs without a finding", "[device][ci]") {
  for (const InstructionRow& row : isa::instruction_table()) {
    in_portions(row, [&](const std::vector<std::string>& some, isa::Dialect dialect) {
      if (!refusal(some, dialect).empty()) return;  // the test above says so
      CAPTURE(row.name, some.front());
      PtxBench bench(kernel_of(some, dialect));
      bench.request.observe.initcheck = false;
      const auto record = bench.try_launch({1, 1, 1}, {64, 1, 1}, std::array<std::uint64_t, 8>{});
      if (!record) {
        FAIL_CHECK(record.error().english());
      } else if (record->error) {
        FAIL_CHECK(record->error->english() << " at line " << record->error->place.line);
      } else {
        CHECK(record->findings_total == 0);
      }
    });
  }
}

TEST_CASE("an instruction has the modifiers of a form, in any order but for types and their like",
          "[device]") {
  CHECK(has({"add", "rn", "ftz", "f32"}));
  CHECK(has({"add", "f32", "ftz", "rn"}));
  CHECK_FALSE(has({"add", "ftz", "f64"}));
  CHECK_FALSE(has({"add", "rn", "rz", "f32"}));
  CHECK_FALSE(has({"add", "f32", "f32"}));
  CHECK_FALSE(has({"add"}));
  CHECK(has({"cvt", "rn", "f16", "f32"}));
  CHECK_FALSE(has({"cvt", "rm", "relu", "s32", "f64"}));
  CHECK(has({"cvt", "f32", "f16"}));
  CHECK_FALSE(has({"cvt", "f16", "f32"}));
  CHECK(has({"mma", "sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"}));
  CHECK_FALSE(
      has({"mma", "sync", "aligned", "m16n8k16", "col", "row", "f32", "f16", "f16", "f32"}));
  CHECK(has({"ld", "global", "relaxed", "gpu", "v2", "f32"}));
  CHECK_FALSE(has({"ld", "global", "relaxed", "gpu", "ca", "f32"}));
  CHECK_FALSE(has({"ld", "v4", "f64"}));
  CHECK_FALSE(has({"exit", "u32"}));
  CHECK_FALSE(has({"b32"}));
}

TEST_CASE("a form may be of later targets, or of older PTX, alone", "[device]") {
  CHECK(has({"fma", "rn", "bf16"}, {900, 80}));
  CHECK_FALSE(has({"fma", "rn", "bf16"}, {900, 75}));
  CHECK_FALSE(has({"ld", "global", "L2::256B", "f32"}, {900, 75}));
  CHECK(has({"ld", "global", "L2::128B", "f32"}, {900, 75}));
  CHECK_FALSE(has({"shfl", "idx", "b32"}));
  CHECK(has({"shfl", "idx", "b32"}, {603, 70}));
  CHECK(has({"shfl", "idx", "b32"}, {900, 60}));
  CHECK(has({"sin", "f32"}, {103, 13}));
  CHECK_FALSE(has({"sin", "f32"}, {104, 13}));
  CHECK(has({"ldmatrix", "sync", "aligned", "m8n8", "x1", "shared", "b16"}, {605, 75}));
  CHECK_FALSE(has({"ldmatrix", "sync", "aligned", "m8n8", "x1", "shared", "b16"}, {604, 75}));
  CHECK(has({"ld", "shared::cta", "u32"}, {708, 75}));
  CHECK_FALSE(has({"ld", "shared::cta", "u32"}, {707, 75}));
  CHECK(has({"mbarrier", "arrive", "release", "cluster", "shared", "b64"}, {800, 90}));
  CHECK_FALSE(has({"mbarrier", "arrive", "release", "cluster", "shared", "b64"}, {708, 90}));
  CHECK(has({"wmma", "load", "a", "sync", "row", "m16n16k16", "f16"}, {602, 70}));
  CHECK_FALSE(has({"wmma", "load", "a", "sync", "row", "m16n16k16", "f16"}, {603, 70}));
  CHECK(has({"ld", "relaxed", "sys", "global", "b128"}, {804, 75}));
  CHECK_FALSE(has({"ld", "relaxed", "sys", "global", "b128"}, {803, 75}));
  CHECK(has({"ld", "relaxed", "gpu", "global", "b128"}, {803, 75}));
  CHECK_FALSE(has({"atom", "sys", "cas", "b128"}, {803, 90}));
  CHECK(has({"cvt", "rn", "satfinite", "e4m3x2", "f32"}, {708, 90}));
  CHECK(has({"cvt", "rn", "satfinite", "e4m3x2", "f32"}, {801, 89}));
  CHECK_FALSE(has({"cvt", "rn", "satfinite", "e4m3x2", "f32"}, {800, 89}));
  const std::string why = refusal({"ld.global.L2::256B.f32 %d32, [%global];"}, {708, 75});
  CHECK(why.find("PTX 7.8 does not have it for sm_75") != std::string::npos);
}

TEST_CASE("operands may be of later versions or targets than the form", "[device]") {
  const auto [sample, first, before] = GENERATE(table<std::string, isa::Dialect, isa::Dialect>({
      {"mov.b32 %d32, %reserved_smem_offset_1;", {706, 80}, {705, 80}},
      {"mov.b32 %d32, %reserved_smem_offset_1;", {706, 80}, {900, 75}},
      {"mov.u32 %d32, %cluster_ctarank;", {708, 90}, {900, 89}},
      {"mov.b64 %d64, {%clusterid.x, %a32};", {708, 90}, {900, 89}},
      {"cvt.u64.u32 %d64, %nclusterid.x;", {708, 90}, {900, 89}},
      {"mov.pred %dp, %is_explicit_cluster;", {708, 90}, {900, 89}},
      {"mov.u32 %d32, %aggr_smem_size;", {801, 90}, {800, 90}},
      {"mov.u64 %d64, %current_graph_exec;", {800, 75}, {708, 75}},
      {"cp.async.ca.shared.global [%shared], [%global], 4, %never;", {705, 80}, {704, 80}},
      {"mbarrier.arrive.shared.b64 %d64, [%barrier], 1;", {708, 90}, {900, 89}},
      {"mbarrier.arrive_drop.shared.b64 %d64, [%barrier], 1;", {708, 90}, {900, 89}},
      {"mbarrier.arrive.shared.b64 _, [%barrier];", {701, 80}, {700, 80}},
      {"tex.2d.v4.f32.f32 {%d32, %f32, %g32, %h32}|%dp, [%texture, {%a32, %b32}];",
       {701, 75},
       {700, 75}},
      {"tld4.r.2d.v4.f32.f32 {%d32, %f32, %g32, %h32}|%dp, [%texture, {%a32, %b32}];",
       {701, 75},
       {700, 75}},
  }));
  CAPTURE(sample);
  CHECK(refusal({sample}, first).empty());
  CHECK(refusal({sample}, before).find("does not have it for sm_") != std::string::npos);
}

TEST_CASE("what no form has is refused, with its text", "[device]") {
  for (const char* sample : {"cvt.rm.relu.s32.f64 %d32, %a64;", "exit.u32;",
                             "createpolicy.range.b64 %d64, [%global], 64, 128;",
                             "sin.f32 %d32, %a32;", "mul.u32 %d32, %a32, %b32;",
                             "add.sat.bf16 %d16, %a16, %b16;", "ld.cta.u32 %d32, [%global];",
                             "red.global.add.L2::cache_hint.u32 [%global], %a32, [%shared];",
                             "atom.global.add.f16 %d16, [%global], %a16;"}) {
    CAPTURE(sample);
    const std::string why = refusal({sample});
    CHECK(why.find(sample) != std::string::npos);
  }
}

TEST_CASE(
    "ptxas takes what stands in the table, and what else there is near it is taken where "
    "ptxas takes it",
    "[device][ci]") {
  std::mt19937_64 random(1);
  std::vector<std::string> asked = neighbours(16, random);
  for (const InstructionRow& row : isa::instruction_table()) {
    const std::vector<std::string> samples = samples_of(row);
    for (std::size_t k = 0; k < std::min<std::size_t>(samples.size(), 8); ++k)
      asked.push_back(samples[random() % samples.size()]);
  }
  compare_with_ptxas(asked);
}

TEST_CASE("what computes takes registers of other widths where ptxas does", "[device][ci]") {
  std::mt19937_64 random(3);
  compare_with_ptxas(other_registers(24, random));
}

TEST_CASE("an integer that is converted from or to bf16 has a register of its own width",
          "[device]") {
  for (const char* sample :
       {"cvt.rni.u16.bf16 %d16, %a16;", "cvt.rn.bf16.s8 %d16, %a8;", "cvt.rn.bf16.u32 %d16, 5;",
        "cvt.rni.s16.f16 %d32, %a16;", "cvt.rn.f32.u16 %d32, %a64;"}) {
    CAPTURE(sample);
    CHECK(refusal({sample}).empty());
  }
  for (const char* sample : {"cvt.rni.u16.bf16 %d32, %a16;", "cvt.rn.bf16.s8 %d16, %a16;",
                             "cvt.rn.bf16.u32 %d16, %a64;", "cvt.rzi.s32.bf16 %d64, %a16;"}) {
    CAPTURE(sample);
    CHECK(refusal({sample}).find(sample) != std::string::npos);
  }
}

TEST_CASE("a constant is added to no register of a division that ptxas replaces by its own text",
          "[device]") {
  for (const char* sample : {"div.u32 %d32, %a32+4, %b32;", "rcp.rz.f32 %d32, %a32+4;",
                             "div.rn.f64 %d64, %a64+4, %b64;", "sqrt.rn.f64 %d64, %a64+4;"}) {
    CAPTURE(sample);
    CHECK(refusal({sample}).empty());
  }
  for (const char* sample : {"rem.s64 %d64, %a64, %b64+4;", "div.rz.f32 %d32, %a32+4, %b32;",
                             "div.rm.f64 %d64, %a64+4, %b64;", "sqrt.rp.f64 %d64, %a64+4;"}) {
    CAPTURE(sample);
    CHECK(refusal({sample}).find(sample) != std::string::npos);
  }
}

TEST_CASE("ptxas takes all samples of the table", "[device][long]") {
  const std::vector<std::string> samples = all_samples();
  const auto ptxas = refusals_of_ptxas(samples);
  if (!ptxas) SKIP("there is no ptxas of CUDA 13.0");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!(*ptxas)[i].empty()) FAIL_CHECK(samples[i] << " - " << (*ptxas)[i]);
  }
}

TEST_CASE("each sample is taken in the versions of PTX and for the targets in which ptxas takes it",
          "[device][long]") {
  const std::vector<std::string> samples = all_samples();
  const isa::Dialect dialect = GENERATE(values<isa::Dialect>(
      {{603, 75}, {604, 75}, {605, 75}, {700, 80}, {701, 86}, {702, 86}, {703, 86}, {704, 87},
       {705, 87}, {706, 87}, {707, 87}, {708, 75}, {708, 89}, {708, 90}, {800, 89}, {800, 90},
       {801, 89}, {801, 90}, {802, 90}, {803, 90}, {804, 90}, {805, 90}, {806, 90}, {807, 90},
       {808, 90}, {900, 75}, {900, 80}, {900, 86}, {900, 87}, {900, 89}}));
  CAPTURE(dialect.version, dialect.target);
  const auto ptxas = refusals_of_ptxas(samples, dialect);
  if (!ptxas) SKIP("there is no ptxas of CUDA 13.0");
  Samples taken{dialect, {}};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string& theirs = (*ptxas)[i];
    if (theirs.empty())
      taken.texts.push_back(samples[i]);
    else if (refusal({samples[i]}, dialect).empty())
      FAIL_CHECK(samples[i] << " - " << theirs);
  }
  in_portions(taken, check_taken);
}

TEST_CASE("far and wide around the table, ptxas takes what is taken here", "[device][long]") {
  std::mt19937_64 random(2);
  compare_with_ptxas(neighbours(1000, random));
}

TEST_CASE("what is left out says why", "[device]") {
  const auto error = [](const std::string& instruction) { return refusal({instruction}); };
  CHECK(error("wgmma.fence.sync.aligned;").find("warpgroup") != std::string::npos);
  CHECK(error("tcgen05.wait::ld.sync.aligned;").find("sm_100") != std::string::npos);
  CHECK(error("add.rn.f32x2 %d64, %a64, %b64;").find("does not have the instruction") !=
        std::string::npos);
}

TEST_CASE("docs/ptx-support.md is what the table says; WARPBOOK_FIX=1 writes it", "[device]") {
  const std::string path = file_in_tree("docs/ptx-support.md"), page = support_page();
  if (std::getenv("WARPBOOK_FIX")) std::ofstream(path, std::ios::binary) << page;
  CHECK(text_of_file(path) == page);
}

}  // namespace warpbook::device::tests::table_test
