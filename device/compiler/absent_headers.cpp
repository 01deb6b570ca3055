#include "device/compiler/absent_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "device/compiler/cuda_tokens.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/compiler/include_line.hpp"

namespace warpbook::device {
namespace {

constexpr std::string_view kLeftOut = "cannot open source file, left out: ";

bool is_there(std::string_view name, const std::vector<std::filesystem::path>& includes) {
  const auto& ours = host_headers();
  if (std::ranges::any_of(ours, [&](const auto& header) { return header.first == name; }))
    return true;
  const std::filesystem::path path(name);
  if (std::ranges::find(path, "..") != path.end()) return false;
  return std::ranges::any_of(includes, [&](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_regular_file(folder / path, error);
  });
}

/// Where a place in the text is by its #line directives.
class Lines {
 public:
  Lines(std::string_view source, std::string_view name)
      : source_(source), place_{std::string(name), 1, 0} {}

  /// Tokens come in order.
  SourcePlace at(std::string_view token) {
    const auto offset = static_cast<std::size_t>(token.data() - source_.data());
    place_.line += static_cast<std::uint32_t>(
        std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                   source_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    at_ = offset;
    return place_;
  }

  /// #line NUMBER "FILE", as with_own_headers() writes it: counts from the line behind it.
  void set(std::string_view directive) {
    at(directive);
    constexpr std::string_view kLine = "#line ";
    if (!directive.starts_with(kLine)) return;
    std::uint32_t number = 0;
    const char* const begin = directive.data() + kLine.size();
    const char* const end = directive.data() + directive.size();
    if (std::from_chars(begin, end, number).ec != std::errc{}) return;
    place_.line = number - 1;
    const auto open = directive.find('"');
    if (open == std::string_view::npos) return;
    const std::string_view quoted = directive.substr(open + 1);
    place_.file = std::string(quoted.substr(0, quoted.find('"')));
  }

 private:
  std::string_view source_;
  std::size_t at_ = 0;
  SourcePlace place_;
};

// identifier "cudaMalloc" is undefined
bool is_of_the_runtime(std::string_view text) {
  constexpr std::string_view kBefore = "identifier \"cuda";
  const auto at = text.find(kBefore);
  return at != std::string_view::npos && at + kBefore.size() < text.size() &&
         text[at + kBefore.size()] >= 'A' && text[at + kBefore.size()] <= 'Z';
}

}  // namespace

std::vector<Diagnostic> leave_out_absent_headers(
    std::string& source, std::string_view name,
    const std::vector<std::filesystem::path>& includes) {
  std::vector<Diagnostic> left_out;
  const std::string original = source;
  Lines lines(original, name);
  for (const CudaToken& token : cuda_tokens(original)) {
    if (token.kind != CudaToken::Kind::directive) continue;
    lines.set(token.text);
    const IncludeLine include = include_in(token.text);
    if (include.name.empty() || include.name.starts_with('/') || is_there(include.name, includes))
      continue;
    left_out.push_back(
        {lines.at(token.text), Severity::warning, fmt::format("{}{}", kLeftOut, include.name)});
    const auto at = static_cast<std::size_t>(token.text.data() - original.data());
    std::replace_if(
        source.begin() + static_cast<std::ptrdiff_t>(at),
        source.begin() + static_cast<std::ptrdiff_t>(at + token.text.size()),
        [](char c) { return c != '\n'; }, ' ');
  }
  return left_out;
}

Message with_advice_on_headers(std::string text, const std::vector<Diagnostic>& diagnostics) {
  constexpr std::array kOfNames{
      "undefined",     "not a type name",          "not a template",
      "has no member", "not a class or namespace", "explicit type is missing",
      "operands",      "no instance of",           "too few arguments"};
  const auto first = std::ranges::find(diagnostics, Severity::error, &Diagnostic::severity);
  if (first == diagnostics.end() || std::ranges::none_of(kOfNames, [&](const char* words) {
        return first->text.find(words) != std::string::npos;
      })) {
    return Message::plain(std::move(text));
  }
  if (is_of_the_runtime(first->text)) {
    return {"phrase.advice.host-call", {{"text", std::move(text)}}, {}};
  }
  std::vector<std::string> names;
  for (const Diagnostic& d : diagnostics) {
    if (!d.text.starts_with(kLeftOut)) continue;
    std::string name = d.text.substr(kLeftOut.size());
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return Message::plain(std::move(text));
  return {"phrase.advice.header",
          {{"text", std::move(text)}, {"headers", fmt::format("{}", fmt::join(names, ", "))}},
          {}};
}

}  // namespace warpbook::device
