#include "tests/gpu/library_times.hpp"

#include <numeric>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "device/libraries/client.hpp"

namespace warpbook::tests {
namespace {

using namespace device::libraries;

constexpr double kLongest = 0.5;  // seconds of one run; what takes longer is nobody's choice

/// The convolution that kernels.md and libraries.md speak of.
Problem convolution(Pass pass, Layout layout, Precision precision) {
  Problem problem;
  problem.operation = Operation::convolution;
  problem.pass = pass;
  problem.layout = layout;
  problem.precision = precision;
  problem.image = {16, 64, 56, 56};
  problem.filters = 64;
  problem.window = {3, 3};
  problem.pad = {1, 1};
  return problem;
}

Problem matmul(std::int64_t edge, Precision precision) {
  Problem problem;
  problem.operation = Operation::matmul;
  problem.precision = precision;
  problem.m = problem.n = problem.k = edge;
  return problem;
}

std::string text_of(const Problem& p) {
  if (p.operation == Operation::matmul)
    return fmt::format("matmul {} x {} x {}, {}", p.m, p.n, p.k, name_of(p.precision));
  return fmt::format("convolution {}, {}x{}x{}x{}, filters {}x{}x{}x{}, pad {}, {}, {}",
                     name_of(p.pass), p.image.n, p.image.c, p.image.h, p.image.w, p.filters,
                     p.image.c, p.window.h, p.window.w, p.pad.h, name_of(p.layout),
                     name_of(p.precision));
}

void time_one(Client& library, const std::string& identity, const Problem& problem,
              device::Record& record) {
  const auto offer = library.offer(problem, {});
  if (!offer) {
    FAIL_CHECK(text_of(problem) << ": " << offer.error().english());
    return;
  }
  std::vector<std::uint32_t> all(offer->algorithms.size());
  std::iota(all.begin(), all.end(), 0u);
  const auto timings = library.time_those_within(kLongest, problem, all, {});
  if (!timings) {
    FAIL_CHECK(text_of(problem) << ": " << timings.error().english());
    return;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& t = (*timings)[i];
    if (!t) continue;
    const Algorithm& algorithm = offer->algorithms[i];
    record.algorithms.push_back({identity,
                                 text_of(problem),
                                 algorithm.name,
                                 algorithm.workspace,
                                 {t->median, t->p20, t->p80, t->minimum, t->samples, t->hot}});
  }
}

void time_all(Kind kind, const std::vector<Problem>& problems, device::Record& record) {
  Client library(kind);
  const auto identity = library.identity();
  if (!identity) {
    fmt::print("{}\n", identity.error().english());
    return;
  }
  const std::string name = fmt::format("{} {}", name_of(kind), identity->version);
  for (const Problem& problem : problems) time_one(library, name, problem, record);
  if (kind != Kind::cudnn) return;
  const auto description = library.describe_device();
  if (!description) FAIL_CHECK(description.error().english());
  if (description) record.cudnn_device = *description;
}

}  // namespace

void time_libraries(device::Record& record) {
  std::vector<Problem> convolutions;
  for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      for (const Precision precision : {Precision::fp32, Precision::tf32})
        convolutions.push_back(convolution(pass, layout, precision));
    }
  }
  time_all(Kind::cudnn, convolutions, record);
  std::vector<Problem> products;
  for (const std::int64_t edge : {512, 1024, 4096}) {
    for (const Precision precision : {Precision::fp32, Precision::tf32})
      products.push_back(matmul(edge, precision));
  }
  time_all(Kind::cublas, products, record);
}

}  // namespace warpbook::tests
