#include "gui/editor/ptx_text.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "device/characters.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
bool is_of_name(char c) {
  return device::is_letter(c) || device::is_digit(c) || c == '_' || c == '$';
}

/// ".loc" says which line of the source follows, which the heat and the links show; ".file" and ".section" go with it.
bool is_for_debuggers(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
  constexpr std::array kDirectives{".loc", ".file", ".section"};
  return std::ranges::any_of(kDirectives,
                             [&](std::string_view one) { return line.starts_with(one); });
}

bool is_empty(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// "void scale<float>(float*, int)" is "scale<float>", "tile(float*)::row" is "tile::row".
std::string without_types(std::string_view demangled) {
  std::string name;
  int parentheses = 0, angles = 0;
  for (const char c : demangled) {
    parentheses += c == '(' ? 1 : 0;
    angles += c == '<' ? 1 : 0;
    // What stands before a space outside of all brackets is the type of the result.
    if (parentheses == 0 && angles == 0 && c == ' ')
      name.clear();
    else if (parentheses == 0)
      name += c;
    parentheses -= c == ')' ? 1 : 0;
    angles -= c == '>' ? 1 : 0;
  }
  return name;
}

std::optional<std::string> plain_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !demangled) return {};
  return without_types(demangled.get());
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string("    ") : std::string(1, c);
  return text;
}
}  // namespace

std::string with_plain_names(std::string_view line) {
  std::string made;
  while (!line.empty()) {
    std::size_t end = 0;
    while (end < line.size() && is_of_name(line[end])) ++end;
    if (end == 0) {
      made += line.front();
      line.remove_prefix(1);
      continue;
    }
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    const std::size_t tail = word.find("_param_");
    const auto name = word.starts_with("_Z") ? plain_name(std::string(word.substr(0, tail)))
                                             : std::optional<std::string>();
    made += name.value_or(std::string(word.substr(0, tail)));
    if (tail != word.npos) made += word.substr(tail);
  }
  return made;
}

PtxText::PtxText(std::string_view ptx) {
  std::uint32_t number = 0;
  for (const std::string_view line : lab::lines_of(ptx)) {
    ++number;
    const bool second_empty = is_empty(line) && (rows_.empty() || is_empty(rows_.back().text));
    if (is_for_debuggers(line) || second_empty) continue;
    rows_.push_back({number, without_tabs(with_plain_names(line))});
  }
}

std::size_t PtxText::row_of(std::uint32_t line) const {
  const auto found = std::ranges::lower_bound(rows_, line, {}, &Row::line);
  return static_cast<std::size_t>(found - rows_.begin());
}

}  // namespace warpbook::gui
