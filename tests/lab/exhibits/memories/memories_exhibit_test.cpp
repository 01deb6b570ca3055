// Two memories: what the renderers say of arrays and of what crossed the link, and where the picture has them.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/memories/memories_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::memories_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;
using Memory = MemoriesExhibit::Memory;
using Way = MemoriesExhibit::Way;

std::string said(const MemoriesExhibit& memories) {
  return sentence(exhibit(memories), sample::keys());
}

MemoriesExhibit reached() {
  MemoriesExhibit made;
  made.arrays = {{"t", Memory::pinned, 24, ""}, {"far", Memory::managed, 24, ""}};
  made.transfers = {{Way::access, true, 0, {}, 24, 1}, {Way::pages, false, 1, 1, 24, 1}};
  return made;
}

}  // namespace

TEST_CASE("The sentence of two memories names the arrays of each, and what crossed") {
  const std::string says = said(sample::memories());
  CHECK(holds(says, "memories.holds.pageable"));
  CHECK(holds(says, "memories.holds.device"));
  CHECK(holds(says, "memories.in"));
  CHECK(holds(says, "memories.out"));
  CHECK_FALSE(holds(says, "memories.none"));
  MemoriesExhibit quiet = sample::memories();
  quiet.transfers.clear();
  CHECK(holds(said(quiet), "memories.none"));
  CHECK(holds(said({}), "memories.nothing"));
}

TEST_CASE("Bytes and crossings are added up by direction") {
  const MemoriesExhibit memories = sample::memories();
  CHECK(bytes_across(memories, true) == 72);
  CHECK(crossings(memories, true) == 3);
  CHECK(bytes_across(memories, false) == 24);
  CHECK(crossings(memories, false) == 1);
  CHECK(size_text(memories.transfers[0]) == "24 B × 2");
  CHECK(size_text(memories.transfers[1]) == "24 B");
}

TEST_CASE("Two memories are rendered as text, HTML, JSON and a table") {
  for (const MemoriesExhibit& memories : {sample::memories(), reached()}) {
    for (const int width : {24, 80, 200})
      CHECK_FALSE(to_text(exhibit(memories), english(), width).empty());
    CHECK(to_json(exhibit(memories), english())["kind"] == "memories");
    CHECK(table_of(exhibit(memories), english()).rows.size() ==
          memories.arrays.size() + memories.transfers.size());
    const std::string html = to_html(exhibit(memories), english());
    CHECK(holds(html, "<svg"));
    CHECK(holds(html, ">t<"));
  }
}

TEST_CASE("A transfer between arrays that are not there is not valid, nor from where none is") {
  CHECK(valid(sample::memories()));
  CHECK(valid(reached()));
  MemoriesExhibit memories = sample::memories();
  memories.transfers[0].host = 9;
  CHECK_FALSE(valid(memories));
  memories = sample::memories();
  memories.transfers[0].device = 9;
  CHECK_FALSE(valid(memories));
  memories = sample::memories();
  memories.transfers[0].device = memories.transfers[0].host;  // which is the host's alone
  CHECK_FALSE(valid(memories));
}

TEST_CASE("In the picture arrows lead from one memory to the other, and can be pointed at") {
  const MemoriesExhibit memories = sample::memories();
  const MemoriesPlane plane(memories, 768);
  REQUIRE(plane.arrows().size() == memories.transfers.size());
  for (std::size_t i = 0; i < memories.transfers.size(); ++i) {
    const auto& [from, to] = plane.arrows()[i];
    CHECK((from.x < to.x) == memories.transfers[i].to_device);
    CHECK(std::min(from.x, to.x) >= plane.host().right() - 12);
    CHECK(std::max(from.x, to.x) <= plane.device().x + 12);
    CHECK(plane.transfer_at({(from.x + to.x) / 2, (from.y + to.y) / 2 - 3}) == i);
  }
  CHECK_FALSE(plane.transfer_at({1, 1}));
  const Canvas canvas = svg_canvas(768, english());
  const Drawing drawing = drawing_of(memories, plane, 0, canvas);
  CHECK(drawing.height == plane.height());
  for (const DrawnItem& item : drawing.items) {
    CHECK(bounds_of(item).y >= -1);
    CHECK(bounds_of(item).bottom() <= drawing.height + 1);
  }
}

TEST_CASE("Managed memory has a box on both sides, and threads one where they reach across") {
  const MemoriesPlane plane(reached(), 600);
  REQUIRE(plane.threads());
  CHECK(plane.on_host(0));
  CHECK_FALSE(plane.on_device(0));
  REQUIRE(plane.on_host(1));
  REQUIRE(plane.on_device(1));
  CHECK(plane.on_host(1)->y == plane.on_device(1)->y);
}

}  // namespace warpbook::lab::memories_exhibit_test
