#include "lab/exhibits/tile/tile.hpp"

#include <algorithm>

#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {

std::string sentence_of(const TileExhibit& tile, const Strings& strings) {
  std::vector<std::string> parts;
  if (tile.cut) parts.push_back(strings(tile.stopped ? "trace.stopped" : "trace.cut"));
  if (tile.steps.empty()) {
    parts.push_back(strings("tile.nothing"));
    return sentences(strings, parts);
  }
  const TileFigures figures = figures_of(tile);
  parts.push_back(
      strings("tile.whole", {{"block", grouped(tile.block)},
                             {"rows", grouped(tile.rows)},
                             {"columns", grouped(tile.columns)},
                             {"written", grouped(figures.written)},
                             {"places", counted(strings, "tile.places", figures.places)},
                             {"reads", grouped(figures.reads)},
                             {"steps", counted(strings, "tile.steps", tile.steps.size())}}));
  if (!tile.cut && figures.untouched != 0)
    parts.push_back(counted(strings, "tile.untouched", figures.untouched));
  if (figures.undefined != 0)
    parts.push_back(counted(strings, "tile.undefined", figures.undefined));
  parts.push_back(strings("tile.traffic",
                          {{"requests", counted(strings, "tile.requests", figures.shared_requests)},
                           {"passes", counted(strings, "tile.passes", figures.shared_passes)}}));
  return sentences(strings, parts);
}

/// A row for each place that was touched in a step.
Table table_of(const TileExhibit& tile, const Strings& strings) {
  Table table{{strings("tile.head.step"), strings("tile.head.place"), strings("tile.head.writes"),
               strings("tile.head.writer"), strings("tile.head.source"), strings("tile.head.reads"),
               strings("tile.head.readers")},
              {}};
  for (std::size_t step = 0; step < tile.steps.size(); ++step) {
    for (const TileExhibit::Cell& cell : tile.steps[step].cells) {
      table.rows.push_back(
          {std::to_string(step + 1), place_text(tile, cell.place), std::to_string(cell.writes),
           cell.writes != 0 ? std::to_string(cell.writer) : "", source_text(tile, cell),
           std::to_string(cell.reads), threads_text(cell.readers)});
    }
  }
  return table;
}

void compare(const TileExhibit& a, const TileExhibit& b, Comparer& comparer) {
  const TileFigures one = figures_of(a), two = figures_of(b);
  comparer.figure("shared_requests", figure_of(one.shared_requests),
                  figure_of(two.shared_requests));
  comparer.figure("shared_wavefronts", figure_of(one.shared_passes), figure_of(two.shared_passes));
}

bool valid(const TileExhibit& v) {
  std::uint32_t places = 0;
  if (__builtin_mul_overflow(v.rows, v.columns, &places)) return false;
  return std::ranges::all_of(v.steps, [&](const TileExhibit::Step& step) {
    const bool in_order = std::ranges::adjacent_find(step.cells, std::ranges::greater_equal{},
                                                     &TileExhibit::Cell::place) == step.cells.end();
    const bool whole = std::ranges::all_of(step.cells, [&](const TileExhibit::Cell& cell) {
      return (cell.writes != 0 || cell.reads != 0) && (cell.reads == 0) == cell.readers.empty() &&
             (!cell.source || cell.source->array < v.arrays.size());
    });
    return in_order && whole && (step.cells.empty() || step.cells.back().place < places);
  });
}

}  // namespace warpbook::lab
