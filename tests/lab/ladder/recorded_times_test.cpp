// What a GPU was recorded to take stands on the pages that simulate it, beside the estimate of the same launches.
#include <memory>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/ladder/recorded_times.hpp"

namespace warpbook::tests::recorded_times_test {

using namespace warpbook;

namespace {

lab::Report report_on(const std::string& gpu) {
  static const auto compiler = std::make_shared<device::Compiler>();
  lab::Inputs inputs;
  inputs.gpu = gpu;
  lab::Lab::Context context;
  context.device = device::make_simulated_device(**device::known_gpu(gpu));
  context.compiler = compiler;
  context.inputs = &inputs;
  context.root = WARPBOOK_SOURCE_DIR;
  context.budget = lab::lesson_budget();
  lab::Lab lab(std::move(context));
  lab.side_by_side({lab::recorded_times("strided_copy")});
  return lab.take_report();
}

}  // namespace

TEST_CASE(
    "Of a GPU with a record, each kernel's time is estimated and recorded, and of another "
    "nothing is shown") {
  const lab::Report recorded = report_on("h100");
  const auto* times = recorded.find_as<lab::TimingsExhibit>("recorded-strided_copy");
  REQUIRE(times);
  REQUIRE(times->rows.size() == 2);
  CHECK(times->rows[0].evidence.kind == device::EvidenceKind::estimated);
  CHECK(times->rows[1].evidence.kind == device::EvidenceKind::recorded);
  CHECK(times->rows[0].label == times->rows[1].label);
  CHECK(times->rows[1].seconds > 1e-6);
  CHECK(report_on("t4").exhibits.empty());
}

}  // namespace warpbook::tests::recorded_times_test
