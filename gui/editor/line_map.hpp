// Where the lines of an earlier text are in a later one, so that findings in the one can be shown in the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpbook::gui {

/// Lines before and after the edited part keep their place. Inside it, only lines with the same text do.
class LineMap {
 public:
  LineMap(std::string_view before, std::string_view now);
  /// Both numbers count from 1. Nothing where the line is gone.
  [[nodiscard]] std::optional<std::uint32_t> now(std::uint32_t line) const;

 private:
  std::vector<std::uint32_t> now_;  ///< by line before, less 1; 0: gone
};

}  // namespace warpbook::gui
