#include <cstddef>
#include <string>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {

namespace {

void stations(const SpacesExhibit::Journey& journey, const Strings& strings, Page& page) {
  constexpr int kIndent = 6;
  for (std::size_t i = 0; i < journey.stations.size(); ++i) {
    const SpacesExhibit::Station& station = journey.stations[i];
    std::string head = strings("spaces.place." + std::string(name_of(station.box)));
    if (station.line != 0) {
      head += " · " + strings("journey.line", {{"line", std::to_string(station.line)}});
    }
    if (!station.cost.empty()) head += " · " + strings(station.cost);
    page.line("  " + page.ink(Ink::accent, padded_left(std::to_string(i + 1), 2)) + "  " +
              page.ink(Ink::strong, clipped(head, page.width() - kIndent)));
    page.paragraph(strings(station.says), kIndent);
  }
}

}  // namespace

void text_body(const SpacesExhibit& spaces, const Strings& strings, Page& page) {
  if (spaces.journey) {
    stations(*spaces.journey, strings, page);
    return;
  }
  if (spaces.rows.empty()) return;
  constexpr int kNameColumns = 18;
  for (const SpacesExhibit::Row& row : spaces.rows) {
    const std::string name(name_of(row.space));
    std::string first = size_text(row, strings);
    if (const std::string clocks = latency_text(row, strings); !clocks.empty())
      first += " · " + clocks;
    page.line("  " + page.ink(Ink::strong, padded(strings("spaces.name." + name), kNameColumns)) +
              page.ink(Ink::plain, clipped(first, page.width() - kNameColumns - 2)));
    page.paragraph(strings("spaces.scope." + name), kNameColumns + 2, Ink::quiet);
    const std::string traffic = row.space == SpacesExhibit::Space::registers
                                    ? thread_text(spaces, strings)
                                    : traffic_text(row, strings);
    page.paragraph("→ " + traffic, kNameColumns + 2, did_something(row) ? Ink::accent : Ink::quiet);
  }
  page.paragraph(strings("spaces.sources"), 2, Ink::quiet);
}

}  // namespace warpbook::lab
