#include "lab/exhibits/boundary/boundary_picture.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

constexpr double kGround = 0.32;  ///< opacity of the regions, so that the samples stand out

class BoundaryDrawing {
 public:
  BoundaryDrawing(const BoundaryExhibit& boundary, std::size_t frame, double width)
      : boundary_(boundary),
        frame_(boundary.frames[frame]),
        width_(width),
        dot_(std::clamp(width / 110, 1.5, 4.0)) {
    drawing_.width = drawing_.height = width;
    drawing_.rectangle({0, 0, width, width}, Role::s1, 3);
    for (std::uint32_t row = 0; row < boundary.side; ++row) place_row(row);
    for (std::size_t sample = 0; sample < boundary.labels.size(); ++sample) place_sample(sample);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  /// Neighbours with the same answer make one rectangle.
  void place_row(std::uint32_t row) {
    const double cell = width_ / boundary_.side;
    const std::uint32_t* answers = &frame_.cells[std::size_t{row} * boundary_.side];
    for (std::uint32_t from = 0; from < boundary_.side;) {
      std::uint32_t to = from + 1;
      while (to < boundary_.side && answers[to] == answers[from]) ++to;
      drawing_.rectangle({from * cell, row * cell, (to - from) * cell, cell},
                         {category(answers[from]), kGround});
      from = to;
    }
  }

  void place_sample(std::size_t sample) {
    const double x = boundary_.x[sample] / boundary_.reach,
                 y = boundary_.y[sample] / boundary_.reach;
    const Point at{(1 + x) / 2 * width_, (1 - y) / 2 * width_};
    drawing_.circle(at, dot_, category(boundary_.labels[sample]), {Role::s0, 1});
    if (frame_.answers[sample] == boundary_.labels[sample]) return;
    const double reach = dot_ + 2;
    drawing_.outline({at.x - reach, at.y - reach, 2 * reach, 2 * reach}, {Role::bad, 1.5}, 1);
  }

  const BoundaryExhibit& boundary_;
  const BoundaryExhibit::Frame& frame_;
  double width_, dot_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const BoundaryExhibit& boundary, std::size_t frame, double width) {
  return BoundaryDrawing(boundary, frame, width).take();
}

}  // namespace warpbook::lab
