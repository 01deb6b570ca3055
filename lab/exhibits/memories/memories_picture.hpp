// The picture of two memories: a box for each with its arrays, the link between them, and an arrow for whatever crossed it. The
// window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/exhibits/memories/memories_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where everything lies.
class MemoriesPlane {
 public:
  MemoriesPlane(const MemoriesExhibit& memories, double width);

  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] const Area& host() const { return host_; }
  [[nodiscard]] const Area& device() const { return device_; }
  /// An array's box on a side; nothing where it has none there.
  [[nodiscard]] const std::optional<Area>& on_host(std::size_t array) const {
    return on_host_[array];
  }
  [[nodiscard]] const std::optional<Area>& on_device(std::size_t array) const {
    return on_device_[array];
  }
  /// The GPU's threads, where they reach across the link; nothing where they do not.
  [[nodiscard]] const std::optional<Area>& threads() const { return threads_; }
  struct Arrow {
    Point from, to;
  };
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }  ///< by transfer
  /// Whose arrow, or the words above it, are at a point.
  [[nodiscard]] std::optional<std::size_t> transfer_at(const Point& point) const;

 private:
  void place_arrays(const MemoriesExhibit& memories);
  void place_arrows(const MemoriesExhibit& memories);

  Area host_, device_;
  std::vector<std::optional<Area>> on_host_, on_device_;
  std::optional<Area> threads_;
  std::vector<Arrow> arrows_;
  double height_ = 0;
};

/// `shown`: the transfer that is pointed at.
Drawing drawing_of(const MemoriesExhibit& memories, const MemoriesPlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas);

}  // namespace warpbook::lab
