// `warpbook train` as a user types it.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::train_test {

using nlohmann::json;

TEST_CASE("train shows points while it learns, then the curve and what each layer costs") {
  const Outcome outcome = warpbook({"train", "linear-10-1", "--steps", "21", "--lang", "en"});
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.err.find("step 20: loss ") != std::string::npos);
  CHECK(outcome.out.find("linear-10-1 on H200, simulated, seed 1: 21 steps done") == 0);
  CHECK(outcome.out.find("mean_square_error_backward") != std::string::npos);
  const Outcome chinese = warpbook({"train", "linear-10-1", "--steps", "1", "--lang", "zh"});
  CHECK(chinese.out.find("一步的开销") != std::string::npos);
}

TEST_CASE("train saves, and goes on from the file as if it had not stopped") {
  const tests::TemporaryFolder folder;
  const auto at = [&](const char* name) { return (folder.path() / name).string(); };
  const std::string state = at("state"), whole = at("whole.json"), resumed = at("resumed.json");
  CHECK(warpbook({"train", "mlp-10-5-1", "--steps", "12", "--seed", "3", "--save", state}).code ==
        0);
  CHECK(warpbook({"train", "--resume", state, "--steps", "31", "--json", resumed}).code == 0);
  CHECK(warpbook({"train", "mlp-10-5-1", "--steps", "31", "--seed", "3", "--json", whole}).code ==
        0);
  const json first = json::parse(*device::read_file(whole));
  const json second = json::parse(*device::read_file(resumed));
  CHECK(first.at("form") == "warpbook-training");
  CHECK(first.at("curve").size() == 4);
  CHECK(first.at("curve") == second.at("curve"));
  CHECK(second.at("seed") == 3);
}

TEST_CASE("train says which presets there are, and why a file is no training") {
  const Outcome none = warpbook({"train", "--lang", "en"});
  CHECK(none.code == 2);
  CHECK(none.err.find("linear-10-1, ") != std::string::npos);
  const Outcome unknown = warpbook({"train", "transformer", "--lang", "en"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("\"transformer\"") != std::string::npos);
  const tests::TemporaryFolder folder;
  const auto letter = folder.write("letter", "dear reader");
  const Outcome wrong = warpbook({"train", "--resume", letter.string(), "--lang", "en"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("it holds no training") != std::string::npos);
}

}  // namespace warpbook::tests::train_test
