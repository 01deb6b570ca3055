#include "lessons/convolution-algorithms/rungs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

constexpr const char *kBackwardData = "convolution_backward_data",
                     *kBackwardFilter = "convolution_backward_filter";
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

/// An instruction of PTX without its predicate.
std::string_view unguarded(std::string_view ptx) {
  if (ptx.starts_with('@')) ptx.remove_prefix(std::min(ptx.size(), ptx.find(' ') + 1));
  return ptx;
}

bool multiplies(std::string_view ptx) {
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
    const std::string_view ptx = unguarded(instruction.text);
    if (multiplies(ptx)) ran.multiplications += instruction.counters.thread_instructions;
    if (instruction.counters.global_load_sectors > 0)
      ran.loaded += instruction.counters.global_bytes_asked / sizeof(float);
    if (ptx.starts_with("ld.shared"))
      ran.shared_loaded += instruction.counters.shared_bytes / sizeof(float);
  }
}

/// Blocks of the launch that takes longest; where no time was estimated, of the last one.
std::uint64_t blocks_of(const std::vector<std::shared_ptr<const device::LaunchRecord>>& records) {
  std::uint64_t blocks = 0;
  double longest = 0;
  for (const auto& record : records) {
    const double seconds = record->estimate ? record->estimate->seconds : longest;
    if (seconds < longest) continue;
    longest = seconds;
    blocks = record->grid.count();
  }
  return blocks;
}

RungRan run_one(lab::Lab& lab, const lab::Operation& operation, const lab::Rung& rung,
                lab::RungArguments arguments, const std::string& output,
                const std::vector<float>& truth) {
  RungRan ran;
  ran.name = rung.name;
  ran.idea = rung.idea;
  arguments.module = lab::compile_rung(lab, rung, arguments.scalars, true);
  arguments.estimate.wanted = true;
  arguments.trace_accesses = 0;
  const lab::RungResult result = lab::run_rung(lab, rung, operation, arguments);
  for (const auto& record : result.records) add(ran, record);
  ran.blocks = blocks_of(ran.records);
  ran.row = lab::own_row(operation, rung, arguments.scalars, result);
  ran.got = floats_of(result.outputs.at(output));
  ran.elements = truth.size();
  for (std::size_t i = 0; i < std::min(truth.size(), ran.got.size()); ++i)
    ran.agreeing += ran.got[i] == truth[i] ? 1 : 0;
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

using Bar = lab::BarsExhibit::Bar;

/// A warp's instructions for 32 of the layer's `products`.
double instructions_each(const RungRan& ran, std::int64_t products) {
  return device::kLanes * static_cast<double>(ran.total.warp_instructions) /
         static_cast<double>(products);
}

/// The algorithms side by side: instructions and loads for the layer's `products`, and blocks.
std::vector<lab::BarsExhibit::Group> groups_of(const std::vector<RungRan>& rungs,
                                               std::int64_t products) {
  std::vector<lab::BarsExhibit::Group> groups{{{"convolution-algorithms.rungs.instructions"}, {}},
                                              {{"convolution-algorithms.rungs.floats"}, {}},
                                              {{"convolution-algorithms.rungs.blocks"}, {}}};
  for (const RungRan& ran : rungs) {
    const Message name = Message::plain(ran.name);
    const double instructions = instructions_each(ran, products),
                 floats = static_cast<double>(ran.loaded) / static_cast<double>(products);
    groups[0].bars.push_back(Bar{name, instructions, fmt::format("{:.1f}", instructions)});
    groups[1].bars.push_back(Bar{name, floats, fmt::format("{:.3f}", floats)});
    groups[2].bars.push_back(count_bar(name, ran.blocks));
  }
  return groups;
}

/// Of some algorithms, which needs the fewest instructions.
Message sentence_of(const std::vector<RungRan>& rungs, std::int64_t products) {
  const RungRan& fewest = *std::ranges::min_element(
      rungs, {}, [](const RungRan& ran) { return ran.total.warp_instructions; });
  return {"convolution-algorithms.rungs.sentence",
          {{"count", rungs.size()},
           {"name", fewest.name},
           {"fewest", fmt::format("{:.1f}", instructions_each(fewest, products))}},
          {}};
}

/// In plain digits what figures and answers are read off.
void add_figures(Message& table, const RungRan& ran) {
  table.arguments.emplace_back(ran.name + "_instructions",
                               std::to_string(ran.total.warp_instructions));
  table.arguments.emplace_back(ran.name + "_blocks", std::to_string(ran.blocks));
  table.arguments.emplace_back(ran.name + "_shared", std::to_string(ran.shared_loaded));
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

lab::RungArguments arguments_of(const Layer& layer, const Numbers& numbers) {
  lab::RungArguments arguments;
  arguments.scalars = scalars_of(layer);
  arguments.budget = convolution::budget_of(layer);
  arguments.inputs["x"] =
      bytes_of(laid_out(layer, numbers.x, 1, layer.channels, layer.side * layer.side));
  arguments.inputs["weights"] = bytes_of(
      laid_out(layer, numbers.weights, layer.filters, layer.channels, layer.taps * layer.taps));
  arguments.inputs["bias"] = bytes_of(numbers.bias);
  return arguments;
}

/// Shows "lookup": which pixel is in one place of im2col's matrix, found by a run of implicit_gemm. Each pixel holds its own
/// number, and the only filter has a single weight of 1, so its outputs are one row of the matrix.
void show_lookup(lab::Lab& lab, const Layer& layer, const device::Evidence& counted) {
  const std::int64_t pixels = layer.side * layer.side;
  Layer one = layer;
  one.filters = 1;
  const std::int64_t row = std::min<std::int64_t>(40, one.weights() - 1),
                     column = std::min<std::int64_t>(100, one.outputs() - 1);
  Numbers numbers;
  for (std::int64_t i = 1; i <= one.inputs(); ++i) numbers.x.push_back(static_cast<float>(i));
  numbers.weights.assign(static_cast<std::size_t>(one.weights()), 0.0f);
  numbers.weights[static_cast<std::size_t>(row)] = 1;
  numbers.bias = {0};
  const lab::Operation operation = operation_of(lab, one, "convolution");
  const RungRan ran = run_one(lab, operation, lab::rung_named(operation, "implicit_gemm"),
                              arguments_of(one, numbers), "y", {});
  const auto found = std::llround(ran.got.at(static_cast<std::size_t>(column))) - 1;
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  lab.show({"lookup",
            {"convolution-algorithms.lookup.title"},
            counted,
            lab::TextExhibit{{found < 0 ? "convolution-algorithms.lookup.padding"
                                        : "convolution-algorithms.lookup.sentence",
                              {{"t", text(row)},
                               {"j", text(column)},
                               {"channel", text(found / pixels)},
                               {"row", text(found % pixels / layer.side)},
                               {"column", text(found % layer.side)}}}}});
}

/// Above so many multiply-adds a size is left out of the table of sizes.
constexpr std::int64_t kMostSizeProducts = 80'000'000;
constexpr std::array<std::int64_t, 3> kSizes{1, 4, 8};  // times the layer's side
/// Of a larger image, so many blocks of each launch run: all do the same, and only its time is asked for.
constexpr std::uint64_t kSizeBlocks = 64;
constexpr std::array kOfSizes{"direct", "implicit_gemm", "winograd"};

/// A launch for an image of `times` the layer's side. Nothing where the rung does not take it.
std::optional<RungRan> run_larger(lab::Lab& lab, const Layer& larger, const Numbers& numbers,
                                  const std::string& name) {
  const lab::Operation operation = operation_of(lab, larger, "convolution");
  const lab::Rung& rung = lab::rung_named(operation, name);
  if (!admitted(operation, rung, scalars_of(larger))) return {};
  lab::RungArguments arguments = arguments_of(larger, numbers);
  arguments.checking = lab::Checking::accesses;  // at the layer's own size they were for everything
  arguments.estimate.blocks = kSizeBlocks;
  return run_one(lab, operation, rung, std::move(arguments), "y", {});
}

/// A row of "sizes": an image, and what became of each of kOfSizes.
struct SizeRow {
  Layer layer;
  std::int64_t times = 1;  ///< the layer's side
  Numbers numbers;         ///< of a larger image
  std::array<std::optional<RungRan>, kOfSizes.size()> ran;
};

/// `own`: of the layer itself.
std::vector<SizeRow> run_sizes(lab::Lab& lab, const Layer& layer, const std::vector<RungRan>& own) {
  std::vector<SizeRow> rows;
  for (const std::int64_t times : kSizes) {
    SizeRow row{layer, times, {}, {}};
    row.layer.side *= times;
    row.layer.out = out_side(row.layer);
    if (row.layer.products() > kMostSizeProducts) break;
    if (times > 1) row.numbers = convolution::numbers_of(row.layer);
    rows.push_back(std::move(row));
  }
  std::vector<lab::Lab::Part> parts;
  for (SizeRow& row : rows) {
    for (std::size_t i = 0; i < kOfSizes.size(); ++i) {
      if (row.times == 1) {
        const auto found = std::ranges::find(own, kOfSizes[i], &RungRan::name);
        if (found != own.end()) row.ran[i] = *found;
      } else {
        parts.emplace_back([&row, i](lab::Lab& part) {
          row.ran[i] = run_larger(part, row.layer, row.numbers, kOfSizes[i]);
        });
      }
    }
  }
  lab.side_by_side(parts);
  return rows;
}

/// Shows "sizes": the estimated times of three algorithms as the image grows.
void show_sizes(lab::Lab& lab, const Layer& layer, const std::vector<RungRan>& own) {
  Message table{"convolution-algorithms.sizes.table", {{"rows", ""}}, {}};
  std::optional<lab::AlgorithmsExhibit::Time> any;
  for (const SizeRow& row : run_sizes(lab, layer, own)) {
    std::string cells;
    std::uint64_t blocks = 0;
    for (std::size_t i = 0; i < kOfSizes.size(); ++i) {
      const std::string name = kOfSizes[i];
      const std::optional<RungRan>& ran = row.ran[i];
      if (ran && name == "implicit_gemm") blocks = ran->blocks;
      std::string cell = "-";
      if (ran && ran->row.time) {
        any = ran->row.time;
        cell = lab::number(any->seconds * 1e6, 3);
        table.arguments.emplace_back(fmt::format("{}_{}", name, row.times), cell);
      }
      cells += fmt::format(" {:>{}}", cell, std::max<std::size_t>(name.size(), 8));
    }
    table.arguments.front().value.text +=
        fmt::format("{:>5} {:>7}{}\n", row.layer.side, lab::grouped(blocks), cells);
  }
  if (!any) return;
  table.arguments.emplace_back("low", lab::number(any->low / any->seconds, 2));
  table.arguments.emplace_back("high", lab::number(any->high / any->seconds, 3));
  table.arguments.emplace_back("apart", lab::number(any->high / any->low, 2));
  lab.show({"sizes",
            {"convolution-algorithms.sizes.title"},
            device::Evidence{device::EvidenceKind::estimated,
                             lab::Message::plain(lab.device().properties().name),
                             {}},
            lab::TextExhibit{std::move(table), true}});
}

/// `direct` on a layer, in whichever layout it has.
std::shared_ptr<const device::LaunchRecord> run_direct(lab::Lab& lab, const Layer& layer) {
  const lab::Operation operation = operation_of(lab, layer, "convolution");
  lab::RungArguments arguments = arguments_of(layer, convolution::numbers_of(layer));
  arguments.checking = lab::Checking::accesses;  // as in run_larger()
  return run_one(lab, operation, lab::rung_named(operation, "direct"), std::move(arguments), "y",
                 {})
      .records.front();
}

/// Shows "layouts": `direct` in both layouts, on the layer's own image and on one of four times its side.
void show_layouts(lab::Lab& lab, const Layer& layer) {
  struct Run {
    Layer layer;
    std::int64_t times = 1;  ///< the layer's side
    std::shared_ptr<const device::LaunchRecord> record;
  };
  std::vector<Run> runs;
  for (const std::int64_t times : {1, 4}) {
    for (const bool last : {false, true}) {
      Run run{layer, times, {}};
      run.layer.side *= times;
      run.layer.out = out_side(run.layer);
      run.layer.channels_last = last;
      if (run.layer.products() <= kMostSizeProducts) runs.push_back(std::move(run));
    }
  }
  std::vector<lab::Lab::Part> parts;
  for (Run& run : runs)
    parts.emplace_back([&run](lab::Lab& part) { run.record = run_direct(part, run.layer); });
  lab.side_by_side(parts);
  Message table{"convolution-algorithms.layouts.table", {{"rows", ""}}, {}};
  std::optional<device::Evidence> evidence;
  for (const auto& [one, times, record] : runs) {
    const bool last = one.channels_last;
    const auto& estimate = record->estimate;
    if (!estimate) return;
    evidence = estimate->time;
    const std::string layout = last ? "nhwc" : "nchw", row = fmt::format("{}_{}", layout, times),
                      time = lab::number(estimate->seconds * 1e6, 3);
    const double each = 32 / static_cast<double>(one.products());
    table.arguments.front().value.text +=
        fmt::format("{:>5} {:<6} {:>7.1f} {:>8.1f} {:>7}\n", one.side, last ? "NHWC" : "NCHW",
                    static_cast<double>(record->total.warp_instructions) * each,
                    static_cast<double>(record->total.global_sectors) * each, time);
    table.arguments.emplace_back("time_" + row, time);
    const auto l1 = std::ranges::find(estimate->bounds, "l1", &device::EstimateBound::name);
    if (l1 != estimate->bounds.end())
      table.arguments.emplace_back("l1_" + row, lab::number(l1->seconds * 1e6, 3));
  }
  if (!evidence) return;
  lab.show({"layouts",
            {"convolution-algorithms.layouts.title"},
            evidence,
            lab::TextExhibit{std::move(table), true}});
}

/// All that take the layer; of a layer with many products, the chosen one alone.
std::vector<const lab::Rung*> rungs_to_run(lab::Lab& lab, const lab::Operation& operation,
                                           const Layer& layer) {
  const bool all = layer.products() <= convolution::kMostSideProducts;
  std::vector<const lab::Rung*> rungs;
  for (const lab::Rung& rung : operation.rungs) {
    if ((all || rung.name == lab.choice("algorithm")) &&
        admitted(operation, rung, scalars_of(layer)))
      rungs.push_back(&rung);
  }
  return rungs;
}

}  // namespace

std::vector<std::string> algorithms() { return {kAlgorithms.begin(), kAlgorithms.end()}; }

lab::AlgorithmsExhibit::Group times_of(lab::Lab& lab, const Layer& layer, const Numbers& numbers) {
  constexpr std::uint64_t kBlocks = 2;
  const lab::Operation operation = operation_of(lab, layer, "convolution");
  lab::RungArguments arguments = arguments_of(layer, numbers);
  arguments.estimate.blocks = kBlocks;
  const std::vector<const lab::Rung*> rungs = rungs_to_run(lab, operation, layer);
  lab::AlgorithmsExhibit::Group group = lab::own_kernels(lab.device().properties().name);
  group.rows.resize(rungs.size());
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      group.rows[i] = run_one(part, operation, *rungs[i], arguments, "y", {}).row;
    });
  }
  lab.side_by_side(parts);
  return group;
}

RungsRan show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const std::vector<float>& truth, const device::Evidence& counted) {
  const lab::Operation operation = operation_of(lab, layer, "convolution");
  const std::string& chosen = lab.choice("algorithm");
  const lab::RungArguments arguments = arguments_of(layer, numbers);
  const std::vector<float> expected =
      laid_out(layer, truth, 1, layer.filters, layer.out * layer.out);
  const std::vector<const lab::Rung*> rungs = rungs_to_run(lab, operation, layer);
  RungsRan ran{lab::own_kernels(lab.device().properties().name),
               std::vector<RungRan>(rungs.size())};
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      ran.rungs[i] = run_one(part, operation, *rungs[i], arguments, "y", expected);
      ran.rungs[i].got.clear();
    });
  }
  lab.side_by_side(parts);

  std::vector<Bar> multiplied;
  lab::CheckExhibit checks;
  std::vector<lab::RooflineRun> runs;
  for (const RungRan& one : ran.rungs) {
    multiplied.push_back(count_bar(Message::plain(one.name), one.multiplications));
    checks.items.push_back(check_of_one(
        one, "right-" + one.name, {"convolution-algorithms.rungs.right", {{"name", one.name}}}));
    ran.group.rows.push_back(one.row);
    runs.push_back({Message::plain(one.name), one.records});
    if (one.name == chosen) show_chosen(lab, one, counted);
  }
  if (std::ranges::find(ran.rungs, chosen, &RungRan::name) == ran.rungs.end()) {
    lab.show({"rung",
              {"convolution-algorithms.rung.title"},
              counted,
              lab::TextExhibit{{"convolution-algorithms.rung.refused", {{"name", chosen}}}}});
  }
  if (ran.rungs.empty()) return ran;
  Message says = sentence_of(ran.rungs, layer.products());
  for (const RungRan& one : ran.rungs) add_figures(says, one);
  lab.show({"rungs",
            {"convolution-algorithms.rungs.title"},
            counted,
            lab::BarsExhibit{std::move(says), groups_of(ran.rungs, layer.products())}});
  lab.show(
      {"multiplied",
       {"convolution-algorithms.multiplied.title"},
       counted,
       lab::BarsExhibit{{"convolution-algorithms.multiplied.sentence",
                         {{"product", lab::grouped(static_cast<std::uint64_t>(layer.products()))}}},
                        {{{"convolution-algorithms.multiplied.meaning"}, std::move(multiplied)}}}});
  lab.show({"rungs-check", {"convolution-algorithms.rungs.check"}, counted, std::move(checks)});
  show_roofline(lab, "convolution-algorithms.roofline.title", runs, chosen);
  return ran;
}

void show_others(lab::Lab& lab, const Layer& layer, const RungsRan& ran,
                 const device::Evidence& counted) {
  if (ran.rungs.empty()) return;
  lab.side_by_side({[&](lab::Lab& part) { show_lookup(part, layer, counted); },
                    [&](lab::Lab& part) { show_sizes(part, layer, ran.rungs); },
                    [&](lab::Lab& part) { show_layouts(part, layer); }});
}

void compile_soon(lab::Lab& lab, const Layer& layer) {
  const lab::Operation operation = operation_of(lab, layer, "convolution");
  for (const lab::Rung* rung : rungs_to_run(lab, operation, layer))
    lab::compile_rung_soon(lab, *rung, scalars_of(layer), true);
  if (layer.products() > convolution::kMostSideProducts) return;
  Layer other = layer;
  other.channels_last = !layer.channels_last;
  const lab::Operation turned = operation_of(lab, other, "convolution");
  lab::compile_rung_soon(lab, lab::rung_named(turned, "direct"), scalars_of(other), true);
  for (const char* pass : {kBackwardData, kBackwardFilter}) {
    const lab::Operation backward = operation_of(lab, layer, pass);
    lab::compile_rung_soon(lab, backward.rungs.front(), scalars_of(layer), true);
  }
}

void show_gradients(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const device::Evidence& counted) {
  const std::int64_t pixels = layer.side * layer.side, outputs = layer.out * layer.out,
                     taps = layer.taps * layer.taps;
  lab::RungArguments arguments;
  arguments.scalars = scalars_of(layer);
  arguments.budget = convolution::budget_of(layer);
  arguments.inputs["x"] = bytes_of(laid_out(layer, numbers.x, 1, layer.channels, pixels));
  arguments.inputs["weights"] =
      bytes_of(laid_out(layer, numbers.weights, layer.filters, layer.channels, taps));
  arguments.inputs["dy"] = bytes_of(laid_out(layer, numbers.dy, 1, layer.filters, outputs));
  const auto run_pass = [&](lab::Lab& part, const std::string& name, const std::string& output,
                            const std::vector<float>& truth) {
    const lab::Operation operation = operation_of(part, layer, name);
    lab::RungArguments own = arguments;
    std::erase_if(own.inputs, [&](const auto& input) { return !operation.parameter(input.first); });
    return run_one(part, operation, operation.rungs.front(), own, output, truth);
  };
  const std::vector<float> dx_truth = convolution::backward_data(layer, numbers);

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
  Numbers straight_on = again;
  for (auto at = straight_on.weights.begin(); at != straight_on.weights.end(); at += taps)
    std::reverse(at, at + taps);
  const auto equal_to_dx = [&](lab::Lab& part, const Numbers& given) {
    const lab::Operation forward = operation_of(part, turned, "convolution");
    const std::vector<float> same =
        convolution::channels_first(turned,
                                    run_one(part, forward, lab::rung_named(forward, "direct"),
                                            arguments_of(turned, given), "y", {})
                                        .got,
                                    1, turned.filters, turned.out * turned.out);
    std::uint64_t equal = 0;
    for (std::size_t i = 0; i < std::min(same.size(), dx_truth.size()); ++i)
      equal += same[i] == dx_truth[i] ? 1 : 0;
    return equal;
  };
  RungRan data, filter;
  std::uint64_t equal = 0, straight = 0;
  lab.side_by_side({[&](lab::Lab& part) {
                      data = run_pass(part, kBackwardData, "dx",
                                      laid_out(layer, dx_truth, 1, layer.channels, pixels));
                    },
                    [&](lab::Lab& part) {
                      filter =
                          run_pass(part, kBackwardFilter, "dweights",
                                   laid_out(layer, convolution::backward_filter(layer, numbers),
                                            layer.filters, layer.channels, taps));
                    },
                    [&](lab::Lab& part) { equal = equal_to_dx(part, again); },
                    [&](lab::Lab& part) { straight = equal_to_dx(part, straight_on); }});

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
                               {"elements", lab::grouped(dx_truth.size())}}}}});
  lab.show(
      {"gradients-check", {"convolution-algorithms.gradients.check"}, counted, std::move(checks)});
}

}  // namespace warpbook::lessons::convolution_algorithms
