// What calls, copies and allocations were measured to take (device/records/*.calls.tsv, by tests/gpu/host_calls.cu) lies in the bands in
// which the clock of whole programs estimates them.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "device/records/record.hpp"
#include "device/runtime/device_clock.hpp"

namespace warpbook::tests::measured_calls_test {

using namespace device::runtime;

namespace {

struct Measured {
  std::string call;
  std::uint64_t bytes = 0;
  double microseconds = 0;
};

struct MeasuredCalls {
  std::string gpu;
  std::vector<Measured> all;
};

MeasuredCalls read(const std::filesystem::path& file) {
  MeasuredCalls calls;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("# ")) {
      if (calls.gpu.empty()) calls.gpu = line.substr(2);
      continue;
    }
    std::istringstream words(line);
    Measured& made = calls.all.emplace_back();
    words >> made.call >> made.bytes >> made.microseconds;
    REQUIRE(words);
  }
  return calls;
}

/// One after the other.
Duration sum(const std::vector<Duration>& parts) {
  Duration all;
  for (const Duration& part : parts) {
    all.seconds += part.seconds;
    all.low += part.low;
    all.high += part.high;
  }
  return all;
}

using Model = std::function<Duration(const CopyModel&, std::uint64_t bytes)>;

Model one_call() {
  return [](const CopyModel&, std::uint64_t) { return kOneCall; };
}
Model copied(bool pinned) {
  return [=](const CopyModel& copies, std::uint64_t bytes) {
    return sum({kOneCall, copies.over_link(bytes, pinned)});
  };
}
/// `moved`: how often the device's memory moves the bytes.
Model in_memory(std::uint64_t moved) {
  return [=](const CopyModel& copies, std::uint64_t bytes) {
    return sum({kOneCall, copies.in_memory(moved * bytes), kOneCall});
  };
}
Model allocated() {
  return [](const CopyModel&, std::uint64_t) { return allocation_time(); };
}
Model faulted() {
  return [](const CopyModel& copies, std::uint64_t bytes) { return copies.by_faults(bytes); };
}

const std::map<std::string, Model> kModels{
    {"launch", one_call()},
    {"wait-for-nothing", one_call()},
    {"record-event", one_call()},
    {"launch-graph", one_call()},
    {"ask-for-copy", one_call()},
    {"copy-in-pageable", copied(false)},
    {"copy-out-pageable", copied(false)},
    {"copy-in-pinned", copied(true)},
    {"copy-out-pinned", copied(true)},
    {"copy-in-memory-and-wait", in_memory(2)},
    {"fill-and-wait", in_memory(1)},
    {"allocate", allocated()},
    {"free", allocated()},
    {"allocate-from-pool-and-free",
     [](const CopyModel&, std::uint64_t) {
       return sum({kOneCall, kOneCall});
     }},
    // Both directions of the link are busy at once.
    {"add-in-mapped",
     [](const CopyModel& copies, std::uint64_t bytes) {
       return sum({kOneCall, copies.over_link(bytes, true), kOneCall});
     }},
    {"add-in-managed-first", faulted()},
    {"read-managed-on-host", faulted()}};
/// The clock has no estimate of these, or the estimate is that of a kernel.
const std::set<std::string> kNotModelled{"first-call",    "launch-and-wait",     "queued-kernel",
                                         "graph-kernel",  "allocate-pinned",     "free-pinned",
                                         "add-in-device", "add-in-managed-again"};

}  // namespace

TEST_CASE("What host calls were measured to take lies in the bands of their estimates") {
  std::size_t held = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(device::root_folder() / "device" / "records")) {
    if (!entry.path().string().ends_with(".calls.tsv")) continue;
    const MeasuredCalls calls = read(entry.path());
    CAPTURE(calls.gpu);
    const device::Properties* gpu = device::row_of_gpu(calls.gpu);
    REQUIRE(gpu);
    const CopyModel copies(*gpu);
    for (const Measured& measured : calls.all) {
      if (kNotModelled.contains(measured.call)) continue;
      CAPTURE(measured.call, measured.bytes, measured.microseconds);
      REQUIRE(kModels.contains(measured.call));
      const Duration estimated = kModels.at(measured.call)(copies, measured.bytes);
      CAPTURE(estimated.low, estimated.seconds, estimated.high);
      CHECK(measured.microseconds * 1e-6 >= estimated.low);
      CHECK(measured.microseconds * 1e-6 <= estimated.high);
      ++held;
    }
  }
  CHECK(held > 50);
}

}  // namespace warpbook::tests::measured_calls_test
