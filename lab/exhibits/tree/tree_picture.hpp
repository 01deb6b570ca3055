// The picture of a tree: its rounds from top to bottom. At the left the array's places, with a line from each place that was read to
// the place that was written; at the right the block's threads. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/tree/tree_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where its parts lie.
class TreePlane {
 public:
  TreePlane(const TreeExhibit& tree, double width);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const;
  [[nodiscard]] Area row(std::size_t round) const;
  [[nodiscard]] std::optional<std::size_t> round_at(const Point& point) const;
  /// All rows.
  [[nodiscard]] Area rows() const;
  [[nodiscard]] Point place(std::size_t round, std::uint32_t place) const;
  [[nodiscard]] Area thread(std::size_t round, std::uint32_t thread) const;
  /// The threads of a warp; the block's last one may have fewer.
  [[nodiscard]] Area warp(std::size_t round, std::uint32_t warp) const;
  [[nodiscard]] double place_width() const { return place_wide_; }
  [[nodiscard]] const Area& places_head() const { return places_head_; }
  [[nodiscard]] const Area& threads_head() const { return threads_head_; }

 private:
  double width_ = 0, place_wide_ = 0, thread_wide_ = 0, warp_gap_ = 0;
  std::size_t rounds_ = 0;
  std::uint32_t threads_ = 0;
  Area places_head_, threads_head_;
};

/// `shown`: the round whose row is marked; none in a page.
Drawing drawing_of(const TreeExhibit& tree, const TreePlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas);

}  // namespace warpbook::lab
