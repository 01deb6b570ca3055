#include "lab/exhibits/pipeline/pipeline_picture.hpp"

#include <algorithm>
#include <string>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Span = PipelineExhibit::Span;
using Work = PipelineExhibit::Work;

constexpr double kStageHigh = 34, kStageGap = 8, kStageNames = 66, kStageKept = 62,
                 kPipelineAxis = 24, kPipelineLegend = 26, kHatchStep = 7;
constexpr Letters kStageName{Letters::Face::sans, 13}, kStageNote{Letters::Face::sans, 12},
    kMicroBatch{Letters::Face::mono, 13, true};

Role colour_of(Work work) {
  switch (work) {
    case Work::forward: return Role::category_1;
    case Work::backward: return Role::category_0;
    case Work::gradients: return Role::category_2;
    case Work::update: return Role::category_3;
  }
  __builtin_unreachable();
}

class PipelineDrawing {
 public:
  PipelineDrawing(const PipelineExhibit& pipeline, const PipelinePlane& plane,
                  const std::optional<std::size_t>& shown, const Canvas& canvas)
      : pipeline_(pipeline), plane_(plane), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    for (std::size_t row = 0; row < pipeline.rows.size(); ++row) place_row(row);
    for (std::size_t i = 0; i < pipeline.spans.size(); ++i) place_span(i);
    place_axis();
    place_legend();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_row(std::size_t row) {
    Area strip = plane_.strip(row);
    const PipelineExhibit::Row& of = pipeline_.rows[row];
    drawing_.text({0, strip.middle().y},
                  canvas_.fitted(kStageName, canvas_.strings(of.name), kStageNames - 8), kStageName,
                  Role::t1);
    if (of.kept > 0) {
      const std::string says = canvas_.strings("pipeline.keeps", {{"count", of.kept}});
      drawing_.text({canvas_.width, strip.middle().y},
                    canvas_.fitted(kStageNote, says, kStageKept - 8), kStageNote, Role::t2,
                    Anchor::right);
    }
    // Where nothing will cover it, the stage waits.
    strip.width = plane_.x_of(pipeline_end(pipeline_)) - strip.x;
    if (strip.width < 1) return;
    drawing_.rectangle(strip, Role::s2, 3);
    drawing_.hatch(strip, {Paint(Role::t4, 0.6), 1}, kHatchStep);
  }

  void place_span(std::size_t number) {
    const Span& span = pipeline_.spans[number];
    Area box = plane_.box(span);
    const Paint paint(colour_of(span.work));
    // A hair between neighbours, as long as they are wide enough to have one.
    if (box.width > 4) box.width -= 1;
    DrawnItem& item = drawing_.rectangle(box, paint, 2);
    item.title = span_text(pipeline_, number, canvas_.strings);
    if (shown_ == number) drawing_.outline(box, {Role::t1, 2}, 2);
    const std::string says = number_of(span);
    if (!says.empty() && canvas_.text_width(kMicroBatch, says) + 4 <= box.width)
      drawing_.text(box.middle(), says, kMicroBatch, Role::s0, Anchor::middle);
  }

  void place_axis() {
    const Area strips = plane_.strips();
    const double y = strips.bottom() + 4;
    drawing_.line({strips.x, y}, {strips.right(), y}, {Role::line, 1});
    constexpr int kMarks = 4;
    for (int i = 0; i <= kMarks; ++i) {
      const double seconds = plane_.axis_end() * i / kMarks, x = plane_.x_of(seconds);
      drawing_.line({x, y}, {x, y + 4}, {Role::line, 1});
      drawing_.text({x, y + 13}, i == 0 ? "0" : duration(seconds), kStageNote, Role::t3,
                    i == 0        ? Anchor::left
                    : i == kMarks ? Anchor::right
                                  : Anchor::middle);
    }
  }

  void place_legend() {
    double x = 0;
    const double y = plane_.height() - kPipelineLegend / 2 + 4;
    const auto add = [&](const std::string& says, const auto& draw) {
      draw(Area{x, y - 6, 14, 12});
      drawing_.text({x + 19, y}, says, kStageNote, Role::t2);
      x += 19 + canvas_.text_width(kStageNote, says) + 18;
    };
    for (const Work work : works_of(pipeline_)) {
      add(work_name(work, canvas_.strings),
          [&](const Area& at) { drawing_.rectangle(at, colour_of(work), 2); });
    }
    if (pipeline_.rows.size() < 2) return;
    add(canvas_.strings("pipeline.waits"), [&](const Area& at) {
      drawing_.rectangle(at, Role::s2, 2);
      drawing_.hatch(at, {Paint(Role::t4, 0.6), 1}, kHatchStep);
    });
  }

  const PipelineExhibit& pipeline_;
  const PipelinePlane& plane_;
  const std::optional<std::size_t>& shown_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

PipelinePlane::PipelinePlane(const PipelineExhibit& pipeline, const PipelineExhibit* beside,
                             const Canvas& canvas)
    : rows_(pipeline.rows.size()), left_(kStageNames), right_(canvas.width - kStageKept) {
  for (const PipelineExhibit* one : {&pipeline, beside}) {
    if (one) end_ = std::max(end_, one->total);
  }
  height_ = static_cast<double>(rows_) * (kStageHigh + kStageGap) + kPipelineAxis + kPipelineLegend;
}

double PipelinePlane::x_of(double seconds) const {
  return left_ + (end_ > 0 ? seconds / end_ : 0) * (right_ - left_);
}

Area PipelinePlane::strip(std::size_t row) const {
  return {left_, static_cast<double>(row) * (kStageHigh + kStageGap), right_ - left_, kStageHigh};
}

Area PipelinePlane::strips() const {
  return {left_, 0, right_ - left_,
          static_cast<double>(rows_) * (kStageHigh + kStageGap) - kStageGap};
}

Area PipelinePlane::box(const Span& span) const {
  Area box = strip(span.row);
  box.x = x_of(span.begin);
  box.width = x_of(span.end) - box.x;
  return box;
}

std::optional<std::size_t> PipelinePlane::span_at(const PipelineExhibit& pipeline,
                                                  const Point& point) const {
  for (std::size_t i = 0; i < pipeline.spans.size(); ++i) {
    if (box(pipeline.spans[i]).holds(point)) return i;
  }
  return {};
}

Drawing drawing_of(const PipelineExhibit& pipeline, const PipelinePlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas) {
  return PipelineDrawing(pipeline, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
