// The scratch page runs whatever kernel is written on it.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "lab/document/document.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::scratch_test {
namespace {
using tests::chapter::exhibit;

lab::Report run(const tests::chapter::Values& values, const std::string& source = {}) {
  return tests::chapter::run("scratch", values, {.slot = "scratch", .source = source});
}

std::vector<float> floats(const lab::TensorExhibit& tensor) {
  std::vector<float> values;
  for (std::uint64_t i = 0; i < lab::count(tensor); ++i)
    values.push_back(static_cast<float>(lab::element(tensor, i)));
  return values;
}
}  // namespace

TEST_CASE("The scratch page's text fits its lesson, and both languages carry the same directives") {
  std::vector<lab::Document> documents;
  for (const char* language : {"en", "zh"}) {
    auto document = lab::load_document(WARPBOOK_SOURCE_DIR, "scratch", language);
    REQUIRE(document);
    const auto errors = lab::validate(*document, lessons::scratch(), WARPBOOK_SOURCE_DIR);
    CAPTURE(language);
    for (const device::Error& error : errors) FAIL_CHECK(error.english());
    documents.push_back(std::move(*document));
  }
  CHECK(lab::compare_directives(documents[0], documents[1]).empty());
}

TEST_CASE("The scratch page is found by its name and is no chapter") {
  CHECK(lessons::find("scratch") == &lessons::scratch());
  CHECK(std::ranges::find(lessons::catalogue(), "scratch", &lab::Lesson::slug) ==
        lessons::catalogue().end());
}

TEST_CASE("The scratch page shows its own kernel in every picture that a launch fills") {
  const lab::Report report = run({});
  REQUIRE(report.errors.empty());
  const auto& wires = exhibit<lab::AccessesExhibit>(report, "wires");
  REQUIRE(wires.arrays.size() == 2);
  CHECK(wires.arrays[0].tensor.name == "x");
  CHECK(wires.arrays[1].tensor.name == "out");
  CHECK(wires.arrays[1].written);
  CHECK(exhibit<lab::GeometryExhibit>(report, "geometry").idle == 6);
  CHECK_FALSE(exhibit<lab::SectorsExhibit>(report, "map").requests.empty());
  CHECK_FALSE(exhibit<lab::WarpFilmExhibit>(report, "film").steps.empty());
  CHECK(report.find_as<lab::SpacesExhibit>("spaces"));
  CHECK(report.find_as<lab::RooflineExhibit>("roofline"));
  const auto out = floats(exhibit<lab::TensorExhibit>(report, "after-out"));
  REQUIRE(out.size() == 250);
  CHECK(out[249] == 2 * 249);
}

TEST_CASE("The scratch page takes arguments of the reader's own, and finds what leaves its array") {
  const lab::Report good = run({{"arguments", std::string("ramp:10 zeros:10 10")},
                                {"grid_x", std::int64_t{1}},
                                {"block_x", std::int64_t{16}}});
  CHECK(good.errors.empty());
  CHECK(floats(exhibit<lab::TensorExhibit>(good, "after-out")).size() == 10);
  const lab::Report stray = run({{"arguments", std::string("ramp:250 zeros:200 250")}});
  CHECK_FALSE(exhibit<lab::SourceExhibit>(stray, "scratch").marks.empty());
  const lab::Report few = run({{"arguments", std::string("ramp:250")}});
  REQUIRE_FALSE(few.errors.empty());
  CHECK(few.errors[0].code == device::ErrorCode::argument_count);
  const lab::Report wrong = run({{"arguments", std::string("pear zeros:250 250")}});
  REQUIRE_FALSE(wrong.errors.empty());
  CHECK(wrong.errors[0].code == device::ErrorCode::bad_argument);
}

TEST_CASE("The scratch page gives usual arguments to any kernel, whatever its parameters are") {
  const lab::Report report = run({}, R"(
__global__ void mix(const float4* __restrict__ data, double* out, float factor, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * data[i].y;
})");
  REQUIRE(report.errors.empty());
  const auto& wires = exhibit<lab::AccessesExhibit>(report, "wires");
  CHECK(wires.arrays[0].tensor.name == "data");
  CHECK(lab::count(exhibit<lab::TensorExhibit>(report, "after-out")) == 250);
  CHECK(lab::element(exhibit<lab::TensorExhibit>(report, "after-out"), 2) == 2 * 9);
}

TEST_CASE("The scratch page passes host code over, and asks which of several kernels is meant") {
  const std::string source = R"(#include <cstdio>
#include <vector>
__global__ void one(int* x) { x[threadIdx.x] = 1; }
__global__ void two(int* x) { x[threadIdx.x] = 2; }
int main() { std::vector<int> host(4); std::printf("%d\n", host[0]); })";
  const tests::chapter::Values small{{"grid_x", std::int64_t{1}}, {"block_x", std::int64_t{8}}};
  const lab::Report asks = run(small, source);
  REQUIRE_FALSE(asks.errors.empty());
  tests::chapter::Values named = small;
  named.emplace_back("kernel", std::string("two"));
  const lab::Report report = run(named, source);
  REQUIRE(report.errors.empty());
  CHECK(lab::element(exhibit<lab::TensorExhibit>(report, "after-x"), 7) == 2);
}

TEST_CASE("The scratch page says of a kernel without parameters what it printed") {
  const lab::Report report = run({{"grid_x", std::int64_t{1}}, {"block_x", std::int64_t{2}}},
                                 "__global__ void hello() { printf(\"hi %d\\n\", threadIdx.x); }");
  CHECK(report.errors.empty());
  CHECK_FALSE(report.find("wires"));
}

}  // namespace warpbook::scratch_test
