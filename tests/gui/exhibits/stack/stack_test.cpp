// A machine drawn as a stack: its sides beside each other where there is room, and paths that are too long for it.
#include <catch2/catch_test_macros.hpp>

#include "gui/draw/offscreen.hpp"
#include "gui/shell/panel_picture.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::stack_test {
namespace {
using lab::StackExhibit;

StackExhibit::Part part(const std::string& id, StackExhibit::Side side,
                        std::vector<std::string> found) {
  StackExhibit::Part made{id, {"stack.part." + id}, side, StackExhibit::State::here, {}, {}, {},
                          {}};
  made.state = found.empty() ? StackExhibit::State::missing : StackExhibit::State::here;
  made.found = std::move(found);
  return made;
}

lab::Exhibit machine(const std::string& file) {
  using Side = StackExhibit::Side;
  StackExhibit stack;
  stack.parts = {part("nvrtc", Side::compile, {"13.0", file}),
                 part("driver", Side::gpu, {"CUDA 13.0", file}), part("gpu", Side::gpu, {}),
                 part("cpu", Side::cpu, {"a CPU"})};
  stack.parts[2].missing = {"machine.missing.no-gpu"};
  stack.fits = {{"driver", "nvrtc", false, {"machine.misfit.driver-toolkit", {}, {}}}};
  stack.when = "2026-01-02T03:04:05Z";
  return {"stack", {"stack.part.gpu"}, std::nullopt, stack};
}
}  // namespace

TEST_CASE("a stack's sides stand beside each other where there is room, and long paths take none",
          "[ci]") {
  Stage stage;
  stage.open_made_up();
  const auto screen = Offscreen::make(64, 64);
  REQUIRE(screen);
  const auto height = [&](const std::string& file, float width) {
    const auto picture = panel_picture(stage.book(), machine(file), width, 1);
    REQUIRE(picture);
    return picture->height;
  };
  const int wide = height("/lib/a.so", 640), narrow = height("/lib/a.so", 360);
  CHECK(narrow > wide + 20);
  CHECK(height("/" + std::string(200, 'p') + "/a.so", 640) == wide);
}

TEST_CASE("Your machine opens with its questions covered, within its share of vertices", "[ci]") {
  Stage stage(1440, 900);
  stage.open("your-machine");
  const auto* report = stage.book().report().get();
  REQUIRE(report);
  CHECK(report->errors.empty());
  CHECK(report->find("stack") != nullptr);
  CHECK(stage.book().veil("stack") == nullptr);
  CHECK(stage.book().veil("verdict") != nullptr);
  CHECK(stage.book().veil("loads") != nullptr);
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

}  // namespace warpbook::gui::stack_test
