#include "lab/document/formula.hpp"

#include <algorithm>
#include <optional>

#include "device/characters.hpp"
#include "lab/document/formula_commands.hpp"
#include "lab/document/text_error.hpp"

namespace warpbook::lab {
namespace {

using FormulaKind = FormulaNode::Kind;

constexpr std::size_t kLongest = 1000;  // characters; a formula that is read has a tenth
constexpr int kDeepest = 16;            // pieces inside each other

using device::is_digit;
using device::is_letter;
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

FormulaNode leaf(FormulaKind kind, std::string text) { return {kind, std::move(text), {}}; }
FormulaNode prime() { return leaf(FormulaKind::name, "′"); }

// A group of one piece is that piece.
FormulaNode grouped(FormulaNode row) {
  if (row.children.size() != 1) return row;
  FormulaNode only = std::move(row.children.front());
  return only;
}

// A recursive-descent parser. problem_ keeps the first error, after which every function returns at once.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, const device::SourcePlace& place)
      : text_(text), place_(place) {}

  device::Expected<FormulaNode> run() {
    if (text_.size() > kLongest) {
      fail("long", {{"characters", text_.size()}});
    } else if (std::ranges::any_of(text_, [](char c) { return static_cast<signed char>(c) < 0; })) {
      fail_here("not-ascii");
    } else {
      FormulaNode row = read_row();
      if (!problem_ && at_ < text_.size()) stray();
      if (!problem_ && row.children.empty()) {
        fail("empty");
      }
      if (!problem_) return row;
    }
    return tl::unexpected(std::move(*problem_));
  }

 private:
  /// Keeps the first error, phrase.markdown.formula-NAME.
  void fail(std::string_view name, device::MessageArguments arguments = {}) {
    if (problem_) return;
    problem_ = text_error("formula-" + std::string(name), std::move(arguments), place_);
  }
  /// The same, with the beginning of the formula as an argument.
  void fail_here(std::string_view name, device::MessageArguments arguments = {}) {
    constexpr std::size_t kShown = 60;
    const std::string shown(text_.substr(0, kShown));
    arguments.emplace_back("formula", shown + (text_.size() > kShown ? "..." : ""));
    fail(name, std::move(arguments));
  }
  /// Fails at what ends a row although no row is open.
  void stray() {
    const bool command = text_[at_] == '\\';
    fail_here("stray", {{"ending", command ? command_at() : std::string(1, text_[at_])}});
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  // The command at at_, with its backslash.
  [[nodiscard]] std::string command_at() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    if (end == at_ + 1 && end < text_.size()) ++end;
    return std::string(text_.substr(at_, end - at_));
  }
  [[nodiscard]] bool ends_row() const {
    const char c = peek();
    if (c == '\0' || c == '}' || c == '&') return true;
    if (c != '\\') return false;
    const std::string command = command_at();
    return command == "\\\\" || command == "\\right" || command == "\\end";
  }

  FormulaNode read_row() {
    FormulaNode row;
    if (++depth_ > kDeepest) {
      fail_here("deep", {{"most", kDeepest}});
    }
    for (skip_blanks(); !problem_ && !ends_row(); skip_blanks()) {
      FormulaNode piece = read_piece();
      row.children.push_back(read_scripts(std::move(piece)));
    }
    --depth_;
    return row;
  }
  /// { ... }
  FormulaNode read_group() {
    ++at_;
    FormulaNode row = read_row();
    if (peek() != '}') fail_here("brace");
    ++at_;
    return grouped(std::move(row));
  }
  /// What a command or a script takes: a group, or one character.
  FormulaNode read_argument(const std::string& of) {
    skip_blanks();
    if (peek() == '{') return read_group();
    if (is_digit(peek())) return leaf(FormulaKind::number, std::string(1, text_[at_++]));
    const bool command = peek() == '\\';
    if (command ? find_formula_symbol(std::string_view(command_at()).substr(1)) != nullptr
                : is_letter(peek()) || peek() == '+' || peek() == '-')
      return read_piece();
    fail_here("argument", {{"command", of}});
    return {};
  }
  /// The characters between the braces behind a command.
  std::string read_characters(const std::string& of) {
    skip_blanks();
    const std::size_t end = text_.find('}', at_);
    if (peek() != '{' || end == std::string_view::npos) {
      fail_here("words", {{"command", of}});
      return {};
    }
    std::string characters(text_.substr(at_ + 1, end - at_ - 1));
    if (characters.find_first_of("{\\$") != std::string::npos) {
      fail_here("markup", {{"command", of}, {"words", characters}});
    }
    at_ = end + 1;
    return characters;
  }

  FormulaNode read_piece() {
    const char c = peek();
    if (c == '\\') return read_command();
    if (c == '{') return read_group();
    if (is_digit(c)) return read_number();
    if (c == '^' || c == '_') return {};  // a script of nothing: read_scripts refuses it
    ++at_;
    const std::string text(1, c);
    if (is_letter(c)) return leaf(FormulaKind::name, text);
    switch (c) {
      case '+':
      case '/': return leaf(FormulaKind::sign, text);
      case '-': return leaf(FormulaKind::sign, "−");
      case '=':
      case '<':
      case '>': return leaf(FormulaKind::relation, text);
      case '(':
      case '[': return leaf(FormulaKind::open, text);
      case ')':
      case ']': return leaf(FormulaKind::close, text);
      case ',':
      case ';':
      case ':': return leaf(FormulaKind::mark, text);
      case '!': return leaf(FormulaKind::name, text);
      default: break;
    }
    fail_here("character", {{"character", text}});
    return {};
  }
  /// 12, 0.5, and 1{,}024, which is how TeX is told that a comma ends nothing.
  FormulaNode read_number() {
    std::string digits;
    while (true) {
      const std::string_view rest = text_.substr(at_);
      if (is_digit(peek()) || (peek() == '.' && rest.size() > 1 && is_digit(rest[1]))) {
        digits += text_[at_++];
      } else if (rest.starts_with("{,}") && rest.size() > 3 && is_digit(rest[3])) {
        digits += ',';
        at_ += 3;
      } else {
        return leaf(FormulaKind::number, std::move(digits));
      }
    }
  }
  FormulaNode read_scripts(FormulaNode base) {
    FormulaNode below, above;
    bool has_below = false, has_above = false;
    const bool nothing = base.kind == FormulaKind::row && base.children.empty();
    for (skip_blanks(); !problem_; skip_blanks()) {
      const char c = peek();
      if (c == '\'') {
        ++at_;
        if (has_above && above.kind != FormulaKind::row)
          above = {FormulaKind::row, "", {std::move(above)}};
        above.children.push_back(prime());
        has_above = true;
        continue;
      }
      if (c != '^' && c != '_') break;
      ++at_;
      bool& taken = c == '^' ? has_above : has_below;
      const bool primes = c == '^' && taken && only_primes(above);
      if (taken && !primes) fail_here("second-script", {{"script", std::string(1, c)}});
      taken = true;
      FormulaNode script = read_argument(std::string(1, c));
      if (primes) {
        above.children.push_back(std::move(script));
      } else {
        (c == '^' ? above : below) = std::move(script);
      }
    }
    if (!has_below && !has_above) return base;
    if (nothing) fail_here("script");
    return {FormulaKind::scripts, "", {std::move(base), std::move(below), std::move(above)}};
  }
  static bool only_primes(const FormulaNode& row) {
    return row.kind == FormulaKind::row &&
           std::ranges::all_of(row.children, [](const auto& child) { return child.text == "′"; });
  }

  FormulaNode read_command() {
    const std::string command = command_at();
    at_ += command.size();
    const std::string_view name = std::string_view(command).substr(1);
    if (const FormulaCommand* symbol = find_formula_symbol(name))
      return leaf(symbol->kind, std::string(symbol->text));
    if (name == "frac") {
      FormulaNode above = read_argument(command);
      FormulaNode below = read_argument(command);
      return {FormulaKind::fraction, "", {std::move(above), std::move(below)}};
    }
    if (name == "sqrt") return {FormulaKind::root, "", {read_argument(command)}};
    if (name == "text") return leaf(FormulaKind::words, read_characters(command));
    if (name == "mathrm") return leaf(FormulaKind::name, read_characters(command));
    if (name == "operatorname") return leaf(FormulaKind::function, read_characters(command));
    if (name == "left") return read_fence();
    if (name == "begin") return read_lines();
    fail_here("command", {{"command", command}});
    return {};
  }
  /// The bracket behind \left or \right.
  std::string read_bracket(const std::string& of) {
    skip_blanks();
    if (peek() == '.') {
      ++at_;
      return "";
    }
    std::string bracket = peek() == '\\' ? command_at() : std::string(1, peek());
    at_ += peek() == '\0' ? 0 : bracket.size();
    if (bracket == "(" || bracket == ")" || bracket == "[" || bracket == "]" || bracket == "|")
      return bracket;
    const FormulaCommand* symbol =
        bracket.size() > 1 ? find_formula_symbol(std::string_view(bracket).substr(1)) : nullptr;
    if (symbol && (symbol->kind == FormulaKind::open || symbol->kind == FormulaKind::close))
      return std::string(symbol->text);
    fail_here("bracket", {{"command", of}});
    return "";
  }
  FormulaNode read_fence() {
    std::string brackets = read_bracket("\\left") + '\n';
    FormulaNode inside = read_row();
    if (!text_.substr(std::min(at_, text_.size())).starts_with("\\right")) {
      fail_here("left");
      return {};
    }
    at_ += std::string_view("\\right").size();
    brackets += read_bracket("\\right");
    return {FormulaKind::fence, std::move(brackets), {std::move(inside)}};
  }
  /// \begin{cases} value & condition \\ ... \end{cases}
  FormulaNode read_lines() {
    FormulaNode lines{FormulaKind::lines, read_characters("\\begin"), {{}}};
    if (lines.text != "cases" && lines.text != "aligned") {
      fail_here("environment", {{"environment", lines.text}});
    }
    while (!problem_) {
      lines.children.back().children.push_back(read_row());
      if (peek() == '&') {
        ++at_;
      } else if (text_.substr(std::min(at_, text_.size())).starts_with("\\\\")) {
        at_ += 2;
        lines.children.emplace_back();
      } else {
        break;
      }
    }
    if (command_at_end() != "\\end" || !ends(lines.text)) {
      fail_here("end", {{"environment", lines.text}});
    }
    return lines;
  }
  [[nodiscard]] std::string command_at_end() const {
    return peek() == '\\' ? command_at() : std::string();
  }
  bool ends(const std::string& environment) {
    at_ += std::string_view("\\end").size();
    return read_characters("\\end") == environment;
  }

  std::string_view text_;
  device::SourcePlace place_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<device::Error> problem_;
};

}  // namespace

device::Expected<FormulaNode> parse_formula(std::string_view latex,
                                            const device::SourcePlace& place) {
  return FormulaParser(latex, place).run();
}

std::vector<std::string> formula_commands() {
  std::vector<std::string> commands = {"\\frac{a}{b}",
                                       "\\sqrt{a}",
                                       "\\text{if }",
                                       "\\mathrm{side}",
                                       "\\operatorname{gelu}",
                                       "\\left(a\\right)",
                                       "\\begin{cases}0 & a\\\\1 & b\\end{cases}",
                                       "\\begin{aligned}a &= b\\\\c &= d\\end{aligned}"};
  for (const FormulaCommand& symbol : formula_symbols())
    commands.push_back('\\' + std::string(symbol.name));
  return commands;
}

}  // namespace warpbook::lab
