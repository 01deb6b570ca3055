// A bias and an activation: in two kernels, with the sums in memory between them, and in one.
#include <algorithm>
#include <array>
#include <map>

#include "lab/exhibits/exhibit.hpp"
#include "lab/operation/operation.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {
namespace {

constexpr std::int64_t kImages = 2, kFilters = 8;
constexpr std::int64_t kMillion = 65536;  ///< pixels of each image and filter: 2^20 elements
/// Of a launch for a million elements, where all blocks do the same: two on each multiprocessor of an H200. GELU's branches depend on
/// its numbers, so all of its blocks run.
constexpr std::uint64_t kMillionBlocks = 264, kAllBlocks = 0;
constexpr std::array kMillionFunctions{"relu", "sigmoid", "gelu"};
constexpr const char* kGeluTanh = "gelu_tanh_bias.cu";
const lab::Message kAdd = lab::Message::plain("add_bias"), kFused{"activations.fusion.single"};

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

lab::Operation operation_of(lab::Lab& lab, const std::string& function) {
  return lab::require(lab::load_operation(lab.context().root, "activation_" + function + "_bias"));
}

/// A rung of the function's operation: "two_passes" or "fused". `variant`: a file below kVariants that stands in its place.
lab::Rung rung_of(const lab::Operation& operation, const std::string& name,
                  const std::string& variant = {}) {
  lab::Rung found = lab::rung_named(operation, name);
  if (!variant.empty()) found.path = kVariants + variant;
  return found;
}

std::map<std::string, std::int64_t> scalars_of(std::int64_t pixels) {
  return {{"n", kImages}, {"k", kFilters}, {"pixels", pixels}};
}

/// With machine code the estimate counts the instructions that a GPU would issue.
bool with_machine_code(lab::Lab& lab) { return lab.device().properties().simulated; }

/// `blocks`: how many run for an estimate of time.
lab::RungResult run(lab::Lab& lab, const std::string& name, const Layer& layer,
                    const std::string& variant = {}, std::uint64_t blocks = kAllBlocks) {
  const lab::Operation operation = operation_of(lab, layer.function);
  const lab::Rung rung = rung_of(operation, name, variant);
  lab::RungArguments arguments;
  arguments.scalars = scalars_of(layer.pixels);
  arguments.inputs = {{"x", bytes_of(layer.x)}, {"bias", bytes_of(layer.bias)}};
  arguments.module = lab::compile_rung(lab, rung, arguments.scalars, with_machine_code(lab));
  arguments.estimate.blocks = blocks;
  return lab::run_rung(lab, rung, operation, arguments);
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

std::vector<lab::BarsExhibit::Bar> work_of(const lab::Message& label,
                                           const device::Counters& counters,
                                           std::int64_t elements) {
  const auto each = [&](std::uint64_t count) {
    const double value = static_cast<double>(count) / static_cast<double>(elements);
    return lab::BarsExhibit::Bar{label, value, lab::number(value, 3)};
  };
  return {each(counters.global_bytes_asked), each(32 * counters.global_sectors),
          each(32 * counters.warp_instructions)};
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

/// The parts of a launch's time, and the whole of it.
const std::vector<std::string> kLimits{"launch-time", "issue", "memory", "waiting", "whole"};

std::vector<lab::BarsExhibit::Bar> limits_of(const lab::Message& label, const device::Estimate& e) {
  std::vector<lab::BarsExhibit::Bar> bars;
  for (const double seconds :
       {seconds_of(e, {"launch"}), seconds_of(e, {"issue"}), seconds_of(e, {"dram", "l2"}),
        seconds_of(e, {"latency"}), e.seconds})
    bars.push_back({label, seconds, lab::duration(seconds)});
  return bars;
}

/// What each launch would take if it were held up by one thing alone, and where the time goes that fusing saves.
lab::Exhibit limits(const Way& two, const Way& one, const Layer& layer) {
  const device::Estimate& fused = *one.records.back()->estimate;
  const double launch = seconds_of(fused, {"launch"}), saved = two.seconds - one.seconds;
  device::MessageArguments said{{"elements", lab::grouped(layer.elements)},
                                {"launch", micro(launch)},
                                {"saved", micro(saved)},
                                {"saved_rest", lab::number(1e6 * (saved - launch), 2)},
                                {"two", micro(two.seconds)},
                                {"one", micro(one.seconds)}};
  return {
      "limits",
      {"activations.limits.title"},
      fused.time,
      side_by_side("activations.limits.", kLimits,
                   {limits_of(kAdd, *two.records.front()->estimate),
                    limits_of(lab::Message::plain(layer.function), *two.records.back()->estimate),
                    limits_of(kFused, fused)},
                   std::move(said))};
}

std::shared_ptr<const device::LaunchRecord> run_million(lab::Lab& lab, const std::string& function,
                                                        const std::string& variant = {}) {
  const Layer layer(function, kMillion);
  const bool alike = function != "gelu" || variant == kGeluTanh;
  return run(lab, "fused", layer, variant, alike ? kMillionBlocks : kAllBlocks).records.back();
}

/// Whether the kernel that stands in for GELU's computes GELU with tanh.
bool is_gelu_tanh(lab::Lab& lab) {
  const Layer layer("gelu", 256);
  const std::vector<float> y = floats_of(run(lab, "fused", layer, kGeluTanh).outputs.at("y")),
                           sums = layer.sums();
  return std::ranges::equal(y, sums, [](float got, float sum) {
    return agrees(static_cast<double>(got), value_of("gelu-tanh", static_cast<double>(sum), 0));
  });
}

}  // namespace

std::vector<float> sums_of_layer() { return Layer("gelu", 1024).sums(); }

void fusion(lab::Lab& lab, const device::Evidence& counted) {
  const Layer layer(plain_function(lab), lab.integer("pixels"));
  const std::vector<double> truth = layer.truth();
  Way two, one;
  lab.side_by_side(
      {[&](lab::Lab& part) { two = way_of("two_passes", run(part, "two_passes", layer), truth); },
       [&](lab::Lab& part) { one = way_of("fused", run(part, "fused", layer), truth); }});

  const auto each = [&](std::uint64_t count) {
    return lab::number(static_cast<double>(count) / static_cast<double>(layer.elements), 3);
  };
  show_side_by_side(
      lab, "activations.", "fusion", counted, {"requested", "moved", "instructions"},
      {work_of(kAdd, two.records.front()->total, layer.elements),
       work_of(lab::Message::plain(layer.function), two.records.back()->total, layer.elements),
       work_of({"activations.fusion.pair"}, two.total, layer.elements),
       work_of(kFused, one.total, layer.elements)},
      {{"two_asked", each(two.total.global_bytes_asked)},
       {"one_asked", each(one.total.global_bytes_asked)},
       {"two_moved", each(32 * two.total.global_sectors)},
       {"one_moved", each(32 * one.total.global_sectors)}});

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

/// Whatever the page's parameters are. GELU with tanh is no row of the table, but the text has its figures.
void million(lab::Lab& lab) {
  constexpr std::int64_t kElements = kImages * kFilters * kMillion;
  std::array<std::shared_ptr<const device::LaunchRecord>, kMillionFunctions.size()> records;
  std::shared_ptr<const device::LaunchRecord> with_tanh;
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < records.size(); ++i) {
    parts.emplace_back(
        [&, i](lab::Lab& part) { records[i] = run_million(part, kMillionFunctions[i]); });
  }
  parts.emplace_back([&](lab::Lab& part) {
    if (is_gelu_tanh(part)) with_tanh = run_million(part, "gelu", kGeluTanh);
  });
  lab.side_by_side(parts);
  device::MessageArguments said{{"elements", lab::grouped(kElements)}};
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  std::optional<device::Evidence> time;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string function = kMillionFunctions[i];
    const auto& record = records[i];
    if (!record->estimate) return;
    const device::Estimate& e = *record->estimate;
    const auto ran = static_cast<std::int64_t>(kElements / e.blocks * e.blocks_run);
    bars.push_back(limits_of(lab::Message::plain(function), e));
    said.emplace_back(function + "_instructions", instructions_each(record->total, ran));
    said.emplace_back(function + "_issue", micro(seconds_of(e, {"issue"})));
    said.emplace_back(function + "_memory", micro(seconds_of(e, {"dram", "l2"})));
    said.emplace_back(function + "_waiting", micro(seconds_of(e, {"latency"})));
    said.emplace_back(function + "_whole", micro(e.seconds));
    said.emplace_back(function + "_limiter", e.limiter);
    time = e.time;
  }
  if (with_tanh && with_tanh->estimate) {
    const device::Estimate& e = *with_tanh->estimate;
    said.emplace_back("tanh_issue", micro(seconds_of(e, {"issue"})));
    said.emplace_back("tanh_waiting", micro(seconds_of(e, {"latency"})));
    said.emplace_back("tanh_whole", micro(e.seconds));
  }
  show_side_by_side(lab, "activations.", "million", time, kLimits, bars, std::move(said));
}

void compile_fusion_soon(lab::Lab& lab) {
  const auto soon = [&](const std::string& function, const char* name,
                        const std::string& variant = {}) {
    lab::compile_rung_soon(lab, rung_of(operation_of(lab, function), name, variant), {},
                           with_machine_code(lab));
  };
  for (const char* name : {"two_passes", "fused"}) soon(plain_function(lab), name);
  for (const char* function : kMillionFunctions) soon(function, "fused");
  soon("gelu", "fused", kGeluTanh);
}

}  // namespace warpbook::lessons::activations
