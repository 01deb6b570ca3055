#include "gui/draw/motion.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::motion_test {

TEST_CASE("a value moves to its new place within its time, without passing it, and then rests") {
  Motion motion;
  motion.next_frame(0, false);
  CHECK(motion.to(1, 10, 0.2f) == 10);  // the first time it is there already
  CHECK_FALSE(motion.moving());
  float last = 10;
  for (int frame = 1; frame <= 20; ++frame) {
    motion.next_frame(frame * 0.01, false);
    const float now = motion.to(1, 20, 0.2f);
    CHECK(now >= last);
    CHECK(now <= 20);
    last = now;
  }
  motion.next_frame(0.21, false);
  CHECK(motion.to(1, 20, 0.2f) == 20);
  CHECK_FALSE(motion.moving());
}

TEST_CASE("a value that is sent elsewhere on its way goes on from where it is") {
  Motion motion;
  motion.next_frame(0, false);
  motion.to(1, 0, 0.2f);
  motion.next_frame(1, false);
  motion.to(1, 100, 0.2f);
  motion.next_frame(1.1, false);
  const float half = motion.to(1, 100, 0.2f);
  CHECK(half > 50);
  CHECK(motion.to(1, 0, 0.2f) == half);
}

TEST_CASE("with reduced motion everything is at its place at once") {
  Motion motion;
  motion.next_frame(0, true);
  motion.to(1, 0);
  motion.since(2, 1);
  motion.coming(3, 4);
  motion.next_frame(0.001, true);
  CHECK(motion.to(1, 5) == 5);
  CHECK(motion.since(2, 7) == 1);
  CHECK(motion.coming(3, 5) == 1);
  CHECK_FALSE(motion.moving());
}

TEST_CASE("what joins others that were there comes in; what came with them does not") {
  Motion motion;
  motion.next_frame(0, false);
  CHECK(motion.coming(1, 10, 0.2f) == 1);
  motion.next_frame(1, false);
  CHECK(motion.coming(1, 10, 0.2f) == 1);
  CHECK(motion.coming(1, 11, 0.2f) == 0);
  motion.next_frame(1.1, false);
  CHECK(motion.coming(1, 10, 0.2f) == 1);
  CHECK(motion.coming(1, 11, 0.2f) > 0);
  CHECK(motion.moving());
  motion.next_frame(1.3, false);
  motion.coming(1, 10, 0.2f);
  CHECK(motion.coming(1, 11, 0.2f) == 1);
  // It left for a frame, and comes again.
  motion.next_frame(2, false);
  motion.coming(1, 10, 0.2f);
  motion.next_frame(3, false);
  motion.coming(1, 10, 0.2f);
  CHECK(motion.coming(1, 11, 0.2f) == 0);
}

}  // namespace warpbook::gui::motion_test
