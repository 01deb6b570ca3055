#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/spaces/spaces_picture.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr double kSpacesSvgWidth = 720;

std::string category_class(std::optional<std::size_t> category) {
  return category ? " wb-c" + std::to_string(*category) : "";
}

std::string area_svg(const SpacesPicture::Area& area, const std::string& says, double right) {
  return svg_rectangle("wb-place", area.x, area.y, area.width, area.height) +
         svg_text("wb-quiet wb-end", right, area.bottom() - 7, says);
}

std::string box_svg(const SpacesExhibit& spaces, const SpacesPicture::Box& box,
                    const Strings& strings) {
  const std::string unused = box.used ? "" : " wb-unused";
  const SpacesPicture::Area& at = box.at;
  std::string svg = svg_rectangle("wb-box", at.x, at.y, at.width, at.height);
  if (const auto category = category_of(box.box))
    svg += svg_rectangle("wb-strip" + category_class(category) + unused, at.x, at.y, 3, at.height);
  const double x = at.x + box.text;
  svg += svg_text("wb-strong" + unused, x, at.y + 20,
                  strings("spaces.box." + std::string(name_of(box.box))));
  if (box.box == SpacesExhibit::Box::registers || box.box == SpacesExhibit::Box::l2) {
    return svg + svg_text("wb-quiet wb-end", at.right() - 10, at.y + 20,
                          note_of(spaces, box.box, strings));
  }
  return svg + svg_text("wb-quiet" + unused, x, at.y + 38, note_of(spaces, box.box, strings));
}

/// A bar with a head at each end that something flows to.
std::string pipe_svg(const SpacesExhibit& spaces, const SpacesPicture::Pipe& pipe,
                     const Strings& strings) {
  constexpr double kHead = 8;
  const std::string css =
      "wb-pipe" + category_class(category_of(pipe.space)) + (pipe.estimated ? " wb-model" : "");
  const double top = pipe.top + (pipe.up ? kHead : 0),
               bottom = pipe.bottom - (pipe.down ? kHead : 0), half = pipe.width / 2 + 3;
  std::string svg = svg_rectangle(css, pipe.x - pipe.width / 2, top, pipe.width, bottom - top);
  if (pipe.up) {
    svg += svg_polyline(css + " wb-head",
                        {{pipe.x - half, top}, {pipe.x, pipe.top}, {pipe.x + half, top}});
  }
  if (pipe.down) {
    svg += svg_polyline(css + " wb-head",
                        {{pipe.x - half, bottom}, {pipe.x, pipe.bottom}, {pipe.x + half, bottom}});
  }
  return svg + svg_text(pipe.leftwards ? "wb-end" : "", pipe.label.x, pipe.label.y + 4,
                        label_of(spaces, pipe, strings));
}

std::string latency_svg(const SpacesExhibit& spaces, const SpacesPicture::Latency& latency,
                        const Strings& strings) {
  const std::string name = strings("spaces.wait." + std::string(name_of(latency.space)));
  const double y = latency.at.y;
  return svg_text("", latency.at.x, y + 4, number(row_of(spaces, latency.space)->latency, 4)) +
         svg_text("wb-quiet", latency.at.x + 38, y + 4, name) +
         svg_rectangle("wb-track", latency.at.x, y + 10, latency.width, 4) +
         svg_rectangle("wb-wait", latency.at.x, y + 10, latency.width * latency.share, 4);
}

std::string journey_svg(const SpacesPicture& picture) {
  std::string svg;
  for (const auto& leg : picture.legs) {
    std::vector<std::pair<double, double>> points;
    for (const SpacesPicture::Point& point : leg) points.emplace_back(point.x, point.y);
    svg += svg_polyline("wb-leg", points);
  }
  for (std::size_t i = 0; i < picture.stops.size(); ++i) {
    const SpacesPicture::Point& stop = picture.stops[i];
    svg += svg_circle("wb-stop", stop.x, stop.y, SpacesPicture::kStop) +
           svg_text("wb-number", stop.x, stop.y + 4, std::to_string(i + 1));
  }
  return svg;
}

std::string picture_svg(const SpacesExhibit& spaces, const Strings& strings,
                        const std::string& caption) {
  const SpacesPicture picture = picture_of(spaces, kSpacesSvgWidth);
  std::string svg = svg_open(kSpacesSvgWidth, SpacesPicture::kHeight, caption);
  const SpacesExhibit::Row* device = row_of(spaces, SpacesExhibit::Space::dram);
  svg += area_svg(picture.multiprocessor, strings("spaces.multiprocessor"), picture.caption);
  svg += area_svg(picture.device,
                  strings("spaces.device",
                          {{"size", device && device->bytes != 0 ? byte_count(device->bytes)
                                                                 : strings("spaces.no-size")}}),
                  picture.device.right() - 10);
  for (const SpacesPicture::Box& box : picture.boxes) svg += box_svg(spaces, box, strings);
  for (const SpacesPicture::Name& name : picture.names) {
    svg += svg_text("wb-quiet", name.at.x, name.at.y + 4,
                    strings("spaces.way." + std::string(name_of(name.space))));
  }
  for (const SpacesPicture::Pipe& pipe : picture.pipes) svg += pipe_svg(spaces, pipe, strings);
  if (!picture.latencies.empty()) {
    svg += svg_text("wb-quiet", picture.column, 20, strings("spaces.column"));
    svg += svg_text("wb-quiet", picture.column, 38,
                    "(" + evidence_name(strings, device::EvidenceKind::published) + ")");
  }
  for (const SpacesPicture::Latency& latency : picture.latencies)
    svg += latency_svg(spaces, latency, strings);
  return svg + journey_svg(picture) + "</svg>";
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

std::string html_body(const SpacesExhibit& spaces, const Strings& strings,
                      const std::string& caption) {
  if (spaces.rows.empty()) return {};
  const std::string svg = picture_svg(spaces, strings, caption);
  if (spaces.journey) return svg + steps(*spaces.journey, strings);
  return svg + table(spaces, strings) + tagged("p", "wb-more", escaped(strings("spaces.sources")));
}

}  // namespace warpbook::lab
