#include "device/records/record.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests::record_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;

namespace {

/// Made for these tests; no GPU gave these figures.
Record some_record() {
  const RecordedTime time{2e-6, 1.5e-6, 3e-6, 1e-6, 40, false};
  Record record;
  record.gpu = "NVIDIA Test";
  record.compute_capability = 90;
  record.cuda = "13.0";
  record.driver = "580.1";
  record.when = "2026-01-02T03:04:05Z";
  record.clock_khz = 1;
  record.memory_clock_khz = 2;
  record.rungs = {{"add", "guarded", "n = 7", source_hash("the kernel"), time}};
  record.algorithms = {{"cuDNN 9", "a convolution", "engine 1", 5, time}};
  record.comparisons = {
      {RecordedComparison::Outcome::within_tolerance, "softmax", "safe", "n = 3", "ex2.approx"}};
  record.cudnn_device = R"({"deviceVer": 900})";
  return record;
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), instead);
}

}  // namespace

TEST_CASE("A record comes back as it was written") {
  const auto back = record_from(to_json(some_record()), "test.json");
  REQUIRE(back);
  CHECK(*back == some_record());
  CHECK(back->evidence() ==
        Evidence{EvidenceKind::recorded, Message::plain("NVIDIA Test"), "2026-01-02T03:04:05Z"});
}

TEST_CASE("A recorded rung is found by operation, name and size") {
  const Record record = some_record();
  REQUIRE(record.rung("add", "guarded", "n = 7", "the kernel"));
  CHECK(record.rung("add", "guarded", "n = 7", "the kernel")->time.samples == 40);
  CHECK(!record.rung("add", "guarded", "n = 8", "the kernel"));
  CHECK(!record.rung("add", "other", "n = 7", "the kernel"));
  CHECK(!record.rung("add", "guarded", "n = 7", "the kernel, changed since"));
}

TEST_CASE("A damaged record names its file") {
  const std::string good = to_json(some_record());
  const std::string bad = GENERATE_COPY(
      std::string(), std::string("{"), std::string("[]"), std::string("{}"),
      good.substr(0, good.size() / 2), with(good, "\"rungs\"", "\"rangs\""),
      with(good, "\"samples\": 40", "\"samples\": 0"),
      with(good, "\"samples\": 40", "\"samples\": -1"), with(good, "\"hot\": false", "\"hot\": 0"),
      with(good, "warpbook-record", "another"), with(good, "within tolerance", "fine"),
      with(good, "\"p20\": 1.5e-06", "\"p20\": 1.0"));
  const auto read = record_from(bad, "folder/test.json");
  CAPTURE(bad);
  REQUIRE(!read);
  CHECK(read.error().code == ErrorCode::record_damaged);
  CHECK(read.error().english().find("folder/test.json") == 0);
}

TEST_CASE("A record of a newer schema names its file and both versions") {
  const auto read =
      record_from(with(to_json(some_record()), "\"version\": 1", "\"version\": 7"), "test.json");
  REQUIRE(!read);
  CHECK(read.error().english() ==
        "test.json was written by a newer Warpbook (schema 7, this one reads up to 1); update "
        "Warpbook to read it");
}

TEST_CASE("Records are found by any of a GPU's names, and where there is none, that is said") {
  const TemporaryFolder root;
  root.write("device/records/h200.json",
             with(to_json(some_record()), "NVIDIA Test", "NVIDIA H200"));
  CHECK(find_record(root.path(), "H200"));
  CHECK(find_record(root.path(), "NVIDIA H200"));
  CHECK(find_record(root.path(), "h200"));
  root.write("device/records/h100-80gb-hbm3.json", to_json(some_record()));
  root.write("device/records/rtx-3090-ti.json", to_json(some_record()));
  root.write("device/records/a100-sxm4-80gb.json", to_json(some_record()));
  CHECK(find_record(root.path(), "H100"));
  CHECK(find_record(root.path(), "H100 SXM"));
  CHECK(!find_record(root.path(), "H100 PCIe"));
  CHECK(find_record(root.path(), "A100 80GB"));
  CHECK(!find_record(root.path(), "A100 40GB"));
  CHECK(!find_record(root.path(), "RTX 3090"));  // another GPU's
  const auto none = find_record(root.path(), "T4");
  REQUIRE(!none);
  CHECK(none.error().english() == "no record for T4 yet: tests/gpu/run on such a GPU makes one");
}

TEST_CASE("A record's file is called as its GPU is") {
  CHECK(record_file_name("NVIDIA GeForce RTX 4090") == "rtx-4090.json");
  CHECK(record_file_name("NVIDIA A100-SXM4-80GB") == "a100-sxm4-80gb.json");
  CHECK(record_file_name("Tesla T4") == "t4.json");
  CHECK(record_file_name("../../etc/x") == "etc-x.json");
}

TEST_CASE("Every record in the tree is whole") {
  for (const auto& entry :
       std::filesystem::directory_iterator(WARPBOOK_SOURCE_DIR "/device/records")) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "record.schema.json")
      continue;
    CAPTURE(entry.path().string());
    const auto read = read_record(entry.path());
    if (!read) FAIL_CHECK(read.error().english());
    if (read) CHECK(record_file_name(read->gpu) == entry.path().filename().string());
  }
}

}  // namespace warpbook::tests::record_test
