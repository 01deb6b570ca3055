// A GPU's run and a simulated one in one report: which exhibit is whose.
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/beside_gpu.hpp"

namespace warpbook::tests::beside_gpu_test {

using namespace warpbook;
using namespace warpbook::lab;
using device::EvidenceKind;

namespace {

const Message kGpu = Message::plain("NVIDIA H100 80GB HBM3");
const Message kSimulated{"phrase.device.simulated", {{"gpu", "H100 SXM"}}, {}};
const device::Evidence kMeasured{EvidenceKind::measured, kGpu, {}};
const device::Evidence kCounted{EvidenceKind::counted, kSimulated, {}};

Exhibit tensor(const device::Evidence& evidence, std::byte value) {
  return {"out", Message::plain("out"), evidence,
          TensorExhibit{"out", device::ElementType::u8, {1}, {value}, {}}};
}

Exhibit check(const device::Evidence& evidence) {
  using Item = CheckExhibit::Item;
  CheckExhibit made;
  for (const char* id : {"right", "safe"})
    made.items.push_back(Item{id, CheckState::passed, {id}, {}, {}, 0, {}, {}});
  return {"check", Message::plain("check"), evidence, std::move(made)};
}

Exhibit time(const device::Evidence& evidence, double seconds) {
  TimingsExhibit made{Message::plain("one launch"), {}};
  made.rows.push_back({Message::plain("add"), seconds, seconds, seconds, seconds, 1, evidence, {}});
  return {"time", Message::plain("time"), std::nullopt, std::move(made)};
}

Exhibit cost(const device::Evidence& evidence, const char* text) {
  return {"cost", Message::plain("cost"), evidence, TextExhibit{Message::plain(text)}};
}

Report report_of(const Message& device, std::vector<Exhibit> exhibits) {
  Report made;
  made.device = device;
  made.exhibits = std::move(exhibits);
  return made;
}

device::Error error_of(device::ErrorCode code) {
  device::Error error;
  error.code = code;
  return error;
}

}  // namespace

TEST_CASE(
    "what a GPU left in memory and how long it took is shown, and what was counted is the "
    "simulator's") {
  const device::Evidence estimated{EvidenceKind::estimated, kSimulated, {}};
  const Report both =
      with_gpu(report_of(kSimulated, {tensor(kCounted, std::byte{1}), check(kCounted),
                                      time(estimated, 4e-6), cost(kCounted, "9 instructions")}),
               report_of(kGpu, {tensor(kMeasured, std::byte{2}), check(kMeasured),
                                time(kMeasured, 5e-6), cost(kMeasured, "0 instructions")}));

  CHECK(*both.find("out") == tensor(kMeasured, std::byte{2}));
  CHECK(*both.find("cost") == cost(kCounted, "9 instructions"));
  CHECK(*both.find("check") == check(kCounted));
  const auto* results = both.find_as<CheckExhibit>("check-on-gpu");
  REQUIRE(results);
  REQUIRE(results->items.size() == 1);
  CHECK(results->items.front().id == "right");
  CHECK(both.find("check-on-gpu")->evidence == kMeasured);
  const auto* times = both.find_as<TimingsExhibit>("time");
  REQUIRE(times->rows.size() == 2);
  CHECK(times->rows[0].evidence == estimated);
  CHECK(times->rows[1].evidence == kMeasured);
  CHECK(both.device.key == "phrase.device.beside");
}

TEST_CASE("what only the simulator can do is no error of a run on a GPU, and a fault is") {
  Report counted = report_of(kSimulated, {}), measured = report_of(kGpu, {});
  counted.errors = {error_of(device::ErrorCode::out_of_bounds_read)};
  measured.errors = {error_of(device::ErrorCode::not_supported),
                     error_of(device::ErrorCode::out_of_bounds_read),
                     error_of(device::ErrorCode::memory_lost)};
  const Report both = with_gpu(counted, measured);
  REQUIRE(both.errors.size() == 2);
  CHECK(both.errors[0].code == device::ErrorCode::out_of_bounds_read);
  CHECK(both.errors[1].code == device::ErrorCode::memory_lost);
}

TEST_CASE(
    "a GPU is simulated by its row of the table, and by what its driver says where it has "
    "none") {
  device::Properties gpu = *device::find_gpu("h100");
  gpu.simulated = false;
  gpu.name = "NVIDIA H100 80GB HBM3";
  CHECK(simulated_beside(gpu).name == "H100 SXM");
  CHECK(simulated_beside(gpu).simulated);
  gpu.name = "NVIDIA GeForce RTX 9999";
  gpu.multiprocessors = 7;
  CHECK(simulated_beside(gpu).name == gpu.name);
  CHECK(simulated_beside(gpu).multiprocessors == 7);
  CHECK(simulated_beside(gpu).simulated);
}

}  // namespace warpbook::tests::beside_gpu_test
