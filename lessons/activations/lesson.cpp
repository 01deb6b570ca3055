// Activations: a function, its slope, what overflows, and why two such kernels should be one.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/recorded_times.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using Int = std::int64_t;

/// The chapter's runs.
void activations_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  activations::compile_soon(lab);
  lab::Message calls;
  lab.side_by_side(
      {[&](lab::Lab& part) { calls = activations::functions(part, counted); },
       lab::remembered({.name = "activations/gelu-forms",
                        .run = [&](lab::Lab& part) { activations::gelu_forms(part, counted); }}),
       lab::remembered({.name = "activations.softmax",
                        .run = [&](lab::Lab& part) { activations::softmax(part, counted); }}),
       lab::remembered({.name = "activations/fusion",
                        .run = [&](lab::Lab& part) { activations::fusion(part, counted); }}),
       lab::remembered({.name = "activations/million",
                        .run = [&](lab::Lab& part) { activations::million(part); }}),
       lab::recorded_times("softmax")});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::CurveExhibit* curve_in(const lab::Report& report, std::string_view id) {
  const auto* curve = report.find_as<lab::CurveExhibit>(id);
  return curve && lab::points_of(*curve) != 0 ? curve : nullptr;
}

/// Of the chosen point.
std::string chosen_value(const lab::Report& report, std::size_t series) {
  const auto* curve = curve_in(report, "curve");
  return curve ? lab::coordinate_text(lab::y_at(*curve, series, curve->chosen)) : "";
}

/// The greatest or the least value of a series.
std::string extreme(const lab::Report& report, std::string_view id, std::size_t series,
                    bool greatest) {
  const auto* curve = curve_in(report, id);
  if (!curve) return {};
  const auto found = lab::extremes_of(*curve, series);
  if (!found) return {};
  return lab::number(lab::y_at(*curve, series, greatest ? found->second : found->first), 3);
}

/// What became of NaN.
std::string through_nan(const lab::Report& report) {
  const auto* curve = curve_in(report, "curve");
  if (!curve) return {};
  const std::uint64_t last = lab::points_of(*curve) - 1;
  return std::isnan(lab::x_at(*curve, last)) ? lab::coordinate_text(lab::y_at(*curve, 0, last))
                                             : "";
}

/// The gradient that arrives below all layers.
double gradient_left(const lab::CurveExhibit& layers) {
  return lab::y_at(layers, 0, lab::points_of(layers) - 1);
}
std::string gradient(const lab::Report& report) {
  const auto* layers = curve_in(report, "layers");
  return layers ? lab::number(gradient_left(*layers), 3) : "";
}
/// "none" where nothing of it was lost, else the power of ten that is left: "1e-7".
std::string gradient_order(const lab::Report& report) {
  const auto* layers = curve_in(report, "layers");
  if (!layers) return {};
  const double left = gradient_left(*layers);
  if (left == 1) return "none";
  if (!(left > 0)) return "0";
  return "1e" + std::to_string(static_cast<int>(std::floor(std::log10(left))));
}

/// The least logit whose exponential is infinite.
std::string first_infinite(const lab::Report& report) {
  const auto* curve = curve_in(report, "exponentials");
  if (!curve) return {};
  for (const lab::CurveMark& mark : lab::marks_of(*curve, 0, lab::kMostCurvePoints)) {
    if (mark.kind == lab::CurveMark::Kind::above)
      return lab::coordinate_text(lab::x_at(*curve, mark.point));
  }
  return "none";
}

/// Results of the first row that are NaN.
std::string nans(const lab::Report& report) {
  const auto* y = report.find_as<lab::TensorExhibit>("softmax");
  if (!y || y->shape.size() != 2) return {};
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < y->shape[1]; ++i) found += std::isnan(lab::element(*y, i)) ? 1 : 0;
  return lab::grouped(found);
}
std::string row_sum(const lab::Report& report) {
  const auto* y = report.find_as<lab::TensorExhibit>("softmax");
  if (!y || y->shape.size() != 2) return {};
  double sum = 0;
  for (std::uint64_t i = 0; i < y->shape[1]; ++i) sum += lab::element(*y, i);
  return lab::number(sum, 4);
}

/// The running sum after the logit of that number, from 1; and how often the maximum rose after the first.
std::string sum_after(const lab::Report& report, std::uint64_t step) {
  const auto* steps = curve_in(report, "steps");
  return steps && step <= lab::points_of(*steps) ? lab::number(lab::y_at(*steps, 1, step - 1), 3)
                                                 : "";
}
/// The sum of the whole row, which any lanes that share it have to agree on.
std::string last_sum(const lab::Report& report) {
  const auto* steps = curve_in(report, "steps");
  return steps ? sum_after(report, lab::points_of(*steps)) : "";
}
std::string raises(const lab::Report& report) {
  const auto* steps = curve_in(report, "steps");
  if (!steps) return {};
  std::uint64_t found = 0;
  for (std::uint64_t p = 1; p < lab::points_of(*steps); ++p)
    found += lab::y_at(*steps, 0, p) > lab::y_at(*steps, 0, p - 1) ? 1 : 0;
  return lab::grouped(found);
}

/// What most of the time that fusing saves was spent on: a "launch", or "bytes".
std::string saved(const lab::Report& report) {
  const std::string launch = text_argument(report, "limits", "launch"),
                    all = text_argument(report, "limits", "saved");
  if (launch.empty() || all.empty()) return {};
  return std::stod(launch) > std::stod(all) / 2 ? "launch" : "bytes";
}

/// Rounds of shuffles after which all lanes hold the same sum.
std::string rounds(const lab::Report& report) {
  const auto* sums = report.find_as<lab::TensorExhibit>("rounds");
  if (!sums || sums->shape.size() != 2) return {};
  for (std::uint64_t row = 0; row < sums->shape[0]; ++row) {
    const auto lane = [&](std::uint64_t i) {
      return lab::element(*sums, row * sums->shape[1] + i);
    };
    bool alike = true;
    for (std::uint64_t i = 1; i < sums->shape[1]; ++i) alike &= lane(i) == lane(0);
    if (alike) return lab::grouped(row);
  }
  return "none";
}

/// Lane 0's sum after two rounds, where each lane brings its own number: it tells whose numbers are in it.
std::string sum_after_two_rounds(const lab::Report& report) {
  const auto* sums = report.find_as<lab::TensorExhibit>("rounds");
  if (!sums || sums->shape.size() != 2 || sums->shape[0] < 3) return {};
  return lab::number(lab::element(*sums, 2 * sums->shape[1]));
}

auto text(const char* id, const char* name) {
  return [id, name](const lab::Report& report) { return text_argument(report, id, name); };
}

lab::Parameter real_number(const std::string& name, double initial, double low, double high,
                           double step) {
  lab::Parameter made{name, {"activations.parameter." + name}, {}};
  made.type = lab::Parameter::Type::real;
  made.initial = initial;
  made.minimum = low;
  made.maximum = high;
  made.step = step;
  return made;
}
std::vector<lab::SourceSlot> slots() {
  std::vector<lab::SourceSlot> made;
  // ReLU's comes first: questions put other kernels there.
  for (const std::string name : {"relu", "sigmoid", "tanh", "gelu"}) {
    made.push_back({name, "kernels/activation_" + name + "/01_one_each.cu", {}});
    made.push_back(
        {name + "-backward", "kernels/activation_" + name + "_backward/01_one_each.cu", {}});
  }
  const std::string variants = activations::kVariants;
  made.push_back({"leaky-relu", variants + "leaky_relu.cu", {}});
  made.push_back({"leaky-relu-backward", variants + "leaky_relu_backward.cu", {}});
  made.push_back({"gelu-tanh", variants + "gelu_tanh.cu", {}});
  made.push_back({"gelu-tanh-backward", variants + "gelu_tanh_backward.cu", {}});
  made.push_back({"naive", "kernels/softmax/01_naive.cu", {}});
  made.push_back({"safe", "kernels/softmax/02_safe.cu", {}});
  made.push_back({"online", "kernels/softmax/03_online.cu", {}});
  made.push_back({"online-steps", variants + "online_steps.cu", {}});
  return made;
}

}  // namespace

lab::Lesson activations_chapter() {
  lab::Lesson lesson;
  lesson.slug = "activations";
  const std::string words = "activations.parameter.", presets = "activations.preset.";
  lesson.parameters = {
      choice(words, "function", {"sigmoid", "tanh", "relu", "leaky-relu", "gelu", "gelu-tanh"}),
      real_number("at", 0, -100, 100, 0.25),
      real_number("slope", 0.01, 0, 1, 0.01),
      real_number("range", 6, 1, 100, 1),
      whole_number(words, "n", "activations.unit.points", 129, 2, 1 << 20),
      whole_number(words, "layers", "activations.unit.layers", 10, 1, 30),
      choice(words, "softmax", {"naive", "safe", "online"}),
      real_number("shift", 0, -200, 200, 1),
      real_number("scale", 1, 0, 100, 1),
      whole_number(words, "columns", "activations.unit.logits", 8, 1, 4096),
      whole_number(words, "rows", "activations.unit.rows", 4, 1, 256),
      whole_number(words, "pixels", "activations.unit.pixels", 1024, 1, 1 << 16)};
  const auto name = [](const char* text) { return std::string(text); };
  lesson.presets = {preset(presets, "sigmoid", {}),
                    preset(presets, "tanh", {{"function", name("tanh")}}),
                    preset(presets, "relu", {{"function", name("relu")}}),
                    preset(presets, "leaky-relu", {{"function", name("leaky-relu")}}),
                    preset(presets, "gelu", {{"function", name("gelu")}}),
                    preset(presets, "gelu-tanh", {{"function", name("gelu-tanh")}}),
                    preset(presets, "deep", {{"layers", Int{20}}}),
                    preset(presets, "overflow", {{"shift", 84.0}}),
                    preset(presets, "mended", {{"shift", 84.0}, {"softmax", name("safe")}}),
                    preset(presets, "online", {{"shift", 84.0}, {"softmax", name("online")}}),
                    preset(presets, "underflow", {{"shift", -120.0}}),
                    preset(presets, "million", {{"pixels", Int{65536}}})};
  lesson.slots = slots();
  lesson.experiment = activations_experiment;
  lesson.figures = {{"value", [](const lab::Report& r) { return chosen_value(r, 0); }},
                    {"slope", [](const lab::Report& r) { return chosen_value(r, 1); }},
                    {"least", [](const lab::Report& r) { return extreme(r, "curve", 0, false); }},
                    {"steepest", [](const lab::Report& r) { return extreme(r, "curve", 1, true); }},
                    {"through-nan", through_nan},
                    {"gradient", gradient},
                    {"first-infinite", first_infinite},
                    {"largest-exponential",
                     [](const lab::Report& r) { return extreme(r, "exponentials", 0, true); }},
                    {"nans", nans},
                    {"row-sum", row_sum},
                    {"difference", text("same", "difference")},
                    {"naive-loads", text("versions", "naive_loads")},
                    {"safe-loads", text("versions", "safe_loads")},
                    {"online-loads", text("versions", "online_loads")},
                    {"registers-loads", text("versions", "registers_loads")},
                    {"online-sectors", text("versions", "online_sectors")},
                    {"warp-sectors", text("versions", "warp_sectors")},
                    {"second-sum", [](const lab::Report& r) { return sum_after(r, 2); }},
                    {"raises", raises},
                    {"rounds", rounds},
                    {"row-total", last_sum},
                    {"two-asked", text("fusion", "two_asked")},
                    {"one-asked", text("fusion", "one_asked")},
                    {"two-moved", text("fusion", "two_moved")},
                    {"one-moved", text("fusion", "one_moved")},
                    {"launch-time", text("limits", "launch")},
                    {"relu-issue", text("million", "relu_issue")},
                    {"gelu-issue", text("million", "gelu_issue")},
                    {"gelu-memory", text("million", "gelu_memory")},
                    {"gelu-waiting", text("million", "gelu_waiting")},
                    {"gelu-instructions", text("million", "gelu_instructions")},
                    {"gelu-time", text("million", "gelu_whole")},
                    {"tanh-issue", text("million", "tanh_issue")},
                    {"tanh-waiting", text("million", "tanh_waiting")},
                    {"tanh-time", text("million", "tanh_whole")},
                    {"saved-time", text("limits", "saved")},
                    {"saved-rest", text("limits", "saved_rest")},
                    {"two-time", text("limits", "two")},
                    {"one-time", text("limits", "one")},
                    {"gap", text("forms", "gap")},
                    {"exact-instructions", text("forms", "exact")},
                    {"tanh-instructions", text("forms", "tanh")}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {{"value", [](const lab::Report& r) { return chosen_value(r, 0); }},
                    {"two-moved", text("fusion", "two_moved")},
                    {"saved", saved},
                    {"limiter", text("million", "gelu_limiter")},
                    {"through-nan", through_nan},
                    {"gradient-order", gradient_order},
                    {"first-infinite", first_infinite},
                    {"nans", nans},
                    {"row-total", last_sum},
                    {"two-rounds", sum_after_two_rounds}};
  lesson.exercises = {"activation-backward", "stable-softmax", "online-softmax", "pool-backward"};
  return lesson;
}

}  // namespace warpbook::lessons
