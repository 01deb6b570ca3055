#include <string>

#include "lab/exhibits/warp_film/warp_film_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;

}  // namespace

std::string html_body(const WarpFilmExhibit& film, const WarpFilmExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (film.steps.empty()) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const WarpFilmPlane plane(film, beside, canvas);
  std::string html = svg_of(drawing_of(film, plane, film.chosen, canvas), caption) +
                     tagged("p", "wb-more", escaped(step_text(film, film.chosen, strings))) +
                     tagged("p", "wb-more", escaped(strings("warp_film.legend")));
  if (plane.rows_left_out() != 0)
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "warp_film.more-rows", plane.rows_left_out())));
  return html;
}

}  // namespace warpbook::lab
