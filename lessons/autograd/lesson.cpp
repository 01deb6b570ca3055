// Autograd: strides are views, and backward walks the tape.
#include <algorithm>
#include <iterator>
#include <string>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/operation/operation.hpp"
#include "lessons/autograd/runs.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

/// Kernels of the book that the reader may edit: each is a slot of its own.
struct EditableKernel {
  const char *slot, *operation, *rung, *path;
};
constexpr EditableKernel kEditable[] = {
    {"copy", "strided_copy", "one_each", "kernels/strided_copy/01_one_each.cu"},
    {"add", "broadcast_add", "one_each", "kernels/broadcast_add/01_one_each.cu"},
    {"multiply", "broadcast_multiply", "one_each", "kernels/broadcast_multiply/01_one_each.cu"},
    {"backward", "broadcast_backward", "warp", "kernels/broadcast_backward/01_warp.cu"}};

/// Begins to compile all that the run will ask for, while its first kernels run.
void compile_all_soon(lab::Lab& lab) {
  const bool cubin = lab.device().properties().simulated;
  for (const auto& [operation, rung] :
       {std::pair{"sgemm_strided", "one_each"}, std::pair{"reduction", "grid_stride"}}) {
    const lab::Operation loaded = lab::require(lab::load_operation(lab.context().root, operation));
    lab::compile_rung_soon(lab, lab::rung_named(loaded, rung), {}, cubin);
  }
}

/// The chapter's run.
void autograd_experiment(lab::Lab& lab) {
  constexpr std::uint32_t kTraced = 4096;  // accesses of a launch: pictures are of small ones
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  compile_all_soon(lab);
  training::Engine engine(lab);
  for (const EditableKernel& kernel : kEditable)
    engine.use_slot(kernel.operation, kernel.rung, kernel.slot);
  engine.observe({.costs = false, .records = true, .in_report = true, .trace_accesses = kTraced});
  lab::Message calls = autograd::square(lab, engine, counted);
  autograd::view(lab, engine, counted);
  autograd::sum(lab, engine, counted);
  lab.progress(0.4, {});
  autograd::fit(lab, engine, counted);
  autograd::differences(lab, engine, counted);
  lab.progress(0.8, {});
  autograd::windows(lab, engine, counted);
  autograd::reading(lab, engine, counted);
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

/// The word of memory that a thread of the gathering kernel loads.
std::string word_of_thread(const lab::Report& report, std::uint32_t thread) {
  const auto* accesses = report.find_as<lab::AccessesExhibit>("wires");
  if (!accesses) return {};
  const auto load = std::ranges::find_if(accesses->wires, [&](const auto& wire) {
    return wire.thread == thread && wire.kind == device::AccessKind::load;
  });
  return load == accesses->wires.end() ? "" : std::to_string(load->element);
}

/// The sum's first element, or "anything" where a thread read what nobody had written.
std::string promised(const lab::Report& report) {
  const bool unwritten = std::ranges::any_of(report.errors, [](const device::Error& error) {
    return error.code == device::ErrorCode::uninitialised_read;
  });
  if (unwritten) return "anything";
  const auto* sum = report.find_as<lab::TensorExhibit>("sum");
  return sum ? lab::element_text(*sum, 0) : "";
}

const lab::GraphExhibit::Node* node_named(const lab::Report& report, std::string_view id,
                                          std::string_view name) {
  const auto* graph = report.find_as<lab::GraphExhibit>(id);
  if (!graph) return nullptr;
  const auto found = std::ranges::find(graph->nodes, name, &lab::GraphExhibit::Node::name);
  return found == graph->nodes.end() ? nullptr : &*found;
}

std::string number_of(double value) { return lab::number(value, 6); }

/// An element of the gradient of a node of a graph.
std::string gradient_of(const lab::Report& report, std::string_view id, std::string_view name,
                        std::size_t element = 0) {
  const auto* node = node_named(report, id, name);
  if (!node || !node->gradient || element >= node->gradient->first.size()) return {};
  return number_of(node->gradient->first[element]);
}

std::string value_of(const lab::Report& report, std::string_view id, std::string_view name) {
  const auto* node = node_named(report, id, name);
  return node && !node->value.first.empty() ? number_of(node->value.first.front()) : "";
}

std::string backward_launches(const lab::Report& report) {
  const auto* graph = report.find_as<lab::GraphExhibit>("graph");
  if (!graph) return {};
  std::size_t launches = 0;
  for (const auto& node : graph->nodes) launches += node.backward.size();
  return std::to_string(launches);
}

/// How many elements the gradient of the bias has, and which.
std::string bias_gradient(const lab::Report& report) {
  const auto* bias = node_named(report, "fit", "b");
  if (!bias || !bias->gradient) return {};
  std::string text;
  for (const double element : bias->gradient->first)
    text += (text.empty() ? "" : " ") + number_of(element);
  return text;
}

std::string window_gradient(const lab::Report& report) {
  constexpr std::uint64_t kMiddle = 3;
  const auto* gradient = report.find_as<lab::TensorExhibit>("windows");
  return gradient ? lab::element_text(*gradient, kMiddle) : "";
}

lab::LiveFigure argument_figure(const std::string& name, const std::string& id,
                                const std::string& argument) {
  return {name, [id, argument](const lab::Report& r) { return text_argument(r, id, argument); }};
}

std::vector<lab::Parameter> parameters() {
  constexpr std::int64_t kFar = 10, kMostTimes = 3, kSmallest = 32, kUsual = 256, kLargest = 512;
  const std::string words = "autograd.parameter.";
  lab::Parameter zeroing{"zeroing", {words + "zeroing"}, {}};
  zeroing.type = lab::Parameter::Type::toggle;
  zeroing.initial = false;
  return {choice(words, "view", {"t", "t.T", "t[:,1]", "t[1:]"}),
          choice(words, "operand", {"5", "3x3", "1x3", "3x1"}),
          choice(words, "memory", {"upload", "empty"}),
          whole_number(words, "x", "", 2, -kFar, kFar),
          whole_number(words, "backwards", "autograd.unit.times", 1, 1, kMostTimes),
          zeroing,
          whole_number(words, "edge", "autograd.unit.rows", kUsual, kSmallest, kLargest)};
}

std::vector<lab::Preset> presets() {
  using Int = std::int64_t;
  const std::string words = "autograd.preset.";
  const auto text = [](const char* value) { return lab::Value(std::string(value)); };
  return {preset(words, "tensor", {}),
          preset(words, "transposed", {{"view", text("t.T")}}),
          preset(words, "sliced", {{"view", text("t[:,1]")}}),
          preset(words, "sum", {{"operand", text("3x3")}}),
          preset(words, "broadcast", {{"operand", text("5")}}),
          preset(words, "uninitialised", {{"operand", text("5")}, {"memory", text("empty")}}),
          preset(words, "chain", {{"x", Int{2}}}),
          preset(words, "twice", {{"x", Int{2}}, {"backwards", Int{2}}})};
}

}  // namespace

lab::Lesson autograd_chapter() {
  lab::Lesson lesson;
  lesson.slug = "autograd";
  lesson.parameters = parameters();
  lesson.presets = presets();
  // The page's questions and tries put other kernels into the first slot.
  lesson.slots = {{"operation", "lessons/autograd/variants/swish.cu", {}}};
  for (const EditableKernel& kernel : kEditable)
    lesson.slots.push_back({kernel.slot, kernel.path, {}});
  lesson.experiment = autograd_experiment;
  lesson.figures = {
      argument_figure("view-bytes", "view", "bytes"),
      argument_figure("view-strides", "view", "strides"),
      argument_figure("operand-strides", "operand", "strides"),
      argument_figure("operand-words", "operand", "words"),
      {"word", [](const lab::Report& r) { return word_of_thread(r, 2); }},
      {"y", [](const lab::Report& r) { return value_of(r, "graph", "y"); }},
      {"z", [](const lab::Report& r) { return value_of(r, "graph", "z"); }},
      {"dy", [](const lab::Report& r) { return gradient_of(r, "graph", "y"); }},
      {"gradient", [](const lab::Report& r) { return gradient_of(r, "graph", "x"); }},
      {"backward-launches", backward_launches},
      {"bias-gradient", bias_gradient},
      {"sun-gradient", [](const lab::Report& r) { return gradient_of(r, "fit", "w", 0); }},
      {"wind-gradient", [](const lab::Report& r) { return gradient_of(r, "fit", "w", 1); }},
      argument_figure("words-read", "fit-gradients", "words"),
      argument_figure("copies-made", "fit-gradients", "copies"),
      argument_figure("best-step", "steps", "best"),
      {"sectors-lying",
       [](const lab::Report& r) { return side_by_side_figure(r, "reading", 0, 0); }},
      {"sectors-transposed",
       [](const lab::Report& r) { return side_by_side_figure(r, "reading", 1, 0); }},
      {"window-gradient", window_gradient}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"view-bytes", [](const lab::Report& r) { return text_argument(r, "view", "bytes"); }},
      {"word", [](const lab::Report& r) { return word_of_thread(r, 2); }},
      {"operand-strides",
       [](const lab::Report& r) { return text_argument(r, "operand", "strides"); }},
      {"promised", promised},
      {"backward-launches", backward_launches},
      {"gradient", [](const lab::Report& r) { return gradient_of(r, "graph", "x"); }},
      {"bias-gradient", bias_gradient},
      {"sun-gradient", [](const lab::Report& r) { return gradient_of(r, "fit", "w", 0); }},
      {"best-step", [](const lab::Report& r) { return text_argument(r, "steps", "best"); }},
      {"times-as-many", [](const lab::Report& r) { return text_argument(r, "reading", "times"); }},
      {"window-gradient", window_gradient}};
  lesson.exercises = {"matmul-backward", "bias-backward", "row-norm"};
  return lesson;
}

}  // namespace warpbook::lessons
