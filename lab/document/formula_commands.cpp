#include "lab/document/formula_commands.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

using Kind = FormulaNode::Kind;

// What the chapters use, and what belongs to it. Each character is in Roboto, JetBrains Mono or the Chinese face.
constexpr FormulaCommand kSymbols[] = {
    {"alpha", Kind::name, "α"},       {"beta", Kind::name, "β"},
    {"gamma", Kind::name, "γ"},       {"delta", Kind::name, "δ"},
    {"varepsilon", Kind::name, "ε"},  {"eta", Kind::name, "η"},
    {"theta", Kind::name, "θ"},       {"lambda", Kind::name, "λ"},
    {"mu", Kind::name, "μ"},          {"pi", Kind::name, "π"},
    {"rho", Kind::name, "ρ"},         {"sigma", Kind::name, "σ"},
    {"tau", Kind::name, "τ"},         {"varphi", Kind::name, "φ"},
    {"omega", Kind::name, "ω"},       {"Gamma", Kind::name, "Γ"},
    {"Delta", Kind::name, "Δ"},       {"Sigma", Kind::name, "Σ"},
    {"Phi", Kind::name, "Φ"},         {"Omega", Kind::name, "Ω"},
    {"infty", Kind::name, "∞"},       {"partial", Kind::name, "∂"},
    {"ldots", Kind::name, "…"},       {"cdots", Kind::name, "…"},
    {"prime", Kind::name, "′"},

    {"cdot", Kind::sign, "·"},        {"times", Kind::sign, "×"},
    {"div", Kind::sign, "÷"},         {"pm", Kind::sign, "±"},
    {"oplus", Kind::sign, "⊕"},       {"bmod", Kind::sign, "mod"},

    {"le", Kind::relation, "≤"},      {"ge", Kind::relation, "≥"},
    {"ne", Kind::relation, "≠"},      {"approx", Kind::relation, "≈"},
    {"equiv", Kind::relation, "≡"},   {"to", Kind::relation, "→"},
    {"in", Kind::relation, "∈"},

    {"sum", Kind::large, "∑"},        {"prod", Kind::large, "∏"},
    {"int", Kind::large, "∫"},        {"max", Kind::function, "max"},
    {"min", Kind::function, "min"},   {"exp", Kind::function, "exp"},
    {"log", Kind::function, "log"},   {"ln", Kind::function, "ln"},
    {"sin", Kind::function, "sin"},   {"cos", Kind::function, "cos"},
    {"tanh", Kind::function, "tanh"},

    {"lfloor", Kind::open, "⌊"},      {"rfloor", Kind::close, "⌋"},
    {"lceil", Kind::open, "⌈"},       {"rceil", Kind::close, "⌉"},
    {"lvert", Kind::open, "|"},       {"rvert", Kind::close, "|"},
    {"{", Kind::open, "{"},           {"}", Kind::close, "}"},
    {"%", Kind::name, "%"},           {"_", Kind::name, "_"},

    {",", Kind::space, "0.167"},      {":", Kind::space, "0.222"},
    {";", Kind::space, "0.278"},      {"!", Kind::space, "-0.167"},
    {" ", Kind::space, "0.333"},      {"quad", Kind::space, "1"},
    {"qquad", Kind::space, "2"},
};

}  // namespace

std::span<const FormulaCommand> formula_symbols() { return kSymbols; }

const FormulaCommand* find_formula_symbol(std::string_view name) {
  const auto found = std::ranges::find(kSymbols, name, &FormulaCommand::name);
  return found == std::end(kSymbols) ? nullptr : &*found;
}

}  // namespace warpbook::lab
