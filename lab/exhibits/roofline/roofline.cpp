#include "lab/exhibits/roofline/roofline.hpp"

#include <algorithm>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {

std::string sentence_of(const RooflineExhibit& roofline, const Strings& strings) {
  if (roofline.points.empty()) return strings("roofline.nothing");
  if (drawn_ceilings(roofline).empty()) return strings("roofline.no-roof");
  // The other runs and the roofs stand in the picture and in its table.
  return roofed_text(roofline, std::min<std::size_t>(roofline.chosen, roofline.points.size() - 1),
                     strings);
}

Table table_of(const RooflineExhibit& roofline, const Strings& strings) {
  Table table{row_head(strings), {}};
  for (std::size_t i = 0; i < roofline.points.size(); ++i)
    table.rows.push_back(row_of(roofline, i, strings));
  return table;
}

void compare(const RooflineExhibit& a, const RooflineExhibit& b, Comparer& comparer) {
  for (const RooflineExhibit::Point& point : b.points) {
    const auto other = std::ranges::find(a.points, point.name, &RooflineExhibit::Point::name);
    const auto both = [&](const char* figure, auto member) {
      comparer.figure(figure,
                      other == a.points.end() ? std::nullopt : std::optional((*other).*member),
                      point.*member, point.name, device::EvidenceKind::estimated);
    };
    both("operations", &RooflineExhibit::Point::operations);
    both("l2_bytes", &RooflineExhibit::Point::l2_bytes);
    both("dram_bytes", &RooflineExhibit::Point::dram_bytes);
  }
}

void extras(JsonExtras& json, const RooflineExhibit::Point& point, const RooflineExhibit& whole) {
  const auto drawn = [&](double value) {
    return is_drawn(whole, point) ? std::optional(value) : std::nullopt;
  };
  json("intensity", [&] { return drawn(intensity_of(whole, point)); });
  json("rate", [&] { return drawn(rate_of(point)); });
  json("roof", [&] { return drawn(roof_over(whole, point)); });
}

bool valid(const RooflineExhibit& v) {
  return is_choice(v.chosen, v.points.size()) && is_choice(v.memory, v.memories.size()) &&
         std::ranges::all_of(v.points, [&](const RooflineExhibit::Point& point) {
           return is_choice(point.ceiling, v.ceilings.size());
         });
}

std::string_view style_of(std::type_identity<RooflineExhibit> /*kind*/) {
  return R"css(.wb-roofline .wb-table td:nth-child(2) { text-align: left; }
)css";
}

}  // namespace warpbook::lab
