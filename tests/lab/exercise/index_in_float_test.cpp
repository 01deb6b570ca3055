// Which addresses come from an index that was a float, in PTX of a few lines.
#include "lab/exercise/index_in_float.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpbook::lab::index_in_float_test {
namespace {

/// The source line is the instruction's number, from 1.
std::uint32_t line_in(const std::vector<std::string>& instructions) {
  device::LaunchRecord record;
  for (const std::string& text : instructions) {
    device::InstructionCounters each;
    each.text = text;
    each.place.line = static_cast<std::uint32_t>(record.instructions.size() + 1);
    record.instructions.push_back(std::move(each));
  }
  return line_of_index_in_float(record);
}

const std::string kBlock = "mov.u32 %r1, %ctaid.x;", kThread = "mov.u32 %r2, %tid.x;",
                  kIndex = "mad.lo.s32 %r3, %r1, 256, %r2;", kToFloat = "cvt.rn.f32.s32 %f1, %r3;",
                  kBack = "cvt.rzi.s32.f32 %r4, %f1;", kAddress = "mul.wide.s32 %rd1, %r4, 4;",
                  kPlace = "add.s64 %rd2, %rd0, %rd1;";

}  // namespace

TEST_CASE("An address whose index was a float is found at the access's line") {
  const std::vector<std::string> until = {kBlock, kThread,  kIndex, kToFloat,
                                          kBack,  kAddress, kPlace};
  for (const std::string access :
       {"ld.global.f32 %f2, [%rd2];", "st.global.f32 [%rd2+4], %f2;", "ld.f32 %f2, [%rd2];",
        "atom.global.add.u32 %r5, [%rd2], 1;", "red.global.add.u32 [%rd2], 1;",
        "@%p1 st.global.v2.f32 [%rd2], {%f2, %f3};"}) {
    CAPTURE(access);
    auto instructions = until;
    instructions.push_back(access);
    CHECK(line_in(instructions) == 8);
  }
}

TEST_CASE("A float that is counted up in a loop is found, though its value comes back later") {
  CHECK(line_in({kBlock, kThread, kIndex, kToFloat, "cvt.rzi.s32.f32 %r4, %f3;", kAddress, kPlace,
                 "ld.global.f32 %f2, [%rd2];", "mov.f32 %f3, %f4;", "add.f32 %f4, %f1, %f5;"}) ==
        8);
  CHECK(line_in({kThread, kBlock, "cvt.rn.f32.u32 %f6, %r1;", "cvt.rn.f32.u32 %f7, %r2;",
                 "fma.rn.f32 %f1, %f6, %f8, %f7;", kBack, kAddress, kPlace,
                 "ld.global.f32 %f2, [%rd2];"}) == 9);
}

TEST_CASE("Values, small indices, data and doubles may be floats") {
  SECTION("an index that is stored as a float") {
    CHECK(line_in({kBlock, kThread, kIndex, kToFloat, "mul.wide.s32 %rd1, %r3, 4;", kPlace,
                   "st.global.f32 [%rd2], %f1;"}) == 0);
  }
  SECTION("the thread's place within its block") {
    CHECK(line_in({kThread, "cvt.rn.f32.s32 %f1, %r2;", kBack, kAddress, kPlace,
                   "ld.global.f32 %f2, [%rd2];"}) == 0);
  }
  SECTION("a place that was read from memory") {
    CHECK(line_in({kBlock, kThread, kIndex, "mul.wide.s32 %rd1, %r3, 4;", kPlace,
                   "ld.global.f32 %f1, [%rd2];", kBack, kAddress, kPlace,
                   "ld.global.f32 %f2, [%rd2];"}) == 0);
  }
  SECTION("a float that only decides") {
    CHECK(line_in({kBlock, kThread, kIndex, kToFloat, "setp.lt.f32 %p1, %f1, 0f41200000;",
                   "selp.s32 %r4, %r3, 0, %p1;", kAddress, kPlace, "ld.global.f32 %f2, [%rd2];"}) ==
          0);
  }
  SECTION("a double, which has 53 bits") {
    CHECK(line_in({kBlock, kThread, kIndex, "cvt.rn.f64.s32 %fd1, %r3;",
                   "cvt.rzi.s32.f64 %r4, %fd1;", kAddress, kPlace, "ld.global.f32 %f2, [%rd2];"}) ==
          0);
  }
  SECTION("shared memory, whose places are few") {
    CHECK(line_in({kBlock, kThread, kIndex, kToFloat, kBack, "shl.b32 %r5, %r4, 2;",
                   "ld.shared.f32 %f2, [%r5];"}) == 0);
  }
}

}  // namespace warpbook::lab::index_in_float_test
