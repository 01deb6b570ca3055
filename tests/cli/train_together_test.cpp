// `warpbook train --devices` and `--ranks`: as many processes come to the very weights of one process's devices.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::train_together_test {
namespace {

const std::vector<std::string> kTraining{"train", "spiral", "--steps", "3", "--lang", "en"};

Outcome together(const std::string& how, const std::string& members) {
  std::vector<std::string> words = kTraining;
  words.insert(words.end(), {how, members});
  return warpbook(words);
}

/// "checksum 0123456789abcdef"
std::string checksum(const Outcome& outcome) {
  const auto at = outcome.out.find("checksum ");
  REQUIRE(at != std::string::npos);
  return outcome.out.substr(at, 25);
}

bool has_ranks() {
  return std::filesystem::exists(std::filesystem::path(WARPBOOK_BINARY).parent_path() /
                                 "warpbook-ranks");
}

}  // namespace

TEST_CASE("train shares batches among devices, which end with equal weights") {
  const Outcome outcome = together("--devices", "3");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("spiral on 3 simulated devices") == 0);
  CHECK(outcome.out.find("All have the same weights") != std::string::npos);
}

TEST_CASE("train by processes ends with the bits of as many devices in one process", "[ci]") {
  if (!has_ranks()) SKIP("this Warpbook was built without MPI");
  const Outcome devices = together("--devices", "2"), ranks = together("--ranks", "2");
  CAPTURE(ranks.out, ranks.err);
  CHECK(ranks.code == 0);
  CHECK(ranks.out.find("All have the same weights") != std::string::npos);
  CHECK(checksum(ranks) == checksum(devices));
}

TEST_CASE("train says with which options devices and processes do not go") {
  for (const char* other : {"--save", "--json"}) {
    std::vector<std::string> words = kTraining;
    words.insert(words.end(), {"--devices", "2", other, "file"});
    const Outcome outcome = warpbook(words);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("--devices and --ranks stand alone") != std::string::npos);
  }
}

}  // namespace warpbook::tests::train_together_test
