// Several devices: what the renderers say of their memories and copies, and where the picture has them.
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/devices/devices_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::devices_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;

std::string said(const DevicesExhibit& devices) {
  return sentence(exhibit(devices), sample::keys());
}

/// `count` devices in one column, each of which sends to the next.
DevicesExhibit column(std::uint32_t count) {
  DevicesExhibit made;
  for (std::uint32_t i = 0; i < count; ++i)
    made.devices.push_back({Message::plain("part"), 0, i, {}});
  for (std::uint32_t i = 0; i < count; ++i)
    made.links.push_back({i, (i + 1) % count, Message::plain("sums"), 100, 1});
  return made;
}

}  // namespace

TEST_CASE("The sentence of devices says who sends the most, or that all send as much") {
  CHECK(holds(said(sample::devices()), "devices.most"));
  CHECK(holds(said(column(3)), "devices.alike"));
  CHECK(holds(said({}), "devices.nothing"));
  DevicesExhibit alone;
  alone.devices = {{Message::plain("all"), 0, 0, {}}};
  CHECK(holds(said(alone), "devices.single"));
}

TEST_CASE("Bytes are added up by sender, and links have the colour of their purpose") {
  const DevicesExhibit devices = sample::devices();
  CHECK(bytes_sent(devices, 0) == 4608);
  CHECK(bytes_sent(devices, 1) == 4096);
  CHECK(busiest_sender(devices) == 0);
  CHECK(bytes_copied(devices) == 8704);
  REQUIRE(purposes_of(devices).size() == 2);
  CHECK(purpose_of(devices, devices.links[2]) == 1);
}

TEST_CASE("Devices are rendered as text, HTML, JSON and a table") {
  const DevicesExhibit devices = sample::devices();
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(devices), english(), width).empty());
  CHECK(holds(to_text(exhibit(devices), english(), 100), "4 KiB → 1 and 512 B → 2"));
  CHECK(to_json(exhibit(devices), english())["kind"] == "devices");
  CHECK(table_of(exhibit(devices), english()).rows.size() == 6);
  CHECK(holds(to_html(exhibit(devices), english()), "<svg"));
}

TEST_CASE("Two devices in one place, and a link to none or to itself, are not valid") {
  CHECK(valid(sample::devices()));
  DevicesExhibit devices = sample::devices();
  devices.links[0].to = 9;
  CHECK_FALSE(valid(devices));
  devices = sample::devices();
  devices.links[0].to = devices.links[0].from;
  CHECK_FALSE(valid(devices));
  devices = sample::devices();
  devices.devices[1].column = 0;
  CHECK_FALSE(valid(devices));
}

TEST_CASE("In the picture arrows leave boxes for others, and all of it lies within") {
  const auto devices = GENERATE(sample::devices(), column(2), column(4));
  const double width = GENERATE(520.0, 768.0);
  const DevicesPlane plane(devices, width);
  const Drawing drawing = drawing_of(devices, plane, {}, svg_canvas(width, english()));
  for (const DrawnItem& item : drawing.items) {
    const Area at = bounds_of(item);
    CHECK(at.x >= -1);
    CHECK(at.right() <= width + 1);
    CHECK(at.y >= -1);
    CHECK(at.bottom() <= drawing.height + 1);
  }
  for (std::size_t i = 0; i < devices.links.size(); ++i) {
    CHECK(plane.part_at(plane.arrows()[i].label) == DevicesPart{DevicesPart::Kind::link, i});
  }
  const Area& box = plane.boxes()[0];
  CHECK(plane.part_at({box.x + 4, box.y + 4}) == DevicesPart{DevicesPart::Kind::device, 0});
}

}  // namespace warpbook::lab::devices_exhibit_test
