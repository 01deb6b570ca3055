#include "device/kernel_name.hpp"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>

namespace warpbook::device {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

std::string demangle(std::string_view mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// Index of the bracket that matches the last character, or npos.
std::size_t opening_of_last(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool opens(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

std::vector<std::string> split_types(std::string_view list) {
  std::vector<std::string> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && opens(list[i])) ++depth;
    if (i < list.size() && closes(list[i])) --depth;
    if (i < list.size() && (list[i] != ',' || depth != 0)) continue;
    std::string_view type = list.substr(begin, i - begin);
    if (type.starts_with(' ')) type.remove_prefix(1);
    types.emplace_back(type);
    begin = i + 1;
  }
  return types;
}

}  // namespace

std::string_view without_prefix_of_statics(std::string_view symbol) {
  constexpr std::string_view kPrefix = "__nv_static_";
  if (!symbol.starts_with(kPrefix)) return symbol;
  std::string_view rest = symbol.substr(kPrefix.size());
  std::size_t middle = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), middle);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  // _MIDDLE_name
  const bool fits = error == std::errc{} && middle < rest.size() && rest.size() - middle > 2 &&
                    rest[0] == '_' && rest[middle + 1] == '_';
  return fits ? rest.substr(middle + 2) : symbol;
}

KernelName kernel_name_of(std::string_view symbol) {
  const std::string_view mangled = without_prefix_of_statics(symbol);
  KernelName result{.name = std::string(mangled)};
  if (!mangled.starts_with("_Z")) return result;
  std::string text = demangle(mangled);
  erase_all(text, kAnonymous);
  if (!text.ends_with(')')) return result;
  const std::size_t open = opening_of_last(text);
  if (open == std::string_view::npos || open == 0) return result;

  const std::string_view list = std::string_view(text).substr(open + 1, text.size() - open - 2);
  if (!list.empty()) result.parameters = split_types(list);
  result.typed = true;

  // A template's name is led by its return type: cut at the last space outside brackets.
  std::string_view name = std::string_view(text).substr(0, open);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (opens(name[i])) ++depth;
    if (closes(name[i])) --depth;
    if (name[i] == ' ' && depth == 0) {
      name.remove_prefix(i + 1);
      i = static_cast<std::size_t>(-1);
    }
  }
  // nvcc keeps the names of one file apart with a scope _INTERNAL_<file>::.
  if (name.starts_with("_INTERNAL_")) {
    if (const auto end = name.find("::"); end != std::string_view::npos)
      name.remove_prefix(end + 2);
  }
  result.name = name;
  return result;
}

std::string_view without_template_arguments(std::string_view name) {
  if (!name.ends_with('>')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return name.substr(0, i);
  }
  return name;
}

std::string_view without_parameters(std::string_view name) {
  if (!name.ends_with(')')) return name;
  const std::size_t open = opening_of_last(name);
  return open == std::string_view::npos ? name : name.substr(0, open);
}

std::string_view without_scopes(std::string_view name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (opens(name[i])) ++depth;
    if (closes(name[i])) --depth;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') begin = i + 2;
  }
  return name.substr(begin);
}

}  // namespace warpbook::device
