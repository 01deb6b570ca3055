// A launch's blocks as boxes in space: where each stands, which covers which, and which lies under the mouse. Without
// perspective, so that what is equally large looks so. x runs to the right, y down, z away from the reader.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <imgui.h>

#include "device/types.hpp"
#include "gui/draw/boxes.hpp"

namespace warpbook::gui {

/// From where a grid is looked at.
struct GridCamera {
  float yaw = 0.6f, pitch = 0.42f;     ///< radians, to the side and from above
  float zoom = 1;                      ///< 1: the whole grid fits
  std::optional<std::uint32_t> slice;  ///< blockIdx.z of the only blocks that are shown; none: all
};

class GridScene {
 public:
  static constexpr std::uint64_t kMostBoxes = 10'000;

  /// Of `grid` seen in the rectangle from `min` to `max`; where it is zoomed, `focus` (a block, linear) is drawn to the
  /// middle.
  GridScene(const device::Dim3& grid, const GridCamera& camera, ImVec2 min, ImVec2 max,
            std::uint64_t focus = 0);

  /// What one box stands for: step x step x step blocks, along the axes that have so many.
  [[nodiscard]] std::uint32_t step() const { return step_; }
  /// The boxes along x, y and z.
  [[nodiscard]] const std::array<std::uint32_t, 3>& boxes() const { return boxes_; }
  struct Place {
    std::uint32_t x = 0, y = 0, z = 0;  ///< of the box among boxes()
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// Those that are shown, from the farthest to the nearest.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// The first block (linear) that the box stands for.
  [[nodiscard]] std::uint64_t block_of(const Place& place) const;
  /// The box that stands for the block.
  [[nodiscard]] Place place_of(std::uint64_t block) const;
  [[nodiscard]] bool shown(const Place& place) const {
    return !slice_ || place.z == *slice_ / step_;
  }

  /// The box's lowest corner in the lattice's units.
  [[nodiscard]] std::array<float, 3> corner_of(const Place& place) const;
  [[nodiscard]] const BoxView& view() const { return view_; }
  [[nodiscard]] ImVec2 project(float x, float y, float z) const;
  /// The outline of a box, six corners in order.
  [[nodiscard]] std::array<ImVec2, 6> outline(const Place& place) const;
  /// The nearest box that covers the point.
  [[nodiscard]] std::optional<Place> at(ImVec2 point) const;

 private:
  device::Dim3 grid_;
  std::uint32_t step_ = 1;
  std::array<std::uint32_t, 3> boxes_{};
  std::optional<std::uint32_t> slice_;
  std::vector<Place> places_;
  BoxView view_;
};

}  // namespace warpbook::gui
