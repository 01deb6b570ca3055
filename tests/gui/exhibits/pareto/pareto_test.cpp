// The Pareto chart under mouse and keyboard.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/pareto/pareto.hpp"
#include "tests/gui/shown.hpp"

namespace warpbook::gui::pareto_test {
namespace {
constexpr const char *kPlot = "**/pareto/plot", *kOpen = "**/pareto/open-earlier";

lab::Exhibit pareto() {
  using Origin = lab::ParetoExhibit::Origin;
  lab::ParetoExhibit made;
  made.points = {{lab::Message::plain("ours"), Origin::ours, 0, 1e-5, 8e-6, 2e-5, 100, 10, 1},
                 {lab::Message::plain("yours"), Origin::yours, 0, 2e-5, 1e-5, 3e-5, 50, 20, 1},
                 {lab::Message::plain("run 1"), Origin::earlier, 1, 3e-5, 2e-5, 4e-5, 90, 9, 1}};
  return {"pareto", lab::Message::plain("Pareto"), {}, std::move(made)};
}
}  // namespace

TEST_CASE(
    "the arrow keys go to an earlier kernel, whose source a button puts back into the editor") {
  Stage stage(1440, 1400);
  show(stage, pareto());
  Book& book = stage.book();
  const std::string slot = book.lesson()->slots.front().name;
  book.set_earlier_runs({{"", slot, "// as it was\n", 3e-5, 2e-5, 4e-5, 90, 9, 1}});
  stage.act([&](ImGuiTestContext& t) {
    CHECK_FALSE(t.ItemExists(kOpen));  // the kernel of now is chosen at first
    t.NavMoveTo(kPlot);
    t.KeyPress(ImGuiKey_RightArrow);
    CHECK(t.ItemExists(kOpen));
    t.ItemClick(kOpen);
  });
  CHECK(book.source(slot) == "// as it was\n");
}

}  // namespace warpbook::gui::pareto_test
