#include <filesystem>
#include <limits>
#include <memory>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/render/launch_json.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/schema.hpp"

namespace warpbook::lab::json_test {
namespace {

using nlohmann::json;
using sample::exhibit;
using sample::tensor;
using tests::complaints;

json english(ExhibitValue value) {
  return to_json(exhibit(std::move(value)), *sample::strings("en"))["value"];
}

}  // namespace

TEST_CASE("Schema: reports of every kind, empty ones and hostile ones are valid") {
  const auto strings = sample::strings("en");
  Report odd = sample::full_report();
  const double inf = std::numeric_limits<double>::infinity();
  odd.compile_seconds = std::numeric_limits<double>::quiet_NaN();
  odd.subject = "\xff\x01";
  odd.inputs.values.set("\xfe", -inf);
  odd.errors[0].arguments = {{"\xff", "\xff"}};
  odd.errors[0].place = {};
  odd.exhibits = {
      exhibit(TensorExhibit{"t", device::ElementType::f32, {0}, {}, {}}),
      exhibit(AccessesExhibit{}),
      exhibit(ImageExhibit{}),
      exhibit(StackExhibit{}),
      exhibit(AlgorithmsExhibit{}),
      exhibit(RooflineExhibit{}),
      exhibit(TimelineExhibit{}),
      exhibit(WarpFilmExhibit{}),
      exhibit(IssueSlotsExhibit{}),
      exhibit(SchedulesExhibit{}),
      exhibit(TrailExhibit{}),
      exhibit(TileExhibit{}),
      exhibit(TreeExhibit{}),
      exhibit(GraphExhibit{}),
      exhibit(LayersExhibit{}),
      exhibit(DevicesExhibit{}),
      exhibit(PipelineExhibit{}),
      exhibit(ParetoExhibit{}),
      exhibit(BarsExhibit{}),
      exhibit(GpuExhibit{}),
      exhibit(ComparisonExhibit{}),
      exhibit(AlgorithmsExhibit{{}, {AlgorithmsExhibit::Group{}}}),
      exhibit(GeometryExhibit{}),
      exhibit(SourceExhibit{}),
      exhibit(TimingsExhibit{}),
      exhibit(CheckExhibit{}),
      exhibit(TextExhibit{}),
      exhibit(tensor<double>("d", {1, inf, -inf, std::numeric_limits<double>::quiet_NaN()})),
      exhibit(tensor<std::int64_t>("i", {std::numeric_limits<std::int64_t>::min()}))};
  CHECK(complaints("report.schema.json", {to_json(sample::full_report(), *strings),
                                          to_json(Report{}, *strings), to_json(odd, *strings)})
            .empty());
}

TEST_CASE("Schema: launch records are valid with what the command adds, and not without") {
  std::vector<json> whole;
  for (const device::LaunchRecord& record : {sample::full_record(), device::LaunchRecord{}}) {
    json launch = to_json(record);
    CHECK_FALSE(complaints("launch.schema.json", {launch}).empty());
    launch["geometry"] = {{"grid", {1, 1, 1}},  {"block", {1, 1, 1}},  {"cluster", {1, 1, 1}},
                          {"static_shared", 0}, {"dynamic_shared", 0}, {"cooperative", false}};
    launch.update({{"errors", json::array()},
                   {"device", "simulator"},
                   {"gpu", "H200"},
                   {"diagnostics", json::array()}});
    whole.push_back(std::move(launch));
  }
  CHECK(complaints("launch.schema.json", whole).empty());
  whole[0]["extra"] = 1;
  CHECK_FALSE(complaints("launch.schema.json", {whole[0]}).empty());
}

TEST_CASE("Schema: what is wrong is found") {
  const auto strings = sample::strings("en");
  json missing = to_json(sample::full_report(), *strings), unknown = missing, wrong_kind = missing,
       number = missing;
  missing.erase("device");
  unknown["extra"] = 1;
  wrong_kind["exhibits"][2]["kind"] = "tensor";
  number["exhibits"][3]["value"]["data"][0] = "six";
  for (const json& document : {missing, unknown, wrong_kind, number}) {
    const std::string found = complaints("report.schema.json", {document});
    CHECK_FALSE(found.empty());
    CHECK(found.find("missing: apt") == std::string::npos);
  }
}

TEST_CASE("JSON: a tensor gives shape, type and exact numbers") {
  const json out = english(tensor<int>("out", {6, 8, 10, 12}));
  CHECK(out["name"] == "out");
  CHECK(out["type"] == "i32");
  CHECK(out["shape"] == json::array({4}));
  CHECK(out["data"].dump() == "[6,8,10,12]");
  CHECK(english(tensor<std::uint64_t>("t", {~0ull}))["data"].dump() == "[18446744073709551615]");
  CHECK(english(tensor<std::int64_t>("t", {-9007199254740993}))["data"].dump() ==
        "[-9007199254740993]");
  CHECK(english(tensor<float>("t", {0.5f}))["data"].dump() == "[0.5]");
}

TEST_CASE("JSON: NaN and infinities are texts") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(english(tensor<float>("t", {inf, -inf, std::numeric_limits<float>::quiet_NaN()}))["data"]
            .dump() == R"(["inf","-inf","nan"])");
}

TEST_CASE("JSON: of ten million elements the first are there, and it says so") {
  const json big = english(tensor("big", std::vector<int>(10'000'000, 7)));
  CHECK(big["data"].size() == 65536);
  CHECK(big["count"] == 10'000'000);
  CHECK(big["cut"] == true);
}

TEST_CASE("JSON: wires say which of them went astray") {
  const json accesses = english(sample::wires(10, 3, 4, [](std::int64_t i) { return i; }));
  int strays = 0;
  for (const json& wire : accesses["wires"])
    strays += wire["stray"].get<bool>() && wire["kind"] == "store" ? 1 : 0;
  CHECK(strays == 2);
}

TEST_CASE("JSON: figures carry where they come from, and the idle of a cut trace is null") {
  const json report = to_json(sample::full_report(), *sample::strings("en"));
  CHECK(report["exhibits"][0]["evidence"]["kind"] == "counted");
  CHECK(report["exhibits"][5]["evidence"].is_null());
  CHECK(report["exhibits"][2]["value"]["idle"].is_null());
  CHECK(report["errors"][0]["code"] == "out_of_bounds_write");
  CHECK(report["errors"][0]["place"]["line"] == 4);
  CHECK(report["inputs"]["values"]["n"] == 10);
  CHECK(report["inputs"]["seed"].dump() == "18446744073709551615");
}

TEST_CASE("JSON of a launch: geometry, counters by line and instruction, findings and output") {
  const json launch = to_json(sample::full_record());
  CHECK(launch["grid"] == json::array({3, 2, 1}));
  CHECK(launch["thread_instructions"] == 2);
  CHECK(launch["seconds"] == 0.25);
  CHECK(launch["lines"][0]["line"] == 4);
  CHECK(launch["lines"][0]["counters"]["warp_instructions"] == 90);
  CHECK(launch["instructions"][0]["text"] == "ld.global.f32 %f1, [%rd8];");
  CHECK(launch["findings"][0]["error"]["code"] == "misaligned_access");
  CHECK(launch["findings"][0]["element"] == -3);
  CHECK(launch["findings_total"] == 24);
  CHECK(launch["error"]["code"] == "trap");
  CHECK(launch["output"] == "hello\n");
  CHECK(to_json(device::LaunchRecord{})["error"].is_null());
}

}  // namespace warpbook::lab::json_test
