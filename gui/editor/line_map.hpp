// Where lines of an earlier text stand in a later one, so that what was found in the one can be shown in the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpbook::gui {

/// Lines before and behind what was edited keep their place; of what was edited itself, lines that are the same text.
class LineMap {
 public:
  LineMap(std::string_view before, std::string_view now);
  /// Both count from 1. Nothing where the line is no longer there.
  [[nodiscard]] std::optional<std::uint32_t> now(std::uint32_t line) const;

 private:
  std::vector<std::uint32_t> now_;  ///< by line before, less 1; 0: gone
};

}  // namespace warpbook::gui
