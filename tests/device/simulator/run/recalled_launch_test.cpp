// Launches that a memo knows: what they leave is what they left, and whatever differs is simulated.
#include <catch2/generators/catch_generators.hpp>

#include "device/simulator/run/recalled_launch.hpp"
#include "device/simulator/state/texture_objects.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::recalled_launch_test {
namespace {

/// y[tid] = x[tid] + add, but thread 0 writes nothing.
constexpr const char* kAdd = R"(
.visible .entry k(.param .u64 y, .param .u64 x, .param .u32 add) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [y];
  ld.param.u64 %d1, [x];
  ld.param.u32 %r2, [add];
  mov.u32 %r0, %tid.x;
  setp.eq.s32 %p, %r0, 0;
  @%p bra end;
  mad.wide.u32 %d0, %r0, 4, %d0;
  mad.wide.u32 %d1, %r0, 4, %d1;
  ld.global.u32 %r1, [%d1];
  add.u32 %r1, %r1, %r2;
  st.global.u32 [%d0], %r1;
end:
  ret;
})";

/// One that allocates on the device, and frees again.
constexpr const char* kAllocating = R"(
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 what);
.visible .entry k(.param .u64 y) {
  .reg .b64 %d;
  {
    .param .b64 bytes; .param .b64 result;
    st.param.b64 [bytes], 16;
    call.uni (result), malloc, (bytes);
    ld.param.b64 %d, [result];
  }
  {
    .param .b64 what;
    st.param.b64 [what], %d;
    call.uni free, (what);
  }
  ret;
})";

constexpr const char* kEndless = R"(
.visible .entry k(.param .u64 y) {
again:
  bra.uni again;
})";

constexpr std::uint32_t kThreads = 40;

/// A device with x = 0, 1, 2, ... and y, which nobody has written.
struct Room {
  explicit Room(LaunchMemo& known, const char* kernel = kAdd) : memo(known), bench(kernel) {
    program.ptx = kernel;
    std::vector<std::uint32_t> values(kThreads);
    for (std::uint32_t i = 0; i < kThreads; ++i) values[i] = i;
    x = bench.buffer("x", values);
    y = bench.room<std::uint32_t>("y", kThreads);
    bench.request.grid = {1, 1, 1};
    bench.request.block = {kThreads, 1, 1};
    set_add(5);
  }
  void set_add(std::uint32_t add) {
    std::vector<std::byte>& to = bench.request.parameters;
    to.resize(20);
    std::memcpy(to.data(), &y, 8);
    std::memcpy(to.data() + 8, &x, 8);
    std::memcpy(to.data() + 16, &add, 4);
  }
  LaunchRecord launch() {
    auto record = run_or_recall(bench.request, fingerprint_of(program), memo);
    if (!record) FAIL(record.error().english());
    return std::move(*record);
  }

  LaunchMemo& memo;
  PtxBench bench;
  Program program;
  Pointer x = 0, y = 0;
};

/// Its time was measured, and no two measurements give the same bits: such a record is the other one again.
bool is_recalled(const LaunchRecord& record, const LaunchRecord& of) {
  return record.seconds == of.seconds;
}

constexpr std::uint64_t kPlenty = 1u << 20;

}  // namespace

TEST_CASE("the same launch on another device leaves the same memory, and has the same record") {
  LaunchMemo memo(kPlenty);
  Room first(memo), second(memo);
  const LaunchRecord simulated = first.launch(), recalled = second.launch();
  CHECK(recalled == simulated);
  CHECK(is_recalled(recalled, simulated));
  CHECK(second.bench.read<std::uint32_t>(second.y, kThreads) ==
        first.bench.read<std::uint32_t>(first.y, kThreads));
  CHECK(second.bench.read<std::uint32_t>(second.y, kThreads)[39] == 44);
  CHECK(second.bench.memory->all_valid(second.y + 4, 4 * (kThreads - 1)));
  CHECK_FALSE(second.bench.memory->all_valid(second.y, 4));
}

TEST_CASE("a chain of launches is recalled link by link") {
  LaunchMemo memo(kPlenty);
  std::vector<LaunchRecord> records;
  const auto chain = [&](Room& room) {
    const LaunchRecord one = room.launch();
    std::swap(room.x, room.y);
    REQUIRE(room.bench.memory->fill(room.x, std::byte{0}, 4));
    room.set_add(1);
    records = {one, room.launch()};
  };
  Room first(memo), second(memo);
  chain(first);
  const auto simulated = records;
  chain(second);
  CHECK(records == simulated);
  CHECK(is_recalled(records[1], simulated[1]));
  CHECK(second.bench.read<std::uint32_t>(second.y, kThreads)[39] == 45);
}

TEST_CASE("a launch that differs in anything is simulated") {
  LaunchMemo memo(kPlenty);
  Room first(memo);
  const LaunchRecord before = first.launch();
  Room room(memo);
  SECTION("in an argument") { room.set_add(6); }
  SECTION("in its geometry") { room.bench.request.block.x = 32; }
  SECTION("in a byte that it reads") {
    REQUIRE(room.bench.memory->fill(room.x + 7, std::byte{1}, 1));
  }
  SECTION("in what has been written") { REQUIRE(room.bench.memory->fill(room.y, std::byte{0}, 1)); }
  SECTION("in its schedule") { room.bench.request.seed = 3; }
  SECTION("in a checker") { room.bench.request.observe.racecheck ^= true; }
  SECTION("in what is traced") { room.bench.request.observe.trace_accesses = 7; }
  SECTION("in the warp that is watched") { room.bench.request.observe.watched_warp = {0, 1, 9}; }
  SECTION("in its budget") { room.bench.request.budget.thread_instructions -= 1; }
  SECTION("in its source") { room.program.source = "// another"; }
  SECTION("in another allocation") { room.bench.room<float>("z", 3); }
  SECTION("in a texture object") { room.bench.memory->objects().add(TextureObject{}); }
  CHECK_FALSE(is_recalled(room.launch(), before));
}

TEST_CASE("a launch beside the same texture objects is recalled, and beside others simulated") {
  LaunchMemo memo(kPlenty);
  TextureObject object;
  object.name = "photo";
  object.levels = {{.address = 256, .width = 8, .height = 4}};
  Room first(memo), second(memo);
  first.bench.memory->objects().add(object);
  SECTION("the same") {
    second.bench.memory->objects().add(object);
    CHECK(is_recalled(second.launch(), first.launch()));
    return;
  }
  SECTION("how it is filtered") { object.linear_filter = true; }
  SECTION("how it is addressed") { object.address_mode[1] = AddressMode::mirror; }
  SECTION("where it lies") { object.levels[0].address = 512; }
  SECTION("what it shows outside") { object.border[3] = 1; }
  second.bench.memory->objects().add(object);
  CHECK_FALSE(is_recalled(second.launch(), first.launch()));
}

TEST_CASE("large memory is kept in sight where little of it was touched") {
  LaunchMemo memo(kPlenty);
  constexpr std::uint64_t kLarge = 300u << 20;
  Room first(memo), second(memo);
  std::array<Pointer, 2> large{};
  for (Room* room : {&first, &second})
    large[room == &second] = *room->bench.memory->allocate("large", ElementType::u8, kLarge);
  SECTION("none") {
    for (Room* room : {&first, &second})
      REQUIRE(room->bench.memory->fill(large[0], std::byte{0}, 1u << 20));
    CHECK(is_recalled(second.launch(), first.launch()));
  }
  SECTION("in another place") {
    REQUIRE(first.bench.memory->fill(large[0] + kLarge / 2, std::byte{1}, 1));
    REQUIRE(second.bench.memory->fill(large[1] + kLarge / 2 + 1, std::byte{1}, 1));
    CHECK_FALSE(is_recalled(second.launch(), first.launch()));
  }
  SECTION("more than it is worth looking at") {
    for (Room* room : {&first, &second})
      REQUIRE(room->bench.memory->fill(large[0], std::byte{1}, 80u << 20));
    CHECK_FALSE(is_recalled(second.launch(), first.launch()));
  }
}

TEST_CASE("what a kernel wrote outside of the memo's sight is seen") {
  LaunchMemo memo(kPlenty);
  Room room(memo);
  const LaunchRecord once = room.launch();
  room.set_add(9);
  (void)run(room.bench.request);
  room.set_add(5);
  const LaunchRecord again = room.launch();
  CHECK_FALSE(is_recalled(again, once));
  CHECK(room.bench.read<std::uint32_t>(room.y, kThreads)[39] == 44);
}

TEST_CASE("of what is known of memory, a launch leaves all that its kernel only read") {
  LaunchMemo memo(kPlenty);
  Room room(memo);
  (void)room.launch();
  room.set_add(9);
  (void)run(room.bench.request);
  const GlobalMemory& known = *room.bench.memory;
  CHECK(known.bytes_to_look_at(*known.table()->at(room.x)) == 0);
  CHECK(known.bytes_to_look_at(*known.table()->at(room.y)) != 0);
}

TEST_CASE("however a kernel writes, its memory is looked at anew") {
  const std::string write =
      GENERATE("st.global.u32 [%d0], %r2;", "st.u32 [%d0], %r2;",
               "st.global.v4.u32 [%d0], {%r2, %r2, %r2, %r2};", "st.global.u8 [%d0], %r2;",
               "red.global.add.u32 [%d0], %r2;", "atom.add.u32 %r1, [%d0], %r2;",
               "atom.global.exch.b128 %q, [%d0], %q;",
               "cp.async.bulk.global.shared::cta.bulk_group [%d0], [line], 16;\n"
               "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;",
               "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [line], 16;\n"
               "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;");
  CAPTURE(write);
  const std::string kernel = R"(
.visible .entry k(.param .u64 y, .param .u64 x, .param .u32 add) {
  .shared .align 16 .b8 line[16];
  .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .b128 %q;
  ld.param.u64 %d0, [y];
  ld.param.u32 %r2, [add];
  st.shared.v4.u32 [line], {%r2, %r2, %r2, %r2};
  mov.b64 %d1, 7;
  mov.b128 %q, {%d1, %d1};
  )" + write + R"(
  ret;
})";
  LaunchMemo memo(kPlenty);
  Room room(memo, kernel.c_str());
  room.bench.request.block = {1, 1, 1};
  REQUIRE(room.bench.memory->fill(room.y, std::byte{0}, 4 * kThreads));
  const auto table = room.bench.memory->table();
  const Fingerprint before = room.bench.memory->fingerprint(*table->at(room.y));
  const LaunchRecord record = room.launch();
  if (record.error) FAIL(record.error->english());
  CHECK(room.bench.memory->fingerprint(*table->at(room.y)) != before);
}

TEST_CASE("an array, which surfaces write to, is looked at anew after each kernel") {
  LaunchMemo memo(kPlenty);
  Room room(memo);
  const Pointer address =
      *room.bench.memory->allocate("array", ElementType::u8, 64, AllocationKind::array);
  (void)room.launch();
  (void)run(room.bench.request);
  const GlobalMemory& known = *room.bench.memory;
  CHECK(known.bytes_to_look_at(*known.table()->at(address)) != 0);
}

TEST_CASE("a launch is not kept where more than its memory counts") {
  LaunchMemo memo(kPlenty);
  SECTION("it allocates") {
    Room first(memo, kAllocating), second(memo, kAllocating);
    CHECK_FALSE(is_recalled(second.launch(), first.launch()));
  }
  SECTION("nobody guards the memory around its arrays") {
    Room first(memo), second(memo);
    for (Room* room : {&first, &second}) room->bench.request.observe.memcheck = false;
    CHECK_FALSE(is_recalled(second.launch(), first.launch()));
  }
  SECTION("it was stopped") {
    Room first(memo, kEndless), second(memo, kEndless);
    for (Room* room : {&first, &second}) room->bench.request.budget.thread_instructions = 100'000;
    const LaunchRecord stopped = first.launch();
    REQUIRE(stopped.error);
    CHECK_FALSE(is_recalled(second.launch(), stopped));
  }
}

TEST_CASE("a memo lets go of what was asked for longest ago") {
  LaunchMemo memo(kPlenty);
  const auto keep = [&](std::uint64_t name, std::size_t bytes) {
    RememberedLaunch launch;
    launch.changed.push_back({0, {{}, std::vector<std::byte>(bytes)}, {}, {}});
    memo.keep({name, 0}, std::make_shared<const RememberedLaunch>(std::move(launch)));
  };
  keep(1, kPlenty / 3);
  keep(2, kPlenty / 3);
  CHECK(memo.find({1, 0}));
  keep(3, kPlenty / 2);
  CHECK(memo.find({1, 0}));
  CHECK_FALSE(memo.find({2, 0}));
  CHECK(memo.find({3, 0}));
  keep(4, 2 * kPlenty);
  CHECK_FALSE(memo.find({4, 0}));
  CHECK(memo.find({3, 0}));
}

TEST_CASE("a memo counts the texts of what it keeps, which are most of many small launches") {
  LaunchMemo memo(kPlenty);
  constexpr std::size_t kInstructions = 100, kText = 200;
  for (std::uint64_t name = 0; name < 100; ++name) {
    RememberedLaunch launch;
    launch.record.instructions.resize(kInstructions);
    for (InstructionCounters& each : launch.record.instructions) each.text.assign(kText, 'x');
    memo.keep({name, 0}, std::make_shared<const RememberedLaunch>(std::move(launch)));
    CHECK(memo.bytes() <= kPlenty);
  }
  std::size_t kept = 0;
  for (std::uint64_t name = 0; name < 100; ++name) kept += memo.find({name, 0}) ? 1 : 0;
  CHECK(kept * kInstructions * (sizeof(InstructionCounters) + kText) <= memo.bytes());
  CHECK(memo.find({99, 0}));
}

}  // namespace warpbook::device::tests::recalled_launch_test
