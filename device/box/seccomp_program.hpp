// Filters of system calls, in the classic BPF of seccomp.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpbook::device {

/// A filter judges one call at a time: it begins with begin(), and the first line that concerns the call's number decides.
class SeccompProgram {
 public:
  static constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
  static constexpr std::uint32_t fail_with(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  }

  /// Kills whoever calls in the manner of another architecture, whose numbers mean other calls.
  void begin();
  /// Refuses the numbers of the x32 set (bit 30), which mean the same calls as those without it.
  void refuse_x32(std::uint32_t verdict);
  /// For `number`: `verdict`.
  void judge(long number, std::uint32_t verdict);
  /// For `number`: allowed where no bit of `forbidden` is set in the argument's low word, else refused.
  void judge_bits(long number, std::size_t argument, std::uint32_t forbidden,
                  std::uint32_t refused);
  /// For `number`: `listed` where the low word of the argument is one of `values`, else `otherwise`. What the kernel takes as
  /// an int, it takes from the low word.
  void judge_value(long number, std::size_t argument, std::span<const std::uint32_t> values,
                   std::uint32_t listed, std::uint32_t otherwise);
  /// For `number`: allowed where the argument is a null pointer, else refused.
  void judge_pointer(long number, std::size_t argument, std::uint32_t refused);
  /// For socketpair: allowed for connected pairs of streams and of packets between processes of this machine, else refused.
  void judge_socket_pairs(std::uint32_t refused);
  /// For every call that nothing above concerned.
  void finish(std::uint32_t verdict);

  /// Puts the filter in force for this process and its children. Returns 0, or the errno of the refusal.
  [[nodiscard]] int enter();

 private:
  void load(std::uint32_t offset);
  std::size_t skip_unless(long number);
  void end_skip(std::size_t from);

  std::vector<sock_filter> code_;
};

/// False on a processor whose system calls these filters do not know.
bool seccomp_is_known_here();

}  // namespace warpbook::device
