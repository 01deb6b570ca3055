// PTX as a reader wants to see it: without the directives that only debuggers read, and with names as the source has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::gui {

class PtxText {
 public:
  struct Row {
    std::uint32_t line = 0;  ///< of the whole PTX, from 1
    std::string text;        ///< without tabs
  };
  explicit PtxText(std::string_view ptx);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// The row of a line of the whole PTX, or the next one that is shown.
  [[nodiscard]] std::size_t row_of(std::uint32_t line) const;

 private:
  std::vector<Row> rows_;
};

/// The line with each mangled name as the source has it, without types: "_Z3addPKiS0_Pii_param_0" is "add_param_0".
std::string with_plain_names(std::string_view line);

}  // namespace warpbook::gui
