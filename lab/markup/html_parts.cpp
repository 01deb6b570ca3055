#include "lab/markup/html_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\'': html += "&#39;"; break;
      default: html += c;
    }
  }
  return html;
}

std::string escaped_lines(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    html += escaped(line);
    text.remove_prefix(line.size());
    if (text.empty()) break;
    html += '\n';
    text.remove_prefix(1);
  }
  return html;
}

std::string tagged(std::string_view tag, std::string_view css_class, std::string_view content) {
  std::string html = "<" + std::string(tag);
  if (!css_class.empty()) html += " class=\"" + std::string(css_class) + "\"";
  return html + ">" + std::string(content) + "</" + std::string(tag) + ">";
}

std::string badge_html(const device::Evidence& evidence, const Strings& strings) {
  return tagged("span", "wb-badge wb-" + std::string(name_of(evidence.kind)),
                escaped(badge(strings, evidence)));
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string table_head(const std::vector<std::string>& names) {
  std::string row;
  for (const std::string& name : names) row += "<th scope=\"col\">" + escaped(name) + "</th>";
  return tagged("thead", "", tagged("tr", "", row));
}

std::string svg_bar(double to, double low, double high) {
  const auto share = [](double fraction) {
    return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) * 100 : 0.0;
  };
  std::string svg =
      "<svg class=\"wb-bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">";
  svg +=
      "<rect class=\"wb-bar-value\" width=\"" + coordinate(share(to)) + "\" y=\"1\" height=\"8\"/>";
  if (share(high) > share(low)) {
    svg += "<rect class=\"wb-bar-band\" x=\"" + coordinate(share(low)) + "\" width=\"" +
           coordinate(share(high) - share(low)) + "\" y=\"3\" height=\"4\"/>";
  }
  return svg + "</svg>";
}

}  // namespace warpbook::lab
