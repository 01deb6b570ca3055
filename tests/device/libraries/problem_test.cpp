#include "device/libraries/problem.hpp"

#include <catch2/catch_test_macros.hpp>

#include "device/libraries/messages.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::problem_test {
namespace {

using namespace device::libraries;
using device::Error;
using device::from_bytes;
using device::Timing;
using device::to_bytes;

std::string complaint(const Problem& p) {
  const auto good = check(p);
  return good ? "" : tests::keyed(good.error());
}

Problem convolution(const Shape& image, std::int64_t filters, Along window) {
  Problem p;
  p.image = image;
  p.filters = filters;
  p.window = window;
  return p;
}

}  // namespace

TEST_CASE("A convolution's result has the extents of the textbook") {
  Problem p = convolution({16, 64, 56, 56}, 64, {3, 3});
  CHECK(result_of(p) == Shape{16, 64, 54, 54});
  p.pad = {1, 1};
  CHECK(result_of(p) == Shape{16, 64, 56, 56});
  p.stride = {2, 3};
  CHECK(result_of(p) == Shape{16, 64, 28, 19});
  p.dilation = {2, 1};
  CHECK(result_of(p) == Shape{16, 64, 27, 19});
  CHECK(multiply_adds(p) == 16 * 64 * 27 * 19 * 64 * 9);
  // A stride beyond the image leaves one place.
  p.stride = {100, 100};
  CHECK(result_of(p) == Shape{16, 64, 1, 1});
  CHECK(complaint(p).empty());
}

TEST_CASE("Images of one pixel and of one or three channels are problems like others") {
  CHECK(complaint(convolution({1, 1, 1, 1}, 1, {1, 1})).empty());
  CHECK(complaint(convolution({4, 1, 28, 28}, 8, {5, 5})).empty());
  CHECK(complaint(convolution({4, 3, 28, 28}, 8, {5, 5})).empty());
}

TEST_CASE("Groups cut a convolution's filters down to the channels of one") {
  Problem p = convolution({2, 12, 9, 9}, 24, {3, 3});
  CHECK(filters_of(p) == Shape{24, 12, 3, 3});
  p.groups = 4;
  CHECK(complaint(p).empty());
  CHECK(filters_of(p) == Shape{24, 3, 3, 3});
  CHECK(result_of(p) == Shape{2, 24, 7, 7});
  CHECK(multiply_adds(p) == 2 * 24 * 7 * 7 * 3 * 9);
  CHECK(tensors_of(p).inputs.at(1).shape == filters_of(p));
  p.pass = Pass::filter;
  CHECK(tensors_of(p).output.shape == filters_of(p));
  p.groups = 12;  // depthwise, two filters a channel
  CHECK(complaint(p).empty());
  CHECK(filters_of(p) == Shape{24, 1, 3, 3});
}

TEST_CASE("Groups that do not part channels and filters evenly are refused") {
  Problem p = convolution({1, 6, 8, 8}, 4, {3, 3});
  p.groups = 4;
  CHECK(
      complaint(p) ==
      "bad_problem(value=4, what=phrase.what.the-groups, why=phrase.why.uneven-channels(count=6))");
  p.groups = 3;
  CHECK(
      complaint(p) ==
      "bad_problem(value=3, what=phrase.what.the-groups, why=phrase.why.uneven-filters(count=4))");
  p.groups = 0;
  CHECK(complaint(p) ==
        "bad_problem(value=0, what=phrase.what.the-groups, why=phrase.why.few-groups)");
  p.groups = 2;
  p.kind = ProblemKind::pooling;
  CHECK(complaint(p) ==
        "bad_problem(value=2, what=phrase.what.the-groups, why=phrase.why.no-groups)");
  p.kind = ProblemKind::matmul;
  CHECK(complaint(p) ==
        "bad_problem(value=2, what=phrase.what.the-groups, why=phrase.why.no-groups)");
}

TEST_CASE("What is no problem is refused with what is wrong with it") {
  CHECK(complaint(convolution({0, 3, 8, 8}, 4, {3, 3})) ==
        "bad_problem(value=0x3x8x8, what=phrase.what.the-shape, why=phrase.why.extents)");
  CHECK(complaint(convolution({1, 3, 8, 8}, 0, {3, 3})) ==
        "bad_problem(value=0x3x3, what=phrase.what.the-filter, why=phrase.why.extents)");
  CHECK(complaint(convolution({1, 3, 8, 8}, 4, {9, 3})) ==
        "bad_problem(value=9x3, what=phrase.what.the-filter, "
        "why=phrase.why.filter-covers(covers=9x3, image=8x8))");
  Problem p = convolution({1, 3, 8, 8}, 4, {3, 3});
  p.stride = {0, 1};
  CHECK(complaint(p) ==
        "bad_problem(value=0x1, what=phrase.what.the-stride, why=phrase.why.at-least-one)");
  p.stride = {1, 1};
  p.dilation = {1, 0};
  CHECK(complaint(p) ==
        "bad_problem(value=1x0, what=phrase.what.the-dilation, why=phrase.why.at-least-one)");
  p.dilation = {4, 4};
  CHECK(complaint(p) ==
        "bad_problem(value=3x3, what=phrase.what.the-filter, "
        "why=phrase.why.filter-covers(covers=9x9, image=8x8))");
  p.dilation = {1, 1};
  p.pad = {-1, 0};
  CHECK(complaint(p) ==
        "bad_problem(value=-1x0, what=phrase.what.the-padding, why=phrase.why.at-least-zero)");
  CHECK(complaint(convolution({1ll << 40, 1ll << 40, 8, 8}, 4, {3, 3})) ==
        "bad_problem(value=1099511627776x1099511627776x8x8, what=phrase.what.the-shape, "
        "why=phrase.why.too-far)");
  CHECK(complaint(convolution({1ll << 32, 1, 4, 4}, 1, {3, 3})) ==
        "bad_problem(value=4294967296x1x4x4, what=phrase.what.the-shape, why=phrase.why.too-far)");
  CHECK(complaint(convolution({INT32_MAX, 1, 4, 4}, 1, {3, 3})).empty());
  p = {};
  p.kind = ProblemKind::softmax;
  p.pass = Pass::filter;
  CHECK(complaint(p) ==
        "bad_problem(value=filter, what=phrase.what.the-pass, why=phrase.why.no-filters)");
  p.kind = ProblemKind::matmul;
  p.pass = Pass::forward;
  p.k = 0;
  CHECK(complaint(p) ==
        "bad_problem(value=1x1x0, what=phrase.what.the-shape, why=phrase.why.extents)");
}

TEST_CASE("A request to a worker comes out as it went in, and half of one not at all") {
  Request request;
  request.kind = Kind::onednn;
  request.file = "/somewhere/libdnnl.so.2";
  request.problem = convolution({2, 3, 5, 7}, 11, {3, 2});
  request.problem.pad = {1, 0};
  request.problem.groups = 3;
  request.problem.precision = Precision::bf16;
  request.target.description = "{}";
  request.algorithms = {3, 1};
  request.inputs = {{1, 2.5f}, {}};
  request.limits.most_seconds = 0.25;
  const std::string bytes = to_bytes(request);
  const auto read = from_bytes<Request>(bytes);
  REQUIRE(read);
  CHECK(read->problem == request.problem);
  CHECK(read->file == request.file);
  CHECK(read->target == request.target);
  CHECK(read->algorithms == request.algorithms);
  CHECK(read->inputs == request.inputs);
  CHECK(read->limits.most_seconds == 0.25);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(from_bytes<Request>(bytes.substr(0, size)));
  }
}

TEST_CASE("Offers, timings, facts and errors come out of a worker as they went in") {
  Offer offer;
  offer.left_out = 3;
  offer.refused = 44;
  offer.algorithms = {{"engine 38", "STAGES=4", "heuristic", 1234, {"TENSOR_CORE", "WINOGRAD"}}};
  const auto read = from_bytes<Offer>(to_bytes(offer));
  REQUIRE(read);
  CHECK(read->left_out == 3);
  CHECK(read->algorithms.at(0).notes == offer.algorithms[0].notes);
  CHECK(read->algorithms.at(0).workspace == 1234);

  const std::vector<Timing> timings{{1, 0.5, 2, 0.25, 17, true, "a CPU"}};
  const auto times = from_bytes<std::vector<Timing>>(to_bytes(timings));
  REQUIRE(times);
  CHECK(times->at(0).p80 == 2);
  CHECK(times->at(0).on == "a CPU");

  DriverFacts facts{"libcuda.so.1", 12040, {"one", "two"}, {}};
  facts.error = device::Error{device::ErrorCode::driver_too_old, {{"found", "12.4"}}, {}};
  const auto known = from_bytes<DriverFacts>(to_bytes(facts));
  REQUIRE(known);
  CHECK(known->gpus == facts.gpus);
  CHECK(known->error == facts.error);
  CHECK_FALSE(from_bytes<Error>("\xff\xff"));
}

}  // namespace warpbook::tests::problem_test
