// The pieces of an HTML fragment. Whatever comes from a kernel, a name or a reader goes through `escaped` on its way out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/model/exhibits.hpp"
#include "lab/model/report.hpp"

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

/// An exhibit with, beside it, another one whose axes it shares where both are pictures of one kind; null: none.
std::string to_html(const Exhibit& exhibit, const Exhibit* beside, const Strings& strings);

/// The bodies of figures; `caption` is the sentence, which pictures carry as their alternative text.
std::string html_body(const TensorExhibit& tensor, const TensorExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string html_body(const GeometryExhibit& geometry, const Strings& strings,
                      const std::string& caption);
std::string html_body(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption);
std::string html_body(const ImageExhibit& image, const Strings& strings,
                      const std::string& caption);
std::string html_body(const SectorsExhibit& sectors, const SectorsExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string html_body(const SourceExhibit& source, const Strings& strings,
                      const std::string& caption);
std::string html_body(const TimingsExhibit& timings, const Strings& strings,
                      const std::string& caption);
std::string html_body(const CheckExhibit& check, const Strings& strings,
                      const std::string& caption);
std::string html_body(const TextExhibit& exhibit, const Strings& strings,
                      const std::string& caption);
std::string html_body(const SpacesExhibit& spaces, const Strings& strings,
                      const std::string& caption);
std::string html_body(const StackExhibit& stack, const Strings& strings,
                      const std::string& caption);
std::string html_body(const SlidingWindowExhibit& window, const Strings& strings,
                      const std::string& caption);
std::string html_body(const CurveExhibit& curve, const CurveExhibit* beside, const Strings& strings,
                      const std::string& caption);
std::string html_body(const AlgorithmsExhibit& algorithms, const Strings& strings,
                      const std::string& caption);
std::string html_body(const RooflineExhibit& roofline, const Strings& strings,
                      const std::string& caption);
std::string html_body(const ComparisonExhibit& comparison, const Strings& strings,
                      const std::string& caption);

/// A source's machine code, folded away: what it is, and its instructions. Empty where the report has none.
std::string sass_table(const SourceExhibit& source, const Strings& strings);

/// Threads wired to elements, as SVG. Empty where there are too many to be told apart; a table stands for them then.
std::string svg_wires(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption);

/// The page's style sheet: the tokens' colours for dark and for light, chosen by the reader's system unless one is asked for.
std::string html_style(PageTheme theme);

}  // namespace warpbook::lab
