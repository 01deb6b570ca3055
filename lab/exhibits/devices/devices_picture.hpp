// The picture of several devices: a box for each, with the bytes in its memory, and an arrow for what it copied to another one. The
// window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/exhibits/devices/devices_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// A device, or a link, by its number.
struct DevicesPart {
  enum class Kind : std::uint8_t { device, link } kind = Kind::device;
  std::size_t number = 0;
  friend bool operator==(const DevicesPart&, const DevicesPart&) = default;
};

/// Where everything lies.
class DevicesPlane {
 public:
  DevicesPlane(const DevicesExhibit& devices, double width);

  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] const std::vector<Area>& boxes() const { return boxes_; }  ///< by device
  /// Of each link: from one box's edge to the other's, drawn as a curve where another box is in the way.
  struct Arrow {
    Point from, to;
    Point pull;   ///< what bends it; the middle of a straight one
    Point label;  ///< the middle of its words
  };
  [[nodiscard]] const std::vector<Arrow>& arrows() const { return arrows_; }
  /// The device or the link's words at a point.
  [[nodiscard]] std::optional<DevicesPart> part_at(const Point& point) const;

 private:
  void place_boxes(const DevicesExhibit& devices, double width);
  void place_arrows(const DevicesExhibit& devices);
  /// `aside`: how far from the middle of the links between the same two devices, 0 of a single one.
  [[nodiscard]] Arrow straight(const DevicesExhibit::Link& link, double aside) const;
  [[nodiscard]] Arrow round(const DevicesExhibit& devices, const DevicesExhibit::Link& link,
                            int index, double aside) const;

  std::vector<Area> boxes_;
  std::vector<Arrow> arrows_;
  double height_ = 0;
};

/// `shown`: what is pointed at.
Drawing drawing_of(const DevicesExhibit& devices, const DevicesPlane& plane,
                   const std::optional<DevicesPart>& shown, const Canvas& canvas);

}  // namespace warpbook::lab
