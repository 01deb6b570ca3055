#include "device/simulator/isa/flow.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/bench/clock.hpp"
#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::isa::flow_test {
namespace {

using ptx::kNone;

/// A kernel with 30 predicates, 32-bit and 64-bit registers, and what is found out about it.
struct Analysed {
  explicit Analysed(const std::string& body)
      : module(ptx::parsed_kernel(
            ".reg .pred %p<30>; .reg .b32 %r<100000>; .reg .b64 %rd<30>; .reg .b128 %q<4>;\n" +
            body)),
        function(ptx::function_of(module, "k")),
        flow(find_flow(module, function)),
        slots(assign_slots(module, function, flow)) {}

  /// Blocks in their order, each by the name of the label at its start, or "." where it has none.
  [[nodiscard]] std::string order() const {
    std::string text;
    for (const std::uint32_t block : flow.order) {
      std::string name = ".";
      for (std::size_t label = 0; label < function.labels.size(); ++label) {
        if (function.labels[label] == flow.blocks[block].first) {
          name = std::string(function.label_names[label]);
        }
      }
      text += text.empty() ? name : " " + name;
    }
    return text;
  }
  [[nodiscard]] std::uint32_t slot(std::string_view name) const {
    for (std::size_t i = 0; i < function.registers.size(); ++i) {
      if (function.registers[i].name == name) {
        return slots.slot[i];
      }
    }
    return kNone;
  }

  ptx::Module module;
  const ptx::Function& function;
  Flow flow;
  SlotMap slots;
};

}  // namespace

TEST_CASE("a function is cut at labels and after what leaves", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 0;
  @%p1 bra B;
  mov.b32 %r1, 1;
A: @%p2 ret;
  mov.b32 %r1, 2;
  bra A;
B: exit;
)");
  REQUIRE(k.flow.blocks.size() == 5);
  const auto successors = [&](std::uint32_t block) {
    const auto s = k.flow.successors_of(block);
    return std::vector<std::uint32_t>(s.begin(), s.end());
  };
  CHECK(successors(0) == std::vector<std::uint32_t>{1, 4});
  CHECK(successors(1) == std::vector<std::uint32_t>{2});
  CHECK(successors(2) == std::vector<std::uint32_t>{3});
  CHECK(successors(3) == std::vector<std::uint32_t>{2});
  CHECK(successors(4).empty());
  CHECK(k.flow.blocks[1].first == 2);
  CHECK(k.flow.blocks[1].end == 3);
  CHECK(k.flow.block_of == std::vector<std::uint32_t>{0, 0, 1, 2, 3, 3, 4});
}

TEST_CASE("a jump table leads to each of its labels once", "[flow]") {
  const Analysed k("T: .branchtargets A, B, A, C;\n brx.idx %r1, T;\nA: ret;\nB: ret;\nC: trap;\n");
  CHECK(k.flow.successors == std::vector<std::uint32_t>{1, 2, 3});
}

TEST_CASE("only a call that never returns ends a block", "[flow]") {
  const ptx::Module module = ptx::parsed_module(R"(
.func f() { ret; }
.func stop() .noreturn { trap; }
.entry k() {
  .reg .b64 a; .reg .pred p;
  call f;
  call a, maybe;
  @p call stop;
  call a, never;
  ret;
maybe: .callprototype _;
never: .callprototype _ .noreturn;
}
)");
  const Flow flow = find_flow(module, ptx::function_of(module, "k"));
  REQUIRE(flow.blocks.size() == 3);
  CHECK(flow.blocks[0].end == 3);
  CHECK(flow.successors == std::vector<std::uint32_t>{1});
}

TEST_CASE("a function without instructions has no blocks", "[flow]") {
  const Analysed k("");
  CHECK(k.flow.blocks.empty());
  CHECK(k.slots.slots == std::array<std::uint32_t, kSlotClasses>{});
}

TEST_CASE("both sides of a branch come before where they meet", "[flow]") {
  const Analysed k(R"(
  @%p1 bra ELSE;
THEN: bra JOIN;
ELSE: mov.b32 %r1, 1;
JOIN: ret;
)");
  CHECK(k.order() == ". THEN ELSE JOIN");
}

TEST_CASE("a loop stands together and ends before its exit, wherever the text puts it", "[flow]") {
  const Analysed k(R"(
  bra HEAD;
EXIT: ret;
BREAK: mov.b32 %r1, 9; bra EXIT;
HEAD: @%p1 bra BREAK;
  @%p2 bra LATCH;
BODY: mov.b32 %r1, 2;
LATCH: @%p3 bra HEAD;
  bra EXIT;
)");
  CHECK(k.order() == ". HEAD . BODY LATCH . BREAK EXIT");
}

TEST_CASE("inner loops stand together within outer ones", "[flow]") {
  const Analysed k(R"(
OUTER: mov.b32 %r1, 0;
INNER: @%p1 bra NEXT;
  @%p4 bra SKIP;
LEFT: mov.b32 %r1, 1;
SKIP: bra INNER;
NEXT: @%p2 bra OUTER;
  ret;
)");
  CHECK(k.order() == "OUTER INNER . LEFT SKIP NEXT .");
}

TEST_CASE("a loop with two entries is one loop", "[flow]") {
  const Analysed k(R"(
  @%p1 bra B;
A: @%p2 bra OUT;
B: @%p3 bra A;
OUT: ret;
)");
  const std::string order = k.order();
  CHECK((order == ". A B OUT" || order == ". B A OUT"));
}

TEST_CASE("code that nothing reaches comes last", "[flow]") {
  const Analysed k("  bra END;\nDEAD: bra DEAD2;\nDEAD2: bra END;\nEND: ret;\n");
  CHECK(k.order() == ". END DEAD DEAD2");
}

TEST_CASE("ranks number the instructions in the order of their blocks", "[flow]") {
  const Analysed k(
      "  bra HEAD;\nEXIT: ret;\nHEAD: mov.b32 %r1, 1;\n  @%p1 bra HEAD;\n  bra EXIT;\n");
  CHECK(k.flow.rank == std::vector<std::uint32_t>{0, 4, 1, 2, 3});
}

namespace {

/// A kernel of `blocks` blocks with random branches between them.
std::string random_graph(std::mt19937& random, int blocks) {
  std::string text;
  const auto any = [&] { return std::to_string(random() % static_cast<unsigned>(blocks)); };
  for (int b = 0; b < blocks; ++b) {
    text +=
        "L" + std::to_string(b) + ": add.u32 %r" + any() + ", %r" + any() + ", %r" + any() + ";\n";
    switch (random() % 4) {
      case 0: text += "bra L" + any() + ";\n"; break;
      case 1:
      case 2: text += "@%p1 bra L" + any() + ";\n"; break;
      default: break;
    }
  }
  return text + "ret;\n";
}

std::set<std::uint32_t> reachable(const Flow& flow, std::uint32_t from) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> work{from};
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (const std::uint32_t to : flow.successors_of(b)) {
      if (seen.insert(to).second) {
        work.push_back(to);
      }
    }
  }
  return seen;
}

/// `count` instructions, nearly, of a shape that is hard on one analysis or another.
std::string hard_program(const std::string& shape, int count) {
  std::string body;
  const auto add = [&](int i, int a) {
    body += "add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(a) + ", %r" +
            std::to_string(i / 2) + ";\n";
  };
  const bool nested = shape == "nested loops";
  for (int i = 1; i < count; ++i) {
    if (shape == "branches" && i % 5 == 0) {
      body += "@%p1 bra L" + std::to_string(std::min(i + 50, count - 1) / 5 * 5) + ";\nL" +
              std::to_string(i) + ":\n";
    } else if (nested && i < count / 2) {
      body += "L" + std::to_string(i) + ":\n";
      add(i, i - 1);
    } else if (nested && i > count / 2) {
      body += "@%p1 bra L" + std::to_string(count - i) + ";\n";
    } else if (shape == "everything alive" && i % 4 == 0) {
      body += "@%p1 bra END;\n";
    } else {
      add(i, i - 1);
    }
  }
  body += "END:\n";
  if (shape == "everything alive") {
    for (int i = 1; i < count; ++i) {
      add(i, i);
    }
  }
  return body + "ret;\n";
}

}  // namespace

TEST_CASE("in any graph the order is whole, topological between loops, and keeps loops together",
          "[flow]") {
  const int seed = GENERATE(range(0, 60));
  CAPTURE(seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  const Analysed k(random_graph(random, 2 + seed));
  const auto count = static_cast<std::uint32_t>(k.flow.blocks.size());
  std::vector<std::uint32_t> sorted = k.flow.order;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(sorted.size() == count);
  REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  CHECK(k.flow.order.front() == 0);
  std::vector<std::set<std::uint32_t>> reach;
  for (std::uint32_t b = 0; b < count; ++b) {
    CHECK(k.flow.order[k.flow.blocks[b].position] == b);
    reach.push_back(reachable(k.flow, b));
  }
  const std::set<std::uint32_t>& live = reach[0];
  for (std::uint32_t a = 0; a < count; ++a) {
    std::uint32_t first = count;
    std::uint32_t last = 0;
    std::uint32_t members = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
      const bool one_loop = a == b || (reach[a].contains(b) && reach[b].contains(a));
      if (one_loop) {
        first = std::min(first, k.flow.blocks[b].position);
        last = std::max(last, k.flow.blocks[b].position);
        ++members;
      } else if (reach[a].contains(b) && (a == 0 || live.contains(a))) {
        CHECK(k.flow.blocks[a].position < k.flow.blocks[b].position);
      }
    }
    CHECK(last - first + 1 == members);
  }
}

TEST_CASE("registers that are never alive together share a slot", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 1;
  add.u32 %r2, %r1, %r1;
  add.u32 %r3, %r2, %r2;
  st.global.b32 [%rd1], %r3;
)");
  CHECK(k.slot("%r1") == k.slot("%r3"));
  CHECK(k.slot("%r1") != k.slot("%r2"));  // one instruction reads the one and writes the other
  CHECK(k.slots.slots[static_cast<std::size_t>(SlotClass::narrow)] == 2);
  CHECK(k.slots.slots[static_cast<std::size_t>(SlotClass::wide)] == 1);
}

TEST_CASE("classes have slots of their own", "[flow]") {
  const Analysed k("setp.eq.b32 %p1, %r1, 0;\n mov.b64 %rd1, 0;\n mov.b128 %q1, {%rd1, %rd1};\n");
  CHECK(k.slots.slots == std::array<std::uint32_t, kSlotClasses>{1, 1, 1, 1});
  CHECK(slot_class_of({"a", ptx::Type::b16}) == SlotClass::half);
  CHECK(slot_class_of({"a", ptx::Type::u8}) == SlotClass::byte);
  CHECK(slot_class_of({"a", ptx::Type::f64}) == SlotClass::wide);
  CHECK(slot_class_of({"a", ptx::Type::f32, 4}) == SlotClass::quad);
}

TEST_CASE("a value carried around a loop keeps its slot through the whole of it", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 0;
LOOP:
  mov.b32 %r2, 5;
  st.global.b32 [%rd1], %r2;
  mov.b32 %r3, 6;
  st.global.b32 [%rd1], %r3;
  add.u32 %r1, %r1, 1;
  @%p1 bra LOOP;
  st.global.b32 [%rd1], 7;
  mov.b32 %r4, 8;
)");
  CHECK(k.slot("%r1") != k.slot("%r2"));
  CHECK(k.slot("%r1") != k.slot("%r3"));
  CHECK(k.slot("%r2") == k.slot("%r3"));
  CHECK(k.slots.slots[static_cast<std::size_t>(SlotClass::narrow)] == 2);
}

TEST_CASE("a guarded write leaves the old value alive", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 1;
  mov.b32 %r2, 2;
  st.global.b32 [%rd1], %r2;
  @%p1 mov.b32 %r1, 3;
  st.global.b32 [%rd1], %r1;
)");
  CHECK(k.slot("%r1") != k.slot("%r2"));
}

TEST_CASE("a register read before any write has its slot to itself from the start", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 1;
  st.global.b32 [%rd1], %r1;
  mov.b32 %r2, 2;
  st.global.b32 [%rd1], %r2;
  st.global.b32 [%rd1], %r3;
)");
  CHECK(k.slot("%r3") != k.slot("%r1"));
  CHECK(k.slot("%r3") != k.slot("%r2"));
  CHECK(k.slot("%r1") == k.slot("%r2"));
}

TEST_CASE("a register is unwritten where some path reads it first, and only there", "[flow]") {
  const Analysed k(R"(
  mov.b32 %r1, 1;
  @%p1 mov.b32 %r2, 2;
  @%p2 bra SKIP;
  mov.b32 %r3, 3;
SKIP:
  mov.b32 %r4, 4;
  add.u32 %r5, %r1, %r2;
  add.u32 %r5, %r3, %r4;
)");
  const auto unwritten = [&](std::string_view name) {
    for (std::size_t i = 0; i < k.function.registers.size(); ++i) {
      if (k.function.registers[i].name == name) return bool{k.slots.unwritten[i]};
    }
    return false;
  };
  CHECK_FALSE(unwritten("%r1"));
  CHECK(unwritten("%r2"));
  CHECK(unwritten("%r3"));
  CHECK_FALSE(unwritten("%r4"));
  CHECK_FALSE(unwritten("%r5"));
  CHECK(unwritten("%p1"));
}

TEST_CASE("a register that is written and never used again is not read", "[flow]") {
  const Analysed k(R"(
  atom.global.add.u32 %r1, [%rd1], 1;
  atom.global.add.u32 %r2, [%rd1], 1;
  @%p1 mov.b32 %r3, %r2;
)");
  const auto read = [&](std::string_view name) {
    for (std::size_t i = 0; i < k.function.registers.size(); ++i) {
      if (k.function.registers[i].name == name) return bool{k.slots.read[i]};
    }
    return false;
  };
  CHECK_FALSE(read("%r1"));
  CHECK(read("%r2"));
  CHECK_FALSE(read("%r3"));
  CHECK(read("%rd1"));
  CHECK(read("%p1"));
}

TEST_CASE("every place that reads or writes a register is seen", "[flow]") {
  const std::string use = GENERATE(
      as<std::string>(), "st.global.b32 [%rd1], %r1;", "st.global.v2.b32 [%rd1], {%r0, %r1};",
      "call (%r9), f, (%r0, %r1);", "bar.sync %r1;", "bar.sync 0, %r1;", "brx.idx %r1, T;",
      "nanosleep.u32 %r1;", "tex.2d.v4.f32.s32 {%r5,%r6,%r7,%r8}, [%rd1, {%r0, %r1}];",
      "add.u32 %r5, %r0, %r1;", "barrier.sync.aligned %r1;", "frobnicate %r1;",
      "vadd.u32.u32.u32 %r5, %r1.b0, %r0;", "bar.red.popc.u32 %r5, 0, %p1; mov.b32 %r5, %r1;");
  CAPTURE(use);
  // %r1 must survive %r2 to be read by `use`.
  const std::string text =
      "mov.b32 %r1, 1; mov.b32 %r2, 2; st.global.b32 [%rd1], %r2;\n" + use + "\nret;\nL: ret;\n";
  const ptx::Module module = ptx::parsed_module(
      ".func (.reg .b32 r) f(.reg .b32 a, .reg .b32 b) { ret; }\n.entry k() {\n"
      ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;\nT: .branchtargets L;\n" +
      text + "}\n");
  const ptx::Function& function = ptx::function_of(module, "k");
  const SlotMap map = assign_slots(module, function, find_flow(module, function));
  const auto slot = [&](std::string_view name) {
    const auto found = std::find_if(function.registers.begin(), function.registers.end(),
                                    [&](const ptx::Register& reg) { return reg.name == name; });
    return map.slot[static_cast<std::size_t>(found - function.registers.begin())];
  };
  CHECK(slot("%r1") != slot("%r2"));
}

TEST_CASE("a sharing of slots never mixes values up, in any graph", "[flow]") {
  const int seed = GENERATE(range(0, 200));
  CAPTURE(seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  const Analysed k(random_graph(random, 3 + seed / 4));
  // Runs a random path twice, with registers and with slots; a value once written must read the
  // same.
  std::vector<std::int64_t> registers(k.function.registers.size(), -1);
  std::vector<std::int64_t> slots(k.slots.slots[static_cast<std::size_t>(SlotClass::narrow)], -1);
  std::uint32_t block = 0;
  std::int64_t fresh = 0;
  for (int step = 0; step < 2000; ++step) {
    for (std::uint32_t i = k.flow.blocks[block].first; i < k.flow.blocks[block].end; ++i) {
      const ptx::Instruction& instruction = k.function.instructions[i];
      if (instruction.opcode != ptx::Word::add) {
        continue;
      }
      const auto operands = k.module.operands_of(instruction);
      for (std::size_t o = 1; o < 3; ++o) {
        const std::uint32_t reg = operands[o].index;
        REQUIRE(slots[k.slots.slot[reg]] == registers[reg]);  // never written: -1 in both
      }
      registers[operands[0].index] = slots[k.slots.slot[operands[0].index]] = ++fresh;
    }
    const auto successors = k.flow.successors_of(block);
    if (successors.empty()) {
      break;
    }
    block = successors[random() % successors.size()];
  }
}

TEST_CASE("a hundred thousand instructions are analysed in time that grows with them alone",
          "[flow]") {
  const std::string shape = GENERATE("straight", "branches", "nested loops", "everything alive");
  CAPTURE(shape);
  const auto seconds = [&](int count) {
    const std::string program = hard_program(shape, count);
    bench::Best best;
    for (int round = 0; round < 2; ++round) {
      best.take(bench::processor_seconds_of([&] {
        const Analysed k(program);
        CHECK(k.flow.order.size() == k.flow.blocks.size());
      }));
    }
    return best.seconds();
  };
  const double quarter = seconds(25'000), whole = seconds(100'000);
  CAPTURE(quarter, whole);
  CHECK(whole < 9 * quarter);  // quadratic work would take 16 times as long
}

}  // namespace warpbook::device::isa::flow_test
