// Formulae: the part of LaTeX's mathematics that chapters use. One source, read here and nowhere else, gives the line of
// text for a terminal and MathML for a page; the window has MicroTeX draw the same source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

/// A piece of a formula, and what it is made of.
struct FormulaNode {
  enum class Kind : std::uint8_t {
    row,       ///< children, side by side
    name,      ///< a variable: n, σ
    number,    ///< 12 or 0.5
    function,  ///< a name that is set upright: max, tanh
    words,     ///< \text{...}
    sign,      ///< an operator between two operands, or before one: + − ×
    relation,  ///< = ≤ ≈
    open,
    close,     ///< ( ⌊ and ) ⌋
    mark,      ///< , ; :
    large,     ///< ∑ and its like, whose limits stand below and above
    space,     ///< `text` holds its width in ems
    fraction,  ///< numerator, denominator
    root,      ///< of its only child
    scripts,   ///< base, below, above; a row without children where there is none
    fence,     ///< its only child between two brackets as high as it: `text` has a line for each
    lines      ///< rows of cells: `text` is the environment, cases or aligned
  };
  Kind kind = Kind::row;
  std::string text;  ///< UTF-8
  std::vector<FormulaNode> children;
};

/// A group of nothing: {}.
inline bool is_empty(const FormulaNode& node) {
  return node.kind == FormulaNode::Kind::row && node.children.empty();
}

/// Reads what stands between the dollars. Error, at `place`: bad_markdown for an unknown command, a bracket without its
/// other one, what is not ASCII, more than 1,000 characters or 16 pieces inside each other.
device::Expected<FormulaNode> parse_formula(std::string_view latex,
                                            const device::SourcePlace& place);

/// One line: "⌊(n + 2p − k)/s⌋ + 1". Every character of it is in the fonts of the window.
std::string formula_text(const FormulaNode& formula);
/// A <math> element, in a line of text or `displayed` by itself. Its alternative text is formula_text.
std::string formula_mathml(const FormulaNode& formula, bool displayed);

/// Every command of the language with what it needs: "\\times", "\\frac{a}{b}".
std::vector<std::string> formula_commands();

}  // namespace warpbook::lab
