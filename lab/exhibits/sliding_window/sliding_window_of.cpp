#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "lab/exhibits/sliding_window/sliding_window.hpp"
#include "lab/model/global_accesses.hpp"

namespace warpbook::lab {
namespace {

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

SlidingWindowExhibit sliding_window_of(const device::LaunchRecord& record,
                                       const SlidingWindowRun& run) {
  const bool stopped = stopped_by_budget(record);
  SlidingWindowExhibit exhibit{
      run.input,  run.weights, run.channels_last, 0,  0, 0,
      run.stride, run.pad,     run.dilation,      {}, 0, record.trace_cut || stopped,
      stopped};
  const auto& shape = run.output.shape;
  if (shape.size() == 3) {
    exhibit.filters = shape[run.channels_last ? 2 : 0];
    exhibit.out_rows = shape[run.channels_last ? 0 : 1];
    exhibit.out_columns = shape[run.channels_last ? 1 : 2];
  }
  struct Thread {
    std::vector<std::int64_t> inputs, weights;  ///< read since its last store of an output
    std::optional<std::int64_t> stored;
  };
  std::unordered_map<std::uint64_t, Thread> threads;
  std::map<std::int64_t, SlidingWindowExhibit::Output> outputs;
  const auto elements = static_cast<std::int64_t>(count(run.output));
  const std::vector<std::uint64_t> wrong = sorted(run.output.wrong);
  for_each_global_access(record, [&](const GlobalAccess& access) {
    Thread& thread = threads[access.block * record.block.count() + access.thread];
    if (access.kind == device::AccessKind::load) {
      const bool input = access.allocation == run.input.name;
      if (!input && access.allocation != run.weights.name) return;
      // What comes after a thread's last store is what the checker suppressed: a part of that output all the same.
      auto& reads = input ? thread.inputs : thread.weights;
      for (std::int64_t i = 0; i < access.elements; ++i) reads.push_back(access.element + i);
      return;
    }
    if (access.allocation != run.output.name || access.element < 0 || access.element >= elements)
      return;
    const auto at = static_cast<std::uint64_t>(access.element);
    outputs[access.element] = {at,
                               element(run.output, at),
                               std::ranges::binary_search(wrong, at),
                               access.block,
                               access.thread,
                               std::exchange(thread.inputs, {}),
                               std::exchange(thread.weights, {})};
    thread.stored = access.element;
  });
  for (auto& [number, thread] : threads) {
    if (!thread.stored) continue;
    SlidingWindowExhibit::Output& last = outputs.at(*thread.stored);
    last.inputs.insert(last.inputs.end(), thread.inputs.begin(), thread.inputs.end());
    last.weights.insert(last.weights.end(), thread.weights.begin(), thread.weights.end());
  }
  for (auto& [at, output] : outputs) exhibit.outputs.push_back(std::move(output));
  const auto next = std::ranges::lower_bound(exhibit.outputs, run.chosen, {},
                                             &SlidingWindowExhibit::Output::element);
  if (next != exhibit.outputs.end())
    exhibit.chosen = static_cast<std::uint32_t>(next - exhibit.outputs.begin());
  return exhibit;
}

}  // namespace warpbook::lab
