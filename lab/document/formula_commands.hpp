// The commands of a formula that stand for a character or a name.
#pragma once

#include <span>
#include <string_view>

#include "lab/document/formula.hpp"

namespace warpbook::lab {

struct FormulaCommand {
  std::string_view name;  ///< without its backslash
  FormulaNode::Kind kind;
  std::string_view text;
};

std::span<const FormulaCommand> formula_symbols();
/// Null where there is none.
const FormulaCommand* find_formula_symbol(std::string_view name);

}  // namespace warpbook::lab
