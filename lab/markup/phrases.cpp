#include "lab/markup/phrases.hpp"

#include "lab/text/unicode.hpp"

namespace warpbook::lab {

std::string counted(const Strings& strings, std::string_view key, std::uint64_t count) {
  return strings(key, {{"count", grouped(count)}});
}

std::string settings_text(std::span<const std::pair<std::string, std::string>> settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  return text;
}

std::string joined(const Strings& strings, std::span<const std::string> items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += strings(i + 1 == items.size() ? "list.last" : "list.separator");
    text += items[i];
  }
  return text;
}

std::string sentences(const Strings& strings, std::span<const std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += strings("list.sentences");
    text += part;
  }
  return text;
}

std::string extent(const device::Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += " × " + std::to_string(dim.y);
  if (dim.z != 1) text += " × " + std::to_string(dim.z);
  return text;
}

std::string thread_name(const Strings& strings, std::uint64_t thread,
                        std::uint64_t threads_a_block) {
  const std::uint64_t block = threads_a_block == 0 ? 0 : thread / threads_a_block;
  return strings("name.thread", {{"thread", std::to_string(thread - block * threads_a_block)},
                                 {"block", std::to_string(block)}});
}

std::string evidence_name(const Strings& strings, device::EvidenceKind kind) {
  return strings("evidence." + std::string(device::name_of(kind)));
}

std::string severity_word(const Strings& strings, device::Severity severity) {
  return strings("severity." + std::string(device::name_of(severity)));
}

std::string badge(const Strings& strings, const device::Evidence& evidence) {
  std::string text = evidence_name(strings, evidence.kind);
  if (!evidence.on.empty()) text += " · " + strings(evidence.on);
  if (!evidence.when.empty()) text += " · " + evidence.when;
  return text;
}

std::string first_line(std::string_view text, int columns) {
  for (const std::string_view line : lines_of(text)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string_view rest = line;
    for (int used = 0; !rest.empty();) {
      const std::string_view before = rest;
      used += columns_of(take_code_point(rest));
      if (used < columns || (used == columns && rest.empty())) continue;
      return std::string(line.substr(0, line.size() - before.size())) + "…";
    }
    return std::string(line);
  }
  return {};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace warpbook::lab
