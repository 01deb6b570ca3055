// Libraries' algorithms as a panel: its height with what is folded, under the keyboard, and its share of vertices.
#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/shown.hpp"

namespace warpbook::gui::algorithms_test {
namespace {
using Group = lab::AlgorithmsExhibit::Group;
using Row = lab::AlgorithmsExhibit::Row;

lab::Exhibit algorithms(std::size_t rows, bool timed) {
  Group group;
  group.name = lab::Message::plain("a library");
  group.evidence =
      device::Evidence{timed ? device::EvidenceKind::measured : device::EvidenceKind::reported,
                       lab::Message::plain("a device"), ""};
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    row.name = "engine " + std::to_string(i);
    row.settings = "TILE_SIZE=2 IDX_MODE=0";
    row.workspace = i % 3 == 0 ? ~std::uint64_t{0} : i;
    if (timed) {
      const double seconds =
          i == 1 ? std::numeric_limits<double>::quiet_NaN() : 1e-3 * static_cast<double>(i + 1);
      row.time = {seconds, seconds / 2, seconds * 2, 9};
    }
    group.rows.push_back(row);
  }
  Group missing;
  missing.name = lab::Message::plain("cuDNN");
  missing.error = device::Error{
      device::ErrorCode::library_missing,
      {{"library", "cuDNN"}, {"detail", "nowhere"}, {"command", "./warpbook fetch libraries"}},
      {}};
  return {"algorithms", lab::Message::plain("Algorithms"), std::nullopt,
          lab::AlgorithmsExhibit{{}, {group, missing}}};
}
}  // namespace

TEST_CASE("a panel of algorithms folds long lists, and a key unfolds them") {
  Stage stage(1440, 1600);  // all of it in sight, unfolded too
  show(stage, algorithms(9, true));
  CHECK(stage.book().choice("algorithms/0") < 0);
  const auto press = [&] {
    stage.act([](ImGuiTestContext& t) {
      t.NavMoveTo("**/fold");
      t.NavActivate();
    });
    stage.settle();
  };
  press();
  CHECK(stage.book().choice("algorithms/0") == 1);
  press();
  CHECK(stage.book().choice("algorithms/0") == 0);
}

TEST_CASE("a panel of a hundred algorithms, all unfolded, keeps to its share of vertices") {
  Stage stage(1440, 2000);
  for (const bool timed : {false, true}) {
    show(stage, algorithms(100, timed));
    stage.book().choose("algorithms/0", 1);
    stage.settle();
    CHECK(Stage::vertices() > 1000);
    CHECK(Stage::vertices() < 40'000);
  }
}

TEST_CASE("a panel of no algorithms, and of a library that is missing, is drawn") {
  Stage stage(1440, 900);
  show(stage, algorithms(0, true));
  show(stage,
       {"algorithms", lab::Message::plain("Algorithms"), std::nullopt, lab::AlgorithmsExhibit{}});
  CHECK(Stage::vertices() > 0);
}

}  // namespace warpbook::gui::algorithms_test
