#include "lab/exhibits/tile/tile_summary.hpp"

#include <algorithm>
#include <set>

#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

using Cell = TileExhibit::Cell;

std::size_t places_of(const TileExhibit& tile) { return std::size_t{tile.rows} * tile.columns; }

const Cell* cell_at(const TileExhibit& tile, std::size_t step, std::uint32_t place) {
  const auto& cells = tile.steps[step].cells;
  const auto found = std::ranges::lower_bound(cells, place, {}, &Cell::place);
  return found == cells.end() || found->place != place ? nullptr : &*found;
}

bool is_filled_before(const TileExhibit& tile, std::size_t step, std::uint32_t place) {
  for (std::size_t earlier = 0; earlier < step; ++earlier) {
    const Cell* cell = cell_at(tile, earlier, place);
    if (cell && cell->writes != 0) return true;
  }
  return false;
}

}  // namespace

std::vector<TilePlace> places_in(const TileExhibit& tile, std::size_t step) {
  std::vector<TilePlace> places(places_of(tile));
  for (std::size_t earlier = 0; earlier < step; ++earlier) {
    for (const Cell& cell : tile.steps[earlier].cells) {
      if (cell.writes != 0) places[cell.place].filled = true;
    }
  }
  for (const Cell& cell : tile.steps[step].cells) places[cell.place].touched = &cell;
  return places;
}

TileStepFigures figures_of(const TileExhibit& tile, std::size_t step) {
  TileStepFigures made;
  std::set<std::pair<std::uint32_t, std::int64_t>> elements;
  for (const TilePlace& place : places_in(tile, step)) {
    if (!place.touched) continue;
    made.written += place.is_written() ? 1 : 0;
    made.read += place.is_read() ? 1 : 0;
    made.undefined += place.is_undefined() ? 1 : 0;
    made.reads += place.touched->reads;
    made.most_reads = std::max(made.most_reads, place.touched->reads);
    if (const auto& source = place.touched->source)
      elements.emplace(source->array, source->element);
  }
  made.elements = elements.size();
  return made;
}

TileFigures figures_of(const TileExhibit& tile) {
  TileFigures made;
  made.places = places_of(tile);
  std::vector<bool> written(made.places), read(made.places);
  for (std::size_t step = 0; step < tile.steps.size(); ++step) {
    const TileStepFigures figures = figures_of(tile, step);
    made.reads += figures.reads;
    made.undefined += figures.undefined;
    made.most_reads = std::max(made.most_reads, figures.most_reads);
    made.shared_requests += tile.steps[step].shared_requests;
    made.shared_passes += tile.steps[step].shared_passes;
    for (const Cell& cell : tile.steps[step].cells) {
      if (cell.writes != 0) written[cell.place] = true;
      if (cell.reads != 0) read[cell.place] = true;
    }
  }
  for (std::size_t place = 0; place < written.size(); ++place) {
    made.written += written[place] ? 1 : 0;
    made.read += read[place] ? 1 : 0;
    made.untouched += written[place] || read[place] ? 0 : 1;
  }
  return made;
}

std::string place_text(const TileExhibit& tile, std::uint32_t place) {
  const std::uint32_t columns = std::max(1u, tile.columns);
  std::string text = "[" + std::to_string(place % columns) + "]";
  return tile.rows > 1 ? "[" + std::to_string(place / columns) + "]" + text : text;
}

std::string source_text(const TileExhibit& tile, const Cell& cell) {
  if (!cell.source) return {};
  return tile.arrays[cell.source->array] + "[" + std::to_string(cell.source->element) + "]";
}

std::string threads_text(std::span<const std::uint32_t> threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += span_text(threads[i], threads[last]);
    i = last;
  }
  return text;
}

std::string step_name(const Strings& strings, std::size_t step) {
  return strings(step == 0 ? "tile.first-step" : "tile.step",
                 {{"number", std::to_string(step + 1)}, {"barrier", std::to_string(step)}});
}

std::string step_text(const TileExhibit& tile, std::size_t step, const Strings& strings) {
  const TileStepFigures figures = figures_of(tile, step);
  std::vector<std::string> parts;
  if (figures.written != 0) {
    parts.push_back(strings(figures.elements != 0 ? "tile.filled" : "tile.written",
                            {{"places", counted(strings, "tile.places", figures.written)},
                             {"elements", counted(strings, "tile.elements", figures.elements)}}));
  }
  if (figures.read != 0) {
    parts.push_back(strings("tile.read", {{"places", counted(strings, "tile.places", figures.read)},
                                          {"reads", grouped(figures.reads)},
                                          {"most", grouped(figures.most_reads)}}));
  }
  if (figures.written == 0 && figures.read == 0) parts.push_back(strings("tile.idle"));
  if (figures.undefined != 0)
    parts.push_back(counted(strings, "tile.undefined", figures.undefined));
  const TileExhibit::Step& did = tile.steps[step];
  if (did.shared_passes != did.shared_requests) {
    parts.push_back(strings("tile.traffic",
                            {{"requests", counted(strings, "tile.requests", did.shared_requests)},
                             {"passes", counted(strings, "tile.passes", did.shared_passes)}}));
  }
  return sentences(strings, parts);
}

std::string cell_text(const TileExhibit& tile, std::size_t step, std::uint32_t place,
                      const Strings& strings) {
  const Cell* cell = cell_at(tile, step, place);
  const MessageArguments where{{"place", place_text(tile, place)}};
  if (!cell) {
    return strings(is_filled_before(tile, step, place) ? "tile.cell-kept" : "tile.cell-empty",
                   where);
  }
  std::vector<std::string> parts;
  if (cell->writes != 0) {
    const std::string source = source_text(tile, *cell);
    parts.push_back(strings(source.empty() ? "tile.cell-written" : "tile.cell-filled",
                            {{"place", place_text(tile, place)},
                             {"thread", grouped(cell->writer)},
                             {"source", source}}));
  }
  if (cell->reads != 0) {
    parts.push_back(
        strings("tile.cell-read", {{"place", place_text(tile, place)},
                                   {"reads", counted(strings, "tile.times", cell->reads)},
                                   {"threads", threads_text(cell->readers)}}));
  }
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
