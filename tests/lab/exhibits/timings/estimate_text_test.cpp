// An estimate's words.
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/timings/estimate_text.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::tests::estimate_text_test {
namespace {

device::Estimate estimate(const std::string& limiter, double waves) {
  device::Estimate made;
  made.seconds = 4e-6;
  made.bounds = {{limiter, 3e-6}};
  made.limiter = limiter;
  made.occupancy = 1;
  made.waves = waves;
  made.blocks = 16;
  return made;
}

}  // namespace

TEST_CASE("every part of a GPU that can hold a launch up has a sentence in both languages") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = lab::sample::strings(language);
    const std::string part = "estimate.part.";
    std::size_t parts = 0;
    for (const auto& [key, text] : strings->all()) {
      if (!key.starts_with(part)) continue;
      ++parts;
      for (const double waves : {0.25, 3.0}) {
        const lab::Message because = lab::bottleneck_of(estimate(key.substr(part.size()), waves));
        CAPTURE(because.key);
        CHECK(strings->has(because.key));
        CHECK((*strings)(because).find('{') == std::string::npos);
      }
    }
    CHECK(parts >= 12);
  }
}

TEST_CASE("a grid too small for its GPU is said to be, whatever the occupancy") {
  const auto strings = lab::sample::strings("en");
  CHECK((*strings)(lab::bottleneck_of(estimate("latency", 0.0625)))
            .find("the 16 blocks of the grid fill 6.25 % of the GPU's places") !=
        std::string::npos);
  CHECK((*strings)(lab::bottleneck_of(estimate("latency", 2)))
            .find("100 % of a multiprocessor's warps") != std::string::npos);
}

TEST_CASE("a bar of an estimate has its band and its bottleneck") {
  device::Estimate dram = estimate("dram", 2);
  dram.low = 3e-6;
  dram.high = 7e-6;
  dram.dram_bytes = 8e6;
  const lab::TimingsExhibit::Row row = lab::timing_of(lab::Message::plain("copy"), dram);
  CHECK(row.seconds == 4e-6);
  CHECK(row.low == 3e-6);
  CHECK(row.high == 7e-6);
  CHECK(lab::sample::keys()(row.bottleneck) == "estimate.because.dram(dram=8 MB, part=75)");
}

}  // namespace warpbook::tests::estimate_text_test
