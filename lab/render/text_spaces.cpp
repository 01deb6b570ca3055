#include "lab/render/text_parts.hpp"
#include "lab/spaces_summary.hpp"

namespace warpbook::lab {

void body(const SpacesExhibit& spaces, const Strings& strings, Page& page) {
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
