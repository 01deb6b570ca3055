// A recorded run: the measurements that tests/gpu/run made on a GPU, kept in device/records/<gpu>.json. Pages show it as *recorded*, with the
// GPU and the date. There is a record of a GPU only where somebody ran it there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// The time of something that ran many times, in seconds: device/records/record.schema.json says how it was taken.
struct RecordedTime {
  double median = 0, p20 = 0, p80 = 0, minimum = 0;
  std::uint32_t samples = 0;
  bool hot = false;  ///< on the same data each time; else on data that no cache held
  friend bool operator==(const RecordedTime&, const RecordedTime&) = default;
};

/// A rung of kernels/ at a size.
struct RecordedRung {
  std::string operation, rung;
  std::string size;         ///< "n = 65536", as OperationCase::text() says it
  std::string source_hash;  ///< of its file as it ran; another one is another kernel
  RecordedTime time;
  friend bool operator==(const RecordedRung&, const RecordedRung&) = default;
};

/// An algorithm of a library for a problem.
struct RecordedAlgorithm {
  std::string library;    ///< "cuDNN 9.19.0"
  std::string problem;    ///< in words
  std::string algorithm;  ///< the library's own name
  std::uint64_t workspace = 0;
  RecordedTime time;
  friend bool operator==(const RecordedAlgorithm&, const RecordedAlgorithm&) = default;
};

/// A rung on the GPU beside the same PTX on the simulator.
struct RecordedComparison {
  enum class Outcome : std::uint8_t {
    same_bits,
    within_tolerance,  ///< of its operation.toml; `why` names the PTX instructions that PTX leaves inexact
    differs
  };
  Outcome outcome = Outcome::same_bits;
  std::string operation, rung, size, why;
  friend bool operator==(const RecordedComparison&, const RecordedComparison&) = default;
};
constexpr auto enum_names(RecordedComparison::Outcome) {
  return checked_names<RecordedComparison::Outcome>("same bits", "within tolerance", "differs");
}

struct Record {
  std::string gpu;  ///< the driver's name for it: "NVIDIA H200"
  int compute_capability = 0;
  std::string cuda;                                   ///< that the driver serves: "13.0"
  std::string driver;                                 ///< "580.95.05"; empty where nothing told
  std::string when;                                   ///< ISO 8601, UTC
  std::uint32_t clock_khz = 0, memory_clock_khz = 0;  ///< the highest, as the driver says
  std::vector<RecordedRung> rungs;
  std::vector<RecordedAlgorithm> algorithms;
  std::vector<RecordedComparison> comparisons;
  std::string cudnn_device;  ///< cuDNN's own description of the GPU, JSON; may be empty

  /// Null where it was not timed, or was another kernel then. `source` is its file as it is now.
  [[nodiscard]] const RecordedRung* rung(std::string_view operation, std::string_view rung,
                                         std::string_view size, std::string_view source) const;
  [[nodiscard]] Evidence evidence() const;
  friend bool operator==(const Record&, const Record&) = default;
};

/// The newest schema that this program reads, and the one that it writes.
inline constexpr int kRecordVersion = 1;

/// A hash that distinguishes the texts of kernels: XXH3-64 in hexadecimal.
std::string source_hash(std::string_view source);

/// "h200.json" of "NVIDIA H200", "rtx-4090.json" of "NVIDIA GeForce RTX 4090".
std::string record_file_name(std::string_view gpu);

/// The GPU table's row for a GPU, by the name that its driver gives it; null where the table has none.
const Properties* row_of_gpu(std::string_view drivers_name);

/// record_damaged, record_newer, which name `file`.
Expected<Record> record_from(std::string_view json, const std::string& file);
Expected<Record> read_record(const std::filesystem::path& file);
/// That of a GPU by any of its names, "H100" also where the driver adds form and memory to it. `root` is root_folder().
/// no_record where there is none.
Expected<Record> find_record(const std::filesystem::path& root, std::string_view gpu);
/// Pretty-printed, for people to compare.
std::string to_json(const Record& record);

}  // namespace warpbook::device
