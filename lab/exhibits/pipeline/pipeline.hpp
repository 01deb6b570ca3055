// A training step on several devices as a Gantt chart: which part of which micro-batch each device worked on when, and when it
// waited.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct PipelineExhibit {
  static constexpr std::string_view kKind = "pipeline";
  enum class Work : std::uint8_t {
    forward,
    backward,
    gradients,  ///< added up over the devices that have the same weights
    update      ///< the optimiser's step
  };
  struct Row {
    Message name;  ///< "stage 0"
    std::uint64_t kept =
        0;  ///< micro-batches that it kept at most between forward and backward; counted
    friend bool operator==(const Row&, const Row&) = default;
  };
  struct Span {
    std::uint32_t row = 0;
    Work work = Work::forward;
    std::uint32_t micro_batch = 0;  ///< of forward and backward
    double begin = 0, end = 0;      ///< seconds from the beginning of the step
    friend bool operator==(const Span&, const Span&) = default;
  };
  std::vector<Row> rows;
  std::vector<Span> spans;              ///< in the order of each row
  double total = 0, low = 0, high = 0;  ///< seconds of the whole step, with its band
  friend bool operator==(const PipelineExhibit&, const PipelineExhibit&) = default;
};

constexpr auto enum_names(PipelineExhibit::Work) {
  return device::checked_names<PipelineExhibit::Work>("forward", "backward", "gradients", "update");
}

template <class V>
void fields(V&& visit, Is<PipelineExhibit::Row> auto& v) {
  visit("name", v.name);
  visit("kept", v.kept);
}

template <class V>
void fields(V&& visit, Is<PipelineExhibit::Span> auto& v) {
  visit("row", v.row);
  visit("work", v.work);
  visit("micro_batch", v.micro_batch);
  visit("begin", v.begin);
  visit("end", v.end);
}

template <class V>
void fields(V&& visit, Is<PipelineExhibit> auto& v) {
  visit("rows", v.rows);
  visit("spans", v.spans);
  visit("total", v.total);
  visit("low", v.low);
  visit("high", v.high);
}
/// Every span is on a row, and ends no earlier than it begins nor later than the step.
bool valid(const PipelineExhibit& v);

std::string sentence_of(const PipelineExhibit& pipeline, const Strings& strings);
void text_body(const PipelineExhibit& pipeline, const Strings& strings, Page& page);
std::string html_body(const PipelineExhibit& pipeline, const PipelineExhibit* beside,
                      const Strings& strings, const std::string& caption);
Table table_of(const PipelineExhibit& pipeline, const Strings& strings);
void compare(const PipelineExhibit& a, const PipelineExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
