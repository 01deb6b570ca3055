#include "lessons/convolution-algorithms/rungs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/operation/operation.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::convolution_algorithms {
namespace {

using convolution::laid_out;
using convolution::out_side;
using lab::Message;
using Scalars = std::map<std::string, std::int64_t>;

constexpr std::array kAlgorithms{"direct",        "tiled_halo", "constant_filter", "im2col_gemm",
                                 "implicit_gemm", "winograd",   "warp_sum"};

Scalars scalars_of(const Layer& layer) {
  return {{"n", 1},
          {"c", layer.channels},
          {"h", layer.side},
          {"w", layer.side},
          {"k", layer.filters},
          {"r", layer.taps},
          {"s", layer.taps},
          {"stride", layer.stride},
          {"pad", layer.pad},
          {"dilation", layer.dilation}};
}

lab::Operation operation_of(lab::Lab& lab, const Layer& layer, const std::string& name) {
  return lab::require(
      lab::load_operation(lab.context().root, name + (layer.channels_last ? "_nhwc" : "")));
}

/// What one algorithm did, all its launches together.
struct RungRan {
  std::string name, idea;
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
  device::Counters total;
  std::uint64_t multiplications = 0;  ///< lanes that multiplied floats
  std::uint64_t loaded = 0;           ///< floats that lanes loaded from global memory
  lab::AlgorithmsExhibit::Row row;    ///< its workspace and its time, estimated
  std::uint64_t findings = 0, agreeing = 0, elements = 0;
};

bool multiplies(std::string_view ptx) {
  if (ptx.starts_with('@')) ptx.remove_prefix(std::min(ptx.size(), ptx.find(' ') + 1));
  return ptx.starts_with("fma.rn.f32") || ptx.starts_with("mul.f32") ||
         ptx.starts_with("mul.rn.f32");
}

bool admitted(const lab::Operation& operation, const lab::Rung& rung, Scalars scalars) {
  if (auto error = lab::add_values(operation, scalars)) throw lab::ExperimentFailed{*error, {}};
  return lab::admits(rung, scalars);
}

void add(RungRan& ran, const std::shared_ptr<const device::LaunchRecord>& record) {
  ran.records.push_back(record);
  ran.total += record->total;
  ran.findings += record->findings_total;
  for (const device::InstructionCounters& instruction : record->instructions) {
    if (multiplies(instruction.text))
      ran.multiplications += instruction.counters.thread_instructions;
    if (instruction.counters.global_load_sectors > 0)
      ran.loaded += instruction.counters.global_bytes_asked / sizeof(float);
  }
}

RungRan run_one(lab::Lab& lab, const lab::Operation& operation, const lab::Rung& rung,
                lab::RungArguments arguments, const std::string& output,
                const std::vector<float>& truth) {
  RungRan ran;
  ran.name = rung.name;
  ran.idea = rung.idea;
  arguments.module = lab::compile_rung(lab, rung, arguments.scalars, true);
  arguments.estimate = true;
  const lab::RungResult result = lab::run_rung(lab, rung, operation, arguments);
  for (const auto& record : result.records) add(ran, record);
  ran.row = lab::own_row(operation, rung, arguments.scalars, result);
  const std::vector<float> got = floats_of(result.outputs.at(output));
  ran.elements = truth.size();
  for (std::size_t i = 0; i < std::min(truth.size(), got.size()); ++i)
    ran.agreeing += got[i] == truth[i] ? 1 : 0;
  return ran;
}

lab::CheckExhibit::Item check_of_one(const RungRan& ran, const std::string& id,
                                     const Message& sentence) {
  using State = lab::CheckExhibit::State;
  lab::CheckExhibit::Item item{id, State::passed, sentence, {}, {}, 0, {}, {}};
  item.got = {"convolution-algorithms.check.agree",
              {{"right", lab::grouped(ran.agreeing)}, {"n", lab::grouped(ran.elements)}}};
  if (ran.agreeing != ran.elements || ran.findings != 0) item.state = State::failed;
  return item;
}

/// A line of the table, narrow enough for the column of prose, and in plain digits what figures and answers are read off.
void add_row(Message& table, const RungRan& ran) {
  table.arguments.front().value.text += fmt::format(
      "{:<15} {:>9} {:>9} {:>10}\n", ran.name, lab::grouped(ran.total.warp_instructions),
      lab::grouped(ran.loaded), lab::grouped(ran.multiplications));
  table.arguments.emplace_back(ran.name + "_loaded", std::to_string(ran.loaded));
  table.arguments.emplace_back(ran.name + "_multiplications", std::to_string(ran.multiplications));
  table.arguments.emplace_back(ran.name + "_workspace", std::to_string(ran.row.workspace));
}

void show_chosen(lab::Lab& lab, const RungRan& ran, const device::Evidence& counted) {
  lab.show({"rung",
            {"convolution-algorithms.rung.title"},
            counted,
            lab::TextExhibit{{"convolution-algorithms.rung.sentence",
                              {{"name", ran.name},
                               {"idea", ran.idea},
                               {"launches", lab::grouped(ran.records.size())},
                               {"warp_instructions", lab::grouped(ran.total.warp_instructions)},
                               {"global_sectors", lab::grouped(ran.total.global_sectors)},
                               {"moved", lab::byte_count(ran.total.global_sectors * 32)},
                               {"shared_requests", lab::grouped(ran.total.shared_requests)},
                               {"barriers", lab::grouped(ran.total.barriers)},
                               {"multiplications", lab::grouped(ran.multiplications)},
                               {"workspace", lab::grouped(ran.row.workspace)}}}}});
  if (!ran.row.time || !ran.records.front()->estimate) return;
  lab::TimingsExhibit::Row row =
      lab::timing_of(Message::plain(ran.name), *ran.records.front()->estimate);
  if (ran.records.size() > 1) {
    const lab::AlgorithmsExhibit::Time& all = *ran.row.time;
    row = {row.label, all.seconds, all.low, all.high, all.low, 1, row.evidence, {}};
  }
  lab.show({"rung-time",
            {"run.time.title"},
            std::nullopt,
            lab::TimingsExhibit{{"run.time.what"}, {std::move(row)}}});
}

}  // namespace

std::vector<std::string> algorithms() { return {kAlgorithms.begin(), kAlgorithms.end()}; }

lab::AlgorithmsExhibit::Group show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                                         const std::vector<float>& truth,
                                         const device::Evidence& counted) {
  const lab::Operation operation = operation_of(lab, layer, "convolution");
  const std::string& chosen = lab.choice("algorithm");
  const bool all = layer.products() <= convolution::kMostSideProducts;
  const std::int64_t pixels = layer.side * layer.side, taps = layer.taps * layer.taps;
  lab::RungArguments arguments;
  arguments.scalars = scalars_of(layer);
  arguments.budget = convolution::budget_of(layer);
  arguments.inputs["x"] = bytes_of(laid_out(layer, numbers.x, 1, layer.channels, pixels));
  arguments.inputs["weights"] =
      bytes_of(laid_out(layer, numbers.weights, layer.filters, layer.channels, taps));
  arguments.inputs["bias"] = bytes_of(numbers.bias);
  const std::vector<float> expected =
      laid_out(layer, truth, 1, layer.filters, layer.out * layer.out);

  Message table{"convolution-algorithms.rungs.table", {{"rows", ""}}, {}};
  lab::CheckExhibit checks;
  lab::AlgorithmsExhibit::Group group = lab::own_kernels(lab.device().properties().name);
  std::vector<lab::RooflineRun> runs;
  const auto add_to_roofline = [&](const RungRan& ran) {
    runs.push_back({Message::plain(ran.name), ran.records});
  };
  bool shown = false;
  double done = 1;
  for (const lab::Rung& rung : operation.rungs) {
    if (!all && rung.name != chosen) continue;
    if (!admitted(operation, rung, arguments.scalars)) continue;
    const RungRan ran = run_one(lab, operation, rung, arguments, "y", expected);
    add_row(table, ran);
    checks.items.push_back(check_of_one(
        ran, "right-" + ran.name, {"convolution-algorithms.rungs.right", {{"name", ran.name}}}));
    group.rows.push_back(ran.row);
    add_to_roofline(ran);
    if (rung.name == chosen) {
      show_chosen(lab, ran, counted);
      shown = true;
    }
    done += 1;
    lab.progress(done / static_cast<double>(operation.rungs.size() + 3), {});
  }
  if (!shown) {
    lab.show({"rung",
              {"convolution-algorithms.rung.title"},
              counted,
              lab::TextExhibit{{"convolution-algorithms.rung.refused", {{"name", chosen}}}}});
  }
  if (table.arguments.front().value.empty()) return group;
  lab.show({"rungs",
            {"convolution-algorithms.rungs.title"},
            counted,
            lab::TextExhibit{std::move(table), true}});
  if (!checks.items.empty())
    lab.show({"rungs-check", {"convolution-algorithms.rungs.check"}, counted, std::move(checks)});
  show_roofline(lab, "convolution-algorithms.roofline.title", runs, chosen);
  return group;
}

void show_gradients(
    lab::Lab& lab, const Layer& layer, const Numbers& numbers, const device::Evidence& counted,
    const std::function<std::vector<float>(const Layer&, const Numbers&)>& forward_again) {
  const std::int64_t pixels = layer.side * layer.side, outputs = layer.out * layer.out,
                     taps = layer.taps * layer.taps;
  lab::RungArguments arguments;
  arguments.scalars = scalars_of(layer);
  arguments.inputs["x"] = bytes_of(laid_out(layer, numbers.x, 1, layer.channels, pixels));
  arguments.inputs["weights"] =
      bytes_of(laid_out(layer, numbers.weights, layer.filters, layer.channels, taps));
  arguments.inputs["dy"] = bytes_of(laid_out(layer, numbers.dy, 1, layer.filters, outputs));
  const auto run_pass = [&](const std::string& name, const std::string& output,
                            const std::vector<float>& truth) {
    const lab::Operation operation = operation_of(lab, layer, name);
    lab::RungArguments own = arguments;
    std::erase_if(own.inputs, [&](const auto& input) { return !operation.parameter(input.first); });
    return run_one(lab, operation, operation.rungs.front(), own, output, truth);
  };
  const std::vector<float> dx_truth = convolution::backward_data(layer, numbers);
  const RungRan data = run_pass("convolution_backward_data", "dx",
                                laid_out(layer, dx_truth, 1, layer.channels, pixels));
  const RungRan filter = run_pass("convolution_backward_filter", "dweights",
                                  laid_out(layer, convolution::backward_filter(layer, numbers),
                                           layer.filters, layer.channels, taps));

  // dx once more, as a forward convolution of stride 1. Its image is dy with stride - 1 zeros between neighbours, on a canvas
  // that reaches as far as the filter does; filters and channels change places, and each filter is turned round.
  Layer turned = layer;
  const std::int64_t reach = (layer.taps - 1) * layer.dilation;
  turned.channels = layer.filters;
  turned.filters = layer.channels;
  turned.side = layer.side + reach;
  turned.stride = 1;
  turned.pad = 0;
  turned.out = out_side(turned);
  Numbers again;
  again.x.assign(static_cast<std::size_t>(turned.inputs()), 0.0f);
  for (std::int64_t i = 0; i < layer.outputs(); ++i) {
    const std::int64_t map = i / outputs, p = i / layer.out % layer.out, q = i % layer.out;
    const std::int64_t row = p * layer.stride + reach - layer.pad,
                       column = q * layer.stride + reach - layer.pad;
    if (row < 0 || row >= turned.side || column < 0 || column >= turned.side) continue;
    again.x[static_cast<std::size_t>((map * turned.side + row) * turned.side + column)] =
        numbers.dy[static_cast<std::size_t>(i)];
  }
  for (std::int64_t c = 0; c < layer.channels; ++c) {
    for (std::int64_t f = 0; f < layer.filters; ++f) {
      for (std::int64_t t = taps - 1; t >= 0; --t) {
        again.weights.push_back(
            numbers.weights[static_cast<std::size_t>((f * layer.channels + c) * taps + t)]);
      }
    }
  }
  again.bias.assign(static_cast<std::size_t>(turned.filters), 0.0f);
  const auto equal_to_dx = [&] {
    const std::vector<float> same = forward_again(turned, again);
    std::uint64_t equal = 0;
    for (std::size_t i = 0; i < std::min(same.size(), dx_truth.size()); ++i)
      equal += same[i] == dx_truth[i] ? 1 : 0;
    return equal;
  };
  const std::uint64_t equal = equal_to_dx();
  for (auto at = again.weights.begin(); at != again.weights.end(); at += taps)
    std::reverse(at, at + taps);
  const std::uint64_t straight = equal_to_dx();

  lab::CheckExhibit checks;
  checks.items.push_back(check_of_one(data, "data", {"convolution-algorithms.gradients.data"}));
  checks.items.push_back(
      check_of_one(filter, "filter", {"convolution-algorithms.gradients.filter"}));
  RungRan turned_round;
  turned_round.agreeing = equal;
  turned_round.elements = dx_truth.size();
  checks.items.push_back(
      check_of_one(turned_round, "turned", {"convolution-algorithms.gradients.turned"}));
  lab.show({"gradients",
            {"convolution-algorithms.gradients.title"},
            counted,
            lab::TextExhibit{{"convolution-algorithms.gradients.sentence",
                              {{"data", lab::grouped(data.multiplications)},
                               {"filter", lab::grouped(filter.multiplications)},
                               {"equal", lab::grouped(equal)},
                               {"straight", lab::grouped(straight)},
                               {"elements", lab::grouped(dx_truth.size())},
                               {"multiplied",
                                std::to_string(data.multiplications + filter.multiplications)}}}}});
  lab.show(
      {"gradients-check", {"convolution-algorithms.gradients.check"}, counted, std::move(checks)});
}

}  // namespace warpbook::lessons::convolution_algorithms
