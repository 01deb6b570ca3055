#include "lab/exhibits/gpu/gpu_picture.hpp"

#include <algorithm>
#include <cmath>

#include "device/types.hpp"

namespace warpbook::lab {
namespace {

constexpr double kGpuLine = 18, kGpuHead = 24, kChipShare = 0.6, kChipGap = 28, kChipHigh = 0.62,
                 kChipPad = 8, kTileGap = 1.5, kLeastBeside = 520, kMemoryHigh = 34, kLinkHigh = 30,
                 kLegendHigh = 26, kStoreHigh = 16, kWarpGap = 2, kMostWarpCell = 18,
                 kStrong = 0.65, kTooMany = 4096;
constexpr std::uint64_t kWarpsInRow = 16;
constexpr Letters kGpuName{Letters::Face::sans, 14, true}, kGpuWords{Letters::Face::sans, 13},
    kGpuFigures{Letters::Face::mono, 13};
// The colours that these spaces have throughout the book.
constexpr Role kRegisterColour = Role::category_4, kSharedColour = Role::category_2,
               kCacheColour = Role::neutral, kGlobalColour = Role::category_0;

/// The multiprocessors as tiles: so many beside each other that they come out nearly square. Without room they are none.
struct Tiles {
  Tiles(const GpuExhibit& gpu, double wide, double high) {
    if (!(wide > 0 && high > 0)) return;
    const double all = static_cast<double>(std::max<std::uint32_t>(1, gpu.multiprocessors)),
                 side = std::sqrt(wide * high / all);
    columns = std::clamp(std::round(wide / side), 1.0, all);
    rows = std::ceil(all / columns);
    tile_wide = wide / columns;
    tile_high = high / rows;
  }
  double columns = 1, rows = 1, tile_wide = 0, tile_high = 0;
};

class GpuDrawing {
 public:
  GpuDrawing(const GpuExhibit& gpu, const Canvas& canvas) : gpu_(gpu), canvas_(canvas) {
    drawing_.width = canvas.width;
    const bool beside = canvas.width >= kLeastBeside;
    const double chip = beside ? std::floor(canvas.width * kChipShare) : canvas.width;
    const double below = place_chip(chip);
    const double left = beside ? chip + kChipGap : 0, top = beside ? 0 : below + kChipPad;
    const double enlarged = place_multiprocessor(left, top, canvas.width - left);
    const double bottom = std::max(below, enlarged) + kChipPad;
    drawing_.height = place_legend(place_memory(bottom));
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] double bytes_of_tile() const {
    return static_cast<double>(gpu_.registers) + static_cast<double>(gpu_.l1);
  }

  /// Gives back where it ends.
  double place_chip(double wide) {
    name({0, kGpuHead / 2}, canvas_.strings("gpu.chip", {{"count", grouped(gpu_.multiprocessors)}}),
         wide);
    const double inner = wide - 2 * kChipPad, high = std::round(wide * kChipHigh) - 2 * kChipPad,
                 tiles = bytes_of_tile() * gpu_.multiprocessors, l2 = static_cast<double>(gpu_.l2),
                 all = std::max(1.0, tiles + l2);
    const double tiles_high = high * tiles / all, top = kGpuHead + kChipPad;
    drawing_.rectangle({0, kGpuHead, wide, high + 2 * kChipPad}, Role::s3, 6);
    place_tiles({kChipPad, top, inner, tiles_high});
    place_l2({kChipPad, top + tiles_high, inner, high - tiles_high});
    return kGpuHead + high + 2 * kChipPad;
  }

  void place_tiles(const Area& at) {
    // Of more than can be told apart one tile stands for all.
    if (gpu_.multiprocessors > kTooMany) return place_tile(at);
    const Tiles tiles(gpu_, at.width, at.height);
    for (std::uint32_t i = 0; i < gpu_.multiprocessors; ++i) {
      const auto columns = static_cast<std::uint32_t>(tiles.columns);
      const std::uint32_t row = i / columns, column = i % columns;
      place_tile({at.x + column * tiles.tile_wide, at.y + row * tiles.tile_high,
                  tiles.tile_wide - kTileGap, tiles.tile_high - kTileGap});
    }
  }

  /// Registers above, L1 and shared memory below, by their bytes.
  void place_tile(const Area& at) {
    const double all = std::max(1.0, bytes_of_tile()),
                 registers = at.height * static_cast<double>(gpu_.registers) / all;
    drawing_.rectangle({at.x, at.y, at.width, registers}, {kRegisterColour, kStrong}).id =
        ItemId{"multiprocessor"};
    drawing_.rectangle({at.x, at.y + registers, at.width, at.height - registers},
                       {kSharedColour, kStrong});
  }

  void place_l2(const Area& at) {
    if (!(at.height > 0)) return;
    drawing_
        .rectangle({at.x, at.y + kTileGap, at.width - kTileGap, at.height - kTileGap},
                   {kCacheColour, kStrong}, 2)
        .id = ItemId{"l2"};
    if (at.height < kGpuLine) return;
    drawing_.text({at.middle().x, at.middle().y},
                  canvas_.strings("gpu.l2", {{"bytes", byte_count(gpu_.l2)}}), kGpuName, Role::t1,
                  Anchor::middle);
  }

  /// Gives back where it ends.
  double place_multiprocessor(double left, double top, double wide) {
    name({left, top + kGpuHead / 2}, canvas_.strings("gpu.enlarged"), wide);
    const std::uint64_t shown = std::min<std::uint64_t>(gpu_.warps, 16 * kWarpsInRow);
    const double cell = std::min(kMostWarpCell, wide / kWarpsInRow);
    const std::uint64_t rows = (shown + kWarpsInRow - 1) / kWarpsInRow;
    double y = top + kGpuHead;
    for (std::uint64_t i = 0; i < shown; ++i) {
      const std::uint64_t row = i / kWarpsInRow, column = i % kWarpsInRow;
      const Area at{left + static_cast<double>(column) * cell, y + static_cast<double>(row) * cell,
                    cell - kWarpGap, cell - kWarpGap};
      drawing_.rectangle(at, {Role::category_3, kStrong}, 2).id = ItemId{"warp", i};
    }
    y += static_cast<double>(rows) * cell + kGpuLine / 2 + 2;
    const std::uint64_t threads = std::uint64_t{gpu_.warps} * device::kLanes;
    for (const std::string& line : canvas_.lines(
             kGpuWords,
             canvas_.strings("gpu.warps",
                             {{"warps", grouped(gpu_.warps)}, {"threads", grouped(threads)}}),
             wide)) {
      drawing_.text({left, y}, line, kGpuWords, Role::t2);
      y += kGpuLine;
    }
    const std::uint64_t most = std::max(gpu_.registers, gpu_.l1);
    y = place_store(left, y, wide, {"gpu.registers", gpu_.registers, gpu_.registers, most},
                    kRegisterColour);
    return place_store(left, y, wide, {"gpu.shared", gpu_.l1, gpu_.shared, most}, kSharedColour);
  }

  /// A store of a multiprocessor: a bar as long as its bytes say, of which a part may be for one use at most.
  struct Store {
    const char* key;
    std::uint64_t bytes, usable, most;
  };
  double place_store(double left, double top, double wide, const Store& store, Role colour) {
    if (store.most == 0) return top;
    const double scale = wide / static_cast<double>(store.most);
    drawing_.rectangle({left, top, scale * static_cast<double>(store.bytes), kStoreHigh},
                       {colour, kStrong}, 2);
    if (store.usable < store.bytes) {
      const double at = left + scale * static_cast<double>(store.usable);
      drawing_.line({at, top - 3}, {at, top + kStoreHigh + 3}, {Role::t1, 1.5});
    }
    const std::string says = canvas_.strings(
        store.key, {{"bytes", byte_count(store.bytes)}, {"shared", byte_count(store.usable)}});
    double y = top + kStoreHigh + kGpuLine / 2 + 3;
    for (const std::string& line : canvas_.lines(kGpuWords, says, wide)) {
      drawing_.text({left, y}, line, kGpuWords, Role::t2);
      y += kGpuLine;
    }
    return y;
  }

  /// Too large for the scale: a strip, with how many times as large as the L2 cache it is. Gives back where it ends.
  double place_memory(double top) {
    const double middle = canvas_.width * kChipShare / 2, below = top + kLinkHigh;
    const Stroke stroke{{kGlobalColour}, 3};
    drawing_.line({middle, top + 6}, {middle, below - 6}, stroke);
    arrow_head({middle, top}, 1);
    arrow_head({middle, below}, -1);
    drawing_.text({middle + 14, top + kLinkHigh / 2},
                  canvas_.strings("gpu.rate", {{"rate", memory_rate_text(gpu_)}}), kGpuFigures,
                  Role::t2);
    const Area at{0, below, canvas_.width, kMemoryHigh};
    drawing_.rectangle(at, {kGlobalColour, kStrong}, 4).id = ItemId{"memory"};
    const std::string key = gpu_.l2 == 0 ? "gpu.memory-alone" : "gpu.memory";
    const std::uint64_t times = gpu_.l2 == 0 ? 0 : gpu_.memory / gpu_.l2;
    const std::string says =
        canvas_.strings(key, {{"bytes", memory_text(gpu_)}, {"times", grouped(times)}});
    const Letters letters = canvas_.sized(kGpuName, says, at.width - 16, 10);
    drawing_.text(at.middle(), canvas_.fitted(letters, says, at.width - 16), letters, Role::t1,
                  Anchor::middle);
    return at.bottom();
  }

  /// `up`: 1 where it points up, else -1.
  void arrow_head(const Point& tip, double up) {
    drawing_.polygon({tip, {tip.x - 5, tip.y + up * 8}, {tip.x + 5, tip.y + up * 8}},
                     {kGlobalColour});
  }

  double place_legend(double top) {
    double x = 0, y = top + kLegendHigh / 2 + 2;
    const auto entry = [&](Role colour, const char* key) {
      const std::string says = canvas_.strings(key);
      const double wide = 15 + canvas_.text_width(kGpuWords, says);
      if (x > 0 && x + wide > canvas_.width) {
        x = 0;
        y += kGpuLine;
      }
      drawing_.rectangle({x, y - 5, 10, 10}, {colour, kStrong}, 2);
      drawing_.text({x + 15, y}, says, kGpuWords, Role::t2);
      x += wide + 18;
    };
    entry(kRegisterColour, "gpu.row.registers");
    entry(kSharedColour, "gpu.row.l1");
    entry(kCacheColour, "gpu.row.l2");
    for (const std::string& line :
         canvas_.lines(kGpuWords, canvas_.strings("gpu.scale"), canvas_.width)) {
      y += kGpuLine;
      drawing_.text({0, y}, line, kGpuWords, Role::t3);
    }
    return y + kGpuLine / 2;
  }

  void name(const Point& at, const std::string& says, double room) {
    const Letters letters = canvas_.sized(kGpuName, says, room, 11);
    drawing_.text(at, canvas_.fitted(letters, says, room), letters, Role::t1);
  }

  const GpuExhibit& gpu_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const GpuExhibit& gpu, const Canvas& canvas) {
  return GpuDrawing(gpu, canvas).take();
}

}  // namespace warpbook::lab
