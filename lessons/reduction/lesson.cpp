// Reduction: halve the work, then drop the barriers; and what a sum of floats is.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tree/tree_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/recorded_times.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/reduction/runs.hpp"

namespace warpbook::lessons {
namespace {

/// The chapter's runs.
void reduction_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  reduction::compile_soon(lab);
  lab::Message calls;
  lab.side_by_side(
      {[&](lab::Lab& part) { calls = reduction::district(part, counted); },
       lab::remembered({.name = "reduction/exchanges",
                        .run = [&](lab::Lab& part) { reduction::exchanges(part, counted); }}),
       lab::remembered({.name = "reduction/ladder",
                        .run = [&](lab::Lab& part) { reduction::ladder(part, counted); }}),
       lab::remembered({.name = "reduction/count-ones",
                        .run = [&](lab::Lab& part) { reduction::count_ones(part, counted); }}),
       lab::remembered({.name = "reduction/errors",
                        .run = [&](lab::Lab& part) { reduction::errors(part, counted); }}),
       lab::remembered({.name = "reduction/squares",
                        .run = [&](lab::Lab& part) { reduction::squares(part, counted); }}),
       lab::remembered({.name = "reduction.orders",
                        .run = [&](lab::Lab& part) { reduction::orders(part, counted); }}),
       lab::recorded_times("reduction")});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::TreeExhibit* tree_in(const lab::Report& report) {
  const auto* tree = report.find_as<lab::TreeExhibit>("tree");
  return tree && !tree->rounds.empty() ? tree : nullptr;
}

std::string rounds(const lab::Report& report) {
  const auto* tree = tree_in(report);
  return tree ? lab::grouped(lab::figures_of(*tree).rounds) : "";
}

std::string warp_joins(const lab::Report& report) {
  const auto* tree = tree_in(report);
  return tree ? lab::grouped(lab::figures_of(*tree).warp_joins) : "";
}

/// Values that are in the block's last one, each once.
std::string values_summed(const lab::Report& report) {
  const auto* tree = tree_in(report);
  if (!tree) return {};
  const auto values = lab::values_in_last(*tree);
  return lab::grouped(static_cast<std::uint64_t>(
      std::ranges::count(values, std::uint64_t{1}, &lab::TreeValue::times)));
}

/// How long a rung takes for the country, in seconds; 0 where nothing was estimated.
double seconds_of(const lab::Report& report, const std::string& rung) {
  const std::string text = text_argument(report, "ladder", rung + "_seconds");
  return text.empty() ? 0 : std::stod(text);
}

/// Whether one atomic addition after the other takes about as long as reading the country, some times as long, or hundreds of times.
std::string atomics_against_reading(const lab::Report& report) {
  const double atomics = seconds_of(report, "atomics"), reading = seconds_of(report, "grid_stride");
  if (reading == 0) return {};
  constexpr double kAlike = 3, kHundreds = 80;
  const double ratio = atomics / reading;
  return ratio < kAlike ? "alike" : ratio < kHundreds ? "some" : "hundreds";
}

/// Under which of the schedules the sum is right: "all", "some" or "none".
std::string verdict(const lab::Report& report) {
  const auto* ways = report.find_as<lab::SchedulesExhibit>("ways");
  if (!ways) return {};
  const std::uint64_t right = lab::right_runs(*ways);
  return right == ways->runs.size() ? "all" : right == 0 ? "none" : "some";
}

/// How many different sums the schedules gave: "one", "several", or as many as schedules, "all".
std::string sums(const lab::Report& report) {
  const auto* orders = report.find_as<lab::SchedulesExhibit>("orders");
  if (!orders) return {};
  const std::size_t different = orders->outcomes.size();
  return different == 1 ? "one" : different == orders->runs.size() ? "all" : "several";
}

std::string different_sums(const lab::Report& report, std::string_view id) {
  const auto* orders = report.find_as<lab::SchedulesExhibit>(id);
  return orders ? lab::grouped(orders->outcomes.size()) : "";
}

std::string counted_in_line(const lab::Report& report) {
  return side_by_side_figure(report, "count", 0, 0);
}
std::string counted_by_tree(const lab::Report& report) {
  return side_by_side_figure(report, "count", 1, 0);
}
/// "16,777,216; 33,554,432": in line, and by a tree.
std::string counts(const lab::Report& report) {
  const std::string in_line = counted_in_line(report);
  return in_line.empty() ? "" : in_line + "; " + counted_by_tree(report);
}

lab::LiveFigure argument_figure(const std::string& name, const std::string& id,
                                const std::string& argument) {
  return {name, [id, argument](const lab::Report& r) { return text_argument(r, id, argument); }};
}

}  // namespace

lab::Lesson reduction_chapter() {
  lab::Lesson lesson;
  lesson.slug = "reduction";
  const std::string words = "reduction.parameter.", presets = "reduction.preset.";
  using Int = std::int64_t;
  constexpr Int kFewestMeters = 1024, kMostItems = 1024;
  lesson.parameters = {
      whole_number(words, "n", "reduction.unit.households", 4096, 1, 65536),
      whole_number(words, "block", "reduction.unit.threads", 64, 1, 1024),
      whole_number(words, "items", "reduction.unit.households", 128, 4, kMostItems),
      choice(words, "type", {"float", "half", "bfloat16"}),
      whole_number(words, "meters", "reduction.unit.households", reduction::kCountry, kFewestMeters,
                   reduction::kCountry)};
  lesson.presets = {
      preset(presets, "district", {}), preset(presets, "wide", {{"block", Int{256}}}),
      preset(presets, "half", {{"type", std::string("half")}, {"meters", Int{32768}}})};
  const std::string folder = "lessons/reduction/variants/";
  // The page's questions put other kernels into the first slot.
  lesson.slots = {{"sum", folder + "interleaved.cu", {}}, {"exchange", folder + "exchange.cu", {}}};
  lesson.experiment = reduction_experiment;
  lesson.figures = {
      {"rounds", rounds},
      {"warp-joins", warp_joins},
      {"ways-right",
       [](const lab::Report& r) {
         const auto* ways = r.find_as<lab::SchedulesExhibit>("ways");
         return ways ? lab::grouped(lab::right_runs(*ways)) : "";
       }},
      {"different-sums", [](const lab::Report& r) { return different_sums(r, "orders"); }},
      {"fixed-sums", [](const lab::Report& r) { return different_sums(r, "fixed"); }},
      argument_figure("barriers", "cost", "barriers"),
      argument_figure("lanes-down", "down", "whole"),
      argument_figure("lanes-exchanged", "butterfly", "whole"),
      {"in-line", counted_in_line},
      {"by-tree", counted_by_tree}};
  for (const char* rung :
       {"atomics", "interleaved", "together", "sequential", "two_loads", "shuffles", "grid_stride"})
    lesson.figures.push_back(
        argument_figure(std::string(rung) + "-time", "ladder", std::string(rung) + "_time"));
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"atomics-against-reading", atomics_against_reading},
      {"rounds", rounds},
      {"warp-joins", warp_joins},
      {"verdict", verdict},
      {"barriers", [](const lab::Report& r) { return text_argument(r, "cost", "barriers"); }},
      {"shuffles-limiter",
       [](const lab::Report& r) { return text_argument(r, "ladder", "shuffles_limiter"); }},
      {"counts", counts},
      {"in-line", counted_in_line},
      {"sums", sums},
      {"values-summed", values_summed}};
  lesson.exercises = {"shuffle-sum", "argmax", "deterministic-sum"};
  return lesson;
}

}  // namespace warpbook::lessons
