// cuDNN with no GPU: what it says of GPUs that are described to it. Where cuDNN is not installed these tests are skipped,
// with its sentence; so is what needs a GPU where there is none.
#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "device/device.hpp"
#include "device/libraries/client.hpp"
#include "device/libraries/described_gpu.hpp"
#include "tests/device/libraries/reference.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::cudnn_test {
namespace {

using namespace device::libraries;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using device::ErrorCode;

Client& cudnn() {
  static Client client(Kind::cudnn);
  const auto identity = client.identity();
  if (!identity && identity.error().code == ErrorCode::library_missing)
    SKIP(identity.error().english());
  if (!identity) FAIL(identity.error().english());
  return client;
}

Says refused_by_all_engines() {
  return Says("error.library_refused.long",
              {{"library", "cuDNN"}, {"why", device::Message{"phrase.why.no-engine", {}, {}}}});
}

Target target(const char* gpu) { return {describe(gpu).value().json}; }

/// The convolution that measurements use: N16 C64 56x56, K64 3x3, padded.
Problem usual(Precision precision, Layout layout) {
  Problem p;
  p.image = {16, 64, 56, 56};
  p.filters = 64;
  p.window = {3, 3};
  p.pad = {1, 1};
  p.precision = precision;
  p.layout = layout;
  return p;
}

std::uint32_t count(const Offer& offer, const std::string& origin) {
  return static_cast<std::uint32_t>(
      std::ranges::count(offer.algorithms, origin, &Algorithm::origin));
}

bool has_note(const Algorithm& a, const std::string& note) {
  return std::ranges::find(a.notes, note) != a.notes.end();
}

}  // namespace

TEST_CASE("cuDNN is of version 9 for CUDA 13") {
  const auto identity = cudnn().identity();
  CHECK_THAT(identity->version, StartsWith("9."));
  CHECK_THAT(identity->cuda, StartsWith("13."));
}

TEST_CASE("cuDNN lists its engines for an H200 that is not here, with workspaces and notes") {
  const auto offer = cudnn().offer(usual(Precision::tf32, Layout::nchw), target("h200"));
  if (!offer) FAIL(offer.error().english());
  CHECK(count(*offer, "heuristic") >= 20);
  CHECK(count(*offer, "fallback") >= 1);
  CHECK(offer->left_out == 0);
  CHECK(offer->refused > 0);
  std::set<std::string> engines;
  for (const Algorithm& a : offer->algorithms) {
    CHECK_THAT(a.name, StartsWith("engine "));
    engines.insert(a.name);
  }
  CHECK(engines.size() >= 8);
  // Tensor cores want NHWC: from NCHW they need room to transpose.
  CHECK(std::ranges::any_of(offer->algorithms, [](const Algorithm& a) {
    return has_note(a, "TENSOR_CORE") && a.workspace > 10'000'000;
  }));
  CHECK(
      std::ranges::any_of(offer->algorithms, [](const Algorithm& a) { return a.workspace == 0; }));
  CHECK(std::ranges::any_of(offer->algorithms, [](const Algorithm& a) {
    return a.settings.find("STAGES=") != std::string::npos &&
           a.settings.find("CUDNN") == std::string::npos;
  }));
}

TEST_CASE(
    "In FP32 proper no engine of cuDNN's list uses tensor cores, and how many were left out is "
    "told") {
  const auto all = cudnn().offer(usual(Precision::tf32, Layout::nhwc), target("h200"));
  const auto strict = cudnn().offer(usual(Precision::fp32, Layout::nhwc), target("h200"));
  REQUIRE((all && strict));
  CHECK(strict->left_out > 0);
  CHECK(strict->algorithms.size() + strict->left_out == all->algorithms.size());
  CHECK(std::ranges::none_of(strict->algorithms, [](const Algorithm& a) {
    return has_note(a, "TENSOR_CORE") || has_note(a, "DOWN_CONVERT_INPUTS");
  }));
}

TEST_CASE("Every described GPU gets a list of cuDNN's for every pass", "[ci]") {
  for (const device::Properties& row : device::gpu_table()) {
    for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
      Problem p = usual(Precision::tf32, Layout::nhwc);
      p.pass = pass;
      CAPTURE(row.name, name_of(pass));
      const auto offer = cudnn().offer(p, target(row.name.c_str()));
      if (!offer) FAIL(offer.error().english());
      CHECK(count(*offer, "heuristic") >= 5);
    }
  }
}

TEST_CASE("A bounded list has cuDNN's first engines, and none that it would have to compile") {
  const Problem problem = usual(Precision::tf32, Layout::nhwc);
  Target bounded = target("h200");
  bounded.most = 4;
  auto all = cudnn().offer(problem, target("h200"));
  const auto few = cudnn().offer(problem, bounded);
  REQUIRE((all && few));
  std::erase_if(all->algorithms,
                [](const Algorithm& a) { return has_note(a, "RUNTIME_COMPILATION"); });
  REQUIRE(few->algorithms.size() == bounded.most);
  for (std::size_t i = 0; i < bounded.most; ++i) {
    CHECK(few->algorithms[i].name == all->algorithms[i].name);
    CHECK(few->algorithms[i].settings == all->algorithms[i].settings);
  }
}

TEST_CASE("One GPU's engines are not another's") {
  const auto names = [](const Offer& offer) {
    std::set<std::string> all;
    for (const Algorithm& a : offer.algorithms) all.insert(a.name);
    return all;
  };
  const auto h200 = cudnn().offer(usual(Precision::tf32, Layout::nhwc), target("h200"));
  const auto t4 = cudnn().offer(usual(Precision::tf32, Layout::nhwc), target("t4"));
  REQUIRE((h200 && t4));
  CHECK(names(*h200) != names(*t4));
}

TEST_CASE("Small, thin and strided convolutions have engines, too") {
  Problem p;
  p.precision = Precision::tf32;
  const auto [image, filters, window, stride] =
      GENERATE(std::tuple{Shape{1, 1, 1, 1}, 1, Along{1, 1}, Along{1, 1}},
               std::tuple{Shape{1, 1, 28, 28}, 8, Along{5, 5}, Along{1, 1}},
               std::tuple{Shape{2, 3, 32, 32}, 16, Along{3, 3}, Along{2, 2}},
               std::tuple{Shape{1, 16, 8, 8}, 8, Along{3, 3}, Along{100, 100}});
  p.image = image;
  p.filters = filters;
  p.window = window;
  p.stride = stride;
  CAPTURE(p.image.c, p.image.h, p.stride.h);
  const auto offer = cudnn().offer(p, target("h200"));
  if (!offer) FAIL(offer.error().english());
  CHECK_FALSE(offer->algorithms.empty());
}

TEST_CASE(
    "cuDNN lists engines for grouped and depthwise convolutions, and others than for dense ones",
    "[ci]") {
  const auto listed = [](std::int64_t groups, Pass pass, Layout layout) {
    Problem p = usual(Precision::fp16, layout);
    p.groups = groups;
    p.pass = pass;
    CAPTURE(groups, name_of(pass), name_of(layout));
    const auto offer = cudnn().offer(p, target("h200"));
    if (!offer) FAIL(offer.error().english());
    std::set<std::string> engines;
    for (const Algorithm& a : offer->algorithms) engines.insert(a.name);
    CHECK_FALSE(engines.empty());
    return engines;
  };
  for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      const auto dense = listed(1, pass, layout);
      CHECK(listed(2, pass, layout) != dense);
      CHECK(listed(64, pass, layout) != dense);
    }
  }
}

TEST_CASE(
    "Groups that are none are refused before cuDNN is asked, and what it refuses itself in its "
    "words") {
  Client& client = cudnn();
  Problem p = usual(Precision::tf32, Layout::nchw);
  p.groups = 3;
  CHECK(keyed(client.offer(p, target("h200")).error()) ==
        "bad_problem(value=3, what=phrase.what.the-groups, "
        "why=phrase.why.uneven-channels(count=64))");
  p.precision = Precision::bf16;
  p.groups = 2;
  const auto offer = client.offer(p, target("t4"));
  REQUIRE_FALSE(offer);
  CHECK_THAT(offer.error().english(),
             refused_by_all_engines() && ContainsSubstring("CUDNN_STATUS_"));
}

TEST_CASE("A problem that cuDNN rejects is refused in its own words and ours") {
  Problem p = usual(Precision::bf16, Layout::nchw);
  const auto offer = cudnn().offer(p, target("t4"));  // Turing has no bf16
  REQUIRE_FALSE(offer);
  CHECK(offer.error().code == ErrorCode::library_refused);
  CHECK_THAT(offer.error().english(),
             refused_by_all_engines() && ContainsSubstring("CUDNN_STATUS_"));
  // What is no convolution at all never gets to it.
  p.image = {0, 3, 8, 8};
  CHECK(cudnn().offer(p, target("h200")).error().code == ErrorCode::bad_problem);
  // A description that is none.
  const auto none = cudnn().offer(usual(Precision::tf32, Layout::nchw), {"{\"warpSize\": 32}"});
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().english(),
             ContainsSubstring("it does not take the description of the GPU"));
  Problem gelu;
  gelu.kind = ProblemKind::activation;
  gelu.activation = Activation::gelu;
  CHECK_THAT(cudnn().offer(gelu, target("h200")).error().english(),
             ContainsSubstring("its legacy activations have no GELU"));
}

TEST_CASE("cuDNN's softmax, activations and pooling are offered, the legacy ones marked as such") {
  Problem p;
  p.image = {2, 3, 5, 4};
  p.kind = ProblemKind::softmax;
  Client& client = cudnn();
  CHECK(client.offer(p, target("h200"))->algorithms.size() == 2);
  for (const ProblemKind operation : {ProblemKind::activation, ProblemKind::pooling}) {
    p.kind = operation;
    const auto offer = client.offer(p, target("h200"));
    REQUIRE(offer);
    CHECK(has_note(offer->algorithms.at(0), "LEGACY"));
  }
}

TEST_CASE("On a GPU every plan of cuDNN's and every call computes what the loops do", "[ci]") {
  const auto facts = device::libraries::ask_driver();
  if (!facts) FAIL(facts.error().english());
  if (facts->error) SKIP(facts->error->english());
  std::vector<Problem> problems;
  for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
    for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
      Problem p;
      p.image = {2, 16, 11, 13};
      p.filters = 8;
      p.window = {3, 3};
      p.pad = {1, 1};
      p.stride = {2, 1};
      p.pass = pass;
      p.layout = layout;
      p.precision = Precision::tf32;
      problems.push_back(p);
      p.precision = Precision::fp32;
      problems.push_back(p);
      for (const std::int64_t groups : {2, 8}) {
        p.groups = groups;
        p.image.c = 8;
        problems.push_back(p);
      }
      p.groups = 1;
      if (pass == Pass::filter) continue;
      for (const ProblemKind operation :
           {ProblemKind::softmax, ProblemKind::activation, ProblemKind::pooling}) {
        p.kind = operation;
        problems.push_back(p);
      }
    }
  }
  for (const Problem& p : problems) {
    const auto offer = cudnn().offer(p, {});
    if (!offer) FAIL(offer.error().english());
    const auto inputs = inputs_for(p);
    const auto truth = reference(p, inputs);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < offer->algorithms.size(); ++i) {
      const Algorithm& a = offer->algorithms[i];
      CAPTURE(name_of(p.kind), name_of(p.pass), name_of(p.layout), name_of(p.precision), a.name,
              a.settings);
      const auto got = cudnn().run(p, i, inputs);
      if (!got) {
        FAIL_CHECK(got.error().english());
        continue;
      }
      CHECK((relative_error(*got, truth) <= (p.precision == Precision::tf32 ? 1e-3 : 1e-5)));
      all.push_back(i);
    }
    const auto timings = cudnn().time(p, all, {0.001, 0.05, 0.01});
    if (!timings) FAIL(timings.error().english());
    for (const device::Timing& t : *timings) CHECK(t.minimum > 0);
  }
  const auto described = cudnn().describe_device();
  REQUIRE(described);
  CHECK_THAT(*described, ContainsSubstring("deviceVer"));
}

TEST_CASE("On a GPU cuBLAS multiplies as the loops do, in FP32 proper and with TF32", "[ci]") {
  Client cublas(Kind::cublas);
  const auto identity = cublas.identity();
  if (!identity) SKIP(identity.error().english());
  CHECK_THAT(identity->version, StartsWith("13."));
  Problem p;
  p.kind = ProblemKind::matmul;
  p.m = 127;
  p.n = 65;
  p.k = 129;
  const auto strict = cublas.offer(p, {});
  REQUIRE(strict);
  CHECK(strict->algorithms.at(0).settings == "CUBLAS_COMPUTE_32F");
  CHECK(strict->algorithms.at(0).notes.empty());
  p.precision = Precision::tf32;
  const auto tf32 = cublas.offer(p, {});
  REQUIRE(tf32);
  CHECK(has_note(tf32->algorithms.at(0), "TENSOR_CORE"));

  const auto facts = device::libraries::ask_driver();
  if (!facts) FAIL(facts.error().english());
  if (facts->error) SKIP(facts->error->english());
  const auto inputs = inputs_for(p);
  const auto truth = reference(p, inputs);
  for (const Precision precision : {Precision::fp32, Precision::tf32}) {
    p.precision = precision;
    const auto got = cublas.run(p, 0, inputs);
    if (!got) FAIL(got.error().english());
    CHECK((relative_error(*got, truth) <= (precision == Precision::tf32 ? 1e-3 : 1e-6)));
    CHECK(cublas.time(p, {0}, {0.001, 0.05, 0.01}));
  }
}

}  // namespace warpbook::tests::cudnn_test
