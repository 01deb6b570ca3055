// A formula as MathML, which browsers set by themselves: no script, no font of ours.
#include <fmt/format.h>

#include "lab/document/formula.hpp"
#include "lab/markup/html_parts.hpp"

namespace warpbook::lab {
namespace {

using FormulaKind = FormulaNode::Kind;

class MathmlWriter {
 public:
  explicit MathmlWriter(bool displayed) : displayed_(displayed) {}

  [[nodiscard]] std::string element(const FormulaNode& node) const {
    switch (node.kind) {
      case FormulaKind::row: return row(node);
      case FormulaKind::name:
        // One letter is set slanted, several upright; a prime is no letter.
        return tagged(node.text == "′" ? "mo" : "mi", "", escaped(node.text));
      case FormulaKind::number: return tagged("mn", "", escaped(node.text));
      case FormulaKind::function: return tagged("mi", "", escaped(node.text));
      case FormulaKind::words: return words(node.text);
      case FormulaKind::sign:
      case FormulaKind::relation:
      case FormulaKind::mark:
      case FormulaKind::large: return tagged("mo", "", escaped(node.text));
      case FormulaKind::open:
      case FormulaKind::close: return "<mo stretchy=\"false\">" + escaped(node.text) + "</mo>";
      case FormulaKind::space: return fmt::format("<mspace width=\"{}em\"/>", node.text);
      case FormulaKind::fraction:
        return tagged("mfrac", "", element(node.children[0]) + element(node.children[1]));
      case FormulaKind::root: return tagged("msqrt", "", element(node.children[0]));
      case FormulaKind::scripts: return scripts(node);
      case FormulaKind::fence: return fence(node);
      case FormulaKind::lines: return lines(node);
    }
    return "";
  }

 private:
  // Blanks at an <mtext>'s ends would be lost.
  static std::string words(const std::string& text) {
    std::string kept;
    for (const char c : text) kept += c == ' ' ? std::string("\u00a0") : std::string(1, c);
    return tagged("mtext", "", escaped(kept));
  }
  [[nodiscard]] std::string row(const FormulaNode& node) const {
    std::string content;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const FormulaNode& child = node.children[i];
      content += element(child);
      if (is_applied(child) && i + 1 < node.children.size() && takes(node.children[i + 1]))
        content += "<mo>\u2061</mo>";  // "of", which says how much space there is
    }
    return tagged("mrow", "", content);
  }
  static bool is_applied(const FormulaNode& node) {
    return node.kind == FormulaKind::function ||
           (node.kind == FormulaKind::scripts && node.children[0].kind == FormulaKind::function);
  }
  static bool takes(const FormulaNode& node) {
    return node.kind != FormulaKind::sign && node.kind != FormulaKind::relation &&
           node.kind != FormulaKind::mark && node.kind != FormulaKind::close &&
           node.kind != FormulaKind::space;
  }
  [[nodiscard]] std::string scripts(const FormulaNode& node) const {
    const FormulaNode &base = node.children[0], &below = node.children[1],
                      &above = node.children[2];
    const bool limits = displayed_ && base.kind == FormulaKind::large && base.text != "∫";
    const std::string both = element(base) + (is_empty(below) ? "" : element(below)) +
                             (is_empty(above) ? "" : element(above));
    if (is_empty(above)) return tagged(limits ? "munder" : "msub", "", both);
    if (is_empty(below)) return tagged(limits ? "mover" : "msup", "", both);
    return tagged(limits ? "munderover" : "msubsup", "", both);
  }
  static std::string bracket(std::string_view text) {
    return text.empty() ? "" : "<mo stretchy=\"true\">" + escaped(text) + "</mo>";
  }
  [[nodiscard]] std::string fence(const FormulaNode& node) const {
    const std::string_view both = node.text;
    const std::size_t end = both.find('\n');
    return tagged(
        "mrow", "",
        bracket(both.substr(0, end)) + element(node.children[0]) + bracket(both.substr(end + 1)));
  }
  [[nodiscard]] std::string lines(const FormulaNode& node) const {
    const bool cases = node.text == "cases";
    std::string table;
    for (const FormulaNode& line : node.children) {
      std::string cells;
      for (const FormulaNode& cell : line.children) cells += tagged("mtd", "", element(cell));
      table += tagged("mtr", "", cells);
    }
    table = fmt::format("<mtable columnalign=\"{}\">{}</mtable>",
                        cases ? "left left" : "right left", table);
    return tagged("mrow", "", (cases ? bracket("{") : "") + table);
  }

  bool displayed_;
};

}  // namespace

std::string formula_mathml(const FormulaNode& formula, bool displayed) {
  return fmt::format("<math display=\"{}\" alttext=\"{}\">{}</math>",
                     displayed ? "block" : "inline", escaped(formula_text(formula)),
                     MathmlWriter(displayed).element(formula));
}

}  // namespace warpbook::lab
