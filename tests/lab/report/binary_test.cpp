#include "lab/report/binary.hpp"

#include <array>

#include <catch2/catch_test_macros.hpp>

#include "device/wire/bytes.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::binary_test {
namespace {

/// Sets the checksum right again, so that what follows it is tried.
void seal(std::string& bytes) {
  const std::uint64_t sum = checksum(std::as_bytes(std::span(bytes)).subspan(kChecksumBytes));
  std::memcpy(bytes.data(), &sum, sizeof sum);
}

}  // namespace

TEST_CASE("Binary form: a report of every kind comes back as it was") {
  const Report report = sample::full_report();
  const auto back = report_from_binary(to_binary(report));
  INFO(std::string(back ? std::string_view() : back.error()));
  REQUIRE(back);
  CHECK(*back == report);
}

TEST_CASE("Binary form: an empty report comes back") {
  const auto report = report_from_binary(to_binary(Report{}));
  REQUIRE(report);
  CHECK(*report == Report{});
}

TEST_CASE("Bytes: a launch record comes back as it was") {
  for (const device::LaunchRecord& record : {sample::full_record(), device::LaunchRecord{}}) {
    const auto back = device::from_bytes<device::LaunchRecord>(device::to_bytes(record));
    REQUIRE(back);
    CHECK(*back == record);
  }
}

TEST_CASE("Binary form: every error comes back") {
  for (const device::ErrorCode code : device::all_error_codes()) {
    Report report;
    report.errors = {{code, {}, {}}};
    const auto back = report_from_binary(to_binary(report));
    REQUIRE(back);
    CHECK(back->errors == report.errors);
  }
}

TEST_CASE("Binary form: ten million elements come back") {
  Report report;
  report.exhibits = {sample::exhibit(sample::tensor("big", std::vector<float>(10'000'000, 0.5f)))};
  const auto bytes = to_binary(report);
  CHECK(bytes.size() < 40'001'000);
  const auto back = report_from_binary(bytes);
  REQUIRE(back);
  CHECK((*back == report));  // in parentheses: a failure must not print the numbers
}

TEST_CASE(
    "Binary form: cut off at any byte it is an error, with and without a checksum that fits") {
  const std::string whole = to_binary(sample::full_report());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string cut = whole.substr(0, length);
    if (report_from_binary(cut)) FAIL_CHECK("taken at " << length << " bytes");
    if (length < kChecksumBytes) continue;
    seal(cut);
    if (report_from_binary(cut)) FAIL_CHECK("taken at " << length << " bytes, sealed");
  }
}

TEST_CASE("Binary form: any changed byte is noticed") {
  const std::string whole = to_binary(sample::full_report());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    if (report_from_binary(changed)) FAIL_CHECK("taken with byte " << at << " changed");
  }
}

namespace {

/// A report whose byte `at` is another, behind a checksum that fits: an error, or sound enough to be shown.
void take_changed(const std::string& whole, std::size_t at, std::uint8_t value) {
  std::string changed = whole;
  changed[at] = static_cast<char>(value);
  seal(changed);
  const auto report = report_from_binary(changed);
  if (!report) return;
  for (const Exhibit& exhibit : report->exhibits) {
    if (const auto* tensor = std::get_if<TensorExhibit>(&exhibit.value)) {
      CHECK(count(*tensor) * device::size_of(tensor->type) == tensor->data.size());
    }
  }
}

constexpr std::array<std::uint8_t, 4> kChanged{0, 1, 0x7f, 0xff};

}  // namespace

TEST_CASE(
    "Binary form: changed bytes behind a checksum that fits give an error or a whole report, never "
    "a crash") {
  const std::string whole = to_binary(sample::full_report());
  constexpr std::size_t kEvery = 3;  // long changes them all, each to all of the values
  for (std::size_t at = kChecksumBytes; at < whole.size(); at += kEvery)
    take_changed(whole, at, kChanged[at % kChanged.size()]);
}

TEST_CASE("Binary form: every byte changed to each of several values is no crash either",
          "[long]") {
  const std::string whole = to_binary(sample::full_report());
  for (std::size_t at = kChecksumBytes; at < whole.size(); ++at) {
    for (const std::uint8_t value : kChanged) take_changed(whole, at, value);
  }
}

TEST_CASE(
    "Binary form: a length that reaches past the end is refused before anything is made of it") {
  std::string bytes = to_binary(Report{});
  const std::uint64_t huge = std::uint64_t{1} << 60;
  std::memcpy(bytes.data() + kChecksumBytes, &huge, sizeof huge);  // of the report's first text
  seal(bytes);
  const auto report = report_from_binary(bytes);
  REQUIRE_FALSE(report);
  CHECK(report.error() == "a length reaches past its end");
}

TEST_CASE("Binary form: other bytes are not taken for a report") {
  CHECK_FALSE(report_from_binary(""));
  CHECK_FALSE(report_from_binary(std::string(4096, 'Z')));
}

TEST_CASE("Binary form: a tensor whose data does not fill its shape is refused") {
  Report report = sample::full_report();
  TensorExhibit& out = std::get<TensorExhibit>(report.exhibits[3].value);
  SECTION("too little data") { out.shape = {2, 3}; }
  SECTION("a shape whose product overflows to what is there") {
    out.shape = {std::uint64_t{1} << 62, 16};
  }
  SECTION("a wrong element outside") { out.wrong = {4}; }
  CHECK_FALSE(report_from_binary(to_binary(report)));
}

TEST_CASE("Binary form: a wire to an array that is not there is refused") {
  Report report = sample::full_report();
  std::get<AccessesExhibit>(report.exhibits[0].value).wires[0].array = 3;
  CHECK_FALSE(report_from_binary(to_binary(report)));
}

TEST_CASE("Hash of inputs: changes with every one of them") {
  const Inputs inputs = sample::full_report().inputs;
  CHECK(hash_of(inputs) == hash_of(sample::full_report().inputs));
  Inputs other = inputs;
  SECTION("a value") { other.values.set("n", std::int64_t{11}); }
  SECTION("a value's type") { other.values.set("n", 10.0); }
  SECTION("a source") { other.sources["add"] += " "; }
  SECTION("one source less") { other.sources.clear(); }
  SECTION("the GPU") { other.gpu = "h100"; }
  SECTION("the device") { other.device = "simulator"; }
  SECTION("the seed") { other.seed -= 1; }
  CHECK(hash_of(other) != hash_of(inputs));
}

}  // namespace warpbook::lab::binary_test
