#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"
#include "lab/model/report.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlMostTextLines = 1000;

std::string_view state_class(CheckExhibit::State state) {
  switch (state) {
    case CheckExhibit::State::passed: return "wb-good";
    case CheckExhibit::State::failed: return "wb-bad";
    case CheckExhibit::State::warning: return "wb-warn";
    case CheckExhibit::State::waiting: return "wb-quiet";
  }
  __builtin_unreachable();
}

/// An icon that says the state by its shape, and in words to those who cannot see it.
std::string state_icon(CheckExhibit::State state, const Strings& strings) {
  const auto icon = [&](std::string_view shape, std::string_view word) {
    return "<span class=\"wb-icon " + std::string(state_class(state)) +
           "\" role=\"img\" aria-label=\"" + escaped(strings(word)) + "\">" + std::string(shape) +
           "</span>";
  };
  switch (state) {
    case CheckExhibit::State::passed: return icon("✓", "check.state-passed");
    case CheckExhibit::State::failed: return icon("✗", "check.state-failed");
    case CheckExhibit::State::warning: return icon("!", "check.state-warning");
    case CheckExhibit::State::waiting: return icon("○", "check.state-waiting");
  }
  __builtin_unreachable();
}

std::string item_html(const CheckExhibit::Item& item, const Strings& strings) {
  std::string right = strings(item.got);
  const bool passed = item.state == CheckExhibit::State::passed;
  if (item.line != 0 && !passed) {
    right +=
        (right.empty() ? "" : " · ") + strings("check.line", {{"line", std::to_string(item.line)}});
  }
  std::string html = state_icon(item.state, strings) + " " +
                     tagged("span", "wb-what", escaped(strings(item.sentence))) + " " +
                     tagged("span", "wb-got", escaped(right));
  if (passed) return tagged("li", "", html);
  std::string cases, mismatches;
  for (const CheckExhibit::Case& one : item.cases) {
    cases += tagged("li", one.passed ? "wb-good" : "wb-bad",
                    escaped(one.name) + (one.passed ? " ✓" : " ✗"));
  }
  for (const CheckExhibit::Mismatch& mismatch : item.mismatches) {
    mismatches +=
        tagged("li", "",
               escaped(strings(mismatch.written_by.empty() ? "check.mismatch" : "check.mismatch-by",
                               {{"index", std::to_string(mismatch.index)},
                                {"expected", mismatch.expected},
                                {"got", mismatch.got},
                                {"who", mismatch.written_by}})));
  }
  if (!cases.empty()) html += tagged("ul", "wb-cases", cases);
  if (!mismatches.empty()) html += tagged("ul", "wb-mismatches", mismatches);
  if (!item.advice.empty()) html += tagged("p", "wb-advice", escaped(strings(item.advice)));
  return tagged("li", "", html);
}

template <class Kind>
constexpr bool kHasAxesToShare =
    std::is_same_v<Kind, TensorExhibit> || std::is_same_v<Kind, CurveExhibit> ||
    std::is_same_v<Kind, SectorsExhibit>;

}  // namespace

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

std::string html_body(const GeometryExhibit& geometry, const Strings& strings, const std::string&) {
  const auto part = [&](std::string_view name, const std::string& value) {
    return tagged("div", "",
                  tagged("dt", "", escaped(strings(name))) + tagged("dd", "", escaped(value)));
  };
  const std::string idle =
      geometry.idle_known ? grouped(geometry.idle) : strings("geometry.unknown");
  std::string html = tagged("dl", "wb-figures",
                            part("geometry.grid", extent(geometry.grid)) +
                                part("geometry.block", extent(geometry.block)) +
                                part("geometry.threads", grouped(geometry.threads)) +
                                part("geometry.idle-threads", idle));
  if (geometry.idle_known && geometry.threads != 0) {
    const std::uint64_t busy = geometry.threads - std::min(geometry.idle, geometry.threads);
    html += svg_bar(static_cast<double>(busy) / static_cast<double>(geometry.threads), 0, 0);
  }
  return html;
}

std::string html_body(const TimingsExhibit& timings, const Strings& strings, const std::string&) {
  std::string html;
  for (const TimingGroup& group : groups_of(timings)) {
    double longest = 0;
    for (const TimingsExhibit::Row* row : group) {
      for (const double seconds : {row->seconds, row->high}) {
        if (std::isfinite(seconds)) longest = std::max(longest, seconds);
      }
    }
    const double scale = longest > 0 ? 1 / longest : 0;
    std::string rows;
    for (const TimingsExhibit::Row* row : group) {
      const bool band = row->low != row->high;
      std::string spread;
      if (band)
        spread =
            strings("timings.spread", {{"low", duration(row->low)}, {"high", duration(row->high)}});
      rows +=
          tagged("tr", "",
                 "<th scope=\"row\">" + escaped(strings(row->label)) + "</th>" +
                     tagged("td", "wb-bars",
                            svg_bar(row->seconds * scale, row->low * scale, row->high * scale)) +
                     tagged("td", "wb-time", escaped(duration(row->seconds))) +
                     tagged("td", "wb-quiet", escaped(spread)));
      if (!row->because.empty())
        rows += "<tr><td></td><td class=\"wb-quiet\" colspan=\"3\">" +
                escaped(strings(row->because)) + "</td></tr>";
    }
    html += badge_html(group.front()->evidence, strings) +
            tagged("table", "wb-table wb-timings", tagged("tbody", "", rows));
  }
  return html;
}

std::string html_body(const CheckExhibit& check, const Strings& strings, const std::string&) {
  std::string items;
  for (const CheckExhibit::Item& item : check.items) items += item_html(item, strings);
  return items.empty() ? items : tagged("ul", "wb-check", items);
}

std::string html_body(const TextExhibit& exhibit, const Strings& strings, const std::string&) {
  const std::string text = strings(exhibit.text);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t shown = std::min(lines.size(), kHtmlMostTextLines);
  std::string html;
  for (std::size_t i = 0; i < shown; ++i) {
    if (exhibit.code)
      html += escaped(lines[i]) + "\n";
    else if (!lines[i].empty())
      html += tagged("p", "", escaped(lines[i]));
  }
  if (exhibit.code && !html.empty()) html = tagged("pre", "wb-output", html);
  if (shown < lines.size())
    html +=
        tagged("p", "wb-more", escaped(counted(strings, "text.more-lines", lines.size() - shown)));
  return html;
}

std::string to_html(const Exhibit& exhibit, const Strings& strings) {
  return to_html(exhibit, nullptr, strings);
}

std::string to_html(const Exhibit& exhibit, const Exhibit* beside, const Strings& strings) {
  const std::string title = strings(exhibit.title), caption = sentence(exhibit, strings);
  std::string head = tagged("span", "wb-title", escaped(title.empty() ? exhibit.id : title));
  if (exhibit.evidence) head += " " + badge_html(*exhibit.evidence, strings);
  if (!body_says_it_all(exhibit)) head += tagged("p", "wb-sentence", escaped(caption));
  const std::string body = std::visit(
      [&](const auto& value) {
        using Kind = std::remove_cvref_t<decltype(value)>;
        if constexpr (kHasAxesToShare<Kind>) {
          const Kind* other = beside ? std::get_if<Kind>(&beside->value) : nullptr;
          return html_body(value, other, strings, caption);
        } else {
          return html_body(value, strings, caption);
        }
      },
      exhibit.value);
  return "<figure class=\"wb-exhibit wb-" + std::string(kind_of(exhibit)) + "\" data-exhibit=\"" +
         escaped(exhibit.id) + "\">" + tagged("figcaption", "", head) + body + "</figure>\n";
}

std::string to_html(const Report& report, const Strings& strings) {
  std::string html = "<section class=\"wb-report\">" +
                     tagged("p", "wb-quiet", escaped(run_summary(strings, report)));
  for (const Exhibit& exhibit : report.exhibits) html += to_html(exhibit, strings);
  if (report.exhibits.empty() && report.errors.empty())
    html += tagged("p", "", escaped(strings("report.nothing")));
  if (!report.errors.empty()) {
    std::string errors;
    for (const device::Error& error : report.errors)
      errors += tagged("li", "wb-bad", escaped(strings(error)));
    html +=
        tagged("p", "wb-bad", escaped(counted(strings, "report.errors", report.errors.size()))) +
        tagged("ul", "wb-errors", errors);
  }
  return html + "</section>\n";
}

std::string to_html_page(std::string_view title, std::string_view body, const Strings& strings,
                         PageTheme theme) {
  const std::string language = strings.language() == Language::chinese ? "zh-CN" : "en";
  return "<!DOCTYPE html>\n<html lang=\"" + language +
         "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n" +
         tagged("title", "", escaped(strings("report.page", {{"subject", std::string(title)}}))) +
         "\n<style>\n" + html_style(theme) + "</style>\n</head>\n<body>\n" +
         tagged("h1", "", escaped(title)) + "\n" + std::string(body) + "</body>\n</html>\n";
}

}  // namespace warpbook::lab
