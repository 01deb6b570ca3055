#include "lab/document/formula_commands.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

using FormulaKind = FormulaNode::Kind;

// What the chapters use, and what belongs to it. Each character is in Roboto, JetBrains Mono or the Chinese face.
constexpr FormulaCommand kSymbols[] = {
    {"alpha", FormulaKind::name, "α"},       {"beta", FormulaKind::name, "β"},
    {"gamma", FormulaKind::name, "γ"},       {"delta", FormulaKind::name, "δ"},
    {"varepsilon", FormulaKind::name, "ε"},  {"eta", FormulaKind::name, "η"},
    {"theta", FormulaKind::name, "θ"},       {"lambda", FormulaKind::name, "λ"},
    {"mu", FormulaKind::name, "μ"},          {"pi", FormulaKind::name, "π"},
    {"rho", FormulaKind::name, "ρ"},         {"sigma", FormulaKind::name, "σ"},
    {"tau", FormulaKind::name, "τ"},         {"varphi", FormulaKind::name, "φ"},
    {"omega", FormulaKind::name, "ω"},       {"Gamma", FormulaKind::name, "Γ"},
    {"Delta", FormulaKind::name, "Δ"},       {"Sigma", FormulaKind::name, "Σ"},
    {"Phi", FormulaKind::name, "Φ"},         {"Omega", FormulaKind::name, "Ω"},
    {"infty", FormulaKind::name, "∞"},       {"partial", FormulaKind::name, "∂"},
    {"ldots", FormulaKind::name, "…"},       {"cdots", FormulaKind::name, "…"},
    {"prime", FormulaKind::name, "′"},

    {"cdot", FormulaKind::sign, "·"},        {"times", FormulaKind::sign, "×"},
    {"div", FormulaKind::sign, "÷"},         {"pm", FormulaKind::sign, "±"},
    {"oplus", FormulaKind::sign, "⊕"},       {"bmod", FormulaKind::sign, "mod"},

    {"le", FormulaKind::relation, "≤"},      {"ge", FormulaKind::relation, "≥"},
    {"ne", FormulaKind::relation, "≠"},      {"approx", FormulaKind::relation, "≈"},
    {"equiv", FormulaKind::relation, "≡"},   {"to", FormulaKind::relation, "→"},
    {"in", FormulaKind::relation, "∈"},

    {"sum", FormulaKind::large, "∑"},        {"prod", FormulaKind::large, "∏"},
    {"int", FormulaKind::large, "∫"},        {"max", FormulaKind::function, "max"},
    {"min", FormulaKind::function, "min"},   {"exp", FormulaKind::function, "exp"},
    {"log", FormulaKind::function, "log"},   {"ln", FormulaKind::function, "ln"},
    {"sin", FormulaKind::function, "sin"},   {"cos", FormulaKind::function, "cos"},
    {"tanh", FormulaKind::function, "tanh"},

    {"lfloor", FormulaKind::open, "⌊"},      {"rfloor", FormulaKind::close, "⌋"},
    {"lceil", FormulaKind::open, "⌈"},       {"rceil", FormulaKind::close, "⌉"},
    {"lvert", FormulaKind::open, "|"},       {"rvert", FormulaKind::close, "|"},
    {"{", FormulaKind::open, "{"},           {"}", FormulaKind::close, "}"},
    {"%", FormulaKind::name, "%"},           {"_", FormulaKind::name, "_"},

    {",", FormulaKind::space, "0.167"},      {":", FormulaKind::space, "0.222"},
    {";", FormulaKind::space, "0.278"},      {"!", FormulaKind::space, "-0.167"},
    {" ", FormulaKind::space, "0.333"},      {"quad", FormulaKind::space, "1"},
    {"qquad", FormulaKind::space, "2"},
};

}  // namespace

std::span<const FormulaCommand> formula_symbols() { return kSymbols; }

const FormulaCommand* find_formula_symbol(std::string_view name) {
  const auto found = std::ranges::find(kSymbols, name, &FormulaCommand::name);
  return found == std::end(kSymbols) ? nullptr : &*found;
}

}  // namespace warpbook::lab
