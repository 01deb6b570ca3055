#include "lab/exhibits/pipeline/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/pipeline/pipeline_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Span = PipelineExhibit::Span;
using Work = PipelineExhibit::Work;

std::uint64_t most_kept(const PipelineExhibit& pipeline) {
  std::uint64_t most = 0;
  for (const auto& row : pipeline.rows) most = std::max(most, row.kept);
  return most;
}

std::uint64_t micro_batches_of(const PipelineExhibit& pipeline) {
  std::uint64_t count = 0;
  for (const Span& span : pipeline.spans) {
    if (is_in_pipeline(span.work)) count = std::max<std::uint64_t>(count, span.micro_batch + 1);
  }
  return count;
}

}  // namespace

bool is_in_pipeline(Work work) { return work == Work::forward || work == Work::backward; }

double pipeline_end(const PipelineExhibit& pipeline) {
  double end = 0;
  for (const Span& span : pipeline.spans) {
    if (is_in_pipeline(span.work)) end = std::max(end, span.end);
  }
  return end;
}

double bubble_of(const PipelineExhibit& pipeline) {
  double busy = 0;
  for (const Span& span : pipeline.spans) {
    if (is_in_pipeline(span.work)) busy += span.end - span.begin;
  }
  const double all = pipeline_end(pipeline) * static_cast<double>(pipeline.rows.size());
  return all > 0 ? std::max(0.0, 1 - busy / all) : 0;
}

std::vector<Work> works_of(const PipelineExhibit& pipeline) {
  std::vector<Work> works;
  for (const Work work : {Work::forward, Work::backward, Work::gradients, Work::update}) {
    if (std::ranges::find(pipeline.spans, work, &Span::work) != pipeline.spans.end())
      works.push_back(work);
  }
  return works;
}

std::string work_name(Work work, const Strings& strings) {
  return strings("pipeline.work." + std::string(name_of(work)));
}

std::string_view work_sign(Work work) {
  switch (work) {
    case Work::forward: return "░";
    case Work::backward: return "█";
    case Work::gradients: return "↻";
    case Work::update: return "=";
  }
  __builtin_unreachable();
}

std::string number_of(const Span& span) {
  return is_in_pipeline(span.work) ? std::to_string(span.micro_batch) : "";
}

std::string span_text(const PipelineExhibit& pipeline, std::size_t span, const Strings& strings) {
  const Span& one = pipeline.spans[span];
  return strings(is_in_pipeline(one.work) ? "pipeline.told" : "pipeline.told-behind",
                 {{"row", strings(pipeline.rows[one.row].name)},
                  {"work", work_name(one.work, strings)},
                  {"micro", one.micro_batch},
                  {"begin", duration(one.begin)},
                  {"time", duration(one.end - one.begin)}});
}

std::string sentence_of(const PipelineExhibit& pipeline, const Strings& strings) {
  if (pipeline.spans.empty()) return strings("pipeline.nothing");
  std::vector<std::string> parts{strings("pipeline.takes", {{"time", duration(pipeline.total)},
                                                            {"low", duration(pipeline.low)},
                                                            {"high", duration(pipeline.high)}})};
  if (pipeline.rows.size() > 1) {
    parts.push_back(strings("pipeline.bubble", {{"stages", pipeline.rows.size()},
                                                {"micro", micro_batches_of(pipeline)},
                                                {"share", number(100 * bubble_of(pipeline), 2)}}));
    parts.push_back(counted(strings, "pipeline.kept", most_kept(pipeline)));
  }
  return sentences(strings, parts);
}

Table table_of(const PipelineExhibit& pipeline, const Strings& strings) {
  Table table{
      {strings("pipeline.head.row"), strings("pipeline.head.work"), strings("pipeline.head.micro"),
       strings("pipeline.head.begin"), strings("pipeline.head.end")},
      {}};
  for (const Span& span : pipeline.spans)
    table.rows.push_back({strings(pipeline.rows[span.row].name), work_name(span.work, strings),
                          number_of(span), exact_text(span.begin), exact_text(span.end)});
  return table;
}

void compare(const PipelineExhibit& a, const PipelineExhibit& b, Comparer& comparer) {
  const auto percent = [](const PipelineExhibit& of) { return std::optional(100 * bubble_of(of)); };
  comparer.figure("bubble", percent(a), percent(b));
  comparer.figure("kept_micro_batches", figure_of(most_kept(a)), figure_of(most_kept(b)), {},
                  device::EvidenceKind::counted);
}

bool valid(const PipelineExhibit& v) {
  constexpr double kRounding = 1e-9;
  return std::ranges::all_of(v.spans, [&](const Span& span) {
    return span.row < v.rows.size() && span.begin >= 0 && span.begin <= span.end &&
           std::isfinite(span.end) && span.end <= v.total * (1 + kRounding);
  });
}

}  // namespace warpbook::lab
