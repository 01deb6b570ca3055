// The record of a GPU while it is made: in its file after each thing that was measured, so that a run that is cut short loses
// nothing, and another goes on from there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/records/record.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::tests {

class Recording {
 public:
  /// What stands in WARPBOOK_RECORD, the folder (unset: nothing is written), WARPBOOK_SECONDS, after which nothing new is begun
  /// (unset: no bound), and WARPBOOK_CONTINUE (set: what the file has of this GPU, driver and CUDA is kept).
  explicit Recording(device::Record fresh);

  [[nodiscard]] device::Record& record() { return record_; }
  /// Whether there is still time to begin this; if not, the run says what it skips.
  bool may_begin(const std::string& what);
  /// Whether each of the operation's rungs was compared, as its file is now, and timed unless it was wrong.
  [[nodiscard]] bool has(const lab::Operation& operation) const;
  [[nodiscard]] bool has(const std::string& library, const std::string& problem) const;
  void forget(const lab::Operation& operation);
  /// Writes the file, and reads it back; fails the test where that does not give the same.
  void save() const;
  [[nodiscard]] const std::vector<std::string>& left() const { return left_; }

 private:
  device::Record record_;
  std::filesystem::path file_;  // empty: none
  double seconds_ = 0;          // 0: no bound
  std::vector<std::string> left_;
};

}  // namespace warpbook::tests
