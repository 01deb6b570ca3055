// What the chapters' runs have in common: how many blocks, whether the result is right, what the host asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/roofline/roofline_of.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// What the largest of a chapter's runs may take on a slow computer before it is stopped; in seconds. Stopped runs decide
/// no question.
inline constexpr double kPatience = 20;

/// Blocks of `block` threads that cover n elements. No element, no block.
inline std::uint32_t blocks_for(std::int64_t n, std::int64_t block) {
  return static_cast<std::uint32_t>((n + block - 1) / block);
}

/// `count` elements, of which element(i) gives the first `period`; then they begin again.
template <class Element>
std::vector<float> periodic(std::int64_t count, std::int64_t period, const Element& element) {
  std::vector<float> values(static_cast<std::size_t>(count));
  const auto first = static_cast<std::size_t>(std::min(count, period));
  for (std::size_t i = 0; i < first; ++i) values[i] = element(static_cast<std::int64_t>(i));
  for (std::size_t i = first; i < values.size(); ++i) values[i] = values[i - first];
  return values;
}

/// `kernel`, or "" for a module's only one, on `threads` threads in blocks of `block`.
device::Launch launch_of(std::shared_ptr<const device::Module> module, const std::string& kernel,
                         std::int64_t threads, std::int64_t block,
                         std::vector<device::Argument> arguments);
device::Argument pointer_argument(const device::Buffer& buffer);
device::Argument number_argument(std::int64_t value);  ///< an int

/// Of a vector or a span.
template <class Values>
std::vector<std::byte> bytes_of(const Values& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}
/// Without a shape: a list.
lab::TensorExhibit tensor_of(const std::string& name, std::span<const float> values,
                             std::vector<std::uint64_t> shape = {});
/// The elements of a tensor of floats.
std::vector<float> floats_of(const lab::TensorExhibit& tensor);

/// Warps of the launch: a block's threads, rounded up to whole warps.
std::uint64_t warps_of(const device::LaunchRecord& record);

/// "right" (the first five mismatches, how many of `elements` agree) and "safe" (the checkers' findings), in the
/// chapter's words, whose keys begin with `words`: "grids.check.".
lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           std::uint64_t elements, std::uint64_t agreeing,
                           std::vector<lab::CheckExhibit::Mismatch> mismatches);

/// agrees(out[i], truth[i]) decides; text() says a mismatch's two values.
template <class Out, class Truth, class Agrees, class Text>
lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           const Out& out, const Truth& truth, const Agrees& agrees,
                           const Text& text) {
  constexpr std::size_t kShown = 5;
  std::uint64_t agreeing = 0;
  std::vector<lab::CheckExhibit::Mismatch> mismatches;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (agrees(out[i], truth[i])) {
      ++agreeing;
    } else if (mismatches.size() < kShown) {
      mismatches.push_back({i, text(truth[i]), text(out[i]), {}});
    }
  }
  return check_of(words, record, truth.size(), agreeing, std::move(mismatches));
}
template <class T>
lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           const std::vector<T>& out, const std::vector<T>& truth) {
  return check_of(words, record, out, truth, std::equal_to{},
                  [](T value) { return std::to_string(value); });
}

/// How long the launch takes: on a simulated GPU an estimate, and beside it what the simulation itself took.
lab::TimingsExhibit times_of(lab::Lab& lab, const device::LaunchRecord& record);

// Bars of what a run cost.
lab::BarsExhibit::Bar count_bar(lab::Message label, std::uint64_t count);
lab::BarsExhibit::Bar bytes_bar(lab::Message label, std::uint64_t bytes);
/// As long as the estimate, beside which stands how far off that may be.
lab::BarsExhibit::Bar estimate_bar(lab::Message label, double seconds, double low, double high);
/// Of a count that may not be known: one that was not counted is not shown as 0.
lab::BarsExhibit::Bar known_bar(lab::Message label, std::optional<std::uint64_t> count);
/// Several things held against each other: `bars[i]` are those of the i-th, a bar for each of `quantities`. The words begin with
/// `words`, "warps.forms.": the sentence "says", with these arguments, and those of the quantities.
lab::BarsExhibit side_by_side(const std::string& words, const std::vector<std::string>& quantities,
                              const std::vector<std::vector<lab::BarsExhibit::Bar>>& bars,
                              device::MessageArguments arguments = {});
/// The same as an exhibit, whose words begin with `words` and its id; "title" is among them.
void show_side_by_side(lab::Lab& lab, const std::string& words, const std::string& id,
                       const std::optional<device::Evidence>& evidence,
                       const std::vector<std::string>& quantities,
                       const std::vector<std::vector<lab::BarsExhibit::Bar>>& bars,
                       device::MessageArguments arguments = {});
/// What a bar of such an exhibit says, thing and quantity from 0; empty where nobody counted it.
std::string side_by_side_figure(const lab::Report& report, std::string_view id, std::size_t thing,
                                std::size_t quantity);
/// Of the lanes that the launch's warp instructions had room for, those that took part.
lab::BarsExhibit::Group lanes_of(const device::LaunchRecord& record);
/// Bytes of global memory that the launch's threads requested, and those that moved for them.
lab::BarsExhibit::Group traffic_of(const device::LaunchRecord& record);

/// The exhibit "roofline", where a run has an estimate; `chosen` is the name of the run that is shown first.
void show_roofline(lab::Lab& lab, const std::string& title,
                   const std::vector<lab::RooflineRun>& runs, const std::string& chosen);

/// A parameter from `low` to `high`, on a logarithmic scale where that is far. `words`: what its title's key begins with,
/// "grids.parameter."; `unit` is a key, too.
lab::Parameter whole_number(const std::string& words, const std::string& name, const char* unit,
                            std::int64_t initial, double low, double high);

/// One of `choices`; without `initial` the first of them to begin with.
lab::Parameter choice(const std::string& words, const std::string& name,
                      const std::vector<std::string>& choices, const std::string& initial = {});
/// `words`: "grids.preset.".
lab::Preset preset(const std::string& words, const std::string& name,
                   const std::vector<std::pair<std::string, lab::Value>>& values);

/// The GPU that libraries are asked about (lab/ladder/algorithms_of.hpp): the one of this machine where the run is on it, else the
/// simulated one.
std::string gpu_for_libraries(lab::Lab& lab);

/// What the host has asked of the device so far, a line a call: the argument "calls" of a chapter's list.
lab::Message host_calls(const device::Device& device);
lab::Message host_calls(std::span<const device::HostCall> calls);

// Figures read off the report; "" where it has no such exhibit.

/// The argument `name` of the text in the exhibit `id`, or of what the bars there say.
std::string text_argument(const lab::Report& report, std::string_view id, std::string_view name);

std::string threads_started(const lab::Report& report);  ///< of the exhibit "geometry"
std::string blocks_started(const lab::Report& report);
std::string idle_threads(const lab::Report& report);
/// How many calls of the argument "calls", as host_calls() makes it, have a name that begins with `call`.
std::string calls_of(const lab::Report& report, std::string_view call,
                     std::string_view id = "calls");

}  // namespace warpbook::lessons
