// The drawing of one request, in points: its 32 lanes, and below them the sectors that they reach, each a column of its 32
// bytes in cells as wide as a lane's access. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

struct SectorsPicture {
  static constexpr double kLaneHigh = 24, kWiresHigh = 70, kColumnHigh = 80, kBracketHigh = 28,
                          kAxisHigh = 18, kJump = 10;
  static constexpr double kColumnsTop = kLaneHigh + kWiresHigh,
                          kBracketTop = kColumnsTop + kColumnHigh,
                          kHeight = kBracketTop + kBracketHigh + kAxisHigh;
  /// A sector. Without `touched` it lies between others and was not moved.
  struct Column {
    const RequestSectors::Sector* touched = nullptr;
    std::uint64_t number = 0;  ///< as RequestSectors counts
    bool jump =
        false;  ///< what lies before it is not drawn: its address is far from the one before
    double x = 0, width = 0;
  };
  /// Bytes that lanes asked for; a column that no lane asked for has no cell.
  struct Cell {
    std::size_t column = 0;
    unsigned first = 0;       ///< byte of the sector
    std::uint32_t lanes = 0;  ///< a bit a lane
  };
  struct Wire {
    unsigned lane = 0;
    std::size_t cell = 0;  ///< the first that the lane asked for in that column
  };
  struct Mark {
    double x = 0;
    std::int64_t offset = 0;  ///< of the array's start, in bytes
  };
  double width = 0;
  unsigned cell_bytes = 1;
  std::vector<Column> columns;
  std::vector<Cell> cells;
  std::vector<Wire> wires;
  std::vector<Mark> marks;     ///< under the columns, from left to right
  double left = 0, right = 0;  ///< from the first touched sector to the last
  std::size_t left_out = 0;    ///< touched sectors that are not drawn

  [[nodiscard]] double lane_width() const { return width / device::kLanes; }
  [[nodiscard]] double lane_middle(unsigned lane) const { return (lane + 0.5) * lane_width(); }
  [[nodiscard]] double cell_height() const {
    return kColumnHigh * cell_bytes / device::kSectorBytes;
  }
  /// From the columns' top.
  [[nodiscard]] double cell_top(const Cell& cell) const {
    return kColumnHigh * cell.first / device::kSectorBytes;
  }
};

/// Points into `touched`, which is the request's. Where all sectors lie within 1 KiB of one array they stand on an axis of 1 KiB, untouched
/// ones among them; else the touched ones alone, at most 64, with a jump wherever addresses do. With another run beside it, this
/// one and the likest access there stand on one axis from the start of their arrays on, of up to 4 KiB, where they lie within that.
SectorsPicture picture_of(const SectorsExhibit& exhibit, const SectorsExhibit::Request& request,
                          const RequestSectors& touched, double width,
                          const SectorsExhibit* beside = nullptr);

/// What is pointed at in the picture: a lane, or the bytes of a column from `byte` on.
struct SectorsChoice {
  std::optional<unsigned> lane;
  std::optional<std::size_t> column;
  unsigned byte = 0;
};
/// The lanes that are marked, a bit a lane: those that asked for the bytes that are pointed at, or the one lane.
std::uint32_t lit_lanes(const SectorsPicture& picture, const SectorsChoice& choice);

/// The items {"lanes"} and {"sectors"} are the places of all lanes and of all columns.
Drawing drawing_of(const SectorsPicture& picture, const SectorsExhibit::Request& request,
                   const RequestSectors& touched, const SectorsChoice& choice,
                   const Canvas& canvas);

/// "4 sectors, every byte used", "32 sectors, 4 of each 32 bytes used".
std::string used_text(const RequestSectors& touched, const Strings& strings);

}  // namespace warpbook::lab
