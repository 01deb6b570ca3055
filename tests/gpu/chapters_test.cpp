// A whole chapter on the GPU, beside its simulation: everything that the page says of the GPU, the GPU has measured.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "device/records/record.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/gpu/on_gpu.hpp"

namespace warpbook::tests::gpu_chapters_test {

using namespace warpbook;

namespace {

lab::Report run_on(const lab::Lesson& lesson, const std::string& device, const std::string& gpu) {
  lab::Inputs inputs;
  inputs.device = device;
  inputs.gpu = gpu;
  return lab::run(lesson, inputs, gpu_compiler(), device::root_folder().string());
}

/// What a GPU can tell: the bytes that it left behind, what these decide, and its clock.
bool is_of_a_gpu(const lab::Exhibit& exhibit) {
  if (const auto* check = std::get_if<lab::CheckExhibit>(&exhibit.value)) {
    return std::ranges::none_of(check->items,
                                [](const auto& item) { return item.id.ends_with("safe"); });
  }
  return std::holds_alternative<lab::TensorExhibit>(exhibit.value) ||
         std::holds_alternative<lab::SchedulesExhibit>(exhibit.value) ||
         std::holds_alternative<lab::TimingsExhibit>(exhibit.value);
}

std::vector<std::string> errors_of(const lab::Report& report) {
  std::vector<std::string> errors;
  for (const device::Error& error : report.errors) errors.push_back(error.english());
  return errors;
}

std::vector<std::string> ids_of(const lab::Report& report) {
  std::vector<std::string> ids;
  for (const lab::Exhibit& exhibit : report.exhibits) {
    if (!exhibit.id.ends_with("-on-gpu")) ids.push_back(exhibit.id);
  }
  return ids;
}

}  // namespace

TEST_CASE(
    "on the GPU: every chapter shows all that it shows on the simulator, and nothing as the "
    "GPU's that a GPU cannot tell",
    "[long]") {
  const std::string name = gpu_or_skip()->properties().name;
  const lab::Message gpu = lab::Message::plain(name);
  const device::Properties* row = device::row_of_gpu(name);
  const std::string simulated_gpu(row ? row->name : device::kDefaultGpu);
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    DYNAMIC_SECTION(lesson.slug) {
      const lab::Report report = run_on(lesson, "gpu", simulated_gpu),
                        simulated = run_on(lesson, "simulator", simulated_gpu);
      CHECK(errors_of(report) == errors_of(simulated));
      CHECK(ids_of(report) == ids_of(simulated));
      for (const lab::Exhibit& exhibit : report.exhibits) {
        if (!exhibit.evidence || exhibit.evidence->on != gpu) continue;
        CAPTURE(exhibit.id);
        CHECK(exhibit.evidence->kind != device::EvidenceKind::counted);
        CHECK(is_of_a_gpu(exhibit));
      }
    }
  }
}

}  // namespace warpbook::tests::gpu_chapters_test
