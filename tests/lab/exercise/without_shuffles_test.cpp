// A PTX text whose shuffles hand every lane its own value.
#include "lab/exercise/without_shuffles.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::without_shuffles_test {

TEST_CASE("In place of a shuffle stands a move of the lane's own value") {
  CHECK(without_shuffles("shfl.sync.down.b32 \t%r5, %r4, 16, 31, -1;\n\tret;") ==
        "mov.b32 %r5, %r4;\n\tret;");
  CHECK(without_shuffles("{ .reg .pred p;\n\tshfl.sync.up.b32 %f2|p, %f1, %r3, %r4, %r5;\n}") ==
        "{ .reg .pred p;\n\tmov.b32 %f2, %f1; setp.eq.u32 p, 0, 0;\n}");
}

TEST_CASE("A guard stays in front, and what is no shuffle stays as it is") {
  CHECK(without_shuffles("@%p2 shfl.sync.idx.b32 %r6, %r5, 0, 31, -1; bar.sync 0;") ==
        "@%p2 mov.b32 %r6, %r5; bar.sync 0;");
  CHECK(without_shuffles("add.f32 %f1, %f2, %f3;") == "add.f32 %f1, %f2, %f3;");
}

}  // namespace warpbook::lab::without_shuffles_test
