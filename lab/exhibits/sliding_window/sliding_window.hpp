// Outputs of a convolution over one image, each with the inputs that its thread read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Outputs of a convolution over one image, each with what the thread that stored it had read: from the launch's trace,
/// never from the formula. Where the windows should lie, the settings say.
struct SlidingWindowExhibit {
  static constexpr std::string_view kKind = "sliding_window";
  struct Output {
    std::uint64_t element = 0;  ///< of the output
    double value = 0;           ///< after the run
    bool wrong = false;
    std::uint32_t block = 0, thread = 0;  ///< who stored it; linear
    // What that thread had read since it stored the output before, in its order. Elements; some may lie outside: stray.
    std::vector<std::int64_t> inputs, weights;
    friend bool operator==(const Output&, const Output&) = default;
  };
  TensorExhibit input;    ///< [channels][height][width]; channels_last: [height][width][channels]
  TensorExhibit weights;  ///< [filters][channels][rows][columns], or with the channels last
  bool channels_last = false;
  std::uint64_t filters = 0, out_rows = 0, out_columns = 0;  ///< of the output
  std::uint32_t stride = 1, pad = 0, dilation = 1;
  std::vector<Output> outputs;  ///< those whose stores were seen, by element
  std::uint32_t chosen = 0;     ///< of outputs: what is shown first
  bool cut = false;             ///< more outputs were, or would have been, stored than were seen
  bool stopped = false;         ///< a budget ended the launch before its end
  friend bool operator==(const SlidingWindowExhibit&, const SlidingWindowExhibit&) = default;
};

/// A convolution that was run: its arrays after the run, matched with the record's allocations by their names, and its
/// settings.
struct SlidingWindowRun {
  const TensorExhibit &input, &weights,
      &output;  ///< shaped as SlidingWindowExhibit says; output without the image
  bool channels_last = false;
  std::uint32_t stride = 1, pad = 0, dilation = 1;
  std::uint64_t chosen = 0;  ///< the output that is shown first, or the next that was seen
};
/// Each output with what its thread had read: in the order of the trace, behind them the stray reads, which the checker
/// suppressed.
SlidingWindowExhibit sliding_window_of(const device::LaunchRecord& record,
                                       const SlidingWindowRun& run);

template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit::Output> auto& v) {
  visit("element", v.element);
  visit("value", v.value);
  visit("wrong", v.wrong);
  visit("block", v.block);
  visit("thread", v.thread);
  visit("inputs", v.inputs);
  visit("weights", v.weights);
}

template <class V>
void fields(V&& visit, Is<SlidingWindowExhibit> auto& v) {
  visit("input", v.input);
  visit("weights", v.weights);
  visit("channels_last", v.channels_last);
  visit("filters", v.filters);
  visit("out_rows", v.out_rows);
  visit("out_columns", v.out_columns);
  visit("stride", v.stride);
  visit("pad", v.pad);
  visit("dilation", v.dilation);
  visit("outputs", v.outputs);
  visit("chosen", v.chosen);
  visit("cut", v.cut);
  visit("stopped", v.stopped);
}
/// The outputs are in order and inside the result. More is for sizes_of() to judge: shapes and settings that do not
/// belong together may be shown.
bool valid(const SlidingWindowExhibit& v);

void extras(JsonExtras& json, const SlidingWindowExhibit::Output& output,
            const SlidingWindowExhibit& whole);

std::string sentence_of(const SlidingWindowExhibit& window, const Strings& strings);
void text_body(const SlidingWindowExhibit& window, const Strings& strings, Page& page);
std::string html_body(const SlidingWindowExhibit& window, const Strings& strings,
                      const std::string& caption);
Table table_of(const SlidingWindowExhibit& window, const Strings& strings);
void compare(const SlidingWindowExhibit& a, const SlidingWindowExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
