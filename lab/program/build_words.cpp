#include "lab/program/build_words.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "device/compiler/diagnostics.hpp"

namespace warpbook::lab {
namespace {

using device::Diagnostic;

/// Takes a number and a colon off the front.
std::optional<std::uint32_t> number_before_colon(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// What the host's compiler complains about: "fatal error: x.h: No such file or directory". Nothing of its warnings and notes.
std::optional<std::string_view> host_error_in(std::string_view text) {
  for (const std::string_view word : {"fatal error: ", "error: "}) {
    if (text.starts_with(word)) return text.substr(word.size());
  }
  return std::nullopt;
}

/// What the linker complains about; in front of it stand names of object files and of their parts.
std::optional<std::string_view> linker_error_in(std::string_view text) {
  for (const std::string_view phrase : {"undefined reference to ", "multiple definition of "}) {
    const std::size_t at = text.find(phrase);
    if (at != text.npos) return text.substr(at, text.find(';', at) - at);
  }
  return std::nullopt;
}

/// The host's compiler puts "name:line:column: fatal error: " in front, the linker "/folder/name:line: ", or no line at all.
std::optional<Diagnostic> error_in(std::string_view line, const std::string& name) {
  Diagnostic diagnostic;
  diagnostic.place.file = name;
  std::string_view said = line;
  const std::size_t at = line.find(name + ':');
  if (at == 0 || (at != line.npos && line[at - 1] == '/')) {
    std::string_view rest = line.substr(at + name.size() + 1);
    if (const auto number = number_before_colon(rest)) {
      diagnostic.place.line = *number;
      diagnostic.place.column = number_before_colon(rest).value_or(0);
      said = without_blanks(rest);
    }
  }
  auto text = linker_error_in(said);
  if (!text && diagnostic.place.line != 0) text = host_error_in(said);
  if (!text) return std::nullopt;
  diagnostic.text = *text;
  return diagnostic;
}

}  // namespace

std::vector<Diagnostic> diagnostics_of_build(std::string_view words, const std::string& name,
                                             std::string_view source, const std::string& folder) {
  std::vector<Diagnostic> all = device::diagnostics_from(words, name, source, {folder});
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    if (auto found = error_in(words.substr(0, end), name)) all.push_back(std::move(*found));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return all;
}

}  // namespace warpbook::lab
