// A block's tile in shared memory from barrier to barrier: which place was written from where, and which was read how often.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What one block did with an array in its shared memory, from the launch's trace. A step is what happens between two barriers
/// of the block.
struct TileExhibit {
  static constexpr std::string_view kKind = "tile";
  /// An element of global memory.
  struct Source {
    std::uint32_t array = 0;  ///< index into arrays
    std::int64_t element = 0;
    friend bool operator==(const Source&, const Source&) = default;
  };
  /// A place of the tile that was touched in a step.
  struct Cell {
    std::uint32_t place = 0;  ///< row * columns + column
    std::uint32_t writes = 0, reads = 0;
    std::uint32_t writer = 0;            ///< the last thread that wrote; 0 where none did
    std::optional<Source> source;        ///< what that thread had loaded and stored here as it was
    std::vector<std::uint32_t> readers;  ///< threads, ascending, each once
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Step {
    std::vector<Cell> cells;  ///< by place
    // Warp instructions of the block.
    std::uint64_t shared_requests = 0;  ///< that reached the tile
    std::uint64_t shared_passes = 0;    ///< over the 32 banks that these took
    std::uint64_t global_loads = 0, global_stores = 0;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::uint32_t rows = 0, columns = 0;
  std::uint64_t block = 0;     ///< linear
  device::Dim3 grid, threads;  ///< of the launch, and of a block
  std::uint32_t followed = 0;  ///< the thread whose places are marked first
  std::vector<std::string> arrays;
  std::vector<Step> steps;
  bool cut = false;      ///< the block did more than was seen, or would have but for the stop
  bool stopped = false;  ///< a budget ended the launch before its end
  friend bool operator==(const TileExhibit&, const TileExhibit&) = default;
};

/// Which array of which block. The array begins at `offset` of the block's shared memory, in elements of `bytes`.
struct WantedTile {
  std::uint32_t rows = 0, columns = 0, bytes = 4;
  std::uint64_t offset = 0;
  std::uint32_t block = 0, followed = 0;
};
TileExhibit tile_of(const device::LaunchRecord& record, const WantedTile& wanted);

template <class V>
void fields(V&& visit, Is<TileExhibit::Source> auto& v) {
  visit("array", v.array);
  visit("element", v.element);
}

template <class V>
void fields(V&& visit, Is<TileExhibit::Cell> auto& v) {
  visit("place", v.place);
  visit("writes", v.writes);
  visit("reads", v.reads);
  visit("writer", v.writer);
  visit("source", v.source);
  visit("readers", v.readers);
}

template <class V>
void fields(V&& visit, Is<TileExhibit::Step> auto& v) {
  visit("cells", v.cells);
  visit("shared_requests", v.shared_requests);
  visit("shared_passes", v.shared_passes);
  visit("global_loads", v.global_loads);
  visit("global_stores", v.global_stores);
}

template <class V>
void fields(V&& visit, Is<TileExhibit> auto& v) {
  visit("rows", v.rows);
  visit("columns", v.columns);
  visit("block", v.block);
  visit("grid", v.grid);
  visit("threads", v.threads);
  visit("followed", v.followed);
  visit("arrays", v.arrays);
  visit("steps", v.steps);
  visit("cut", v.cut);
  visit("stopped", v.stopped);
}
/// The cells of each step are in order and inside the tile, each was touched, and sources name arrays that there are.
bool valid(const TileExhibit& v);

std::string sentence_of(const TileExhibit& tile, const Strings& strings);
void text_body(const TileExhibit& tile, const Strings& strings, Page& page);
std::string html_body(const TileExhibit& tile, const Strings& strings, const std::string& caption);
Table table_of(const TileExhibit& tile, const Strings& strings);
void compare(const TileExhibit& a, const TileExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
