#include "lab/render/html_parts.hpp"
#include "lab/render/svg.hpp"
#include "lab/spaces_summary.hpp"

namespace warpbook::lab {
namespace {

using SpacesPicture = SpacesPicture;

std::string box_svg(const SpacesExhibit& spaces, const SpacesPicture::Box& box,
                    const Strings& strings) {
  std::string svg = svg_rectangle("wb-box", box.x, box.y, box.width, SpacesPicture::kBoxHeight);
  svg += svg_text("wb-strong", box.x + 10, box.y + 18,
                  strings("spaces.name." + std::string(name_of(box.space))));
  const SpacesExhibit::Row* row = row_of(spaces, box.space);
  if (!row) return svg;
  std::string says = row->bytes != 0 ? byte_count(row->bytes) : std::string();
  if (const std::string clocks = latency_text(*row, strings); !clocks.empty())
    says += (says.empty() ? "" : " · ") + clocks;
  if (box.space == SpacesExhibit::Space::registers) says += " · " + thread_text(spaces, strings);
  return svg + svg_text("wb-quiet", box.x + 10, box.y + 35, says);
}

std::string pipe_svg(const SpacesExhibit& spaces, const SpacesPicture::Pipe& pipe,
                     const Strings& strings) {
  std::string css_class = "wb-pipe";
  if (pipe.width == 0) css_class += " wb-none";
  if (pipe.estimated) css_class += " wb-model";
  const double width = pipe.width == 0 ? 1 : pipe.width;
  std::string svg =
      svg_rectangle(css_class, pipe.x - width / 2, pipe.top, width, pipe.bottom - pipe.top);
  const double x = pipe.x + 24, middle = (pipe.top + pipe.bottom) / 2;
  svg += svg_text("wb-quiet", x, middle - 4,
                  strings("spaces.way." + std::string(name_of(pipe.space))));
  if (const SpacesExhibit::Row* row = row_of(spaces, pipe.space))
    svg += svg_text("", x, middle + 12, amount_text(*row, strings));
  return svg;
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
  std::string svg = svg_open(SpacesPicture::kWidth, SpacesPicture::kHeight, caption);
  const SpacesPicture picture = picture_of(spaces);
  for (const SpacesPicture::Pipe& pipe : picture.pipes) svg += pipe_svg(spaces, pipe, strings);
  for (const SpacesPicture::Box& box : picture.boxes) svg += box_svg(spaces, box, strings);
  return svg + "</svg>" + table(spaces, strings) +
         tagged("p", "wb-more", escaped(strings("spaces.sources")));
}

}  // namespace warpbook::lab
