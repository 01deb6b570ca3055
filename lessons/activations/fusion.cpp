// A bias and an activation: in two kernels, with the sums in memory between them, and in one.
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
  double seconds = 0, low = 0, high = 0, dram = 0, operations = 0;
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
  const lab::RungResult result = lab::run_rung(lab, operation, rung, arguments);
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
    way.dram += record->estimate->dram_bytes;
    way.operations += record->estimate->operations;
  }
  return way;
}

std::string row_of(const device::Counters& counters, std::int64_t elements) {
  const auto each = [&](std::uint64_t bytes) {
    return lab::number(static_cast<double>(bytes) / static_cast<double>(elements), 3);
  };
  return fmt::format("{:>9}{:>11}{:>14}  ", each(counters.global_bytes_asked),
                     each(32 * counters.global_sectors), each(counters.thread_instructions));
}

/// Which bound of the timing model is the longest, in the estimate's own words.
lab::Exhibit below(const Way& two, const Way& one, std::int64_t elements) {
  const device::Estimate& e = *one.records.back()->estimate;
  const double intensity = one.dram > 0 ? one.operations / one.dram : 0;
  const double balance = e.peak_bytes > 0 ? e.peak_operations / e.peak_bytes : 0;
  const auto bytes = [](double value) {
    return lab::byte_count(static_cast<std::uint64_t>(value));
  };
  return {"below",
          {"activations.below.title"},
          e.time,
          lab::TextExhibit{
              {"activations.below.sentence",
               {{"elements", lab::grouped(static_cast<std::uint64_t>(elements))},
                {"two", bytes(two.dram)},
                {"one", bytes(one.dram)},
                {"operations", lab::number(one.operations / static_cast<double>(elements), 3)},
                {"intensity", lab::number(intensity, 3)},
                {"balance", lab::number(balance, 3)}}}}};
}

}  // namespace

void fusion(lab::Lab& lab, const device::Evidence& counted) {
  const Layer layer(lab);
  const lab::Operation operation = lab::require(
      lab::load_operation(lab.context().root, "activation_" + layer.function + "_bias"));
  const Way two = run(lab, operation, "two_passes", layer);
  const Way one = run(lab, operation, "fused", layer);

  const auto each = [&](std::uint64_t bytes) {
    return lab::number(static_cast<double>(bytes) / static_cast<double>(layer.elements), 3);
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
  table.arguments.emplace_back("two_instructions", each(two.total.thread_instructions));
  table.arguments.emplace_back("one_instructions", each(one.total.thread_instructions));
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
  lab.show(below(two, one, layer.elements));
}

}  // namespace warpbook::lessons::activations
