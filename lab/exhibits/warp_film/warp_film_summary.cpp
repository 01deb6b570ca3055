#include "lab/exhibits/warp_film/warp_film_summary.hpp"

#include <algorithm>
#include <bit>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {

using Step = WarpFilmExhibit::Step;

bool is_whole(const WarpFilmExhibit& film, const Step& step) { return step.lanes == film.lanes; }

FilmTotals totals_of(const WarpFilmExhibit& film) {
  FilmTotals totals;
  for (const Step& step : film.steps) {
    totals.issues += step.issues;
    if (!is_whole(film, step)) totals.partial += step.issues;
  }
  return totals;
}

std::uint64_t issued_before(const WarpFilmExhibit& film, std::size_t step) {
  std::uint64_t issues = 0;
  for (std::size_t i = 0; i < step && i < film.steps.size(); ++i) issues += film.steps[i].issues;
  return issues;
}

std::size_t step_at(const WarpFilmExhibit& film, std::uint64_t issue) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < film.steps.size(); ++i) {
    end += film.steps[i].issues;
    if (issue < end) return i;
  }
  return film.steps.empty() ? 0 : film.steps.size() - 1;
}

std::optional<std::uint32_t> row_of(const WarpFilmExhibit& film, std::size_t step, unsigned lane) {
  for (std::size_t i = step; i < film.steps.size(); ++i) {
    if ((film.steps[i].lanes >> lane & 1) != 0) return film.steps[i].row;
  }
  return {};
}

std::uint32_t longest_partial(const WarpFilmExhibit& film) {
  std::uint32_t longest = 0, issues = 0;
  for (std::size_t i = 0; i < film.steps.size(); ++i) {
    if (is_whole(film, film.steps[i]) || film.steps[i].issues <= issues) continue;
    longest = static_cast<std::uint32_t>(i);
    issues = film.steps[i].issues;
  }
  return longest;
}

std::string step_text(const WarpFilmExhibit& film, std::size_t step, const Strings& strings) {
  const Step& now = film.steps[step];
  const std::uint64_t first = issued_before(film, step) + 1, last = first + now.issues - 1;
  const std::string issues =
      first == last ? grouped(first) : grouped(first) + " – " + grouped(last);
  return strings(is_whole(film, now) ? "warp_film.step-whole" : "warp_film.step",
                 {{"step", grouped(step + 1)},
                  {"steps", grouped(film.steps.size())},
                  {"line", std::to_string(film.rows[now.row].line)},
                  {"issues", issues},
                  {"active", std::to_string(std::popcount(now.lanes))},
                  {"all", std::to_string(std::popcount(film.lanes))}});
}

}  // namespace warpbook::lab
