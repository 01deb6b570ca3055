#include "lab/markup/phrases.hpp"
#include "lab/render/render.hpp"

namespace warpbook::lab {
namespace {

template <class... Kinds>
std::string styles_of(const std::variant<Kinds...>* /*value*/) {
  std::string rules;
  const auto add = [&]<class Kind>(std::type_identity<Kind> kind) {
    if constexpr (requires { style_of(kind); }) rules += style_of(kind);
  };
  (add(std::type_identity<Kinds>()), ...);
  return rules;
}

/// The rules of CSS that kinds have for themselves.
std::string kind_styles() { return styles_of(static_cast<const ExhibitKinds*>(nullptr)); }

}  // namespace

std::string to_html(const Exhibit& exhibit, const Strings& strings) {
  return to_html(exhibit, nullptr, strings);
}

std::string to_html(const Exhibit& exhibit, const Exhibit* beside, const Strings& strings) {
  const std::string title = strings(exhibit.title), caption = sentence(exhibit, strings);
  std::string head = tagged("span", "wb-title", escaped(title.empty() ? exhibit.id : title));
  if (exhibit.evidence) head += " " + badge_html(*exhibit.evidence, strings);
  if (!is_plain_text(exhibit)) head += tagged("p", "wb-sentence", escaped(caption));
  const std::string body = std::visit(
      [&](const auto& value) {
        using Kind = std::remove_cvref_t<decltype(value)>;
        if constexpr (requires { html_body(value, &value, strings, caption); }) {
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
  return "<!DOCTYPE html>\n<html lang=\"" + strings.language().html +
         "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n" +
         tagged("title", "", escaped(strings("report.page", {{"subject", std::string(title)}}))) +
         "\n<style>\n" + html_style(theme) + kind_styles() + "</style>\n</head>\n<body>\n" +
         tagged("h1", "", escaped(title)) + "\n" + std::string(body) + "</body>\n</html>\n";
}

}  // namespace warpbook::lab
