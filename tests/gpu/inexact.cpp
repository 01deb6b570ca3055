#include "tests/gpu/inexact.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace warpbook::tests {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

/// "ex2.approx.f32" to its parts.
std::vector<std::string_view> parts_of(std::string_view opcode) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    if (dot == opcode.npos) return parts;
    opcode.remove_prefix(dot + 1);
  }
}

bool is_inexact(std::string_view opcode) {
  const std::vector<std::string_view> parts = parts_of(opcode);
  const auto has = [&](std::string_view part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  constexpr std::array<std::string_view, 6> kUnits{"mma",     "wmma", "wgmma",
                                                   "tcgen05", "tex",  "tld4"};
  if (std::ranges::find(kUnits, parts.front()) != kUnits.end()) {
    // Loading and storing a fragment only moves it.
    return !has("load") && !has("store");
  }
  if (has("approx") || (parts.front() == "div" && has("full"))) return true;
  // These are approximate without saying so.
  if (parts.front() == "tanh" || parts.front() == "ex2" || parts.front() == "lg2") return true;
  if (parts.front() != "atom" && parts.front() != "red") return false;
  constexpr std::array<std::string_view, 6> kFloats{"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"};
  return has("add") && std::ranges::any_of(kFloats, has);
}

/// The instruction of a statement, without labels, guard and opening braces.
std::string_view opcode_of(std::string_view statement) {
  while (true) {
    const std::size_t begin = statement.find_first_not_of(kBlank);
    if (begin == statement.npos) return {};
    statement.remove_prefix(begin);
    const std::size_t end = std::min(statement.find_first_of(kBlank), statement.size());
    const std::string_view word = statement.substr(0, end);
    const bool skipped =
        word.starts_with('@') || word.ends_with(':') || word == "{" || word == "}" || word == "{{";
    if (!skipped) return word.starts_with('.') ? std::string_view() : word;
    statement.remove_prefix(end);
  }
}

std::string without_comments(std::string_view ptx) {
  std::string text;
  text.reserve(ptx.size());
  for (std::size_t at = 0; at < ptx.size();) {
    if (ptx.substr(at, 2) == "//") {
      at = std::min(ptx.find('\n', at), ptx.size());
    } else if (ptx.substr(at, 2) == "/*") {
      const std::size_t end = ptx.find("*/", at + 2);
      at = end == ptx.npos ? ptx.size() : end + 2;
      text += ' ';
    } else {
      text += ptx[at++];
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> inexact_instructions(std::string_view ptx) {
  const std::string text = without_comments(ptx);
  std::set<std::string> found;
  std::string_view rest = text;
  while (!rest.empty()) {
    // Braces open vectors as well as blocks: only a line's end or a semicolon parts statements.
    const std::size_t end = std::min(rest.find_first_of(";\n"), rest.size());
    const std::string_view opcode = opcode_of(rest.substr(0, end));
    if (!opcode.empty() && is_inexact(opcode)) found.emplace(opcode);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {found.begin(), found.end()};
}

}  // namespace warpbook::tests
