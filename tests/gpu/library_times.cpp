#include "tests/gpu/library_times.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "device/libraries/client.hpp"

namespace warpbook::tests {
namespace {

using namespace device::libraries;

// A whole record is to take six minutes: of these problems there are eighteen.
constexpr double kLongest = 0.05;     // seconds of one run; what takes longer is nobody's choice
constexpr std::uint32_t kMost = 6;    // algorithms of a problem, those that the library prefers
constexpr double kTimePatience = 30;  // seconds for an answer
constexpr device::TimeLimits kLimits{0.025, 0.005, 0.25};
constexpr device::TimeLimits kOnce{0, 0, 0};

/// The convolution that measurements use: N16 C64 56x56, K64 3x3, padded.
Problem convolution(Pass pass, Layout layout, Precision precision) {
  Problem problem;
  problem.kind = ProblemKind::convolution;
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
  problem.kind = ProblemKind::matmul;
  problem.precision = precision;
  problem.m = problem.n = problem.k = edge;
  return problem;
}

std::string text_of(const Problem& p) {
  if (p.kind == ProblemKind::matmul)
    return fmt::format("matmul {} x {} x {}, {}", p.m, p.n, p.k, name_of(p.precision));
  return fmt::format("convolution {}, {}x{}x{}x{}, filters {}x{}x{}x{}, pad {}, {}, {}",
                     name_of(p.pass), p.image.n, p.image.c, p.image.h, p.image.w, p.filters,
                     p.image.c, p.window.h, p.window.w, p.pad.h, name_of(p.layout),
                     name_of(p.precision));
}

/// The GPU that is present, for which kMost algorithms are enough.
Target present() { return {"", kMost}; }

/// Those that take no longer than kLongest. One that fails is told of, and keeps none of the others from being timed.
std::vector<std::uint32_t> quick_of(Client& library, const Problem& problem, const Offer& offer) {
  std::vector<std::uint32_t> quick;
  const auto count = static_cast<std::uint32_t>(offer.algorithms.size());
  for (std::uint32_t i = 0; i < std::min(count, kMost); ++i) {
    const auto once = library.time(problem, {i}, kOnce);
    if (once && once->front().median <= kLongest) quick.push_back(i);
    if (once) continue;
    fmt::print("{}: {} does not run: {}\n", text_of(problem), offer.algorithms[i].name,
               once.error().english());
    // What it left of the GPU's context nobody knows: the next question meets a worker that is gone, the one after it a new one.
    library.cancel();
    (void)library.offer(problem, present());
  }
  return quick;
}

void time_one(Client& library, const std::string& identity, const Problem& problem,
              device::Record& record) {
  const auto offer = library.offer(problem, present());
  if (!offer) {
    FAIL_CHECK(text_of(problem) << ": " << offer.error().english());
    return;
  }
  const std::vector<std::uint32_t> quick = quick_of(library, problem, *offer);
  if (quick.empty()) {
    FAIL_CHECK(text_of(problem) << ": none of its algorithms runs in time");
    return;
  }
  const auto timings = library.time(problem, quick, kLimits);
  if (!timings) {
    FAIL_CHECK(text_of(problem) << ": " << timings.error().english());
    return;
  }
  for (std::size_t i = 0; i < quick.size(); ++i) {
    const device::Timing& t = (*timings)[i];
    const Algorithm& algorithm = offer->algorithms[quick[i]];
    record.algorithms.push_back({identity,
                                 text_of(problem),
                                 algorithm.name,
                                 algorithm.workspace,
                                 {t.median, t.p20, t.p80, t.minimum, t.samples, t.hot}});
  }
}

void time_all(Kind kind, const std::vector<Problem>& problems, Recording& recording) {
  Client library(kind);
  library.set_patience(kTimePatience);
  const auto identity = library.identity();
  if (!identity) {
    fmt::print("{}\n", identity.error().english());
    return;
  }
  const std::string name = fmt::format("{} {}", name_of(kind), identity->version);
  // First what takes no time.
  if (kind == Kind::cudnn && recording.record().cudnn_device.empty()) {
    const auto description = library.describe_device();
    if (!description) FAIL_CHECK(description.error().english());
    if (description) recording.record().cudnn_device = *description;
    recording.save();
  }
  for (const Problem& problem : problems) {
    const std::string text = text_of(problem);
    if (recording.has(name, text) || !recording.may_begin(name + ": " + text)) continue;
    time_one(library, name, problem, recording.record());
    recording.save();
  }
}

}  // namespace

void time_libraries(Recording& recording) {
  std::vector<Problem> convolutions;
  for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      for (const Precision precision : {Precision::fp32, Precision::tf32})
        convolutions.push_back(convolution(pass, layout, precision));
    }
  }
  std::vector<Problem> products;
  for (const std::int64_t edge : {512, 1024, 4096}) {
    for (const Precision precision : {Precision::fp32, Precision::tf32})
      products.push_back(matmul(edge, precision));
  }
  time_all(Kind::cublas, products, recording);
  time_all(Kind::cudnn, convolutions, recording);
}

}  // namespace warpbook::tests
