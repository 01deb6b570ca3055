#include "lab/exhibits/pipeline/pipeline_picture.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kPipelinePageWidth = 768;

}  // namespace

std::string html_body(const PipelineExhibit& pipeline, const PipelineExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (pipeline.spans.empty()) return {};
  const Canvas canvas = svg_canvas(kPipelinePageWidth, strings);
  return svg_of(drawing_of(pipeline, PipelinePlane(pipeline, beside, canvas), {}, canvas), caption);
}

}  // namespace warpbook::lab
