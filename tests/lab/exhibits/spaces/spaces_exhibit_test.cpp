// The memory spaces: what their sentence says and what their renderers show, of empty, huge and unknown data too; and
// that they are made from a record alone.
#include <algorithm>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/spaces/spaces_of.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::spaces_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;
using Space = SpacesExhibit::Space;

const SpacesExhibit::Row& row(const SpacesExhibit& spaces, Space space) {
  const SpacesExhibit::Row* found = row_of(spaces, space);
  REQUIRE(found);
  return *found;
}

/// Two warps of a block read constant memory: all lanes the same word, then every lane one of two.
device::LaunchRecord record() {
  device::LaunchRecord made;
  made.kernel = "filter";
  made.grid = {1, 1, 1};
  made.block = {64, 1, 1};
  made.static_shared = 100;
  made.dynamic_shared = 28;
  made.counted = true;
  made.total.global_requests = 7;
  made.total.global_sectors = 28;
  made.total.global_bytes_asked = 896;
  made.total.local_requests = 5;
  made.total.local_bytes = 640;
  made.total.shared_requests = 3;
  made.total.shared_bytes = 384;
  made.total.shared_wavefronts = 6;
  made.total.constant_requests = 2;
  made.total.texture_requests = 4;
  made.total.global_store_sectors = 9;
  made.instructions.resize(3);
  made.instructions[1].text = "@%p1 st.local.f32 [%rd1], %f1;";
  made.instructions[1].counters.local_bytes = 512;
  made.instructions[2].text = "ld.local.f32 %f2, [%rd1];";
  made.instructions[2].counters.local_bytes = 128;
  for (std::uint32_t warp = 0; warp < 2; ++warp) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      device::Access access;
      access.address = 4096 + (warp == 0 ? 0 : 4 * (lane % 2));
      access.thread = 32 * warp + lane;
      access.request = 1 + warp;
      access.bytes = 4;
      access.space = device::Space::constant;
      made.trace.push_back(access);
    }
  }
  made.estimate.emplace();
  made.estimate->l2_bytes = 511.6;
  made.estimate->dram_bytes = 0.25;
  made.estimate->l1_hits = 0.5;
  return made;
}

}  // namespace

TEST_CASE("Spaces: the sentence says where requests went and what a thread holds") {
  CHECK(sentence(exhibit(sample::spaces()), sample::keys()) ==
        "spaces.sent(kernel=filter, what=spaces.asked-of.l1(amount=spaces.requests(count=2,176)); "
        "spaces.asked-of.local(amount=spaces.requests(count=320)); "
        "spaces.asked-of.shared(amount=spaces.requests(count=264)); "
        "spaces.asked-of.constant(amount=spaces.requests(count=1)); "
        "spaces.asked-of.texture(amount=spaces.requests(count=16))); "
        "spaces.holds(what=spaces.thread(registers=40, local=32 B)); spaces.spilled(bytes=8 B)");
  SpacesExhibit avoided = sample::spaces();
  avoided.machine_local = 0;
  CHECK(holds(sentence(exhibit(avoided), sample::keys()), "spaces.avoided"));
  avoided.machine_local.reset();
  CHECK_FALSE(holds(sentence(exhibit(avoided), sample::keys()), "spaces.avoided"));
}

TEST_CASE("Spaces: text names every space with its size, its clocks and its traffic") {
  const std::string text = to_text(exhibit(sample::spaces()), english(), 100);
  const auto says = [](const char* key, const MessageArguments& arguments = {}) {
    return english()(key, arguments);
  };
  const auto named = [&](const char* space) {
    std::string name = says(space);
    return name + std::string(18 - name.size(), ' ');  // the column of names
  };
  CHECK(holds(text, named("spaces.name.shared") +
                        says("spaces.size.shared", {{"size", "228 KiB"}}) + " · " +
                        says("spaces.clocks", {{"clocks", "28.6"}})));
  CHECK(holds(text, "→ " + says("spaces.requests", {{"count", 264}}) + ", " +
                        says("spaces.asked", {{"bytes", "32.2 KiB"}}) + ", " +
                        says("spaces.passes", {{"count", 300}})));
  CHECK(holds(text, says("spaces.for-global",
                         {{"traffic", says("spaces.moved", {{"bytes", "204 KiB"}})}})));
  CHECK(holds(text, "→ " + says("spaces.moved-estimated", {{"bytes", "33.2 KiB"}})));
  CHECK(holds(text, named("spaces.name.texture") + says("spaces.size.texture")));
  CHECK(holds(text, "→ " + says("spaces.thread", {{"registers", 40}, {"local", "32 B"}})));
}

TEST_CASE("Spaces: JSON has null for what is not known, and the table leaves it empty") {
  const auto value = to_json(exhibit(sample::spaces()), english())["value"];
  CHECK(value["rows"].size() == 8);
  CHECK(value["rows"][0]["latency"].is_null());
  CHECK(value["rows"][2]["latency"] == 28.6);
  CHECK(value["rows"][4]["estimated"] == true);
  CHECK(value["rows"][4]["requests"].is_null());
  CHECK(value["registers"] == 40);
  const Table table = table_of(exhibit(sample::spaces()), english());
  REQUIRE(table.rows.size() == 8);
  CHECK(table.rows[2] == std::vector<std::string>{"shared memory", "233472", "28.6", "264", "33024",
                                                  "", "300", "counted"});
  CHECK(table.rows[0].back().empty());
}

TEST_CASE("Spaces: counters of 64 bits, no machine code and no figures are shown, never a crash") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  SpacesExhibit huge = sample::spaces();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (SpacesExhibit::Row& each : huge.rows) each.requests = each.asked = each.moved = most;
  CHECK(holds(sentence(exhibit(huge), *strings), "18,446,744,073,709,551,615"));
  CHECK(holds(to_html(exhibit(huge), *strings), "16 EiB"));
  SpacesExhibit unknown;
  unknown.kernel = "k<int>";
  unknown.rows.resize(8);
  for (std::uint8_t i = 0; i < 8; ++i) unknown.rows[i].space = static_cast<Space>(i);
  CHECK(sentence(exhibit(unknown), sample::keys()) ==
        "spaces.not-counted(kernel=k<int>); spaces.holds(what=spaces.thread-unknown(local=0 B))");
  CHECK(holds(to_text(exhibit(unknown), english(), 60), "no figure"));
  CHECK_FALSE(holds(to_text(exhibit(unknown), english(), 60), "0 clocks"));
  CHECK(holds(to_html(exhibit(unknown), *strings), "</svg>"));
  CHECK_FALSE(holds(to_text(exhibit(unknown), *strings, 24), "<spaces"));

  const SpacesExhibit empty;
  CHECK(sentence(exhibit(empty), sample::keys()) == "spaces.none(kernel=)");
  CHECK_FALSE(holds(to_html(exhibit(empty), *strings), "<svg"));
  CHECK(table_of(exhibit(empty), *strings).rows.empty());
  SpacesExhibit one;
  one.rows = {{Space::l2, 1, 1, true, {}, {}, 1, {}, {}}};
  CHECK(holds(to_html(exhibit(one), *strings), "</svg>"));
}

TEST_CASE("Spaces: they are made from the record, the kernel and a row of the GPU table") {
  device::KernelInfo kernel;
  kernel.registers = 17;
  kernel.spilled_bytes = 0;
  kernel.local_bytes = 32;
  kernel.machine_mix = {{"LDL", 0x183, 14}, {"FFMA", 0x023, 8}, {"STL", 0x187, 8}};
  const device::Properties& h200 = *device::find_gpu("h200");
  const SpacesExhibit spaces = spaces_of(record(), kernel, h200);
  CHECK(spaces.kernel == "filter");
  CHECK(spaces.gpu == "H200");
  CHECK(spaces.registers == 17u);
  CHECK(spaces.shared_bytes == 128);
  CHECK(spaces.machine_local == 22u);
  CHECK(row(spaces, Space::registers).bytes == 262144);  // 64 K registers of 4 bytes
  CHECK(row(spaces, Space::shared).bytes == 228 * 1024);
  CHECK(row(spaces, Space::shared).passes == 6u);
  CHECK(row(spaces, Space::local).asked == 640u);
  CHECK(row(spaces, Space::l1).moved == 28 * 32u);
  CHECK(row(spaces, Space::l1).stored == 9 * 32u);
  CHECK(row(spaces, Space::local).stored == 512u);
  CHECK(row(spaces, Space::shared).stored == 0u);
  CHECK(row(spaces, Space::l2).moved == 512u);
  CHECK(row(spaces, Space::dram).moved == 0u);
  CHECK(row(spaces, Space::constant).requests == 2u);
  CHECK(row(spaces, Space::constant).asked == 256u);
  CHECK(row(spaces, Space::constant).passes == 3u);  // one address, then two
  CHECK(row(spaces, Space::texture).requests == 4u);
  CHECK(spaces.l1_hits == 0.5);
}

TEST_CASE("Spaces: what a record lacks is not known, rather than 0") {
  const device::Properties& t4 = *device::find_gpu("t4");
  device::LaunchRecord cut = record();
  cut.trace_cut = true;
  cut.estimate.reset();
  const SpacesExhibit spaces = spaces_of(cut, {}, t4);
  CHECK_FALSE(row(spaces, Space::constant).passes);
  CHECK_FALSE(row(spaces, Space::l2).moved);
  CHECK_FALSE(spaces.registers);
  CHECK_FALSE(spaces.machine_local);
  cut.trace_cut = false;
  cut.trace.clear();  // not traced at all
  CHECK_FALSE(row(spaces_of(cut, {}, t4), Space::constant).passes);
  device::LaunchRecord on_gpu = record();
  on_gpu.counted = false;
  CHECK_FALSE(row(spaces_of(on_gpu, {}, t4), Space::l1).requests);
}

}  // namespace warpbook::lab::spaces_exhibit_test
