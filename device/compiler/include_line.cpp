#include "device/compiler/include_line.hpp"

#include <algorithm>

namespace warpbook::device {

IncludeLine include_in(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  skip_blanks();
  const bool quoted = line.starts_with('"');
  if (!quoted && !line.starts_with('<')) return {};
  line.remove_prefix(1);
  const auto end = line.find(quoted ? '"' : '>');
  if (end == std::string_view::npos) return {};
  return {line.substr(0, end), quoted, line.substr(end + 1)};
}

}  // namespace warpbook::device
