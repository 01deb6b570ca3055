// Exhibits and reports as text, HTML, JSON, Markdown and tables. Each composes what the kinds have in their folders
// (lab/markup/kind.hpp); none of them knows a kind by name.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "lab/markup/html_parts.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

/// Text for a terminal: `width` columns, no escape codes unless `colour`.
std::string to_text(const Report& report, const Strings& strings, int width = 100,
                    bool colour = false);
std::string to_text(const Exhibit& exhibit, const Strings& strings, int width = 100);

/// A fragment of HTML with inline SVG; needs no script. `to_html_page` wraps it with its style.
std::string to_html(const Exhibit& exhibit, const Strings& strings);
/// With another exhibit beside it, whose axes it shares where both are pictures of one kind; null: none.
std::string to_html(const Exhibit& exhibit, const Exhibit* beside, const Strings& strings);
std::string to_html(const Report& report, const Strings& strings);
/// A whole page round a fragment, with the book's style in dark and light; needs nothing from elsewhere.
std::string to_html_page(std::string_view title, std::string_view body, const Strings& strings,
                         PageTheme theme = PageTheme::automatic);

/// Of the form below; it grows where a reader of an earlier one would read something wrong.
inline constexpr int kReportVersion = 2;
/// As lab/render/report.schema.json says. English whatever the language.
nlohmann::json to_json(const Report& report, const Strings& english);
nlohmann::json to_json(const Exhibit& exhibit, const Strings& english);

/// The whole of an exhibit's data as rows and columns, nothing drawn.
Table table_of(const Exhibit& exhibit, const Strings& strings);
/// Title, where the figures come from, the sentence that the data says, and the table or what says more.
std::string to_markdown(const Exhibit& exhibit, const Strings& strings);

}  // namespace warpbook::lab
