// The way of an error: what the renderers say of cause and call, and where the picture has them.
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/trail/trail_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::trail_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;

std::string said(const TrailExhibit& trail) { return sentence(exhibit(trail), sample::keys()); }

/// The same error, which nobody tells.
TrailExhibit untold() {
  TrailExhibit made = sample::trail();
  made.told.reset();
  made.steps[2] = {"cudaMemcpy(t, d_t, bytes, any);", "cudaSuccess", false, true};
  return made;
}

/// A launch that was refused, and no kernel ran.
TrailExhibit refused() {
  TrailExhibit made = untold();
  made.kernels.clear();
  made.cause_kernel.reset();
  return made;
}

}  // namespace

TEST_CASE("The sentence of an error's way says where it was caused, how, and who told") {
  CHECK(holds(said(sample::trail()), "trail.cause-kernel"));
  CHECK(holds(said(sample::trail()), "It writes t[9]."));
  CHECK(holds(said(sample::trail()), "trail.told"));
  CHECK(holds(said(untold()), "trail.untold"));
  CHECK(holds(said(refused()), "trail.cause"));
  TrailExhibit clean = refused();
  clean.cause.reset();
  CHECK(holds(said(clean), "trail.clean"));
  CHECK(holds(said({}), "trail.nothing"));
}

TEST_CASE("Calls are counted that return a code, and those among them that return an error") {
  CHECK(returning_steps(sample::trail()) == 2);
  CHECK(failed_steps(sample::trail()) == 1);
  CHECK(failed_steps(untold()) == 0);
}

TEST_CASE("An error's way is rendered as text, HTML, JSON and a table") {
  for (const TrailExhibit& trail : {sample::trail(), untold(), refused()}) {
    for (const int width : {24, 80, 200})
      CHECK_FALSE(to_text(exhibit(trail), english(), width).empty());
    CHECK(to_json(exhibit(trail), english())["kind"] == "trail");
    CHECK(table_of(exhibit(trail), english()).rows.size() == trail.steps.size());
    const std::string html = to_html(exhibit(trail), english());
    CHECK(holds(html, "<svg"));
    CHECK(holds(html, "cudaFree(d_t);"));
  }
}

TEST_CASE("A way is only valid if cause, call and kernels are there, and nobody tells too soon") {
  CHECK(valid(sample::trail()));
  CHECK(valid(refused()));
  TrailExhibit trail = sample::trail();
  trail.told = 0;
  CHECK_FALSE(valid(trail));
  trail = sample::trail();
  trail.cause.reset();
  CHECK_FALSE(valid(trail));
  trail = sample::trail();
  trail.cause_kernel = 1;
  CHECK_FALSE(valid(trail));
  trail = sample::trail();
  trail.kernels[0].done = 4;
  CHECK_FALSE(valid(trail));
}

TEST_CASE("In the picture a line can be pointed at, and a kernel stands beside those it runs by") {
  const TrailExhibit trail = sample::trail();
  const TrailPlane plane(trail, 768);
  for (std::size_t i = 0; i < trail.steps.size(); ++i)
    CHECK(plane.step_at(plane.row(i).middle()) == i);
  CHECK_FALSE(plane.step_at({1, 1}));
  const Area kernel = plane.kernel(trail, 0);
  CHECK(kernel.y >= plane.row(1).y);
  CHECK(kernel.bottom() <= plane.row(2).bottom());
  CHECK(kernel.x > plane.host_right());
  for (const TrailExhibit& each : {trail, untold(), refused()}) {
    const Canvas canvas = svg_canvas(768, english());
    const TrailPlane own(each, 768);
    for (const DrawnItem& item : drawing_of(each, own, 0, canvas).items) {
      CHECK(bounds_of(item).right() <= 769);
      CHECK(bounds_of(item).bottom() <= own.height() + 1);
    }
  }
}

TEST_CASE("A step says what it returned, what runs beside it, and that it was not reached") {
  const TrailExhibit trail = sample::trail();
  CHECK(holds(step_text(trail, 1, sample::keys()), "trail.launches"));
  CHECK(holds(step_text(trail, 2, sample::keys()), "trail.waits"));
  CHECK(holds(step_text(trail, 2, sample::keys()), "trail.returns"));
  CHECK(holds(step_text(trail, 3, sample::keys()), "trail.unreached"));
}

}  // namespace warpbook::lab::trail_exhibit_test
