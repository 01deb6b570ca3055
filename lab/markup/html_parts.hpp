// The pieces of an HTML fragment. Whatever comes from a kernel, a name or a reader goes through `escaped` on its way out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/types.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// Text as content or as a quoted attribute: printable, with the five characters of markup written as entities.
std::string escaped(std::string_view text);
/// The same where line ends stay as they are: code.
std::string escaped_lines(std::string_view text);
/// <tag class="class">content</tag>; the content is markup already. An empty class is left out.
std::string tagged(std::string_view tag, std::string_view css_class, std::string_view content);
/// Where figures come from, as a pill.
std::string badge_html(const device::Evidence& evidence, const Strings& strings);
/// A coordinate, with two decimals at most.
std::string coordinate(double value);
/// The head of a table.
std::string table_head(const std::vector<std::string>& names);
/// A horizontal bar from `from` to `to` (fractions of its width), with the band `low` to `high` behind it.
std::string svg_bar(double to, double low, double high);

/// The colours of a page: as the reader's system has them, or the same for everyone.
enum class PageTheme : std::uint8_t { automatic, dark, light };
/// The page's style sheet: the tokens' colours for dark and for light, chosen by the reader's system unless one is asked for.
std::string html_style(PageTheme theme);

}  // namespace warpbook::lab
