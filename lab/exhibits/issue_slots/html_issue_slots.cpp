#include <string>

#include "lab/exhibits/issue_slots/issue_slots_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;

}  // namespace

std::string html_body(const IssueSlotsExhibit& slots, const IssueSlotsExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (slots.cases.empty()) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const IssueSlotsPlane plane(slots, beside, canvas);
  return svg_of(drawing_of(slots, plane, slots.chosen, canvas), caption) +
         tagged("p", "wb-more", escaped(strings("issue_slots.legend")));
}

}  // namespace warpbook::lab
