// What `warpbook ladder` shows of a GPU's record.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "device/records/record.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::ladder_record_test {

using nlohmann::json;

namespace {

/// The tree with a record of our own making.
class Tree {
 public:
  explicit Tree(const std::string& record) {
    // In build/deps lies the compiler where the machine has none of its own.
    for (const char* folder : {"kernels", "lang", "lessons", "exercises", "build"})
      std::filesystem::create_directory_symlink(std::filesystem::path(WARPBOOK_SOURCE_DIR) / folder,
                                                root_.path() / folder);
    root_.write("device/records/h200.json", record);
  }
  [[nodiscard]] Outcome ladder() const {
    return warpbook({"ladder", "add", "--size", "33", "--json"},
                    {{"WARPBOOK_ROOT", root_.path().string()}});
  }

 private:
  TemporaryFolder root_;
};

/// Figures that no GPU gave.
std::string record_of(const std::string& source) {
  device::Record record;
  record.gpu = "NVIDIA H200";
  record.compute_capability = 90;
  record.when = "2026-01-02T03:04:05Z";
  record.rungs = {{"add",
                   "guarded",
                   "n = 33",
                   device::source_hash(source),
                   {5e-6, 4e-6, 7e-6, 3e-6, 100, false}}};
  return device::to_json(record);
}

}  // namespace

TEST_CASE("ladder shows a recorded time with its GPU and date, of the kernel as it stands alone") {
  const std::string source = read_whole(WARPBOOK_SOURCE_DIR "/kernels/add/01_guarded.cu");
  const Outcome same = Tree(record_of(source)).ladder();
  CAPTURE(same.err);
  REQUIRE(same.code == 0);
  const json recorded = json::parse(same.out).at("rungs").at(0).at("record");
  CHECK(recorded.at("seconds") == 5e-6);
  CHECK(recorded.at("low") == 4e-6);
  CHECK(recorded.at("high") == 7e-6);
  CHECK(recorded.at("evidence").at("kind") == "recorded");
  CHECK(recorded.at("evidence").at("when") == "2026-01-02T03:04:05Z");

  const Outcome changed = Tree(record_of(source + "\n")).ladder();
  REQUIRE(changed.code == 0);
  CHECK(json::parse(changed.out).at("rungs").at(0).at("record").is_null());
}

TEST_CASE("ladder names the file of a record that cannot be read") {
  const Outcome outcome = Tree("{}").ladder();
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, Says("error.record_damaged.long") &&
                              Catch::Matchers::ContainsSubstring("device/records/h200.json"));
}

}  // namespace warpbook::tests::ladder_record_test
