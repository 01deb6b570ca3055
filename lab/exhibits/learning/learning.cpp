#include "lab/exhibits/learning/learning.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/learning/learning_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Point = LearningExhibit::Point;
using Run = LearningExhibit::Run;

std::string said_of(const Run& run, bool named, const Strings& strings) {
  if (run.points.empty()) return {};
  const Point &first = run.points.front(), &last = run.points.back();
  MessageArguments arguments{{"name", strings(run.name)},
                             {"steps", counted(strings, "learning.steps", last.step)},
                             {"before", loss_text(first.loss)},
                             {"after", loss_text(last.loss)}};
  std::string says = strings(named ? "learning.run" : "learning.falls", arguments);
  if (first.accuracy && last.accuracy && !named) {
    const std::vector<std::string> parts{
        says, strings("learning.right", {{"before", percent_text(*first.accuracy)},
                                         {"after", percent_text(*last.accuracy)}})};
    says = sentences(strings, parts);
  }
  return says;
}

std::optional<double> last_loss(const LearningExhibit& learning) {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return {};
  return learning.runs.front().points.back().loss;
}

std::optional<double> last_accuracy(const LearningExhibit& learning) {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return {};
  const auto& accuracy = learning.runs.front().points.back().accuracy;
  return accuracy ? std::optional(100 * *accuracy) : std::nullopt;
}

std::optional<double> launches_a_step(const LearningExhibit& learning) {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return {};
  return figure_of(std::uint64_t{learning.runs.front().points.front().launches.size()});
}

}  // namespace

std::string sentence_of(const LearningExhibit& learning, const Strings& strings) {
  if (!any_point(learning)) return strings("learning.nothing");
  std::vector<std::string> parts;
  for (const Run& run : learning.runs)
    parts.push_back(said_of(run, learning.runs.size() > 1, strings));
  if (const auto shown = point_of_step(learning, std::uint64_t{0})) {
    const auto& launches = learning.runs.front().points[*shown].launches;
    const auto seconds = seconds_of(launches);
    if (!launches.empty() && seconds)
      parts.push_back(strings("learning.each-takes",
                              {{"launches", counted(strings, "learning.launches", launches.size())},
                               {"time", duration(*seconds)}}));
  }
  return sentences(strings, parts);
}

Table table_of(const LearningExhibit& learning, const Strings& strings) {
  Table table{
      {strings("learning.head.run"), strings("learning.head.step"), strings("learning.head.loss"),
       strings("learning.head.right"), strings("learning.head.launches")},
      {}};
  for (const Run& run : learning.runs) {
    for (const Point& point : run.points)
      table.rows.push_back({strings(run.name), std::to_string(point.step), number(point.loss, 9),
                            point.accuracy ? number(*point.accuracy, 6) : "",
                            point.launches.empty() ? "" : std::to_string(point.launches.size())});
  }
  return table;
}

void compare(const LearningExhibit& a, const LearningExhibit& b, Comparer& comparer) {
  if (a.runs.size() != 1 || b.runs.size() != 1) return;
  comparer.figure("loss", last_loss(a), last_loss(b));
  comparer.figure("right_answers", last_accuracy(a), last_accuracy(b));
  comparer.figure("step_launches", launches_a_step(a), launches_a_step(b));
}

bool valid(const LearningExhibit& v) {
  return std::ranges::all_of(v.runs, [](const Run& run) {
    return std::ranges::is_sorted(run.points, {}, &Point::step) &&
           std::ranges::all_of(run.points, [](const Point& point) {
             const double right = point.accuracy.value_or(0);
             return std::isfinite(point.loss) && right >= 0 && right <= 1;
           });
  });
}

}  // namespace warpbook::lab
