// Pipelines: what their renderers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/pipeline/pipeline.hpp"

namespace warpbook::lab {

/// Forward and backward; the rest comes behind the pipeline.
bool is_in_pipeline(PipelineExhibit::Work work);
/// When the last device has done its last backward pass; 0 where there is none.
double pipeline_end(const PipelineExhibit& pipeline);
/// The bubble: of the time until then, over all devices, the part in which they wait; 0 to 1.
double bubble_of(const PipelineExhibit& pipeline);
/// The sorts of work that there are, in the order of the enum.
std::vector<PipelineExhibit::Work> works_of(const PipelineExhibit& pipeline);

std::string work_name(PipelineExhibit::Work work, const Strings& strings);
/// The sign that it has in a terminal, one column wide.
std::string_view work_sign(PipelineExhibit::Work work);
/// The number of its micro-batch, or nothing behind the pipeline.
std::string number_of(const PipelineExhibit::Span& span);
/// All of a span in a sentence.
std::string span_text(const PipelineExhibit& pipeline, std::size_t span, const Strings& strings);

}  // namespace warpbook::lab
