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
  /// Whether there is still time to begin this. Prints when it begins; if it may not, the run says at its end what it skipped.
  bool may_begin(const std::string& what);
  /// Whether the rung was compared at each of its sizes, as its file is now. Only a time tells of which file it is, so a rung that
  /// was right counts once it has one.
  [[nodiscard]] bool has_compared(const lab::Operation& operation, const lab::Rung& rung) const;
  /// Whether the rung gave the same everywhere that it was compared; a wrong one has no time.
  [[nodiscard]] bool is_right(const lab::Operation& operation, const lab::Rung& rung) const;
  /// Whether each of the operation's right rungs that take this size was timed at it, as its file is now.
  [[nodiscard]] bool has_timed(const lab::Operation& operation,
                               const lab::OperationCase& size) const;
  [[nodiscard]] bool has(const std::string& library, const std::string& problem) const;
  void forget(const lab::Operation& operation, const lab::Rung& rung);
  void forget_times(const lab::Operation& operation, const lab::OperationCase& size);
  /// Writes the file, and reads it back; fails the test where that does not give the same.
  void save() const;
  [[nodiscard]] const std::vector<std::string>& left() const { return left_; }

 private:
  [[nodiscard]] bool has_comparison(const lab::Operation& operation, const lab::Rung& rung,
                                    const lab::OperationCase& size) const;
  [[nodiscard]] bool has_time(const lab::Operation& operation, const lab::Rung& rung,
                              const lab::OperationCase& size) const;

  device::Record record_;
  std::filesystem::path file_;  // empty: none
  double seconds_ = 0;          // 0: no bound
  std::vector<std::string> left_;
};

}  // namespace warpbook::tests
