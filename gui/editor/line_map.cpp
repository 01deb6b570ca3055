#include "gui/editor/line_map.hpp"

#include <algorithm>

namespace warpbook::gui {
namespace {
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}
}  // namespace

LineMap::LineMap(std::string_view before, std::string_view now) {
  const auto old_lines = lines_of(before), new_lines = lines_of(now);
  now_.assign(old_lines.size(), 0);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  while (tail < shorter - head &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;
  for (std::size_t i = 0; i < head; ++i) now_[i] = static_cast<std::uint32_t>(i + 1);
  for (std::size_t i = 1; i <= tail; ++i)
    now_[old_lines.size() - i] = static_cast<std::uint32_t>(new_lines.size() - i + 1);
  std::size_t from = head;
  for (std::size_t i = head; i < old_lines.size() - tail; ++i) {
    const auto end = new_lines.end() - static_cast<std::ptrdiff_t>(tail);
    const auto same =
        std::find(new_lines.begin() + static_cast<std::ptrdiff_t>(from), end, old_lines[i]);
    if (same == end || old_lines[i].empty()) continue;
    from = static_cast<std::size_t>(same - new_lines.begin()) + 1;
    now_[i] = static_cast<std::uint32_t>(from);
  }
}

std::optional<std::uint32_t> LineMap::now(std::uint32_t line) const {
  if (line == 0 || line > now_.size() || now_[line - 1] == 0) return std::nullopt;
  return now_[line - 1];
}

}  // namespace warpbook::gui
