// Lines of a program's host code: which of them an address of return belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "device/error.hpp"
#include "device/runtime/call_log.hpp"

namespace warpbook::device::runtime {

/// Reads the program's line table by addr2line, which comes with the compiler. Where that is missing, or the program was built
/// without lines, places are empty.
class HostLines {
 public:
  /// `foreign` are folders of headers, whose lines stand for those that called them.
  HostLines(std::filesystem::path executable, std::vector<std::string> foreign);

  /// All of these frames' lines at once.
  void prepare(std::span<const std::array<std::uint64_t, kFrames>> frames, std::uint64_t base);
  /// The nearest frame that lies in the program's own sources.
  SourcePlace place_of(const std::array<std::uint64_t, kFrames>& frames, std::uint64_t base);

 private:
  void look_up(const std::vector<std::uint64_t>& addresses);
  [[nodiscard]] bool is_foreign(const std::string& file) const;

  const std::filesystem::path executable_;
  const std::vector<std::string> foreign_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<SourcePlace>>
      known_;  ///< by address in the file; inlined frames, the innermost first
};

}  // namespace warpbook::device::runtime
