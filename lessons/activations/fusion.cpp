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
constexpr std::int64_t kMillion = 65536;  ///< pixels of each image and filter: 2^20 elements

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

  Layer(std::string of, std::int64_t pixels_each)
      : function(std::move(of)),
        pixels(pixels_each),
        elements(kImages * kFilters * pixels),
        x(uneven(elements, 37)),
        bias(uneven(kFilters, 101)) {}

  [[nodiscard]] std::vector<float> sums() const {
    std::vector<float> sums;
    for (std::int64_t i = 0; i < elements; ++i)
      sums.push_back(x[static_cast<std::size_t>(i)] +
                     bias[static_cast<std::size_t>(i / pixels % kFilters)]);
    return sums;
  }
  [[nodiscard]] std::vector<double> truth() const {
    std::vector<double> truth;
    for (const float sum : sums()) truth.push_back(value_of(function, static_cast<double>(sum), 0));
    return truth;
  }
};

/// A rung of the layer's operation: "two_passes" or "fused". `variant`: a file below kVariants that is run in its place.
lab::RungResult run(lab::Lab& lab, const std::string& rung, const Layer& layer,
                    const std::string& variant = {}) {
  const lab::Operation operation = lab::require(
      lab::load_operation(lab.context().root, "activation_" + layer.function + "_bias"));
  lab::RungArguments arguments;
  arguments.scalars = {{"n", kImages}, {"k", kFilters}, {"pixels", layer.pixels}};
  arguments.inputs = {{"x", bytes_of(layer.x)}, {"bias", bytes_of(layer.bias)}};
  lab::Rung found = lab::rung_named(operation, rung);
  if (!variant.empty()) found.path = kVariants + variant;
  // With machine code the estimate counts the instructions that a GPU would issue.
  arguments.module =
      lab::compile_rung(lab, found, arguments.scalars, lab.device().properties().simulated);
  return lab::run_rung(lab, found, operation, arguments);
}

Way way_of(const std::string& rung, const lab::RungResult& result, std::span<const double> truth) {
  Way way;
  way.records = result.records;
  const std::vector<float> y = floats_of(result.outputs.at("y"));
  way.right = check_close(*way.records.back(), y, truth).items.front();
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

/// Warp instructions of PTX for each warp's worth of elements.
std::string instructions_each(const device::Counters& counters, std::int64_t elements) {
  return lab::number(
      32 * static_cast<double>(counters.warp_instructions) / static_cast<double>(elements), 3);
}

std::string row_of(const device::Counters& counters, std::int64_t elements) {
  const auto each = [&](std::uint64_t count) {
    return lab::number(static_cast<double>(count) / static_cast<double>(elements), 3);
  };
  return fmt::format("{:>9}{:>11}{:>14}  ", each(counters.global_bytes_asked),
                     each(32 * counters.global_sectors), instructions_each(counters, elements));
}

double seconds_of(const device::Estimate& estimate, std::initializer_list<const char*> parts) {
  double longest = 0;
  for (const device::EstimateBound& bound : estimate.bounds) {
    if (std::ranges::find(parts, bound.name) != parts.end())
      longest = std::max(longest, bound.seconds);
  }
  return longest;
}

std::string micro(double seconds) { return lab::number(1e6 * seconds, 3); }

std::string limits_row(const device::Estimate& e) {
  return fmt::format("{:>9}{:>14}{:>9}{:>10}{:>9}  ", micro(seconds_of(e, {"launch"})),
                     micro(seconds_of(e, {"issue"})), micro(seconds_of(e, {"dram", "l2"})),
                     micro(seconds_of(e, {"latency"})), micro(e.seconds));
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
  table.arguments.emplace_back("launch", micro(launch));
  table.arguments.emplace_back("saved", micro(saved));
  table.arguments.emplace_back("saved_rest", lab::number(1e6 * (saved - launch), 2));
  table.arguments.emplace_back("two", micro(two.seconds));
  table.arguments.emplace_back("one", micro(one.seconds));
  return {"limits", {"activations.limits.title"}, fused.time, lab::TextExhibit{table, true}};
}

/// Whether the results begin as those of GELU with tanh do.
bool is_gelu_tanh(const lab::RungResult& result, const Layer& layer) {
  constexpr std::size_t kChecked = 4096;
  const std::vector<float> y = floats_of(result.outputs.at("y")), sums = layer.sums();
  for (std::size_t i = 0; i < kChecked; ++i) {
    if (!agrees(static_cast<double>(y[i]), value_of("gelu-tanh", static_cast<double>(sums[i]), 0)))
      return false;
  }
  return true;
}

/// The same of a million elements through three fused kernels, whatever the page's parameters are. GELU with tanh is no row of
/// the table, but the text has its figures.
void million(lab::Lab& lab) {
  lab::Message table{
      "activations.million.table", {{"elements", lab::grouped(kImages * kFilters * kMillion)}}, {}};
  std::optional<device::Evidence> time;
  for (const std::string function : {"relu", "sigmoid", "gelu"}) {
    const Layer layer(function, kMillion);
    const auto record = run(lab, "fused", layer).records.back();
    if (!record->estimate) return;
    const device::Estimate& e = *record->estimate;
    const std::string instructions = instructions_each(record->total, layer.elements);
    table.arguments.emplace_back(function, fmt::format("{:>5}", instructions) + limits_row(e));
    table.arguments.emplace_back(function + "_instructions", instructions);
    table.arguments.emplace_back(function + "_issue", micro(seconds_of(e, {"issue"})));
    table.arguments.emplace_back(function + "_memory", micro(seconds_of(e, {"dram", "l2"})));
    table.arguments.emplace_back(function + "_waiting", micro(seconds_of(e, {"latency"})));
    table.arguments.emplace_back(function + "_whole", micro(e.seconds));
    table.arguments.emplace_back(function + "_limiter", e.limiter);
    time = e.time;
  }
  const Layer layer("gelu", kMillion);
  const lab::RungResult with_tanh = run(lab, "fused", layer, "gelu_tanh_bias.cu");
  if (with_tanh.records.back()->estimate && is_gelu_tanh(with_tanh, layer)) {
    const device::Estimate& e = *with_tanh.records.back()->estimate;
    table.arguments.emplace_back("tanh_issue", micro(seconds_of(e, {"issue"})));
    table.arguments.emplace_back("tanh_waiting", micro(seconds_of(e, {"latency"})));
    table.arguments.emplace_back("tanh_whole", micro(e.seconds));
  }
  lab.show({"million", {"activations.million.title"}, time, lab::TextExhibit{table, true}});
}

}  // namespace

std::vector<float> sums_of_layer() { return Layer("gelu", 1024).sums(); }

void fusion(lab::Lab& lab, const device::Evidence& counted) {
  const Layer layer(plain_function(lab), lab.integer("pixels"));
  const std::vector<double> truth = layer.truth();
  const Way two = way_of("two_passes", run(lab, "two_passes", layer), truth);
  const Way one = way_of("fused", run(lab, "fused", layer), truth);

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
  million(lab);
}

}  // namespace warpbook::lessons::activations
