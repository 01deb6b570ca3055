// Parallelism: what its devices send, that they agree with one device, and that its hand estimates are what its runs come to.
#include <algorithm>
#include <string>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/devices/devices_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/pipeline/pipeline_summary.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::parallelism_test {
namespace {

using Catch::Approx;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using Text = std::string;

lab::Report run(const Values& values, const tests::chapter::Circumstances& with = {}) {
  lab::Report report = tests::chapter::run("parallelism", values, with);
  CHECK(report.errors.empty());
  return report;
}

Values split(const char* data, const char* tensor, const char* pipeline, const char* micro = "1") {
  return {{"data", Text(data)},
          {"tensor", Text(tensor)},
          {"pipeline", Text(pipeline)},
          {"micro", Text(micro)}};
}

Values with(Values values, std::initializer_list<std::pair<const char*, const char*>> more) {
  for (const auto& [name, value] : more) values.emplace_back(name, Text(value));
  return values;
}

bool right(const lab::Report& report) {
  return exhibit<lab::CheckExhibit>(report, "check").passed();
}

}  // namespace

TEST_CASE("Parallelism comes after Activations and before Convolution algorithms") {
  const auto all = lessons::catalogue();
  const auto place = [&](const char* slug) {
    return std::ranges::find(all, slug, &lab::Lesson::slug) - all.begin();
  };
  CHECK(place("activations") < place("parallelism"));
  CHECK(place("parallelism") < place("convolution-algorithms"));
}

TEST_CASE("Parallelism's four devices send 100,608 bytes each around the ring") {
  const lab::Report report = run({});
  CHECK(figure(report, "whole") == "67,072");
  CHECK(answer(report, "gradients") == "100,608");
  const auto& devices = exhibit<lab::DevicesExhibit>(report, "devices");
  REQUIRE(devices.links.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(devices.links[i].to == (devices.links[i].from + 1) % 4);
    CHECK(lab::bytes_sent(devices, i) == 100608);
  }
  CHECK(answer(report, "most") == "gradients");
  CHECK(answer(report, "times") == "1.5");
  CHECK(answer(run(split("8", "1", "1")), "times") == "1.75");
}

TEST_CASE("Parallelism's star sends three times as much from its middle as a ring's device would") {
  const lab::Report report = run({{"exchange", Text("star")}});
  CHECK(right(report));
  CHECK(lab::bytes_sent(exhibit<lab::DevicesExhibit>(report, "devices"), 0) == 3 * 67072);
}

TEST_CASE("Parallelism's devices agree with one device within rounding, however they are cut up") {
  const auto cut = GENERATE(split("4", "1", "1"), split("8", "1", "1"), split("1", "8", "1"),
                            split("1", "1", "4", "8"), split("2", "2", "2", "8"));
  const lab::Report report = run(cut);
  CHECK(right(report));
  CHECK(answer(report, "gradient") == "rounding");
}

TEST_CASE("Parallelism's kernel that keeps what arrives makes all devices wrong alike") {
  tests::chapter::Circumstances changed;
  changed.slot = "accumulate";
  changed.source = tests::chapter::variant("parallelism", "keep");
  const lab::Report report = run({}, changed);
  CHECK(answer(report, "gradient") == "wrong-alike");
}

TEST_CASE("Parallelism's eight devices are twice as fast over PCIe, five times over NVLink") {
  const Values eight = split("8", "1", "1");
  CHECK(answer(run(with(eight, {{"link", "pcie-5"}})), "faster") == "2");
  CHECK(figure(run(eight), "speedup") == "5.6");
  CHECK(std::stod(figure(run(with(eight, {{"link", "pcie-5"}, {"days", "256"}})), "speedup")) < 1);
}

TEST_CASE("Parallelism's bubble is (P - 1) / (M + P - 1), in the picture as in the estimate") {
  const Values four = with(split("1", "1", "4", "8"), {{"blocks", "32"}});
  const lab::Report report = run(four);
  CHECK(answer(report, "bubble") == "27");
  CHECK(lab::bubble_of(exhibit<lab::PipelineExhibit>(report, "pipeline")) ==
        Approx(3.0 / 11).epsilon(0.01));
  CHECK(answer(run(with(split("1", "1", "4"), {{"blocks", "32"}})), "bubble") == "75");
}

TEST_CASE("Parallelism's 1F1B leaves the bubble and keeps four micro-batches instead of eight") {
  const Values four = with(split("1", "1", "4", "8"), {{"blocks", "32"}});
  const lab::Report gpipe = run(four), one_f_one_b = run(with(four, {{"schedule", "1f1b"}}));
  CHECK(answer(one_f_one_b, "schedule") == "memory");
  CHECK(exhibit<lab::PipelineExhibit>(gpipe, "pipeline").rows[0].kept == 8);
  const auto& rows = exhibit<lab::PipelineExhibit>(one_f_one_b, "pipeline").rows;
  for (std::uint64_t stage = 0; stage < 4; ++stage) CHECK(rows[stage].kept == 4 - stage);
  CHECK(lab::bytes_held(exhibit<lab::DevicesExhibit>(one_f_one_b, "devices").devices[0]) <
        lab::bytes_held(exhibit<lab::DevicesExhibit>(gpipe, "devices").devices[0]));
}

TEST_CASE("Parallelism's slices add up once in a block's forward pass") {
  CHECK(answer(run(split("1", "2", "1")), "a-block") == "1");
  CHECK(answer(run(split("1", "4", "2", "4")), "a-block") == "1");
}

TEST_CASE("Parallelism's large network fits into a device only if it is cut up") {
  CHECK(answer(run(with(split("8", "1", "1"), {{"blocks", "32"}})), "fits") == "no");
  const Values hybrid = with(split("2", "2", "2", "8"), {{"blocks", "32"}});
  const lab::Report nvlink = run(hybrid), pcie = run(with(hybrid, {{"link", "pcie-5"}}));
  CHECK(answer(nvlink, "fits") == "yes");
  CHECK(figure(nvlink, "fastest") == "1 x 8 x 1");
  CHECK(figure(pcie, "fastest") == "1 x 4 x 2");
}

TEST_CASE("Parallelism refuses more devices than it simulates, and says how many") {
  const lab::Report report = tests::chapter::run("parallelism", split("8", "2", "1"));
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].code == device::ErrorCode::bad_value);
}

}  // namespace warpbook::parallelism_test
