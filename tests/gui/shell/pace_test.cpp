#include "gui/shell/pace.hpp"

#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace warpbook::gui::pace_test {
namespace {
using Catch::Matchers::WithinAbs;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A window at rest since time 0.
Pace at_rest() {
  Pace pace;
  CHECK(pace.draws(0, kNever));  // its first frame
  pace.drew(0, false, false);
  return pace;
}
}  // namespace

TEST_CASE("a page at rest draws no frame, and looks at files four times a second") {
  Pace pace = at_rest();
  int frames = 0, looks = 0;
  double now = 0.001;
  while (now < 60) {
    ++looks;
    frames += pace.draws(now, kNever) ? 1 : 0;
    now += std::max(0.001, pace.wait(now));
  }
  CHECK(frames == 0);
  CHECK(looks <= 60 / Pace::kLook + 2);
}

TEST_CASE("input is followed by frames for a moment, and then by rest") {
  Pace pace = at_rest();
  pace.input(1);
  CHECK(pace.draws(1, kNever));
  pace.drew(1, false, false);
  CHECK(pace.draws(1 + Pace::kFrame, kNever));
  CHECK_THAT(pace.rest(1), WithinAbs(Pace::kFrame, 1e-9));  // but no frame comes sooner than that
  CHECK_FALSE(pace.draws(1.01 + Pace::kAwake, kNever));
}

TEST_CASE("news of a run, and a message whose time is over, are each one frame") {
  Pace pace = at_rest();
  pace.news();
  CHECK(pace.draws(5, kNever));
  pace.drew(5, false, false);
  CHECK_FALSE(pace.draws(5.1, 7));
  CHECK(pace.draws(7.01, 7));
}

TEST_CASE("what moves is drawn sixty times a second, a run under way ten times") {
  Pace pace = at_rest();
  pace.drew(1, true, false);
  CHECK(pace.wait(1) <= Pace::kFrame);
  CHECK(pace.draws(1 + Pace::kFrame, kNever));
  pace.drew(2, false, true);
  CHECK_FALSE(pace.draws(2 + Pace::kFrame, kNever));
  CHECK(pace.draws(2 + Pace::kProgress, kNever));
}

}  // namespace warpbook::gui::pace_test
