#include "lab/exhibits/geometry/geometry_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lab/model/warps.hpp"

namespace warpbook::lab {
namespace {

constexpr double kBlockBar = 14, kBlockGap = 3, kMostBlockCell = 30, kLeastBlockCell = 5,
                 kSliceGap = 16, kSliceName = 20, kBlockStrength = 0.6, kIdleStep = 4;
constexpr std::uint64_t kMostBlockBars = 64, kMostBlockCells = 2048;
constexpr Letters kSliceLetters{Letters::Face::mono, 12};

class GeometryDrawing {
 public:
  GeometryDrawing(const GeometryExhibit& geometry, const Canvas& canvas)
      : geometry_(geometry), canvas_(canvas) {
    drawing_.width = canvas.width;
    const bool row = geometry.grid.y <= 1 && geometry.grid.z <= 1;
    if (row)
      place_row();
    else if (geometry.grid.count() > kMostBlockCells || !place_cells())
      place_all();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_row() {
    const std::uint64_t blocks = geometry_.grid.count();
    if (blocks <= 1 || blocks > kMostBlockBars) return place_all();
    const double each =
        (canvas_.width - kBlockGap * static_cast<double>(blocks - 1)) / static_cast<double>(blocks);
    for (std::uint64_t block = 0; block < blocks; ++block)
      place_block({static_cast<double>(block) * (each + kBlockGap), 0, each, kBlockBar},
                  busy_in(block), block_colour(geometry_.grid, block));
    drawing_.height = kBlockBar;
  }

  void place_all() {
    place_block({0, 0, canvas_.width, kBlockBar}, busy(), 0);
    drawing_.height = kBlockBar;
  }

  /// Slices beside each other, as many as have room, then below. False where cells would be too small.
  bool place_cells() {
    const auto columns = static_cast<double>(geometry_.grid.x),
               rows = static_cast<double>(geometry_.grid.y);
    const double cell =
        std::min(kMostBlockCell, std::floor((canvas_.width + kBlockGap) / columns) - kBlockGap);
    if (cell < kLeastBlockCell) return false;
    const double wide = columns * (cell + kBlockGap) + kSliceGap,
                 name = geometry_.grid.z > 1 ? kSliceName : 0,
                 high = name + rows * (cell + kBlockGap);
    const auto across =
        static_cast<std::uint64_t>(std::max(1.0, std::floor((canvas_.width + kSliceGap) / wide)));
    for (std::uint64_t z = 0; z < geometry_.grid.z; ++z) {
      const std::uint64_t row = z / across, column = z % across;
      place_slice(
          z, {static_cast<double>(column) * wide, static_cast<double>(row) * (high + kSliceGap)},
          name, cell);
    }
    const std::uint64_t down = (geometry_.grid.z + across - 1) / across;
    drawing_.height = static_cast<double>(down) * (high + kSliceGap) - kSliceGap;
    return true;
  }

  void place_slice(std::uint64_t z, const Point& corner, double name, double cell) {
    if (name > 0)
      drawing_.text({corner.x, corner.y + name / 2},
                    canvas_.strings("image.slice", {{"z", std::to_string(z)}}), kSliceLetters,
                    Role::t3);
    const std::uint64_t x = geometry_.grid.x, each = x * geometry_.grid.y;
    for (std::uint64_t i = 0; i < each; ++i) {
      const std::uint64_t block = z * each + i, row = i / x, column = i % x;
      place_block({corner.x + static_cast<double>(column) * (cell + kBlockGap),
                   corner.y + name + static_cast<double>(row) * (cell + kBlockGap), cell, cell},
                  busy_in(block), block_colour(geometry_.grid, block));
    }
  }

  /// Its colour as far as its threads are busy, hatching for the rest.
  void place_block(const Area& at, double busy, unsigned colour) {
    const double wide = at.width * busy;
    drawing_.rectangle(at, Role::s3, 2).id = ItemId{"block"};
    if (busy < 1) {
      const Area idle{at.x + wide, at.y, at.width - wide, at.height};
      drawing_.hatch(idle, {Role::t4}, kIdleStep);
      drawing_.outline(at, {Role::t4}, 2).id = ItemId{"idle"};
    }
    if (wide > 0)
      drawing_.rectangle({at.x, at.y, wide, at.height}, {category(colour), kBlockStrength}, 2);
  }

  [[nodiscard]] double busy() const {
    if (geometry_.threads == 0) return 0;
    const std::uint64_t idle = geometry_.idle_known ? geometry_.idle : 0;
    return 1 - static_cast<double>(std::min(idle, geometry_.threads)) /
                   static_cast<double>(geometry_.threads);
  }
  [[nodiscard]] double busy_in(std::uint64_t block) const {
    const auto idle = idle_in(geometry_, block);
    const double threads = static_cast<double>(std::max<std::uint64_t>(1, geometry_.block.count()));
    return idle ? 1 - *idle / threads : busy();
  }

  const GeometryExhibit& geometry_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const GeometryExhibit& geometry, const Canvas& canvas) {
  return GeometryDrawing(geometry, canvas).take();
}

}  // namespace warpbook::lab
