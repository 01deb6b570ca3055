// What bodies of exhibits for a terminal are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/markup/terminal.hpp"

namespace warpbook::lab {

/// Rows of cells below each other, as many in each, numbers to the right; the first row is the head. `left`: a column of words.
/// `behind`: what a row ends with.
void text_rows(const std::vector<std::vector<std::string>>& rows, Page& page,
               std::optional<std::size_t> left = {},
               const std::function<std::string(std::size_t row)>& behind = {});

/// "blocks 3 to 5", "thread 4" as a table says them: "3 – 5", "4".
std::string span_text(std::uint64_t first, std::uint64_t last);

}  // namespace warpbook::lab
