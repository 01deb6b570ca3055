// The picture of a pipeline: a strip for each device, a box for each micro-batch that it works on, and hatched what it waits. The
// window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/pipeline/pipeline_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where everything lies. With another pipeline beside it, both have the same axis.
class PipelinePlane {
 public:
  PipelinePlane(const PipelineExhibit& pipeline, const PipelineExhibit* beside,
                const Canvas& canvas);

  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] Area strip(std::size_t row) const;
  [[nodiscard]] Area box(const PipelineExhibit::Span& span) const;
  /// From time 0 to the end of the axis, over all rows.
  [[nodiscard]] Area strips() const;
  [[nodiscard]] double axis_end() const { return end_; }
  [[nodiscard]] double x_of(double seconds) const;
  [[nodiscard]] std::optional<std::size_t> span_at(const PipelineExhibit& pipeline,
                                                   const Point& point) const;

 private:
  std::size_t rows_ = 0;
  double left_ = 0, right_ = 0, end_ = 0, height_ = 0;
};

/// `shown`: the span that is pointed at.
Drawing drawing_of(const PipelineExhibit& pipeline, const PipelinePlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas);

}  // namespace warpbook::lab
