// What the renderers of a tile share: the places of a step as they are, and what a step did in figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/exhibits/tile/tile.hpp"

namespace warpbook::lab {

/// A place of the tile during a step.
struct TilePlace {
  const TileExhibit::Cell* touched = nullptr;  ///< null: no thread accessed it in this step
  bool filled = false;                         ///< it had been written in a step before

  [[nodiscard]] bool is_written() const { return touched && touched->writes != 0; }
  [[nodiscard]] bool is_read() const { return touched && touched->reads != 0; }
  /// A thread read this place although no thread had written it before.
  [[nodiscard]] bool is_undefined() const { return is_read() && !filled && !is_written(); }
};
/// All places, by number.
std::vector<TilePlace> places_in(const TileExhibit& tile, std::size_t step);

struct TileStepFigures {
  std::uint64_t written = 0, read = 0;  ///< places
  std::uint64_t reads = 0;              ///< of all places
  std::uint32_t most_reads = 0;         ///< of one place
  std::uint64_t undefined = 0;  ///< places that were read before any thread had written them
  std::uint64_t elements = 0;   ///< different ones of global memory that were stored in places
};
TileStepFigures figures_of(const TileExhibit& tile, std::size_t step);

struct TileFigures {
  std::uint64_t places = 0, written = 0, read = 0, untouched = 0, undefined = 0;
  std::uint64_t reads = 0;
  std::uint32_t most_reads = 0;  ///< of one place in one step
  std::uint64_t shared_requests = 0, shared_passes = 0;
};
TileFigures figures_of(const TileExhibit& tile);

/// "[2][13]", or "[13]" of a single row.
std::string place_text(const TileExhibit& tile, std::uint32_t place);
/// "x[70]"; empty where the value was computed, or is not known.
std::string source_text(const TileExhibit& tile, const TileExhibit::Cell& cell);
/// "0 – 3, 8": threads in runs.
std::string threads_text(std::span<const std::uint32_t> threads);
/// "Step 1, before the first barrier", "Step 2, after barrier 1".
std::string step_name(const Strings& strings, std::size_t step);
/// What happened in a step, in sentences; passes over the banks are told where requests took more than one.
std::string step_text(const TileExhibit& tile, std::size_t step, const Strings& strings);
/// What happened to a place in a step, in sentences.
std::string cell_text(const TileExhibit& tile, std::size_t step, std::uint32_t place,
                      const Strings& strings);

}  // namespace warpbook::lab
