// Parallelism: several devices share a training, and pay with bytes or with idle time.
#include <algorithm>
#include <any>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/devices/devices_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/pipeline/pipeline_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/strings.hpp"
#include "lessons/common.hpp"
#include "lessons/parallelism/runs.hpp"

namespace warpbook::lessons {
namespace {

using namespace parallelism;
using lab::Message;
using training::BlockPlan;
using training::Exchange;
using training::Schedule;
using training::Split;
using training::SplitEstimate;

/// "one device", or how it is cut, with the number of micro-batches where that matters: every panel says of which run it is.
Message setting_of(const BlockPlan& plan) {
  std::vector<Message> parts;
  const auto add = [&](const char* what, std::size_t count) {
    if (count > 1)
      parts.push_back({std::string("parallelism.setting.") + what, {{"count", count}}, {}});
  };
  add("data", plan.split.data);
  add("tensor", plan.split.tensor);
  add("pipeline", plan.split.pipeline);
  if (parts.empty()) parts.push_back({"parallelism.setting.whole", {}, {}});
  if (plan.split.pipeline > 1) {
    add("micro", plan.micro_batches);
    if (plan.schedule == Schedule::one_f_one_b)
      parts.push_back({"parallelism.setting.1f1b", {}, {}});
  }
  if (plan.exchange == Exchange::star) parts.push_back({"parallelism.setting.star", {}, {}});
  return Message::list_of("list.separator", std::move(parts));
}

/// The most that a device sends for a purpose; 0 where nothing is sent for it.
std::uint64_t most_sent(const Step& step, training::Purpose purpose, std::size_t devices) {
  const auto found = step.traffic.find(purpose);
  std::uint64_t most = 0;
  for (std::size_t i = 0; found != step.traffic.end() && i < devices; ++i)
    most = std::max(most, training::bytes_sent(found->second, i));
  return most;
}

/// How often a stage's slices add up in a block's forward pass, from the copies of the run: each sum is a ring of 2 (T - 1) steps, there
/// are as many backward, but for the first block's, and each micro-batch has its own.
std::string sums_in_a_block(const BlockPlan& plan, const Step& step) {
  const auto found = step.traffic.find(training::Purpose::sums);
  if (found == step.traffic.end() || plan.exchange == Exchange::star) return "0";
  const auto& sent = found->second.begin()->second;
  const auto passes =
      static_cast<double>(plan.micro_batches) *
      (2 * static_cast<double>(plan.shape.blocks) / static_cast<double>(plan.split.pipeline) - 1);
  const double sums = static_cast<double>(sent.copies) /
                      static_cast<double>(training::ring_steps(plan.split.tensor));
  return lab::number(std::round(sums / passes), 2);
}

void show_exchange(lab::Lab& lab, const Setting& setting, const Step& step,
                   const device::Evidence& counted) {
  const BlockPlan& plan = setting.small;
  const std::size_t devices = plan.split.devices();
  const std::uint64_t whole = step.weights[0];
  const std::uint64_t gradients = most_sent(step, training::Purpose::gradients, devices),
                      sums = most_sent(step, training::Purpose::sums, devices),
                      results = most_sent(step, training::Purpose::activations, devices);
  const double times = static_cast<double>(gradients) / static_cast<double>(whole);
  const char* most = gradients >= std::max(sums, results) ? "gradients"
                     : sums >= results                    ? "sums"
                                                          : "activations";
  lab.show({"exchange",
            {"parallelism.exchange.title", {{"setting", setting_of(plan)}}, {}},
            counted,
            lab::TextExhibit{{"parallelism.exchange.sentence",
                              {{"whole", lab::grouped(whole)},
                               {"gradients", lab::grouped(gradients)},
                               {"sums", lab::grouped(sums)},
                               {"results", lab::grouped(results)},
                               {"times", lab::number(times, 3)},
                               {"a_block", sums_in_a_block(plan, step)},
                               {"most", gradients + sums + results == 0 ? "nothing" : most}},
                              {}}}});
}

double percent(double part) { return std::round(100 * part); }

/// How many times as fast as one device; as one estimates by hand, with two digits.
std::string speedup_text(const SplitEstimate& split, const SplitEstimate& one) {
  return lab::number(one.total.seconds / split.total.seconds, 2);
}

void show_estimate(lab::Lab& lab, const Setting& setting, const SplitEstimate& split,
                   const device::Evidence& estimated) {
  const auto of = [&](const BlockPlan& plan) {
    return training::estimate_split(plan, setting.machines);
  };
  BlockPlan alone = setting.large, other = setting.large;
  alone.split = {};
  alone.micro_batches = 1;
  other.schedule =
      setting.large.schedule == Schedule::gpipe ? Schedule::one_f_one_b : Schedule::gpipe;
  const SplitEstimate one = of(alone), swapped = of(other);
  const auto bytes = [](double number) {
    return lab::byte_count(static_cast<std::uint64_t>(number));
  };
  // What the other schedule changes: of the two, 1F1B against GPipe.
  const bool same_bubble = percent(swapped.bubble) == percent(split.bubble),
             same_memory = swapped.memory.activations == split.memory.activations;
  lab.show({"estimate",
            {"parallelism.estimate.title", {{"setting", setting_of(setting.large)}}, {}},
            estimated,
            lab::TextExhibit{
                {"parallelism.estimate.sentence",
                 {{"link", std::string(setting.machines.inner->name)},
                  {"compute", lab::duration(split.compute.seconds)},
                  {"sums", lab::duration(split.sums.seconds)},
                  {"waits", lab::duration(split.waits.seconds)},
                  {"gradients", lab::duration(split.gradients.seconds)},
                  {"update", lab::duration(split.update.seconds)},
                  {"total", lab::duration(split.total.seconds)},
                  {"low", lab::duration(split.total.low)},
                  {"high", lab::duration(split.total.high)},
                  {"one", lab::duration(one.total.seconds)},
                  {"speedup", speedup_text(split, one)},
                  {"times", lab::number(std::round(one.total.seconds / split.total.seconds), 3)},
                  {"bubble", lab::number(percent(split.bubble), 3)},
                  {"memory", bytes(split.memory.total())},
                  {"kept", bytes(split.memory.activations)},
                  {"room", bytes(static_cast<double>(setting.machines.gpu->global_bytes))},
                  {"fits", split.fits(*setting.machines.gpu) ? "yes" : "no"},
                  {"schedule", same_bubble   ? (same_memory ? "nothing" : "memory")
                               : same_memory ? "bubble"
                                             : "both"}},
                 {}}}});
}

/// All ways to cut the large network up for eight devices.
void show_splits(lab::Lab& lab, const Setting& setting, const device::Evidence& estimated) {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  std::string fastest;
  double best = 0;
  for (std::size_t data = kMostDevices; data > 0; data /= 2) {
    for (std::size_t tensor = kMostDevices / data; tensor > 0; tensor /= 2) {
      BlockPlan plan = setting.large;
      plan.split = {data, tensor, kMostDevices / data / tensor};
      const SplitEstimate split = training::estimate_split(plan, setting.machines);
      const bool fits = split.fits(*setting.machines.gpu);
      const std::string name = std::to_string(data) + " x " + std::to_string(tensor) + " x " +
                               std::to_string(plan.split.pipeline);
      if (fits && (best == 0 || split.total.seconds < best)) {
        best = split.total.seconds;
        fastest = name;
      }
      const Message label{fits ? "parallelism.splits.fits" : "parallelism.splits.too-large",
                          {{"split", name}}};
      const auto bytes = [&](double number) {
        return bytes_bar(label, static_cast<std::uint64_t>(number));
      };
      bars.push_back({bytes(split.memory.total()),
                      bytes(split.sent.total()),
                      {label, split.bubble, lab::number(percent(split.bubble), 3) + " %"},
                      {label, split.total.seconds, lab::duration(split.total.seconds)}});
    }
  }
  lab.show({"splits",
            {"parallelism.splits.title",
             {{"link", std::string(setting.machines.inner->name)},
              {"blocks", setting.large.shape.blocks},
              {"days", lab::grouped(static_cast<std::uint64_t>(setting.large.shape.rows))},
              {"micro", setting.large.micro_batches}},
             {}},
            estimated,
            side_by_side("parallelism.splits.", {"memory", "sent", "bubble", "step"}, bars,
                         {{"fastest", fastest}})});
}

/// A layer that is no Linear: a convolution of 64 filters of 3 x 3 x 64 on 32 images of 56 x 56, on two devices. Either they add up the
/// gradients of its weights, or each has half of the filters and needs what the other's filters found.
void show_layer(lab::Lab& lab, const device::Evidence& counted) {
  constexpr std::uint64_t kFilters = 64, kTaps = 3 * 3 * 64, kImages = 32, kPixels = 56 * 56;
  constexpr std::uint64_t kWeights = sizeof(float) * kFilters * (kTaps + 1),
                          kResults = sizeof(float) * kImages * kFilters * kPixels;
  lab.show({"layer",
            {"parallelism.layer.title", {}, {}},
            counted,
            lab::TextExhibit{{"parallelism.layer.sentence",
                              {{"weights", lab::grouped(kWeights)},
                               {"results", lab::grouped(kResults)},
                               {"fewer", kWeights < kResults ? "data" : "tensor"}},
                              {}}}});
}

void parallelism_experiment(lab::Lab& lab) {
  const Setting setting(lab);
  const std::size_t devices = setting.small.split.devices();
  if (devices > kMostDevices) {
    throw lab::ExperimentFailed{{device::ErrorCode::bad_value,
                                 {{"key", std::string("data · tensor · pipeline")},
                                  {"what", Message{"phrase.kind.chapter", {}, {}}},
                                  {"got", std::to_string(devices)},
                                  {"expected", Message{"phrase.training.eight-devices", {}, {}}}},
                                 {}},
                                {}};
  }
  const Message simulated{"phrase.device.simulated", {{"gpu", setting.machines.gpu->name}}, {}};
  const device::Evidence counted{device::EvidenceKind::counted, simulated, {}},
      estimated{device::EvidenceKind::estimated, Message::plain(setting.machines.gpu->name), {}};
  compile_soon(lab, setting);
  const BlockPlan one_device = alone(setting.small);
  std::any of_one, of_all;
  const auto step_of = [](std::string name, std::vector<std::string_view> unread,
                          const BlockPlan& plan, std::any& gives) {
    return lab::remembered(
        {.name = std::move(name),
         .unread = std::move(unread),
         .run = [&](lab::Lab& part) { gives = run_step(part, plan, part.source("accumulate")); },
         .gives = &gives});
  };
  lab.side_by_side(
      {[](lab::Lab& part) { (void)part.compile("accumulate"); },
       step_of("parallelism/alone",
               {"data", "tensor", "pipeline", "micro", "schedule", "exchange", "link", "blocks",
                "days"},
               one_device, of_one),
       step_of("parallelism/step", {"link", "blocks", "days"}, setting.small, of_all)});
  const auto &one = std::any_cast<const Step&>(of_one), &step = std::any_cast<const Step&>(of_all);
  const SplitEstimate split = training::estimate_split(setting.large, setting.machines);
  lab.show({"devices",
            {"parallelism.devices", {{"setting", setting_of(setting.small)}}, {}},
            counted,
            devices_of(setting.small, step)});
  lab.show({"check",
            {"parallelism.check.title", {{"setting", setting_of(setting.small)}}, {}},
            counted,
            check_gradients(step, one)});
  show_exchange(lab, setting, step, counted);
  lab.show({"pipeline",
            {"parallelism.pipeline", {{"setting", setting_of(setting.large)}}, {}},
            estimated,
            pipeline_of(setting.large, step, split)});
  show_estimate(lab, setting, split, estimated);
  show_splits(lab, setting, estimated);
  show_layer(lab, counted);
}

// Figures and answers are read off the report.

auto of(const char* exhibit, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, exhibit, name); };
}
auto exchange(const char* name) { return of("exchange", name); }
auto estimate(const char* name) { return of("estimate", name); }

/// "bits", "rounding" or "wrong"; and for those whose gradients are wrong, whether all groups have the same.
std::string gradient(const lab::Report& report) {
  const auto* check = report.find_as<lab::CheckExhibit>("check");
  if (!check || check->items.size() != 2) return {};
  const auto passed = [&](std::size_t item) {
    return check->items[item].state == lab::CheckExhibit::State::passed;
  };
  if (!passed(0)) return passed(1) ? "wrong-alike" : "wrong";
  const auto& bits = check->items[0].got.arguments;
  return *device::argument_of(bits, "same") == *device::argument_of(bits, "all") ? "bits"
                                                                                 : "rounding";
}

}  // namespace

lab::Lesson parallelism_chapter() {
  lab::Lesson lesson;
  lesson.slug = "parallelism";
  const std::string words = "parallelism.parameter.", presets = "parallelism.preset.";
  const std::vector<std::string> powers{"1", "2", "4", "8"};
  std::vector<std::string> link_names;
  for (const training::Link& link : training::links()) link_names.emplace_back(link.name);
  lesson.parameters = {choice(words, "data", powers, "4"),
                       choice(words, "tensor", powers),
                       choice(words, "pipeline", {"1", "2", "4"}),
                       choice(words, "micro", {"1", "2", "4", "8", "16"}),
                       choice(words, "schedule", {"gpipe", "1f1b"}),
                       choice(words, "exchange", {"ring", "star"}),
                       choice(words, "link", link_names, "nvlink-4"),
                       choice(words, "blocks", {"8", "16", "32"}),
                       choice(words, "days", {"256", "4096", "32768"}, "4096")};
  using Text = std::string;
  lesson.presets = {preset(presets, "ring", {{"data", Text("4")}}),
                    preset(presets, "pipeline",
                           {{"data", Text("1")},
                            {"pipeline", Text("4")},
                            {"micro", Text("8")},
                            {"blocks", Text("32")}}),
                    preset(presets, "hybrid",
                           {{"data", Text("2")},
                            {"tensor", Text("2")},
                            {"pipeline", Text("2")},
                            {"micro", Text("8")},
                            {"blocks", Text("32")}})};
  lesson.slots = {{"accumulate", "kernels/accumulate/01_one_each.cu", {}}};
  lesson.experiment = parallelism_experiment;
  lesson.figures = {{"whole", exchange("whole")},        {"gradients", exchange("gradients")},
                    {"sums", exchange("sums")},          {"results", exchange("results")},
                    {"times", exchange("times")},        {"one", estimate("one")},
                    {"total", estimate("total")},        {"speedup", estimate("speedup")},
                    {"bubble", estimate("bubble")},      {"memory", estimate("memory")},
                    {"added", estimate("gradients")},    {"compute", estimate("compute")},
                    {"fastest", of("splits", "fastest")}};
  lesson.answers = {{"most", exchange("most")},           {"times", exchange("times")},
                    {"gradients", exchange("gradients")}, {"gradient", gradient},
                    {"faster", estimate("times")},        {"bubble", estimate("bubble")},
                    {"schedule", estimate("schedule")},   {"a-block", exchange("a_block")},
                    {"fits", estimate("fits")},           {"fewer", of("layer", "fewer")}};
  lesson.exercises = {"data-parallel", "ring-all-reduce", "choose-split"};
  return lesson;
}

}  // namespace warpbook::lessons
