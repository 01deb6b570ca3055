#include "lessons/parallelism/runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/text/strings.hpp"
#include "training/kernels_ahead.hpp"

namespace warpbook::lessons::parallelism {
namespace {

using lab::Message;
using namespace training;

constexpr std::uint64_t kSeed = 1;
/// 8,192 stations; how many blocks and days the reader says.
constexpr std::int64_t kStations = 8192, kHidden = 4 * kStations;
/// So many units of the last place of the largest gradient may a sum in another order be off: each of its roundings is half a unit, and a
/// gradient is a sum over 64 days and two layers.
constexpr double kUnits = 64;

template <class Enum>
Enum chosen(lab::Lab& lab, const char* parameter) {
  const auto& names = device::kEnumNames<Enum>;
  return static_cast<Enum>(std::ranges::find(names, lab.choice(parameter)) - names.begin());
}

std::size_t number(lab::Lab& lab, const char* parameter) {
  return static_cast<std::size_t>(std::stoul(lab.choice(parameter)));
}

/// "rows 0 to 15", "blocks 0 to 1", "columns 0 to 31": only what is cut.
Message part_of(const BlockPlan& plan, std::size_t group, std::size_t stage, std::size_t slice) {
  std::vector<Message> parts;
  const auto add = [&](const char* what, std::int64_t count, std::size_t index, std::size_t of) {
    if (of == 1) return;
    parts.push_back({std::string("parallelism.part.") + what,
                     {{"first", chunk_begin(count, index, of)},
                      {"last", chunk_begin(count, index + 1, of) - 1}},
                     {}});
  };
  add("rows", plan.shape.rows, group, plan.split.data);
  add("blocks", plan.shape.blocks, stage, plan.split.pipeline);
  add("columns", plan.shape.hidden, slice, plan.split.tensor);
  if (parts.empty()) return {"parallelism.part.all", {}, {}};
  return Message::list_of("list.separator", std::move(parts));
}

struct PictureSpot {
  std::uint32_t column = 0, row = 0;
};

using Spots = std::array<PictureSpot, kMostDevices>;
/// Eight devices of which each sends to the next one: round a square of three times three.
constexpr Spots kRing{{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};
/// The first one in the middle, to which all others send.
constexpr Spots kStar{{{1, 1}, {0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {2, 2}}};

PictureSpot on_ring(std::size_t index, std::size_t count) {
  constexpr Spots kFour{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  return count <= 4 ? kFour[index] : kRing[index];
}

/// Up to four devices: the first one above the others.
PictureSpot on_star(std::size_t index, std::size_t count) {
  if (count > 4) return kStar[index];
  return index == 0 ? PictureSpot{1, 0} : PictureSpot{static_cast<std::uint32_t>(index - 1), 1};
}

/// Stages from left to right, and all that do the same stage below each other; without stages, in a ring or a star, or with the
/// smaller one of groups and slices from left to right.
PictureSpot spot_of(const BlockPlan& plan, std::size_t device) {
  const Split& split = plan.split;
  if (split.pipeline == 1 && (split.data == 1 || split.tensor == 1)) {
    return plan.exchange == Exchange::star && split.devices() > 2
               ? on_star(device, split.devices())
               : on_ring(device, split.devices());
  }
  const auto slice = static_cast<std::uint32_t>(device % split.tensor),
             stage = static_cast<std::uint32_t>(device / split.tensor % split.pipeline),
             group = static_cast<std::uint32_t>(device / (split.tensor * split.pipeline));
  if (split.pipeline > 1) return {stage, static_cast<std::uint32_t>(group * split.tensor + slice)};
  return split.data <= split.tensor ? PictureSpot{group, slice} : PictureSpot{slice, group};
}

}  // namespace

Setting::Setting(lab::Lab& lab) {
  small.shape = kSmall;
  small.split = {number(lab, "data"), number(lab, "tensor"), number(lab, "pipeline")};
  small.micro_batches = number(lab, "micro");
  small.schedule = chosen<Schedule>(lab, "schedule");
  small.exchange = chosen<Exchange>(lab, "exchange");
  large = small;
  large.shape = {static_cast<std::int64_t>(number(lab, "blocks")), kStations, kHidden,
                 static_cast<std::int64_t>(number(lab, "days"))};
  const device::Properties* row = device::find_gpu(lab.device().properties().name);
  machines.gpu = row ? row : device::find_gpu(device::kDefaultGpu);
  machines.devices_each = kMostDevices;
  machines.inner = machines.outer = lab::require(find_link(lab.choice("link")));
}

void compile_soon(lab::Lab& lab, const Setting& setting) {
  const auto product = [](const BlockPlan& plan) {
    const auto parts = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    return Sizes{{"m", plan.shape.rows / parts(plan.split.data * plan.micro_batches)},
                 {"n", plan.shape.hidden / parts(plan.split.tensor)},
                 {"k", plan.shape.width}};
  };
  training::compile_soon(lab, {{"random_normal", {}},
                               {"random_uniform", {}},
                               {"sgemm_strided", product(alone(setting.small))},
                               {"sgemm_strided", product(setting.small)},
                               {"broadcast_add", {}},
                               {"activation_relu", {}},
                               {"mean_square_error", {}},
                               {"broadcast_multiply", {}},
                               {"mean_square_error_backward", {}},
                               {"broadcast_backward", {}},
                               {"activation_relu_backward", {}}});
}

BlockPlan alone(BlockPlan plan) {
  plan.split = {};
  plan.micro_batches = 1;
  return plan;
}

Step run_step(lab::Lab& lab, const BlockPlan& plan, const std::string& add) {
  Cluster cluster(lab, plan.split.devices());
  for (std::size_t i = 0; i < cluster.size(); ++i)
    cluster.engine(i).use_source("accumulate", "one_each", add);
  BlockTraining training(cluster, plan, kSeed);
  Step step;
  std::vector<std::uint64_t> before;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    cluster.engine(i).observe({});
    before.push_back(cluster.engine(i).memory_use().peak_bytes);
  }
  training.compute();
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    step.weights.push_back(sizeof(float) * static_cast<std::uint64_t>(training.parameters_of(i)));
    step.besides.push_back(cluster.engine(i).memory_use().peak_bytes - before[i]);
    step.kept.push_back(training.most_kept(i));
  }
  step.gradients = training.gradients(0);
  step.groups_agree = training.groups_agree();
  step.traffic = training.traffic();
  return step;
}

lab::DevicesExhibit devices_of(const BlockPlan& plan, const Step& step) {
  const Split& split = plan.split;
  lab::DevicesExhibit made;
  for (std::size_t device = 0; device < split.devices(); ++device) {
    const std::size_t slice = device % split.tensor, stage = device / split.tensor % split.pipeline,
                      group = device / (split.tensor * split.pipeline);
    const PictureSpot spot = spot_of(plan, device);
    const Message weights{"parallelism.held.weights", {}, {}},
        besides{"parallelism.held.besides", {}, {}};
    made.devices.push_back({part_of(plan, group, stage, slice),
                            spot.column,
                            spot.row,
                            {{weights, step.weights[device]}, {besides, step.besides[device]}}});
  }
  for (const auto& [purpose, traffic] : step.traffic) {
    for (const auto& [link, sent] : traffic)
      made.links.push_back({static_cast<std::uint32_t>(link.first),
                            static_cast<std::uint32_t>(link.second),
                            {"parallelism.purpose." + std::string(name_of(purpose)), {}, {}},
                            sent.bytes,
                            sent.copies});
  }
  return made;
}

lab::CheckExhibit check_gradients(const Step& step, const Step& one) {
  using Item = lab::CheckExhibit::Item;
  using State = lab::CheckExhibit::State;
  std::uint64_t all = 0, same_bits = 0;
  double largest = 0, worst = 0;
  for (const auto& [name, values] : one.gradients) {
    const std::vector<float>& others = step.gradients.at(name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = static_cast<double>(values[i]), got = static_cast<double>(others[i]);
      ++all;
      same_bits += values[i] == others[i] ? 1 : 0;
      largest = std::max(largest, std::abs(expected));
      // Written so that what is no number is off by more than anything else.
      if (!(std::abs(got - expected) <= worst)) worst = std::abs(got - expected);
    }
  }
  const double units = worst / (largest * 0x1p-24);
  Item same{"gradients", State::passed, {"parallelism.check.gradients"}, {}, {}, 0, {}, {}};
  same.got = {"parallelism.check.bits",
              {{"same", lab::grouped(same_bits)},
               {"all", lab::grouped(all)},
               {"units", lab::number(units, 2)}}};
  if (!(units <= kUnits)) {
    same.state = State::failed;
    same.advice = {"parallelism.check.gradients-advice"};
  }
  Item agree{"agree", State::passed, {"parallelism.check.agree"}, {}, {}, 0, {}, {}};
  if (!step.groups_agree) {
    agree.state = State::failed;
    agree.advice = {"parallelism.check.agree-advice"};
  }
  return {{std::move(same), std::move(agree)}};
}

lab::PipelineExhibit pipeline_of(const BlockPlan& large, const Step& small,
                                 const SplitEstimate& estimate) {
  using Work = lab::PipelineExhibit::Work;
  const std::size_t stages = large.split.pipeline;
  lab::PipelineExhibit made;
  for (std::size_t stage = 0; stage < stages; ++stage)
    made.rows.push_back({{"parallelism.stage", {{"stage", stage}}, {}},
                         small.kept[large.split.device(0, stage, 0)]});
  double end = 0;
  for (const TimedTurn& turn :
       timed_turns(large.schedule, stages, large.micro_batches, estimate.turn)) {
    made.spans.push_back({static_cast<std::uint32_t>(turn.stage),
                          turn.turn.forward ? Work::forward : Work::backward,
                          static_cast<std::uint32_t>(turn.turn.micro_batch), turn.begin, turn.end});
    end = std::max(end, turn.end);
  }
  const double added = end + estimate.gradients.seconds;
  made.total = added + estimate.update.seconds;
  made.low = estimate.total.low;
  made.high = estimate.total.high;
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    if (added > end) made.spans.push_back({stage, Work::gradients, 0, end, added});
    made.spans.push_back({stage, Work::update, 0, added, made.total});
  }
  return made;
}

}  // namespace warpbook::lessons::parallelism
