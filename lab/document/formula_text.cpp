// A formula as one line of text.
#include <algorithm>

#include "lab/document/formula.hpp"

namespace warpbook::lab {
namespace {

using FormulaKind = FormulaNode::Kind;

// Something that a number can be multiplied with by standing beside it.
bool is_operand(const FormulaNode& node) {
  return node.kind != FormulaKind::sign && node.kind != FormulaKind::relation &&
         node.kind != FormulaKind::mark && node.kind != FormulaKind::open &&
         node.kind != FormulaKind::close && node.kind != FormulaKind::space;
}

// A word of several letters would run together with what stands beside it.
bool is_word(const FormulaNode& node) {
  if (node.kind == FormulaKind::scripts) return is_word(node.children.front());
  return node.kind == FormulaKind::function || node.kind == FormulaKind::words ||
         node.kind == FormulaKind::large ||
         (node.kind == FormulaKind::name && node.text.size() > 1 && node.text.front() > 0);
}

// Whether it stays one piece behind a stroke or a ^ without brackets.
bool is_one_piece(const FormulaNode& node) {
  switch (node.kind) {
    case FormulaKind::name:
    case FormulaKind::number:
    case FormulaKind::words:
    case FormulaKind::fence:
    case FormulaKind::root:
    case FormulaKind::scripts: return true;
    default: return false;
  }
}

// Above a stroke products may stand as they are: 2p/s.
bool is_product(const FormulaNode& node) {
  if (node.kind != FormulaKind::row) return is_one_piece(node);
  return std::ranges::all_of(node.children, is_one_piece);
}

std::string bracketed(std::string text, bool needed) {
  return needed ? "(" + std::move(text) + ")" : std::move(text);
}

std::string text_of(const FormulaNode& node);

// x_i and e^(x) would take what stands beside them for a part of themselves.
bool has_script(const FormulaNode& node) {
  return node.kind == FormulaKind::scripts &&
         text_of(node).find_first_of("^_") != std::string::npos;
}

class TextRow {
 public:
  explicit TextRow(const std::vector<FormulaNode>& pieces) : pieces_(pieces) {}

  std::string run() {
    for (at_ = 0; at_ < pieces_.size(); ++at_) add(pieces_[at_]);
    while (text_.ends_with(' ')) text_.pop_back();
    return std::move(text_);
  }

 private:
  [[nodiscard]] const FormulaNode* neighbour(int by) const {
    for (std::size_t i = at_ + static_cast<std::size_t>(by); i < pieces_.size();
         i += static_cast<std::size_t>(by)) {
      if (pieces_[i].kind != FormulaKind::space) return &pieces_[i];
    }
    return nullptr;
  }
  void blank() {
    if (!text_.empty() && !text_.ends_with(' ')) text_ += ' ';
  }
  void add(const FormulaNode& piece) {
    const FormulaNode* before = neighbour(-1);
    const FormulaNode* after = neighbour(1);
    switch (piece.kind) {
      case FormulaKind::relation: add_spaced(piece.text); return;
      case FormulaKind::sign: {
        const bool between = before && (is_operand(*before) || before->kind == FormulaKind::close);
        if (between && piece.text != "/") return add_spaced(piece.text);
        text_ += piece.text;
        return;
      }
      case FormulaKind::mark:
        text_ += piece.text;
        if (after) text_ += ' ';
        return;
      case FormulaKind::space:
        if (!piece.text.starts_with('-')) blank();
        return;
      case FormulaKind::fraction: {
        const bool beside =
            (before && (is_operand(*before) || before->kind == FormulaKind::close)) ||
            (after && (is_operand(*after) || after->kind == FormulaKind::open));
        text_ += bracketed(text_of(piece), beside);
        return;
      }
      default: break;
    }
    const std::string one = text_of(piece);
    if (before && is_operand(piece) &&
        (is_operand(*before) || before->kind == FormulaKind::close)) {
      const bool words = is_word(piece) || (is_word(*before) && piece.kind != FormulaKind::fence);
      if (words || has_script(piece) || has_script(*before)) blank();
    }
    text_ += text_.ends_with(' ') && one.starts_with(' ') ? one.substr(1) : one;
  }
  void add_spaced(const std::string& text) {
    blank();
    text_ += text + ' ';
  }

  const std::vector<FormulaNode>& pieces_;
  std::size_t at_ = 0;
  std::string text_;
};

// Only these three stand in every font.
std::string superscript(const FormulaNode& above) {
  if (above.kind == FormulaKind::number && above.text == "1") return "¹";
  if (above.kind == FormulaKind::number && above.text == "2") return "²";
  if (above.kind == FormulaKind::number && above.text == "3") return "³";
  return "^" +
         bracketed(text_of(above), !is_one_piece(above) || above.kind == FormulaKind::scripts);
}

std::string scripts_text(const FormulaNode& node) {
  const FormulaNode &base = node.children[0], &below = node.children[1], &above = node.children[2];
  std::string text =
      bracketed(text_of(base), base.kind == FormulaKind::row || base.kind == FormulaKind::fraction);
  if (!is_empty(below)) {
    text +=
        "_" + bracketed(text_of(below), !is_one_piece(below) || below.kind == FormulaKind::scripts);
  }
  if (is_empty(above)) return text;
  if (above.kind == FormulaKind::name && above.text == "′") return text + "′";
  if (above.kind != FormulaKind::row) return text + superscript(above);
  // f'^2: the strokes first.
  FormulaNode rest = above;
  while (!rest.children.empty() && rest.children.front().text == "′") {
    text += "′";
    rest.children.erase(rest.children.begin());
  }
  if (rest.children.empty()) return text;
  return text + superscript(rest.children.size() == 1 ? rest.children.front() : rest);
}

std::string lines_text(const FormulaNode& node) {
  std::string text;
  for (const FormulaNode& line : node.children) {
    if (!text.empty()) text += "; ";
    std::string cells;
    for (const FormulaNode& cell : line.children) {
      const std::string one = text_of(cell);
      if (!cells.empty() && !one.empty()) cells += node.text == "cases" ? ", " : " ";
      cells += one;
    }
    text += cells;
  }
  return node.text == "cases" ? "{ " + text + " }" : text;
}

std::string text_of(const FormulaNode& node) {
  switch (node.kind) {
    case FormulaKind::row: return TextRow(node.children).run();
    case FormulaKind::fraction:
      return bracketed(text_of(node.children[0]), !is_product(node.children[0])) + "/" +
             bracketed(text_of(node.children[1]), !is_one_piece(node.children[1]));
    case FormulaKind::root:
      return "√" + bracketed(text_of(node.children[0]), !is_one_piece(node.children[0]));
    case FormulaKind::scripts: return scripts_text(node);
    case FormulaKind::fence: {
      const std::size_t end = node.text.find('\n');
      return node.text.substr(0, end) + text_of(node.children[0]) + node.text.substr(end + 1);
    }
    case FormulaKind::lines: return lines_text(node);
    default: return node.text;
  }
}

}  // namespace

std::string formula_text(const FormulaNode& formula) { return text_of(formula); }

}  // namespace warpbook::lab
