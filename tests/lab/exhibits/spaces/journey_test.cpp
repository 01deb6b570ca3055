// The way of a value, told from made-up traces: what carries it on, what ends it, and what is not known.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/spaces/journey_of.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::journey_test {
namespace {

using device::AccessKind;
using Box = SpacesExhibit::Box;
using tests::holds;
using enum SpacesExhibit::Box;

constexpr std::uint64_t kX = 4096;  ///< where x stands

/// A launch whose instructions and accesses a test writes down one by one.
class Made {
 public:
  Made() {
    record.counted = true;
    record.allocations = {{"x", kX, 4096, device::ElementType::f32},
                          {"out", 65536, 4096, device::ElementType::f32}};
  }
  std::uint32_t instruction(const char* text, std::uint32_t line) {
    device::InstructionCounters made;
    made.text = text;
    made.place.line = line;
    made.counters.warp_instructions = 1;
    record.instructions.push_back(made);
    return static_cast<std::uint32_t>(record.instructions.size() - 1);
  }
  Made& access(std::uint32_t instruction, device::Space space, AccessKind kind,
               std::uint64_t address, std::uint32_t thread, std::uint8_t bytes = 4,
               std::uint32_t block = 0) {
    device::Access made;
    made.instruction = instruction;
    made.space = space;
    made.kind = kind;
    made.address = address;
    made.thread = thread;
    made.bytes = bytes;
    made.block = block;
    made.request = instruction + 1;
    record.trace.push_back(made);
    return *this;
  }
  [[nodiscard]] SpacesExhibit::Journey follow(std::uint64_t index) const {
    Followed what;
    what.array = "x";
    what.index = index;
    what.count = 1024;
    what.address = kX + 4 * index;
    what.value = "7";
    return journey_of(record, what, *device::find_gpu("h200"));
  }
  [[nodiscard]] std::vector<Box> way(std::uint64_t index) const {
    std::vector<Box> boxes;
    for (const auto& station : follow(index).stations) boxes.push_back(station.box);
    return boxes;
  }
  device::LaunchRecord record;
};

using device::Space;
}  // namespace

TEST_CASE("Journey: a value that is only loaded ends in a register, where its use is named") {
  Made made;
  const auto load = made.instruction("ld.global.f32 %f1, [%rd1];", 5);
  made.instruction("fma.rn.f32 %f3, %f1, %f2, %f4;", 6);
  made.access(load, Space::global, AccessKind::load, kX + 12, 9);
  const auto journey = made.follow(3);
  CHECK(made.way(3) == std::vector{global, l2, l1, registers, registers});
  CHECK(journey.stations[3].thread == 9u);
  CHECK(journey.stations.back().line == 6);
  CHECK(sample::keys()(journey.stations.back().says) == "journey.used(opcode=fma.rn.f32)");
  CHECK(sample::keys()(journey.stations[0].says) ==
        "journey.stands-global(name=x[3], from=x[0], to=x[7])");
  CHECK(journey.readers == 1);
  CHECK(made.follow(4).stations.empty());
}

TEST_CASE("Journey: loads that pass L1 by do not stop there") {
  for (const char* text :
       {"ld.global.cg.f32 %f1, [%rd1];", "ld.volatile.global.f32 %f1, [%rd1];"}) {
    CAPTURE(text);
    Made made;
    made.access(made.instruction(text, 5), Space::global, AccessKind::load, kX, 0);
    CHECK(made.way(0) == std::vector{global, l2, registers});
  }
}

TEST_CASE(
    "Journey: of a vector's registers the one with the value is followed, through moves too") {
  Made made;
  const auto load = made.instruction("ld.global.v2.f32 {%f1, %f2}, [%rd1];", 5);
  made.instruction("mov.b32 %r1, %f2;", 5);
  const auto first = made.instruction("st.shared.f32 [%r8], %f1;", 6),
             second = made.instruction("st.shared.u32 [%r9], %r1;", 7),
             read = made.instruction("ld.shared.f32 %f5, [%r9];", 9);
  made.access(load, Space::global, AccessKind::load, kX + 8, 0, 8)
      .access(first, Space::shared, AccessKind::store, 0, 0)
      .access(second, Space::shared, AccessKind::store, 40, 0)
      .access(read, Space::shared, AccessKind::load, 40, 1)
      .access(read, Space::shared, AccessKind::load, 40, 2);
  const auto journey = made.follow(3);  // bytes 12 to 15: the second
  REQUIRE(journey.stations.size() == 6);
  CHECK(journey.stations[4].box == shared);
  CHECK(journey.stations[4].line == 7);
  CHECK(journey.stations[5].line == 9);
  CHECK(sample::keys()(journey.stations[5].says) ==
        "journey.read-shared(count=2, block=0, thread=1)");
  CHECK(made.follow(2).stations[4].line == 6);
}

TEST_CASE(
    "Journey: what is overwritten is read by nobody, and another block has other shared memory") {
  Made made;
  const auto load = made.instruction("ld.global.f32 %f1, [%rd1];", 5),
             store = made.instruction("st.shared.f32 [%r8], %f1;", 6),
             clear = made.instruction("st.shared.f32 [%r8], %f9;", 7),
             read = made.instruction("ld.shared.f32 %f5, [%r9];", 9);
  made.access(load, Space::global, AccessKind::load, kX, 0)
      .access(store, Space::shared, AccessKind::store, 0, 0)
      .access(clear, Space::shared, AccessKind::store, 0, 3)
      .access(read, Space::shared, AccessKind::load, 0, 1)
      .access(read, Space::shared, AccessKind::load, 0, 1, 4, 1);
  CHECK(made.way(0) == std::vector{global, l2, l1, registers, shared});
}

TEST_CASE("Journey: a register that is loaded anew or written elsewhere carries it no further") {
  Made again;
  const auto load = again.instruction("ld.global.f32 %f1, [%rd1];", 5),
             store = again.instruction("st.shared.f32 [%r8], %f1;", 6);
  again.access(load, Space::global, AccessKind::load, kX, 0)
      .access(load, Space::global, AccessKind::load, kX + 4, 0)
      .access(store, Space::shared, AccessKind::store, 0, 0);
  CHECK(again.way(0) == std::vector{global, l2, l1, registers});
  CHECK(again.way(1) == std::vector{global, l2, l1, registers, shared});
  again.instruction("add.f32 %f1, %f1, %f2;", 7);
  CHECK(again.way(1) == std::vector{global, l2, l1, registers});
}

TEST_CASE("Journey: a copy goes by L2 to the element's own place, and another thread may read it") {
  Made made;
  const auto load = made.instruction("ld.global.f32 %f1, [%rd1];", 5),
             store = made.instruction("st.global.f32 [%rd2], %f1;", 6),
             read = made.instruction("ld.global.f32 %f7, [%rd3];", 8);
  made.access(load, Space::global, AccessKind::load, kX, 0)
      .access(store, Space::global, AccessKind::store, 65536 + 20, 0)
      .access(read, Space::global, AccessKind::load, 65536 + 20, 3, 4, 2);
  CHECK(made.way(0) == std::vector{global, l2, l1, registers, l2, global, registers});
  CHECK(sample::keys()(made.follow(0).stations[5].says) == "journey.store-global(element=out[5])");
}

TEST_CASE("Journey: what a thread keeps in local memory stands there for nobody else") {
  Made made;
  const auto load = made.instruction("ld.global.f32 %f1, [%rd1];", 5),
             store = made.instruction("st.local.f32 [%rd4], %f1;", 6),
             read = made.instruction("ld.local.f32 %f5, [%rd4];", 9);
  made.access(load, Space::global, AccessKind::load, kX, 3)
      .access(store, Space::local, AccessKind::store, 16, 3)
      .access(read, Space::local, AccessKind::load, 16, 4)
      .access(read, Space::local, AccessKind::load, 16, 3);
  CHECK(made.way(0) == std::vector{global, l2, l1, registers, local, registers});
  const auto journey = made.follow(0);
  CHECK(journey.stations.back().thread == 3u);
  CHECK(sample::english()(journey.stations.back().cost) == "1 load");
}

TEST_CASE("Journey: of textures the record has requests and lanes, and nobody's name") {
  Made made;
  const auto fetch = made.instruction("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];", 5);
  made.record.instructions[fetch].counters.texture_requests = 3;
  made.record.instructions[fetch].counters.thread_instructions = 70;
  made.record.total.texture_requests = 3;
  Followed what;
  what.array = "x";
  what.count = 1024;
  what.address = kX;
  CHECK(journey_of(made.record, what, *device::find_gpu("h200")).stations.empty());
  what.textured = true;
  const auto journey = journey_of(made.record, what, *device::find_gpu("h200"));
  REQUIRE(journey.stations.size() == 4);
  CHECK(journey.stations[0].box == texture);
  CHECK_FALSE(journey.stations[3].thread);
  CHECK(journey.stations[3].line == 5);
  CHECK(sample::keys()(journey.stations[3].says) == "journey.texture-held(lanes=70)");
  CHECK(sample::keys()(journey.stations[3].cost) == "spaces.requests(count=3)");
  CHECK(journey.readers == 0);
}

TEST_CASE("Journey: an asynchronous copy needs no register") {
  Made made;
  const auto copy = made.instruction("cp.async.ca.shared.global [%r1], [%rd1], 16;", 5),
             read = made.instruction("ld.shared.f32 %f5, [%r9];", 9);
  made.access(copy, Space::global, AccessKind::load, kX, 0, 16)
      .access(copy, Space::shared, AccessKind::store, 64, 0, 16)
      .access(read, Space::shared, AccessKind::load, 72, 6);
  CHECK(made.way(2) == std::vector{global, l2, l1, shared, registers});
  CHECK(made.way(3) == std::vector{global, l2, l1, shared});
}

TEST_CASE("Journey: a value that goes round and round ends after twelve stations") {
  Made made;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const std::string name = "%f" + std::to_string(i);
    const auto load = made.instruction((i == 0 ? "ld.global.f32 " + name + ", [%rd1];"
                                               : "ld.shared.f32 " + name + ", [%rd1];")
                                           .c_str(),
                                       i + 1),
               store = made.instruction(("st.shared.f32 [%r8], " + name + ";").c_str(), i + 1);
    made.access(load, i == 0 ? Space::global : Space::shared, AccessKind::load, i == 0 ? kX : 4 * i,
                0)
        .access(store, Space::shared, AccessKind::store, 4 * (i + 1), 0);
  }
  CHECK(made.way(0).size() <= 12);
  CHECK(made.way(0).size() > 8);
}

TEST_CASE("Journey: the sentence, the text, JSON and the table tell every station") {
  Made made;
  const auto load = made.instruction("ld.global.f32 %f1, [%rd1];", 5);
  made.access(load, Space::global, AccessKind::load, kX + 12, 9);
  SpacesExhibit spaces = sample::spaces();
  spaces.journey = made.follow(3);
  const Exhibit shown = sample::exhibit(spaces);
  CHECK(sentence(shown, sample::keys()) ==
        "journey.way(value=x[3] = 7, places=spaces.place.global → spaces.place.l2 → "
        "spaces.place.l1 → spaces.place.registers); journey.asked(threads=count.threads(count=1), "
        "requests=spaces.requests(count=1))");
  const std::string text = to_text(shown, sample::english(), 90);
  CHECK(holds(text, " 1  global memory"));
  CHECK(holds(text, " 4  register · line 5 · 690 clocks"));
  CHECK(to_json(shown, sample::english())["value"]["journey"]["stations"].size() == 4);
  CHECK(table_of(shown, sample::english()).rows.size() == 4);
  CHECK(holds(to_html(shown, sample::english()), "<ol class=\"wb-steps\">"));

  spaces.journey->stations.clear();
  CHECK(sentence(sample::exhibit(spaces), sample::keys()) == "journey.nobody(name=x[3])");
  CHECK(holds(to_html(sample::exhibit(spaces), sample::english()), "</svg>"));
}

}  // namespace warpbook::lab::journey_test
