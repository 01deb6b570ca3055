// A bias and an activation: in two kernels, with the sums in memory between them, and in one.
#include <algorithm>

#include <fmt/format.h>

#include "lab/operation/operation.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {
namespace {

constexpr std::int64_t kImages = 2, kFilters = 8;

/// What one way asked for and took, all its launches together.
struct Way {
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
  lab::CheckExhibit::Item right;
  device::Counters total;
  double seconds = 0, low = 0, high = 0;
  bool estimated = true;
};

struct Layer {
  std::string function;  ///< of those that kernels/ has with a bias
  std::int64_t pixels, elements;
  std::vector<float> x, bias;
  std::vector<double> truth;

  explicit Layer(lab::Lab& lab)
      : function(plain_function(lab)),
        pixels(lab.integer("pixels")),
        elements(kImages * kFilters * pixels),
        x(uneven(elements, 37)),
        bias(uneven(kFilters, 101)) {
    for (std::int64_t i = 0; i < elements; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const float sum = x[at] + bias[static_cast<std::size_t>(i / pixels % kFilters)];
      truth.push_back(value_of(function, static_cast<double>(sum), 0));
    }
  }
};

Way run(lab::Lab& lab, const lab::Operation& operation, const std::string& rung,
        const Layer& layer) {
  lab::RungArguments arguments;
  arguments.scalars = {{"n", kImages}, {"k", kFilters}, {"pixels", layer.pixels}};
  arguments.inputs = {{"x", bytes_of(layer.x)}, {"bias", bytes_of(layer.bias)}};
  const auto& found = *std::ranges::find(operation.rungs, rung, &lab::Rung::name);
  // With machine code the estimate counts the instructions that a GPU would issue.
  arguments.module =
      lab::compile_rung(lab, found, arguments.scalars, lab.device().properties().simulated);
  const lab::RungResult result = lab::run_rung(lab, found, operation, arguments);
  Way way;
  way.records = result.records;
  const std::vector<float> y = floats_of(result.outputs.at("y"));
  way.right = check_close(*way.records.back(), y, layer.truth).items.front();
  way.right.id = rung;
  for (const auto& record : way.records) {
    way.total += record->total;
    if (record->findings_total != 0) way.right.state = lab::CheckExhibit::State::failed;
    if (!record->estimate) {
      way.estimated = false;
      continue;
    }
    way.seconds += record->estimate->seconds;
    way.low += record->estimate->low;
    way.high += record->estimate->high;
  }
  return way;
}

std::string row_of(const device::Counters& counters, std::int64_t elements) {
  const auto each = [&](std::uint64_t count) {
    return lab::number(static_cast<double>(count) / static_cast<double>(elements), 3);
  };
  return fmt::format("{:>9}{:>11}{:>14}  ", each(counters.global_bytes_asked),
                     each(32 * counters.global_sectors), each(32 * counters.warp_instructions));
}

double seconds_of(const device::Estimate& estimate, std::initializer_list<const char*> parts) {
  double longest = 0;
  for (const device::EstimateBound& bound : estimate.bounds) {
    if (std::ranges::find(parts, bound.name) != parts.end())
      longest = std::max(longest, bound.seconds);
  }
  return longest;
}

std::string limits_row(const device::Estimate& e) {
  const auto part = [&](std::initializer_list<const char*> parts) {
    return lab::number(1e6 * seconds_of(e, parts), 3);
  };
  return fmt::format("{:>9}{:>14}{:>9}{:>10}{:>9}  ", part({"launch"}), part({"issue"}),
                     part({"dram", "l2"}), part({"latency"}), lab::number(1e6 * e.seconds, 3));
}

/// What each launch would take if it were held up by one thing alone, and where the time goes that fusing saves.
lab::Exhibit limits(const Way& two, const Way& one, const Layer& layer) {
  const device::Estimate& fused = *one.records.back()->estimate;
  lab::Message table{"activations.limits.table",
                     {{"function", layer.function}, {"elements", lab::grouped(layer.elements)}},
                     {}};
  table.arguments.emplace_back("add", limits_row(*two.records.front()->estimate));
  table.arguments.emplace_back("activate", limits_row(*two.records.back()->estimate));
  table.arguments.emplace_back("fused", limits_row(fused));
  const double launch = seconds_of(fused, {"launch"}), saved = two.seconds - one.seconds;
  const auto micro = [](double seconds) { return lab::number(1e6 * seconds, 3); };
  table.arguments.emplace_back("launch", micro(launch));
  table.arguments.emplace_back("saved", micro(saved));
  table.arguments.emplace_back("saved_rest", micro(saved - launch));
  table.arguments.emplace_back("issue", micro(seconds_of(fused, {"issue"})));
  table.arguments.emplace_back("memory", micro(seconds_of(fused, {"dram", "l2"})));
  table.arguments.emplace_back("two", micro(two.seconds));
  table.arguments.emplace_back("one", micro(one.seconds));
  table.arguments.emplace_back("limiter", fused.limiter);
  return {"limits", {"activations.limits.title"}, fused.time, lab::TextExhibit{table, true}};
}

}  // namespace

void fusion(lab::Lab& lab, const device::Evidence& counted) {
  const Layer layer(lab);
  const lab::Operation operation = lab::require(
      lab::load_operation(lab.context().root, "activation_" + layer.function + "_bias"));
  const Way two = run(lab, operation, "two_passes", layer);
  const Way one = run(lab, operation, "fused", layer);

  const auto each = [&](std::uint64_t count) {
    return lab::number(static_cast<double>(count) / static_cast<double>(layer.elements), 3);
  };
  lab::Message table{"activations.fusion.table", {{"function", layer.function}}, {}};
  table.arguments.emplace_back("add", row_of(two.records.front()->total, layer.elements));
  table.arguments.emplace_back("activate", row_of(two.records.back()->total, layer.elements));
  table.arguments.emplace_back("both", row_of(two.total, layer.elements));
  table.arguments.emplace_back("fused", row_of(one.total, layer.elements));
  table.arguments.emplace_back("two_asked", each(two.total.global_bytes_asked));
  table.arguments.emplace_back("one_asked", each(one.total.global_bytes_asked));
  table.arguments.emplace_back("two_moved", each(32 * two.total.global_sectors));
  table.arguments.emplace_back("one_moved", each(32 * one.total.global_sectors));
  table.arguments.emplace_back("two_instructions", each(32 * two.total.warp_instructions));
  table.arguments.emplace_back("one_instructions", each(32 * one.total.warp_instructions));
  lab.show({"fusion", {"activations.fusion.title"}, counted, lab::TextExhibit{table, true}});

  lab::CheckExhibit check;
  check.items = {two.right, one.right};
  check.items[0].sentence = {"activations.fusion.pair"};
  check.items[1].sentence = {"activations.fusion.single"};
  lab.show({"fusion-check", {"activations.fusion.check"}, counted, std::move(check)});

  if (!two.estimated || !one.estimated) return;
  lab::TimingsExhibit times{{"activations.fusion.what"}, {}};
  const device::Evidence& model = one.records.back()->estimate->time;
  times.rows = {
      {{"activations.fusion.pair"}, two.seconds, two.low, two.high, two.low, 1, model, {}},
      {{"activations.fusion.single"}, one.seconds, one.low, one.high, one.low, 1, model, {}}};
  lab.show({"fusion-time", {"activations.fusion.time"}, std::nullopt, std::move(times)});
  lab.show(limits(two, one, layer));
}

}  // namespace warpbook::lessons::activations
