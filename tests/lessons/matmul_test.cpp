// Matrix product: what its runs count is what the page works out by hand, and its pictures are those of plain arithmetic.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/product/product_summary.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::matmul_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using Int = std::int64_t;

lab::Report run(const Values& values) { return tests::chapter::run("matmul", values); }

/// The page's own run.
const lab::Report& page() {
  static const lab::Report report = run({});
  return report;
}

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  for (const char* id : {"check", "rungs-check"})
    CHECK(exhibit<lab::CheckExhibit>(report, id).passed());
}

/// Threads of the block that use, and times that it loads, each element which any of them uses: the same for all elements.
struct Sharing {
  std::uint32_t users = 0, loads = 0;
};
Sharing sharing_of(const lab::FactorCounts& counts) {
  Sharing found;
  bool even = true;
  for (std::size_t i = 0; i < counts.users.size(); ++i) {
    if (counts.users[i] == 0) continue;
    if (found.users == 0) found = {counts.users[i], counts.loads[i]};
    even = even && counts.users[i] == found.users && counts.loads[i] == found.loads;
  }
  CHECK(even);
  return found;
}

}  // namespace

TEST_CASE("Matrix product: every version is right within its tolerance") {
  check_clean(page());
  CHECK(exhibit<lab::CheckExhibit>(page(), "rungs-check").items.size() == 9);
}

TEST_CASE("Matrix product: loads, sectors and blocks are those that the page works out") {
  const lab::Report& report = page();
  CHECK(answer(report, "naive-loads") == "256");
  CHECK(answer(report, "tiled-loads") == "16");
  CHECK(answer(report, "sectors") == "5");
  CHECK(answer(report, "square-loads") == "16");
  CHECK(answer(report, "blocks") == "4");
  CHECK(figure(report, "layer-products") == "4,294,967,296");
  CHECK(figure(report, "layer-intensity") == "186");
}

TEST_CASE("Matrix product: where tensor cores take no TF32, the page says so, and all else runs") {
  const lab::Report report = tests::chapter::run("matmul", {}, {{}, {}, "t4", {}, {}});
  for (const device::Error& error : report.errors) UNSCOPED_INFO(error.english());
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::TextExhibit>(report, "rounded").text.key == "matmul.rounded.missing");
  CHECK(answer(report, "naive-loads") == answer(page(), "naive-loads"));
  CHECK(figure(report, "float4-time") != "");
  CHECK(figure(report, "tf32-mma-time") == "");
}

TEST_CASE("Matrix product: one word uses each weight once, whatever the tile") {
  const lab::Report report = run({{"words", Int{1}}, {"features", Int{64}}});
  check_clean(report);
  CHECK(answer(report, "intensity") == "0.48");
  CHECK(answer(run({{"words", Int{1}}}), "intensity") == "0.5");
}

TEST_CASE("Matrix product: who uses an element, and how often it is loaded, in each version") {
  const auto [version, a_users, a_loads, b_users, b_loads] = GENERATE(
      table<std::string, unsigned, unsigned, unsigned, unsigned>({{"naive", 8, 8, 32, 32},
                                                                  {"tiled", 16, 1, 16, 1},
                                                                  {"register_tile", 8, 1, 4, 1},
                                                                  {"float4", 8, 1, 4, 1},
                                                                  {"warp_tiles", 4, 1, 8, 1}}));
  CAPTURE(version);
  const lab::Report report = run({{"version", version}, {"words", Int{16}}, {"features", Int{16}}});
  check_clean(report);
  const auto& product = exhibit<lab::ProductExhibit>(report, "reads");
  CHECK(valid(product));
  CHECK_FALSE(product.cut);
  const Sharing a = sharing_of(counts_of_a(product)), b = sharing_of(counts_of_b(product));
  CHECK(a.users == a_users);
  CHECK(a.loads == a_loads);
  CHECK(b.users == b_users);
  CHECK(b.loads == b_loads);
  // A thread uses the rows and columns of its own elements, and nothing else.
  bool right = true;
  for (const auto& thread : product.threads) {
    for (const std::uint32_t element : thread.results) {
      const std::uint32_t first = element / product.columns * product.depth;
      for (std::uint32_t d = 0; d < product.depth; ++d) {
        right =
            right && std::ranges::binary_search(thread.a, first + d) &&
            std::ranges::binary_search(thread.b, d * product.columns + element % product.columns);
      }
    }
  }
  CHECK(right);
}

TEST_CASE("Matrix product: the tile is as large as the reader wants it") {
  const lab::Report report = run({{"tile", Int{32}}, {"words", Int{64}}, {"features", Int{64}}});
  check_clean(report);
  CHECK(answer(report, "tiled-loads") == "2");  // 64 / 32
  const auto& product = exhibit<lab::ProductExhibit>(report, "reads");
  CHECK(sharing_of(counts_of_a(product)).users == 32);
  CHECK(product.threads.size() == 1024);
}

TEST_CASE("Matrix product: a lane of the tensor cores' instruction holds what the PTX ISA says") {
  const auto& product = exhibit<lab::ProductExhibit>(page(), "fragments");
  REQUIRE(product.threads.size() == 32);
  for (const auto& lane : product.threads) {
    const std::uint32_t g = lane.thread / 4, t = lane.thread % 4;
    using Elements = std::vector<std::uint32_t>;
    CHECK(lane.a == Elements{g * 8 + t, g * 8 + t + 4, (g + 8) * 8 + t, (g + 8) * 8 + t + 4});
    CHECK(lane.b == Elements{t * 8 + g, (t + 4) * 8 + g});
    CHECK(lane.results ==
          Elements{g * 8 + 2 * t, g * 8 + 2 * t + 1, (g + 8) * 8 + 2 * t, (g + 8) * 8 + 2 * t + 1});
  }
  CHECK(answer(page(), "rounded") == "2,050");
}

TEST_CASE("Matrix product: TF32 and Strassen deviate more than FP32, each within its contract") {
  const auto deviation = [](const char* name) { return std::stod(figure(page(), name)); };
  CHECK(deviation("fp32-error") < 1e-6);
  CHECK(deviation("strassen-error") > deviation("fp32-error"));
  CHECK(deviation("strassen-error") < 1e-5);
  CHECK(deviation("tf32-error") > 1e-4);
  CHECK(deviation("tf32-error") < 1e-3);
}

TEST_CASE("Matrix product: by the estimate, the versions climb") {
  const auto& roofline = exhibit<lab::RooflineExhibit>(page(), "roofline");
  REQUIRE(roofline.points.size() == 8);
  CHECK(lab::axis_memory(roofline) == "l2");
  const auto rate = [&](std::size_t i) { return lab::rate_of(roofline.points[i]); };
  // The two that the page calls too close to tell apart are left out.
  for (const auto& [slower, faster] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {6, 7}})
    CHECK(rate(slower) < rate(faster));
  // By hand: a block of R x C elements does 2 R C / (4 (R + C)) operations per byte.
  CHECK(lab::intensity_of(roofline, roofline.points[3]) == Catch::Approx(16).epsilon(0.4));
  CHECK(lab::intensity_of(roofline, roofline.points[6]) == Catch::Approx(32).epsilon(0.4));
  for (const auto& point : roofline.points) CHECK(lab::share_of_roof(roofline, point) < 1);
}

TEST_CASE("Matrix product: at 256 words the kernel with the largest tile is not the fastest") {
  const auto time = [](const char* name) { return std::stod(figure(page(), name)); };
  CHECK(time("register-tile-small") > 2 * time("tiled-small"));
}

TEST_CASE(
    "Matrix product: Strassen saves from 36 on, which of the shown sizes 64 is the first of") {
  CHECK(answer(page(), "strassen-from") == "64");
  for (const Int n : {32, 36, 64}) CHECK((n * n * n / 8 > 18 * n * n / 4) == (n > 36));
}

}  // namespace warpbook::matmul_test
