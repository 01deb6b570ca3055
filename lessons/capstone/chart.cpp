// The layer by kernels of ours and by the reader's: what each costs, and which of them no other one beats.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/capstone/runs.hpp"
#include "lessons/common.hpp"
#include "training/data.hpp"
#include "training/kernel_choice.hpp"
#include "training/kernels_ahead.hpp"

namespace warpbook::lessons::capstone {
namespace {

using Chart = lab::ParetoExhibit;
using State = lab::CheckExhibit::State;
using Inputs = std::vector<std::pair<std::string, std::vector<float>>>;

constexpr const char *kOperation = "convolution", *kOfGradient = "convolution_backward_filter";
constexpr std::array kOurs{"direct", "constant_filter", "im2col_gemm", "implicit_gemm", "winograd"};
/// What a kernel may take for a multiply-add before it is stopped: a slow one runs a dozen thread instructions for it.
constexpr std::uint64_t kInstructionsAProduct = 64;
constexpr double kSecondsAProduct = 1e-6;
/// Of each launch, so many blocks run in a draft.
constexpr std::uint64_t kDraftBlocks = 2;

/// A rung on the layer, with the estimate of its time: a point of a chart.
struct Ran {
  Chart::Point point;
  lab::RungResult result;
};

/// Small whole numbers, of which all kernels have the same sums, in whatever order they add.
Inputs inputs_of(const Sizes& sizes) {
  const auto wave = [](std::int64_t count, std::int64_t step, std::int64_t values) {
    return periodic(count, 1 << 16, [=](std::int64_t i) {
      const std::int64_t middle = values / 2;
      return static_cast<float>(i * step % values - middle);
    });
  };
  const std::int64_t plane = sizes.at("h") * sizes.at("w"), taps = sizes.at("r") * sizes.at("s");
  return {{"x", wave(sizes.at("n") * sizes.at("c") * plane, 7, 15)},
          {"weights", wave(sizes.at("k") * sizes.at("c") * taps, 5, 9)},
          {"bias", wave(sizes.at("k"), 3, 7)}};
}

/// The tiles that the network would take, where the rung has that macro.
Sizes with_tiles(const lab::Operation& operation, const lab::Rung& rung, const Sizes& sizes) {
  Sizes all = sizes;
  for (const auto& [name, value] : training::choose_kernel(operation.name, sizes).defines) {
    const auto has = [&](const auto& define) { return define.first == name; };
    if (std::ranges::any_of(rung.defines, has)) all[name] = value;
  }
  return all;
}

std::uint64_t bytes_held(const lab::Operation& operation, const lab::RungResult& result,
                         const Inputs& inputs) {
  std::uint64_t bytes = 0;
  for (const auto& input : inputs) bytes += input.second.size() * sizeof(float);
  for (const lab::Operation::Parameter& parameter : operation.parameters) {
    if (parameter.kind == lab::Operation::Parameter::Kind::output)
      bytes += result.outputs.at(parameter.name).data.size();
  }
  return bytes;
}

/// How many of the grid's blocks each block stands for that ran.
double blocks_each(const device::LaunchRecord& record) {
  const auto& estimate = record.estimate;
  return !estimate || estimate->blocks_run == 0
             ? 1
             : static_cast<double>(estimate->blocks) / static_cast<double>(estimate->blocks_run);
}

/// `blocks`: how many of each launch run, and stand for all; 0: the whole grids.
Ran run_on(lab::Lab& lab, const lab::Operation& operation, const lab::Rung& rung, Sizes sizes,
           const Inputs& inputs, std::shared_ptr<const device::Module> module,
           lab::Checking checking, std::uint64_t blocks = 0) {
  lab::RungArguments arguments;
  arguments.scalars = std::move(sizes);
  for (const auto& [name, values] : inputs) arguments.inputs[name] = bytes_of(values);
  arguments.module = std::move(module);
  arguments.estimate = {true, blocks};
  arguments.trace_accesses = 0;
  arguments.checking = checking;
  arguments.budget = lab::lesson_budget();
  const std::int64_t products = products_of(arguments.scalars);
  arguments.budget.seconds = kPatience + kSecondsAProduct * static_cast<double>(products);
  arguments.budget.thread_instructions +=
      kInstructionsAProduct * static_cast<std::uint64_t>(products);
  Ran ran;
  ran.result = lab::run_rung(lab, rung, operation, arguments);
  const auto row = lab::own_row(operation, rung, arguments.scalars, ran.result);
  ran.point.name = lab::Message::plain(rung.name);
  if (row.time) {
    ran.point.seconds = row.time->seconds;
    ran.point.low = row.time->low;
    ran.point.high = row.time->high;
  }
  for (const auto& record : ran.result.records) {
    const double each = blocks_each(*record);
    ran.point.sectors += each * static_cast<double>(record->total.global_sectors);
    ran.point.instructions += each * static_cast<double>(record->total.warp_instructions);
  }
  ran.point.memory = static_cast<double>(bytes_held(operation, ran.result, inputs) + row.workspace);
  return ran;
}

/// Each by its own simulated device, side by side. They are ours, which are checked for everything elsewhere.
std::vector<Ran> run_all(lab::Lab& lab, const lab::Operation& operation,
                         const std::vector<const lab::Rung*>& rungs, const Sizes& sizes,
                         const Inputs& inputs, std::uint64_t blocks = 0) {
  std::vector<Ran> ran(rungs.size());
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      const lab::Rung& rung = *rungs[i];
      const Sizes tiled = with_tiles(operation, rung, sizes);
      ran[i] = run_on(part, operation, rung, tiled, inputs,
                      lab::compile_rung(part, rung, tiled, true), lab::Checking::accesses, blocks);
    });
  }
  lab.side_by_side(parts);
  return ran;
}

std::vector<Ran> run_ours(lab::Lab& lab, const lab::Operation& operation, const Sizes& sizes,
                          const Inputs& inputs, std::uint64_t blocks = 0) {
  std::vector<const lab::Rung*> rungs;
  for (const char* name : kOurs) rungs.push_back(&lab::rung_named(operation, name));
  return run_all(lab, operation, rungs, sizes, inputs, blocks);
}

/// The times and sectors of our kernels alone.
void show_points(lab::Lab& lab, const std::vector<Ran>& ours,
                 const std::optional<device::Evidence>& evidence) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  device::MessageArguments times;
  for (const Ran& ran : ours) {
    const Chart::Point& point = ran.point;
    bars.push_back({{point.name, point.seconds, lab::duration(point.seconds)},
                    count_bar(point.name, static_cast<std::uint64_t>(point.sectors))});
    times.emplace_back(point.name.text + "_time", lab::duration(point.seconds));
  }
  show_side_by_side(lab, "capstone.", "points", evidence, {"time", "sectors"}, bars,
                    std::move(times));
}

/// What the reader's launch was, and what it cost.
void show_own(lab::Lab& lab, const Ran& own, const Setting& setting,
              const device::Evidence& counted) {
  constexpr double kLanes = 32;
  std::uint64_t blocks = 0;
  for (const auto& record : own.result.records) blocks += record->grid.count();
  const double products = static_cast<double>(products_of(setting.sizes())) / kLanes;
  lab.show(
      {"own",
       {"capstone.own.title"},
       counted,
       lab::TextExhibit{{"capstone.own.sentence",
                         {{"blocks", lab::grouped(blocks)},
                          {"sectors", lab::grouped(static_cast<std::uint64_t>(own.point.sectors))},
                          {"products", lab::grouped(static_cast<std::uint64_t>(products))},
                          {"each", lab::number(own.point.sectors / products, 3)},
                          {"time", lab::duration(own.point.seconds)}}}}});
  if (!own.result.records.empty())
    lab.show({"own-time",
              {"capstone.own.time"},
              std::nullopt,
              times_of(lab, *own.result.records.front())});
}

/// Held against `direct` in every output.
lab::CheckExhibit check_of_own(const Ran& own, const Ran& direct) {
  const std::vector<float> got = floats_of(own.result.outputs.at("y")),
                           truth = floats_of(direct.result.outputs.at("y"));
  const auto text = [](float value) { return lab::number(static_cast<double>(value)); };
  // A kernel that is launched on no block has no record, and wrote nothing.
  const device::LaunchRecord none;
  const device::LaunchRecord& record =
      own.result.records.empty() ? none : *own.result.records.front();
  return check_of("capstone.check.", record, got, truth, std::equal_to{}, text);
}

bool is_safe(const Ran& own) {
  return std::ranges::all_of(own.result.records, [](const auto& record) {
    return record->findings.empty() && !record->error;
  });
}

Chart chart_of(lab::Lab& lab, const Setting& setting, const std::vector<Ran>& ours) {
  Chart made;
  made.measure = setting.measure;
  made.slot = kSlot;
  made.setting =
      lab.device().properties().name + ", " + setting.layer + ", " + std::to_string(setting.images);
  for (const Ran& ran : ours) made.points.push_back(ran.point);
  return made;
}

/// The reader's kernel as a point of a draft's chart: whether it is right and safe, one image says. Nothing where it is not.
std::optional<Chart::Point> own_point(lab::Lab& lab, const lab::Operation& operation,
                                      const Setting& setting, const Inputs& inputs) {
  const lab::Rung rung = own_rung(lab.source(kSlot));
  const lab::Rung& direct = lab::rung_named(operation, kOurs.front());
  const auto module =
      lab::require(lab.device().load(lab.program(lab.request_of_slot(kSlot, rung.defines))));
  Setting one = setting;
  one.images = 1;
  const Sizes sizes = one.sizes();
  const Inputs image = inputs_of(sizes);
  const Sizes tiled = with_tiles(operation, direct, sizes);
  const Ran own = run_on(lab, operation, rung, sizes, image, module, lab::Checking::whole),
            truth = run_on(lab, operation, direct, tiled, image,
                           lab::compile_rung(lab, direct, tiled, true), lab::Checking::accesses);
  if (!is_safe(own) || check_of_own(own, truth).items.front().state != State::passed) return {};
  Chart::Point point = run_on(lab, operation, rung, setting.sizes(), inputs, module,
                              lab::Checking::accesses, kDraftBlocks)
                           .point;
  point.name = {"capstone.yours"};
  point.origin = Chart::Origin::yours;
  return point;
}

}  // namespace

std::int64_t products_of(const Sizes& sizes) {
  std::int64_t product = 1;
  for (const char* name : {"n", "c", "k", "h", "w", "r", "s"}) product *= sizes.at(name);
  return product;
}

void compile_soon(lab::Lab& lab, const Setting& setting) {
  const Sizes sizes = setting.sizes();
  const auto compile = [&](const lab::Operation& operation, const lab::Rung& rung) {
    lab::compile_rung_soon(lab, rung, with_tiles(operation, rung, sizes), true);
  };
  const lab::Operation forward = lab::require(lab::load_operation(lab.context().root, kOperation)),
                       backward =
                           lab::require(lab::load_operation(lab.context().root, kOfGradient));
  for (const char* name : kOurs) compile(forward, lab::rung_named(forward, name));
  for (const lab::Rung& rung : backward.rungs) compile(backward, rung);
  // The network's two convolutions, as the chapter cnn has them, and the layer behind them.
  const training::Sizes first{{"k", 8}, {"c", 3}, {"r", 3}, {"s", 3}},
      second{{"k", 16}, {"c", 8}, {"r", 3}, {"s", 3}},
      product{{"m", kTrainedImages}, {"n", training::kShapes}, {"k", 1024}};
  training::compile_soon(lab, {{"random_uniform", {}},
                               {"convolution", first},
                               {"activation_relu", {}},
                               {"pooling_max", {}},
                               {"convolution", second},
                               {"sgemm_strided", product},
                               {"broadcast_add", {}},
                               {"cross_entropy", {}},
                               {"cross_entropy_backward", {}},
                               {"broadcast_backward", {}},
                               {"pooling_max_backward", {}},
                               {"activation_relu_backward", {}},
                               {"convolution_backward_bias", {}},
                               {"convolution_backward_filter", second},
                               {"convolution_backward_data", second},
                               {"convolution_backward_filter", first},
                               {"adam", {}}});
}

Own chart(lab::Lab& lab, const Setting& setting, const device::Evidence& counted) {
  const lab::Operation operation =
      lab::require(lab::load_operation(lab.context().root, kOperation));
  const Sizes sizes = setting.sizes();
  const Inputs inputs = inputs_of(sizes);
  const std::vector<Ran> ours = run_ours(lab, operation, sizes, inputs);
  const device::Evidence estimated{device::EvidenceKind::estimated, lab.device_name(), {}};
  show_points(lab, ours, estimated);
  Chart made = chart_of(lab, setting, ours);
  lab.show({"pareto", {"capstone.chart"}, estimated, made});
  lab.publish();

  Own own{own_rung(lab.source(kSlot))};
  const auto module = lab.compile(kSlot, own.rung.defines);
  Ran ran = run_on(lab, operation, own.rung, sizes, inputs, module, lab::Checking::whole);
  ran.point.name = {"capstone.yours"};
  ran.point.origin = Chart::Origin::yours;
  const lab::CheckExhibit check = check_of_own(ran, ours.front());
  own.right = check.items.front().state == State::passed;
  own.safe = is_safe(ran);
  show_own(lab, ran, setting, counted);
  lab.show({"check", {"capstone.check.title"}, counted, check});
  // What computes something else has no place among kernels that compute the layer.
  if (own.right && own.safe) {
    made.points.push_back(ran.point);
    lab.show({"pareto", {"capstone.chart"}, estimated, made});
  }
  return own;
}

Chart gradient(lab::Lab& lab, const Setting& setting) {
  const lab::Operation operation =
      lab::require(lab::load_operation(lab.context().root, kOfGradient));
  const Sizes sizes = setting.sizes();
  Inputs inputs = inputs_of(sizes);
  const std::vector<float> x = inputs.front().second;
  const auto outputs =
      static_cast<std::int64_t>(sizes.at("n") * sizes.at("k") * sizes.at("h") * sizes.at("w"));
  inputs = {{"x", x}, {"dy", periodic(outputs, 1 << 16, [](std::int64_t i) {
                         return static_cast<float>(i * 5 % 7 - 3);
                       })}};
  std::vector<const lab::Rung*> rungs;
  for (const lab::Rung& rung : operation.rungs) rungs.push_back(&rung);
  Chart made;
  for (const Ran& ran : run_all(lab, operation, rungs, sizes, inputs))
    made.points.push_back(ran.point);
  return made;
}

void draft(lab::Lab& lab, const Setting& setting) {
  const lab::Operation operation =
      lab::require(lab::load_operation(lab.context().root, kOperation));
  const Inputs inputs = inputs_of(setting.sizes());
  std::vector<Ran> ours;
  std::optional<Chart::Point> own;
  lab.side_by_side({[&](lab::Lab& part) {
                      ours = run_ours(part, operation, setting.sizes(), inputs, kDraftBlocks);
                    },
                    [&](lab::Lab& part) { own = own_point(part, operation, setting, inputs); }});
  const device::Evidence estimated{device::EvidenceKind::estimated, lab.device_name(), {}};
  show_points(lab, ours, estimated);
  Chart made = chart_of(lab, setting, ours);
  if (own) made.points.push_back(*own);
  lab.show({"pareto", {"capstone.chart"}, estimated, std::move(made)});
}

}  // namespace warpbook::lessons::capstone
