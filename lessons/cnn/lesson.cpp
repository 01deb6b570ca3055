// A CNN: a convolution forward, and back in two ways; and what a network has learned that is right on all that it has seen.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/layers/layers_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lessons/calls.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using Layers = lab::LayersExhibit;

/// The chapter's runs.
void cnn_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const cnn::Setting setting(lab);
  cnn::compile_soon(lab, setting);
  const lab::Lab::Part network =
      lab::remembered({.name = "cnn/network",
                       .unread = {"image", "libraries", "drawing"},
                       .run = [&](lab::Lab& part) { cnn::network(part, setting, counted); },
                       .draft = [&](lab::Lab& part) { cnn::glance(part, setting, counted); }});
  lab::Message calls;
  lab.side_by_side({[&](lab::Lab& part) { calls = cnn::example(part, counted); },
                    [&](lab::Lab& part) { cnn::recorded(part, setting); },
                    [&](lab::Lab& part) {
                      network(part);
                      cnn::leave_image(part, setting.image);
                    },
                    [&](lab::Lab& part) { cnn::drawing(part, counted); },
                    [&](lab::Lab& part) { cnn::libraries(part, setting); }});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

std::string element_of(const lab::Report& report, const char* id, std::uint64_t index) {
  const auto* tensor = report.find_as<lab::TensorExhibit>(id);
  return tensor && index < lab::held(*tensor) ? lab::element_figure(*tensor, index) : "";
}

const Layers::Layer* layer_in(const lab::Report& report, std::string_view name) {
  const auto* layers = report.find_as<Layers>("layers");
  if (!layers) return nullptr;
  const auto found = std::ranges::find(layers->layers, name, &Layers::Layer::name);
  return found == layers->layers.end() ? nullptr : &*found;
}

/// Products that the gradient of one weight of conv1 adds up: one for each of its filter's outputs in all images.
std::string products_of_a_weight(const lab::Report& report) {
  const Layers::Layer* layer = layer_in(report, "conv1");
  if (!layer) return {};
  return lab::grouped(layer->bytes / sizeof(float) / layer->shape.front());
}

/// Which of conv2's convolutions takes so much longer that no band reaches the others'.
std::string longest_of_three(const lab::Report& report) {
  const Layers::Layer* layer = layer_in(report, "conv2");
  if (!layer || lab::seconds_of(*layer) == 0) return {};
  for (const Layers::Work work :
       {Layers::Work::forward, Layers::Work::data, Layers::Work::weights}) {
    const auto beats = [&](Layers::Work other) {
      return other == work || lab::time_of(*layer, work).low > lab::time_of(*layer, other).high;
    };
    if (beats(Layers::Work::forward) && beats(Layers::Work::data) && beats(Layers::Work::weights))
      return std::string(name_of(work));
  }
  return "alike";
}

/// The layer whose forward pass takes longest.
std::string longest_forward(const lab::Report& report) {
  const auto* layers = report.find_as<Layers>("layers");
  if (!layers || lab::seconds_of(*layers) == 0) return {};
  return std::ranges::max_element(layers->layers, {},
                                  [](const Layers::Layer& layer) {
                                    return lab::time_of(layer, Layers::Work::forward).seconds;
                                  })
      ->name;
}

auto argument(const char* id, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, id, name); };
}

/// To the nearest choice of 10, 40, 84 or 100 per cent.
std::string rounded(const lab::Report& report, const char* name) {
  const std::string share = text_argument(report, "recorded-end", name);
  if (share.empty()) return {};
  constexpr double kChoices[] = {10, 40, 84, 100};
  const double value = std::stod(share);
  return lab::number(*std::ranges::min_element(
      kChoices, {}, [&](double choice) { return std::abs(choice - value); }));
}

std::string loss_by_hand(const lab::Report& report) {
  const std::string loss = text_argument(report, "step", "loss");
  return loss.empty() ? "" : lab::number(std::stod(loss), 2);
}

std::vector<lab::Parameter> parameters() {
  constexpr std::int64_t kUsualImages = 10, kMostSteps = 300, kUsualFilters = 8, kMostFilters = 16;
  const std::string words = "cnn.parameter.";
  lab::Parameter libraries{"libraries", {words + "libraries"}, {}};
  libraries.type = lab::Parameter::Type::toggle;
  libraries.initial = false;
  lab::Parameter drawing{"drawing", {words + "drawing"}, {}};
  drawing.type = lab::Parameter::Type::picture;
  drawing.initial = std::string();
  return {choice(words, "task", {"shapes", "shapes-trained", "random-labels", "label-numbers"}),
          whole_number(words, "image", "", 1, 1, kUsualImages),
          whole_number(words, "images", "cnn.unit.images", kUsualImages, 1, cnn::kMostImages),
          whole_number(words, "steps", "cnn.unit.steps", 1, 1, kMostSteps),
          whole_number(words, "filters", "cnn.unit.filters", kUsualFilters, 1, kMostFilters),
          choice(words, "K", {"1", "3", "5"}, "3"),
          choice(words, "pooling", {"max", "average"}),
          libraries,
          drawing};
}

std::vector<lab::Preset> presets() {
  using Int = std::int64_t;
  const std::string words = "cnn.preset.";
  const auto text = [](const char* value) { return lab::Value(std::string(value)); };
  return {preset(words, "shapes", {}),
          preset(words, "random-labels", {{"task", text("random-labels")}}),
          preset(words, "label-numbers", {{"task", text("label-numbers")}}),
          preset(words, "trained", {{"task", text("shapes-trained")}}),
          preset(words, "hundred-epochs", {{"images", Int{100}}, {"steps", Int{300}}})};
}

std::vector<lab::SourceSlot> slots() {
  std::vector<lab::SourceSlot> made;
  // That of backward data comes first: the page puts another kernel there.
  for (const std::string name : {"backward_data", "backward_filter", "forward"})
    made.push_back({name, "lessons/cnn/variants/" + name + ".cu", {}});
  return made;
}

}  // namespace

lab::Lesson cnn_chapter() {
  lab::Lesson lesson;
  lesson.slug = "cnn";
  lesson.parameters = parameters();
  lesson.presets = presets();
  lesson.slots = slots();
  lesson.experiment = cnn_experiment;
  lesson.figures = {{"loss", argument("step", "loss")},
                    {"forward-launches", argument("step", "forward")},
                    {"backward-launches", argument("step", "backward")},
                    {"dw", [](const lab::Report& r) { return element_of(r, "example-dw", 1); }},
                    {"dx", [](const lab::Report& r) { return element_of(r, "example-dx", 5); }},
                    {"products", products_of_a_weight},
                    {"forward-blocks", argument("three", "convolution_blocks")},
                    {"data-blocks", argument("three", "convolution_backward_data_blocks")},
                    {"filter-blocks", argument("three", "convolution_backward_filter_blocks")},
                    {"forward-time", argument("three", "convolution_time")},
                    {"data-time", argument("three", "convolution_backward_data_time")},
                    {"filter-time", argument("three", "convolution_backward_filter_time")},
                    {"weight-bytes", argument("memory", "weights_bytes")},
                    {"result-bytes", argument("memory", "results_bytes")},
                    {"optimiser-bytes", argument("memory", "optimiser_bytes")},
                    {"training-accuracy", argument("recorded-end", "training")},
                    {"held-out-accuracy", argument("recorded-end", "held_out")},
                    {"shapes-held-out", argument("recorded-end", "shapes_held_out")},
                    {"first-loss", argument("recorded-end", "first_loss")},
                    {"last-loss", argument("recorded-end", "loss")}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"loss", loss_by_hand},
      {"dw", [](const lab::Report& r) { return element_of(r, "example-dw", 1); }},
      {"dx", [](const lab::Report& r) { return element_of(r, "example-dx", 5); }},
      {"products", products_of_a_weight},
      {"longest-of-three", longest_of_three},
      {"longest-forward", longest_forward},
      {"most-memory", argument("memory", "most")},
      {"training-accuracy", [](const lab::Report& r) { return rounded(r, "training"); }},
      {"held-out-accuracy", [](const lab::Report& r) { return rounded(r, "held_out"); }},
      {"stamped", argument("stamped-is", "equal")}};
  lesson.exercises = {"backward-filter", "augment-images"};
  return lesson;
}

}  // namespace warpbook::lessons
