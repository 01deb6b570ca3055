#include "lab/exhibits/warp_film/warp_film.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {

using Step = WarpFilmExhibit::Step;

std::string sentence_of(const WarpFilmExhibit& film, const Strings& strings) {
  if (film.steps.empty()) return strings("warp_film.nothing");
  const FilmTotals totals = totals_of(film);
  std::vector<std::string> parts{
      strings(totals.partial == 0 ? "warp_film.together" : "warp_film.split",
              {{"warp", grouped(film.warp)},
               {"block", grouped(film.block)},
               {"issues", grouped(totals.issues)},
               {"partial", grouped(totals.partial)},
               {"lanes", std::to_string(std::popcount(film.lanes))}})};
  if (film.cut) parts.push_back(strings("warp_film.cut"));
  return sentences(strings, parts);
}

Table table_of(const WarpFilmExhibit& film, const Strings& strings) {
  Table table{{strings("warp_film.head.step"), strings("table.line"),
               strings("warp_film.head.code"), strings("warp_film.head.issues"),
               strings("warp_film.head.active"), strings("warp_film.head.mask")},
              {}};
  for (std::size_t i = 0; i < film.steps.size(); ++i) {
    const Step& step = film.steps[i];
    const WarpFilmExhibit::Row& row = film.rows[step.row];
    table.rows.push_back({std::to_string(i + 1), std::to_string(row.line), row.text,
                          std::to_string(step.issues), std::to_string(std::popcount(step.lanes)),
                          fmt::format("0x{:08x}", step.lanes)});
  }
  return table;
}

void compare(const WarpFilmExhibit& a, const WarpFilmExhibit& b, Comparer& comparer) {
  const FilmTotals in_a = totals_of(a), in_b = totals_of(b);
  comparer.figure("film_issues", figure_of(in_a.issues), figure_of(in_b.issues));
  comparer.figure("film_partial", figure_of(in_a.partial), figure_of(in_b.partial));
}

void extras(JsonExtras& json, const Step& step) {
  json("active_lanes", [&] { return std::popcount(step.lanes); });
}

void extras(JsonExtras& json, const WarpFilmExhibit& film) {
  json("issues", [&] { return totals_of(film).issues; });
  json("partial_issues", [&] { return totals_of(film).partial; });
}

bool valid(const WarpFilmExhibit& v) {
  return is_choice(v.chosen, v.steps.size()) && std::ranges::all_of(v.steps, [&](const Step& step) {
           return step.row < v.rows.size() && step.issues > 0 && (step.lanes & ~v.lanes) == 0;
         });
}

}  // namespace warpbook::lab
