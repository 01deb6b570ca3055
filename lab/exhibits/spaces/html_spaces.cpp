#include <string>

#include "lab/exhibits/spaces/spaces_picture.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kSpacesSvgWidth = 720;

/// Where the clocks are from: the window has a badge there.
void place_published(Drawing& drawing, const Strings& strings) {
  const DrawnItem* place = item_of(drawing, {"published"});
  if (!place) return;
  const Area at = bounds_of(*place);
  drawing.text({at.x, at.y}, "(" + evidence_name(strings, device::EvidenceKind::published) + ")",
               {Letters::Face::sans, 13}, Role::t3);
}

std::string picture_svg(const SpacesExhibit& spaces, const SpacesExhibit* beside,
                        const Strings& strings, const std::string& caption) {
  const SpacesPicture picture = picture_of(spaces, kSpacesSvgWidth, beside);
  Drawing drawing = drawing_of(spaces, picture, {}, svg_canvas(kSpacesSvgWidth, strings));
  place_published(drawing, strings);
  return svg_of(drawing, caption);
}

std::string steps(const SpacesExhibit::Journey& journey, const Strings& strings) {
  std::string items;
  for (const SpacesExhibit::Station& station : journey.stations) {
    std::string says = escaped(strings(station.says));
    std::string more;
    if (station.line != 0) more = strings("journey.line", {{"line", std::to_string(station.line)}});
    if (!station.cost.empty()) more += (more.empty() ? "" : " · ") + strings(station.cost);
    if (!more.empty()) says += " " + tagged("span", "wb-quiet", escaped(more));
    items += tagged("li", "", says);
  }
  return tagged("ol", "wb-steps", items);
}

std::string table(const SpacesExhibit& spaces, const Strings& strings) {
  std::string head, rows;
  for (const char* name : {"space", "scope", "size", "clocks", "traffic"})
    head += "<th scope=\"col\">" + escaped(strings("table." + std::string(name))) + "</th>";
  for (const SpacesExhibit::Row& row : spaces.rows) {
    const std::string name(name_of(row.space));
    std::string cells = "<th scope=\"row\">" + escaped(strings("spaces.name." + name)) + "</th>";
    const std::string traffic = row.space == SpacesExhibit::Space::registers
                                    ? thread_text(spaces, strings)
                                    : traffic_text(row, strings);
    for (const std::string& cell :
         {strings("spaces.scope." + name), size_text(row, strings),
          row.latency > 0 ? number(row.latency, 4) : std::string("–"), traffic})
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", did_something(row) ? "" : "wb-quiet", cells);
  }
  return tagged("table", "wb-table",
                tagged("thead", "", tagged("tr", "", head)) + tagged("tbody", "", rows));
}

}  // namespace

std::string html_body(const SpacesExhibit& spaces, const SpacesExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (spaces.rows.empty()) return {};
  const std::string svg = picture_svg(spaces, beside, strings, caption);
  if (spaces.journey) return svg + steps(*spaces.journey, strings);
  return svg + table(spaces, strings) + tagged("p", "wb-more", escaped(strings("spaces.sources")));
}

}  // namespace warpbook::lab
