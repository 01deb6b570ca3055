#include "gui/book/excerpt.hpp"

#include <algorithm>
#include <string_view>

#include "device/platform.hpp"

namespace warpbook::gui {

Excerpt excerpt_of(const std::string& root, const device::SourcePlace& place) {
  Excerpt excerpt;
  if (place.line == 0 || place.file.empty()) return excerpt;
  const auto text = device::read_file(root + "/" + place.file, std::size_t{4} << 20);
  if (!text) return excerpt;
  excerpt.first = place.line > 1 ? place.line - 1 : 1;
  std::uint32_t number = 0;
  for (std::string_view rest = *text; !rest.empty() && number <= place.line;) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (number >= excerpt.first && number <= place.line + 1) excerpt.lines.emplace_back(line);
  }
  if (number < place.line) return {};
  return excerpt;
}

}  // namespace warpbook::gui
