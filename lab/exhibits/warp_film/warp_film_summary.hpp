// Films of warps: what their renderers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lab/exhibits/warp_film/warp_film.hpp"

namespace warpbook::lab {

/// Instructions that the warp issued: all, and those for some of its lanes only.
struct FilmTotals {
  std::uint64_t issues = 0, partial = 0;
};
FilmTotals totals_of(const WarpFilmExhibit& film);

bool is_whole(const WarpFilmExhibit& film, const WarpFilmExhibit::Step& step);
/// Instructions that were issued before a step.
std::uint64_t issued_before(const WarpFilmExhibit& film, std::size_t step);
/// The step during which an instruction was issued, counted from 0; the last where there are fewer.
std::size_t step_at(const WarpFilmExhibit& film, std::uint64_t issue);

/// Where a lane is at a step: the row that it takes part in now or next. None: it has ended, or the record does not say.
std::optional<std::uint32_t> row_of(const WarpFilmExhibit& film, std::size_t step, unsigned lane);

/// The longest step for some of the lanes only, of equals the first; 0 where there is none.
std::uint32_t longest_partial(const WarpFilmExhibit& film);

/// All of a step in a sentence or two.
std::string step_text(const WarpFilmExhibit& film, std::size_t step, const Strings& strings);

}  // namespace warpbook::lab
