// A GPU drawn to its figures: what it is made from, what the renderers say, and what areas the picture has.
#include <cmath>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/gpu/gpu_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::gpu_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::count_outside;
using tests::holds;

double area_of(const Drawing& drawing, std::string_view part) {
  double area = 0;
  for (const DrawnItem& item : drawing.items) {
    const Area at = bounds_of(item);
    if (item.id && item.id->part == part) area += at.width * at.height;
  }
  return area;
}

}  // namespace

TEST_CASE("A GPU is described by its row of the table") {
  const GpuExhibit gpu = sample::gpu();
  CHECK(gpu.name == "H200");
  CHECK(gpu.multiprocessors == 132);
  CHECK(gpu.warps == 64);
  CHECK(gpu.registers == 256 << 10);
  CHECK(gpu.l1 == 256 << 10);
  CHECK(resident_threads(gpu) == 270'336);
  CHECK(memory_rate_text(gpu) == "4,917");
}

TEST_CASE("A GPU is rendered as text, HTML, JSON and a table") {
  const GpuExhibit gpu = sample::gpu();
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(gpu), english(), width).empty());
  const std::string text = to_text(exhibit(gpu), english(), 80);
  for (const char* said : {"132", "270,336", "8,448", "4,917", "a data sheet"})
    CHECK(holds(text, said));
  CHECK(to_json(exhibit(gpu), english())["kind"] == "gpu");
  CHECK(table_of(exhibit(gpu), english()).rows.size() == rows_of(gpu, english()).size() - 1);
  CHECK(holds(to_html(exhibit(gpu), english()), "<svg"));
  CHECK(holds(sentence(exhibit(GpuExhibit{}), sample::keys()), "gpu.nothing"));
}

TEST_CASE(
    "The picture has every multiprocessor of every GPU and every warp of one, within its edges") {
  for (const device::Properties& properties : device::gpu_table()) {
    const GpuExhibit gpu = gpu_of(properties, "");
    for (const double width : {260.0, 560.0, 1100.0}) {
      CAPTURE(gpu.name, width);
      const Drawing drawing = drawing_of(gpu, svg_canvas(width, english()));
      CHECK(count_of(drawing, "multiprocessor") == gpu.multiprocessors);
      CHECK(count_of(drawing, "warp") == gpu.warps);
      CHECK(count_outside(drawing) == 0);
    }
  }
}

TEST_CASE("A GPU is drawn however little room a window leaves it") {
  for (const double width : {-4.0, 0.0, 1.0, 8.0, 24.0, 60.0}) {
    CAPTURE(width);
    CHECK(drawing_of(sample::gpu(), svg_canvas(width, english())).height > 0);
  }
}

TEST_CASE("On the chip, registers and L2 cache have areas like their bytes") {
  for (const char* name : {"h200", "t4", "rtx 4090"}) {
    CAPTURE(name);
    const GpuExhibit gpu = gpu_of(*device::find_gpu(name), "");
    const Drawing drawing = drawing_of(gpu, svg_canvas(1000, english()));
    const double registers = static_cast<double>(gpu.registers) * gpu.multiprocessors,
                 drawn = area_of(drawing, "multiprocessor") / area_of(drawing, "l2"),
                 is = registers / static_cast<double>(gpu.l2);
    // Tiles have gaps, and the last row may not be full.
    CHECK(std::abs(drawn / is - 1) < 0.3);
  }
}

}  // namespace warpbook::lab::gpu_exhibit_test
