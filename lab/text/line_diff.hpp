// Which lines of a text became which of another.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpbook::lab {

/// A line that both texts have, or one of them alone.
struct DiffLine {
  std::uint32_t a = 0, b = 0;  ///< from 1; 0: not in that text
  [[nodiscard]] bool same() const { return a != 0 && b != 0; }
  friend bool operator==(const DiffLine&, const DiffLine&) = default;
};
struct LineDiff {
  std::vector<DiffLine> lines;  ///< both texts whole, in order; what is gone before what is new
  bool least = true;            ///< false: too far apart to look for the fewest changes
};

/// Looked for up to this many changes. Time and memory grow with its square.
inline constexpr std::size_t kMostChanges = 1000;

/// The fewest lines gone and new that make `b` of `a` (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).
/// Where they are more than `most`, all between the first and the last line that differ counts as changed.
LineDiff diff_of(std::span<const std::string_view> a, std::span<const std::string_view> b,
                 std::size_t most = kMostChanges);

}  // namespace warpbook::lab
