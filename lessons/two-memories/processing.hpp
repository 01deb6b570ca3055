// The chapter's run: tables of a weather station go through the GPU's memory, one after the other, and each call of the host is
// noted as the CUDA program would make it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/memories/memories.hpp"
#include "lab/experiment/host_side.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::two_memories {

inline constexpr std::string_view kThereAndBack = "t", kPlusFive = "t+5", kSum = "a+b";
inline constexpr std::string_view kPageable = "pageable", kPinned = "pinned", kManaged = "managed",
                                  kMapped = "mapped";
inline constexpr std::string_view kOnce = "-", kByMalloc = "cudaMalloc",
                                  kByPool = "cudaMallocAsync";
inline constexpr std::int64_t kThreads = 256;  ///< in a block
inline constexpr float kDegrees = 5;

/// What the reader has chosen.
struct Setting {
  explicit Setting(lab::Lab& lab);

  std::int64_t n = 0, tables = 1, launches = 1;
  std::string work, memory, anew;
  bool copy_in = true, copy_back = true, wait = false;

  [[nodiscard]] bool has_kernel() const { return work != kThereAndBack; }
  [[nodiscard]] bool copies() const { return memory == kPageable || memory == kPinned; }
  /// All of it is simulated, and everything is really copied. Else a sample of the blocks runs, and only the times are of interest.
  [[nodiscard]] bool whole() const;
};

class Processing {
 public:
  /// `plus`: the kernel that adds to a table in place.
  Processing(lab::Lab& lab, const Setting& setting, std::shared_ptr<const device::Module> plus);
  /// All tables.
  void run();

  /// What the host has in the end of the array that comes back, and what it should have.
  [[nodiscard]] const std::vector<float>& result() const { return result_array().values; }
  [[nodiscard]] const std::string& result_name() const { return result_array().name; }
  [[nodiscard]] std::vector<float> truth() const;
  /// The last launch; null where there was none.
  [[nodiscard]] const std::shared_ptr<const device::LaunchRecord>& record() const {
    return record_;
  }
  [[nodiscard]] lab::MemoriesExhibit memories() const;
  lab::TimelineExhibit timeline();

 private:
  struct Array {
    std::string name;
    bool in = false, out = false;
    std::vector<float> values;  ///< on the host
    device::Buffer buffer;
    std::string on_device;  ///< its first values there, in the end
  };

  [[nodiscard]] const Array& result_array() const { return arrays_.back(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(setting_.n) * sizeof(float);
  }
  [[nodiscard]] bool is_pinned() const { return setting_.memory == kPinned; }
  void allocate(bool first);
  void release();
  void copy_in();
  void launch(bool first);
  void copy_back();
  void look_at_device();
  [[nodiscard]] device::Launch prepared_launch() const;
  std::shared_ptr<const device::LaunchRecord> launched();
  void note_launch();
  void note_transfer(std::size_t array, lab::MemoriesExhibit::Way way, bool to_device);

  lab::Lab& lab_;
  const Setting setting_;
  const device::runtime::CopyModel copies_;
  lab::HostSide host_;
  std::vector<Array> arrays_;
  std::shared_ptr<const device::Module> module_;
  std::shared_ptr<const device::LaunchRecord> record_;
  std::vector<lab::MemoriesExhibit::Transfer> transfers_;  ///< `device` says whether to an array
};

}  // namespace warpbook::lessons::two_memories
