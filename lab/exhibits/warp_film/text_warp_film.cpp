#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using Step = WarpFilmExhibit::Step;

constexpr std::size_t kMostTextRows = 40;
constexpr int kLeastFilm = 12, kMostFilm = 64, kMostCode = 40, kNumber = 5;

/// "#" for all lanes of the warp, "+" for half of them or more, "-" for fewer.
char sign_of(const WarpFilmExhibit& film, const Step& step) {
  if (is_whole(film, step)) return '#';
  return 2 * std::popcount(step.lanes) >= std::popcount(film.lanes) ? '+' : '-';
}

/// A line of signs for each row: what the warp issued, from left to right.
std::vector<std::string> film_lines(const WarpFilmExhibit& film, int columns) {
  std::vector<std::string> lines(film.rows.size(),
                                 std::string(static_cast<std::size_t>(columns), ' '));
  const std::uint64_t all = totals_of(film).issues;
  std::uint64_t issued = 0;
  for (const Step& step : film.steps) {
    const auto place = [&](std::uint64_t issue) {
      return static_cast<std::size_t>(issue * static_cast<std::uint64_t>(columns) / all);
    };
    const std::size_t from = place(issued), to = std::max(from + 1, place(issued + step.issues));
    issued += step.issues;
    for (std::size_t at = from; at < to && at < lines[step.row].size(); ++at)
      lines[step.row][at] = sign_of(film, step);
  }
  return lines;
}

/// The 32 lanes of a row at a step: "#" takes part, "o" waits there, "." is elsewhere.
std::string frame_line(const WarpFilmExhibit& film, std::size_t step, std::uint32_t row) {
  std::string line;
  for (unsigned lane = 0; lane < device::kLanes; ++lane) {
    const bool has = (film.lanes >> lane & 1) != 0;
    const bool here = has && row_of(film, step, lane) == row;
    const bool active = (film.steps[step].lanes >> lane & 1) != 0;
    line += !has ? ' ' : !here ? '.' : active ? '#' : 'o';
  }
  return line;
}

}  // namespace

void text_body(const WarpFilmExhibit& film, const Strings& strings, Page& page) {
  if (film.steps.empty()) return;
  int widest = 0;
  for (const WarpFilmExhibit::Row& row : film.rows) widest = std::max(widest, columns_of(row.text));
  const int lanes = static_cast<int>(device::kLanes);
  const int code =
      std::clamp(page.width() - kNumber - lanes - kLeastFilm - 6, 4, std::min(widest, kMostCode));
  const int columns = std::clamp(page.width() - kNumber - code - lanes - 6, kLeastFilm, kMostFilm);
  const std::vector<std::string> lines = film_lines(film, columns);
  const std::size_t shown = std::min(film.rows.size(), kMostTextRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const WarpFilmExhibit::Row& row = film.rows[i];
    page.line(page.ink(Ink::quiet, padded_left(std::to_string(row.line), kNumber)) + "  " +
              padded(clipped(row.text, code), code) + "  " +
              page.ink(Ink::accent, frame_line(film, film.chosen, static_cast<std::uint32_t>(i))) +
              "  " + lines[i]);
  }
  if (shown < film.rows.size())
    page.paragraph(counted(strings, "warp_film.more-rows", film.rows.size() - shown), 2,
                   Ink::quiet);
  page.paragraph(strings("warp_film.legend-text", {{"step", grouped(film.chosen + 1)}}), 2,
                 Ink::quiet);
}

}  // namespace warpbook::lab
