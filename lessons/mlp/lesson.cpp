// Networks that learn: a training is a few kernels in a loop.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/exhibits/boundary/boundary_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/learning/learning_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/strings.hpp"
#include "lessons/common.hpp"
#include "lessons/mlp/runs.hpp"
#include "training/kernels_ahead.hpp"

namespace warpbook::lessons {
namespace {

using lab::LearningExhibit;

/// The kernels of the parts, in the order in which they ask for them.
void compile_soon(lab::Lab& lab, const mlp::Setting& setting) {
  for (const char* slot : {"linear", "squares"}) lab.compile_soon(lab.request_of_slot(slot));
  training::compile_soon(lab, {{"random_uniform", {}},
                               {"sgemm_strided", {{"m", 1}, {"n", 1}, {"k", 10}}},
                               {"broadcast_add", {}}});
  if (setting.classifies()) {
    training::compile_soon(
        lab, {{"sgemm_strided", {{"m", 300}, {"n", 32}, {"k", 32}}}, {"activation_relu", {}}});
  }
  training::compile_soon(lab, {{"mean_square_error", {}},
                               {"mean_square_error_backward", {}},
                               {"broadcast_backward", {}},
                               {"sgd_momentum", {}}});
  if (setting.classifies()) {
    training::compile_soon(
        lab,
        {{"cross_entropy", {}}, {"cross_entropy_backward", {}}, {"activation_relu_backward", {}}});
  }
}

void mlp_experiment(lab::Lab& lab) {
  const mlp::Setting setting(lab);
  compile_soon(lab, setting);
  lab.side_by_side(
      {lab::remembered({.name = "mlp/train",
                        .unread = {"graph", "call"},
                        .run = [&](lab::Lab& part) { mlp::train(part, setting); },
                        .draft = [&](lab::Lab& part) { mlp::train_a_little(part, setting); }}),
       lab::remembered({.name = "mlp/smallest",
                        .unread = {"network", "rate", "momentum", "steps", "batch", "width",
                                   "launch", "fused", "graph", "call"},
                        .run = [&](lab::Lab& part) { mlp::smallest(part, setting); }}),
       lab::remembered({.name = "mlp/savings",
                        .unread = {"steps", "launch"},
                        .run = [&](lab::Lab& part) { mlp::savings(part, setting); }})});
}

// Figures and answers are read off the report.

const std::vector<LearningExhibit::Point>* points_of(const lab::Report& report) {
  const auto* curve = report.find_as<LearningExhibit>("curve");
  return curve && !curve->runs.empty() && !curve->runs.front().points.empty()
             ? &curve->runs.front().points
             : nullptr;
}

/// Of the step at which the curve begins, which is observed in every run.
const std::vector<LearningExhibit::Launch>* step_of(const lab::Report& report) {
  const auto* points = points_of(report);
  return points && !points->front().launches.empty() ? &points->front().launches : nullptr;
}

std::string launches_of_step(const lab::Report& report) {
  const auto* launches = step_of(report);
  return launches ? lab::grouped(launches->size()) : "";
}

std::string products_back(const lab::Report& report) {
  const auto* launches = step_of(report);
  if (!launches) return {};
  return lab::grouped(
      static_cast<std::uint64_t>(std::ranges::count_if(*launches, [](const auto& launch) {
        return launch.pass == LearningExhibit::Pass::backward &&
               launch.operation == "sgemm_strided";
      })));
}

/// The step's launch that takes longest by the estimate.
const LearningExhibit::Launch* longest(const lab::Report& report) {
  const auto* launches = step_of(report);
  if (!launches) return nullptr;
  const auto found = std::ranges::max_element(*launches, {}, &LearningExhibit::Launch::seconds);
  return found->seconds > 0 ? &*found : nullptr;
}

std::string longest_time(const lab::Report& report) {
  const auto* launch = longest(report);
  return launch ? lab::duration(launch->seconds) : "";
}

std::string longest_blocks(const lab::Report& report) {
  const auto* launch = longest(report);
  return launch ? lab::grouped(launch->blocks) : "";
}

/// What kind of work it is: a "product" forward, a weight's "gradient", an "update" or something "else".
std::string longest_kind(const lab::Report& report) {
  const auto* launch = longest(report);
  if (!launch) return {};
  if (launch->pass == LearningExhibit::Pass::update) return "update";
  if (launch->operation != "sgemm_strided" && launch->operation != "linear") return "else";
  return launch->pass == LearningExhibit::Pass::forward ? "product" : "gradient";
}

std::string step_time(const lab::Report& report) {
  const auto* launches = step_of(report);
  const auto seconds = launches ? lab::seconds_of(*launches) : std::nullopt;
  return seconds ? lab::duration(*seconds) : "";
}

std::string first_loss(const lab::Report& report) {
  const auto* points = points_of(report);
  return points ? lab::loss_text(points->front().loss) : "";
}

std::string last_loss(const lab::Report& report) {
  const auto* points = points_of(report);
  return points ? lab::loss_text(points->back().loss) : "";
}

std::string last_accuracy(const lab::Report& report) {
  const auto* points = points_of(report);
  return points && points->back().accuracy ? lab::percent_text(*points->back().accuracy) : "";
}

std::string wrong_points(const lab::Report& report) {
  const auto* boundary = report.find_as<lab::BoundaryExhibit>("boundary");
  return boundary && !boundary->frames.empty()
             ? lab::grouped(lab::wrong_in(*boundary, boundary->frames.size() - 1))
             : "";
}

const LearningExhibit* rates_in(const lab::Report& report) {
  return report.find_as<LearningExhibit>("rates");
}

/// The lowest of the tried rates at which the loss grows; "none" where it grows at none.
std::string diverging_rate(const lab::Report& report) {
  const auto* rates = rates_in(report);
  if (!rates) return {};
  for (const auto& run : rates->runs)
    if (!run.points.empty() && run.points.back().loss > run.points.front().loss)
      return run.name.text;
  return "none";
}

/// The one with the lowest loss after the first two steps.
std::string quickest_rate(const lab::Report& report) {
  const auto* rates = rates_in(report);
  if (!rates || rates->runs.empty()) return {};
  const auto early = [](const LearningExhibit::Run& run) {
    return run.points.size() > 1 ? run.points[1].loss : run.points.front().loss;
  };
  return std::ranges::min_element(rates->runs, {}, early)->name.text;
}

/// What becomes of the loss: it "falls" to less than a tenth and stays there, "swings" up and down, or "grows".
std::string fate(const lab::Report& report) {
  const auto* points = points_of(report);
  if (!points) return {};
  const double first = points->front().loss, last = points->back().loss;
  if (last > 2 * first) return "grows";
  const auto half = points->begin() + static_cast<std::ptrdiff_t>(points->size() / 2);
  const bool settled =
      std::all_of(half, points->end(), [&](const auto& point) { return point.loss < first / 10; });
  return settled ? "falls" : "swings";
}

auto text(const char* id, const char* name) {
  return [id, name](const lab::Report& report) { return text_argument(report, id, name); };
}

lab::Parameter real_number(const std::string& name, const char* unit, double initial, double low,
                           double high, double step) {
  lab::Parameter made{name, {"mlp.parameter." + name}, {}};
  if (*unit != 0) made.unit = {unit};
  made.type = lab::Parameter::Type::real;
  made.initial = initial;
  made.minimum = low;
  made.maximum = high;
  made.step = step;
  return made;
}

lab::Parameter toggle(const std::string& name) {
  lab::Parameter made{name, {"mlp.parameter." + name}, {}};
  made.type = lab::Parameter::Type::toggle;
  made.initial = false;
  return made;
}

}  // namespace

lab::Lesson mlp_chapter() {
  lab::Lesson lesson;
  lesson.slug = "mlp";
  const std::string words = "mlp.parameter.", presets = "mlp.preset.";
  using Int = std::int64_t;
  const auto network = [](std::string_view name) { return std::string(name); };
  lesson.parameters = {choice(words, "network",
                              {network(mlp::kCircles), network(mlp::kSpiral), network(mlp::kLayers),
                               network(mlp::kLinear)}),
                       real_number("rate", "", 0.2, 0, 2, 0.01),
                       real_number("momentum", "", 0.9, 0, 1, 0.1),
                       whole_number(words, "steps", "", 40, 1, 400),
                       whole_number(words, "batch", "mlp.unit.points", 300, 1, 300),
                       whole_number(words, "width", "mlp.unit.units", 32, 1, 64),
                       whole_number(words, "seed", "", 1, 1, 99),
                       whole_number(words, "launch", "", 1, 1, 40),
                       toggle("fused"),
                       toggle("graph"),
                       real_number("call", "mlp.unit.microseconds", 2, 2, 20, 1)};
  lesson.presets = {
      preset(presets, "circles", {}),
      preset(presets, "linear",
             {{"network", network(mlp::kLinear)},
              {"rate", 0.01},
              {"momentum", 0.0},
              {"steps", Int{100}}}),
      preset(presets, "layers",
             {{"network", network(mlp::kLayers)},
              {"rate", 0.05},
              {"momentum", 0.0},
              {"steps", Int{100}}}),
      preset(presets, "spiral", {{"network", network(mlp::kSpiral)}, {"steps", Int{150}}})};
  lesson.slots = {{"linear", mlp::kLinearFile, {}},
                  {"squares", "lessons/mlp/variants/squares.cu", {}}};
  lesson.experiment = mlp_experiment;
  lesson.figures = {{"step-launches", launches_of_step},
                    {"step-time", step_time},
                    {"first-loss", first_loss},
                    {"last-loss", last_loss},
                    {"accuracy", last_accuracy},
                    {"wrong", wrong_points},
                    {"longest-time", longest_time},
                    {"longest-blocks", longest_blocks},
                    {"squares", text("formula", "squares")},
                    {"shrinks", text("formula", "shrinks")},
                    {"limit", text("formula", "limit")},
                    {"best", text("formula", "best")},
                    {"separate-time", text("savings", "separate_time")},
                    {"fused-time", text("savings", "fused_time")},
                    {"separate-launches", text("savings", "separate_launches")},
                    {"fused-launches", text("savings", "fused_launches")},
                    {"separate-kernels", text("savings", "separate_kernels")},
                    {"graph-time", text("savings", "separate_graph_time")},
                    {"both-time", text("savings", "fused_graph_time")}};
  lesson.answers = {{"step-launches", launches_of_step},
                    {"products-back", products_back},
                    {"ratio", text("formula", "ratio")},
                    {"quickest", quickest_rate},
                    {"diverges", diverging_rate},
                    {"longest", longest_kind},
                    {"fewer", text("savings", "fewer")},
                    {"graph-tens", text("savings", "separate_graph_tens")},
                    {"separate-tens", text("savings", "separate_tens")},
                    {"fate", fate}};
  lesson.exercises = {"largest-rate", "weight-gradient", "fuse-layer"};
  return lesson;
}

}  // namespace warpbook::lessons
