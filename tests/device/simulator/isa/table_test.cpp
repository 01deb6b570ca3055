// The table of instructions: complete, true to what the decoder does, and the source of docs/ptx-support.md.
#include "device/simulator/isa/instruction_table.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/device/simulator/isa/samples.hpp"
#include "tests/device/simulator/isa/support_page.hpp"
#include "tests/device/simulator/machine/ptx_bench.hpp"

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

/// Why the samples do not load, as the engine says it; empty where they do.
std::string refusal(const std::vector<std::string>& samples) {
  auto module = ptx::parse(kernel_of(samples), "samples.ptx");
  if (!module) return module.error().english() + " in " + samples.front();
  auto memory = std::make_shared<GlobalMemory>(std::uint64_t{1} << 20);
  auto image = load_image(std::move(*module), small_gpu(), memory);
  if (!image) return image.error().english();
  const auto prepared = (*image)->prepare("k");
  return prepared ? "" : prepared.error().english();
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
    if (row.support == Support::executes) CHECK_FALSE(forms_of(row).empty());
    if (row.support != Support::executes) CHECK(forms_of(row).empty());
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
  for (const InstructionRow& row : isa::instruction_table()) {
    const std::vector<std::string> samples = samples_of(row);
    for (std::size_t at = 0; at < samples.size(); at += 400) {
      const std::vector<std::string> some(
          samples.begin() + static_cast<std::ptrdiff_t>(at),
          samples.begin() + static_cast<std::ptrdiff_t>(std::min(at + 400, samples.size())));
      if (refusal(some).empty()) continue;
      int shown = 0, refused = 0;
      for (const std::string& sample : some) {
        const std::string why = refusal({sample});
        if (why.empty()) continue;
        ++refused;
        if (++shown <= 5) FAIL_CHECK(row.name << ": " << sample << " - " << why);
      }
      CAPTURE(row.name, refused);
      CHECK(refused == 0);
    }
  }
}

TEST_CASE("every form of an instruction that executes runs without a finding", "[device][ci]") {
  for (const InstructionRow& row : isa::instruction_table()) {
    const std::vector<std::string> samples = samples_of(row);
    for (std::size_t at = 0; at < samples.size(); at += 400) {
      const std::vector<std::string> some(
          samples.begin() + static_cast<std::ptrdiff_t>(at),
          samples.begin() + static_cast<std::ptrdiff_t>(std::min(at + 400, samples.size())));
      if (!refusal(some).empty()) continue;  // the test above says so
      CAPTURE(row.name, some.front());
      PtxBench bench(kernel_of(some));
      bench.request.observe.initcheck = false;
      const auto record = bench.try_launch({1, 1, 1}, {64, 1, 1}, std::array<std::uint64_t, 8>{});
      if (!record) {
        FAIL_CHECK(record.error().english());
      } else if (record->error) {
        FAIL_CHECK(record->error->english() << " at line " << record->error->place.line);
      } else {
        CHECK(record->findings_total == 0);
      }
    }
  }
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
