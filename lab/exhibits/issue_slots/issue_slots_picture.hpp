// The picture of issue slots: a strip for each number of warps, from left to right the clocks, in it what each warp fills. The
// window and SVG draw the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lab/exhibits/issue_slots/issue_slots_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

class IssueSlotsPlane {
 public:
  /// With other slots beside it, both have the same axis.
  IssueSlotsPlane(const IssueSlotsExhibit& slots, const IssueSlotsExhibit* beside,
                  const Canvas& canvas);

  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] std::uint64_t axis_end() const { return end_; }
  [[nodiscard]] const Area& area() const { return area_; }  ///< of all strips
  [[nodiscard]] Area strip(std::size_t which) const;
  [[nodiscard]] double across(std::uint64_t clock) const;
  [[nodiscard]] std::optional<std::size_t> case_at(const Point& point) const;

 private:
  Area area_;
  double height_ = 0;
  std::size_t cases_ = 0;
  std::uint64_t end_ = 0;
};

/// `shown`: the case that is marked.
Drawing drawing_of(const IssueSlotsExhibit& slots, const IssueSlotsPlane& plane, std::size_t shown,
                   const Canvas& canvas);

}  // namespace warpbook::lab
