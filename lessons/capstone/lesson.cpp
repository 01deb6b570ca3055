// The capstone: the reader's own kernel in the network, its costs beside those of ours, and a training that it has to leave as
// it was.
#include <algorithm>
#include <any>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/pareto/pareto_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lessons/calls.hpp"
#include "lessons/capstone/runs.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using Chart = lab::ParetoExhibit;

/// What the chart's part gives to the others.
struct Charted {
  capstone::Own own;
  lab::Message calls;  ///< of the host, for the reader's kernel
};

/// The chapter's runs.
void capstone_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const capstone::Setting setting(lab);
  capstone::compile_soon(lab, setting);
  if (lab.leaves_out()) return capstone::draft(lab, setting);
  lab.progress(0, {"capstone.charting"});
  std::any charted, gradient, ours, yours;
  lab.side_by_side(
      {lab::remembered({.name = "capstone/chart",
                        .run =
                            [&](lab::Lab& part) {
                              const capstone::Own own = capstone::chart(part, setting, counted);
                              charted = Charted{own, host_calls(part.device())};
                            },
                        .gives = &charted}),
       lab::remembered(
           {.name = "capstone/gradient",
            .unread = {"measure"},
            .run = [&](lab::Lab& part) { gradient = capstone::gradient(part, setting); },
            .gives = &gradient})});
  const auto& [own, calls] = std::any_cast<const Charted&>(charted);
  // Stray accesses would end the training, and say no more than the check has said.
  if (own.safe) {
    using Names = std::vector<std::string_view>;
    const Names unread{"layer", "images", "measure"};
    lab.side_by_side(
        {lab::remembered({.name = "capstone/ours",
                          .unread = unread,
                          .run = [&](lab::Lab& part) { ours = capstone::losses_by_ours(part); },
                          .gives = &ours}),
         lab::remembered(
             {.name = "capstone/yours",
              .unread = unread,
              .run = [&](lab::Lab& part) { yours = capstone::losses_by(part, own.rung); },
              .gives = &yours})});
    capstone::show_trained(lab, std::any_cast<const capstone::Losses&>(ours),
                           std::any_cast<const capstone::Losses&>(yours), counted);
  }
  lab.show({"gradient",
            {"capstone.gradient"},
            device::Evidence{device::EvidenceKind::estimated, lab.device_name(), {}},
            std::any_cast<const Chart&>(gradient)});
  show_calls(lab, calls, counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const Chart* chart_in(const lab::Report& report) { return report.find_as<Chart>("pareto"); }

const Chart::Point* point_in(const lab::Report& report, std::string_view name) {
  const Chart* chart = chart_in(report);
  if (!chart) return nullptr;
  const auto found = std::ranges::find_if(chart->points, [&](const Chart::Point& point) {
    return name == "yours" ? point.origin == Chart::Origin::yours : point.name.text == name;
  });
  return found == chart->points.end() ? nullptr : &*found;
}

/// Our kernels on the frontier that they have without the reader's, in the chart's order.
std::vector<std::string> frontier_of_ours(const lab::Report& report) {
  const Chart* chart = chart_in(report);
  if (!chart) return {};
  Chart ours = *chart;
  std::erase_if(ours.points, [](const auto& p) { return p.origin != Chart::Origin::ours; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ours.points.size(); ++i) {
    if (lab::is_on_frontier(ours, i)) names.push_back(ours.points[i].name.text);
  }
  return names;
}

std::string frontier_size(const lab::Report& report) {
  const std::vector<std::string> names = frontier_of_ours(report);
  return names.empty() ? "" : std::to_string(names.size());
}

std::string frontier_names(const lab::Report& report) {
  return fmt::format("{}", fmt::join(frontier_of_ours(report), " "));
}

std::string time_of(const lab::Report& report, const std::string& name) {
  const Chart::Point* point = point_in(report, name);
  return point ? lab::duration(point->seconds) : "";
}

/// "12.7 µs – 23.8 µs": the estimate's band.
lab::LiveFigure band_figure(const std::string& name) {
  return {name + "-band", [name](const lab::Report& report) {
            const Chart::Point* point = point_in(report, name);
            return point ? lab::duration(point->low) + " – " + lab::duration(point->high) : "";
          }};
}

std::string sectors_of(const lab::Report& report, const std::string& name) {
  const Chart::Point* point = point_in(report, name);
  return point ? lab::grouped(static_cast<std::uint64_t>(point->sectors)) : "";
}

/// Sectors for a multiply-add of a warp, to the nearest of the choices.
std::string sectors_each(const lab::Report& report) {
  const std::string each = text_argument(report, "own", "each");
  return each.empty() ? "" : std::to_string(std::lround(std::stod(each)));
}

/// How long the reader's kernel takes beside `direct`: "half", "same" or "twice", whichever is nearest.
std::string time_against_direct(const lab::Report& report) {
  const Chart::Point *yours = point_in(report, "yours"), *direct = point_in(report, "direct");
  if (!yours || !direct || direct->seconds <= 0) return {};
  constexpr double kLess = 0.75, kMore = 1.5;
  const double part = yours->seconds / direct->seconds;
  return part < kLess ? "half" : part < kMore ? "same" : "twice";
}

/// Whether the bands of two estimates have a time in common.
std::string bands_of(const lab::Report& report) {
  const Chart::Point *a = point_in(report, "direct"), *b = point_in(report, "implicit_gemm");
  if (!a || !b || a->high <= 0 || b->high <= 0) return {};
  if (a->high < b->low) return "direct";
  return b->high < a->low ? "implicit_gemm" : "open";
}

std::string trained_as(const lab::Report& report) {
  const std::string equal = text_argument(report, "trained", "equal");
  return equal.empty() ? "" : text_argument(report, "trained", "falls") + "-" + equal;
}

/// The kernel of the gradient that another one dominates; "none" or "several" where it is not one.
std::string dominated_gradient(const lab::Report& report) {
  const auto* chart = report.find_as<Chart>("gradient");
  if (!chart) return {};
  std::string dominated;
  for (std::size_t i = 0; i < chart->points.size(); ++i) {
    if (lab::is_on_frontier(*chart, i)) continue;
    dominated = dominated.empty() ? chart->points[i].name.text : "several";
  }
  return dominated.empty() ? "none" : dominated;
}

auto argument(const char* id, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, id, name); };
}

std::vector<lab::Parameter> parameters() {
  const std::string words = "capstone.parameter.";
  constexpr std::int64_t kUsualImages = 10, kMostImages = 100;
  return {choice(words, "layer", {"conv2", "conv1"}),
          whole_number(words, "images", "capstone.unit.images", kUsualImages, 1, kMostImages),
          choice(words, "measure", {"sectors", "instructions", "memory"})};
}

std::vector<lab::Preset> presets() {
  const std::string words = "capstone.preset.";
  const auto text = [](const char* value) { return lab::Value(std::string(value)); };
  return {preset(words, "ten-images", {}),
          preset(words, "hundred-images", {{"images", std::int64_t{100}}}),
          preset(words, "first-layer", {{"layer", text("conv1")}}),
          preset(words, "memory", {{"measure", text("memory")}})};
}

std::vector<lab::LiveFigure> figures() {
  std::vector<lab::LiveFigure> all{{"each", argument("own", "each")},
                                   {"blocks", argument("own", "blocks")},
                                   {"warp-products", argument("own", "products")},
                                   {"difference", argument("trained", "difference")},
                                   {"bound", argument("trained", "bound")},
                                   {"loss-first", argument("trained", "first")},
                                   {"loss-last", argument("trained", "last")},
                                   {"loss-ours", argument("trained", "ours_last")}};
  for (const std::string name :
       {"direct", "constant_filter", "im2col_gemm", "implicit_gemm", "winograd", "yours"}) {
    all.push_back({name + "-time", [name](const lab::Report& r) { return time_of(r, name); }});
    all.push_back(band_figure(name));
    all.push_back(
        {name + "-sectors", [name](const lab::Report& r) { return sectors_of(r, name); }});
  }
  std::ranges::move(call_figures(), std::back_inserter(all));
  return all;
}

}  // namespace

capstone::Setting::Setting(const lab::Lab& lab)
    : layer(lab.choice("layer")), images(lab.integer("images")) {
  constexpr auto kMeasures = device::kEnumNames<Chart::Measure>;
  const auto* const named = std::ranges::find(kMeasures, lab.choice("measure"));
  measure = static_cast<Chart::Measure>(named - kMeasures.begin());
}

capstone::Sizes capstone::Setting::sizes() const {
  Sizes all{{"n", images}, {"r", 3}, {"s", 3}, {"stride", 1}, {"pad", 1}, {"dilation", 1}};
  const bool first = layer == "conv1";
  all["c"] = first ? 3 : 8;
  all["k"] = first ? 8 : 16;
  all["h"] = all["w"] = first ? 32 : 16;
  return all;
}

lab::Lesson capstone_chapter() {
  lab::Lesson lesson;
  lesson.slug = "capstone";
  lesson.parameters = parameters();
  lesson.presets = presets();
  lesson.slots = {{capstone::kSlot, "lessons/capstone/variants/layer.cu", {}}};
  lesson.experiment = capstone_experiment;
  lesson.figures = figures();
  lesson.exercises = {"own-convolution"};
  lesson.answers = {{"frontier-size", frontier_size},
                    {"frontier-names", frontier_names},
                    {"sectors-each", sectors_each},
                    {"time-against-direct", time_against_direct},
                    {"bands", bands_of},
                    {"trained", trained_as},
                    {"dominated", dominated_gradient}};
  return lesson;
}

}  // namespace warpbook::lessons
