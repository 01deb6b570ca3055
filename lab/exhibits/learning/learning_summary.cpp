#include "lab/exhibits/learning/learning_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Launch = LearningExhibit::Launch;
using Point = LearningExhibit::Point;

constexpr double kManyPowers = 2;  ///< of ten, from which on a logarithmic axis shows more
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The least and the greatest loss above 0, and whether there is one of 0.
struct Losses {
  double least = kInfinity, greatest = 0;
  bool zero = false;
  void add(const LearningExhibit& learning) {
    for (const auto& run : learning.runs) {
      for (const Point& point : run.points) {
        zero |= point.loss <= 0;
        if (point.loss <= 0) continue;
        least = std::min(least, point.loss);
        greatest = std::max(greatest, point.loss);
      }
    }
  }
};

LearningBounds bounds_for(const Losses& losses, std::uint64_t steps) {
  LearningBounds bounds;
  bounds.last = static_cast<double>(std::max<std::uint64_t>(1, steps));
  if (losses.greatest == 0) return bounds;
  bounds.logarithmic = std::log10(losses.greatest / losses.least) > kManyPowers;
  bounds.high = losses.greatest;
  if (!bounds.logarithmic) return bounds;
  // A loss of 0 lies on the lower edge, a power of ten below the others.
  bounds.low = std::floor(std::log10(losses.least)) - (losses.zero ? 1 : 0);
  bounds.high = std::ceil(std::log10(losses.greatest));
  return bounds;
}

std::uint64_t last_step(const LearningExhibit& learning) {
  std::uint64_t last = learning.steps;
  for (const auto& run : learning.runs)
    if (!run.points.empty()) last = std::max(last, run.points.back().step);
  return last;
}

std::string time_text(double seconds, const Strings& strings) {
  return seconds > 0 ? duration(seconds) : strings("learning.no-estimate");
}

std::string layer_text(const Launch& launch, const Strings& strings) {
  return launch.layer.empty() ? strings("learning.network") : launch.layer;
}

std::string pass_text(const Launch& launch, const Strings& strings) {
  return strings("learning.pass." + std::string(name_of(launch.pass)));
}

}  // namespace

bool any_point(const LearningExhibit& learning) {
  return std::ranges::any_of(learning.runs, [](const auto& run) { return !run.points.empty(); });
}

bool any_accuracy(const LearningExhibit& learning) {
  return std::ranges::any_of(learning.runs, [](const auto& run) {
    return std::ranges::any_of(run.points,
                               [](const Point& point) { return point.accuracy.has_value(); });
  });
}

std::optional<std::size_t> point_of_step(const LearningExhibit& learning,
                                         const std::optional<std::uint64_t>& step) {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return {};
  const std::vector<Point>& points = learning.runs.front().points;
  if (!step) return points.size() - 1;
  const auto after = std::ranges::upper_bound(points, *step, {}, &Point::step);
  return after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
}

LearningBounds bounds_of(const LearningExhibit& learning) {
  Losses losses;
  losses.add(learning);
  return bounds_for(losses, last_step(learning));
}

LearningBounds bounds_of(const LearningExhibit& a, const LearningExhibit& b) {
  Losses losses;
  losses.add(a);
  losses.add(b);
  return bounds_for(losses, std::max(last_step(a), last_step(b)));
}

double ordinate(const LearningBounds& bounds, double loss) {
  if (!bounds.logarithmic) return loss;
  return loss > 0 ? std::log10(loss) : bounds.low;
}

std::vector<double> loss_ticks(const LearningBounds& bounds) {
  constexpr std::size_t kMostDecades = 6;
  if (bounds.logarithmic)
    return decades_of(std::pow(10, bounds.low), std::pow(10, bounds.high), kMostDecades);
  return multiples_of(round_step(bounds.high / 4), 0, bounds.high);
}

std::optional<double> seconds_of(const std::vector<Launch>& launches) {
  double seconds = 0;
  for (const Launch& launch : launches) {
    if (!(launch.seconds > 0)) return {};
    seconds += launch.seconds;
  }
  return seconds;
}

std::vector<double> shares_of(const std::vector<Launch>& launches) {
  const auto seconds = seconds_of(launches);
  std::vector<double> shares;
  for (const Launch& launch : launches)
    shares.push_back(seconds ? launch.seconds / *seconds
                             : 1 / static_cast<double>(launches.size()));
  return shares;
}

std::string loss_text(double loss) { return figure(loss, 3); }

std::string percent_text(double share) { return number(100 * share, 3) + " %"; }

std::string point_text(const Point& point, const Strings& strings) {
  std::vector<std::string> parts{
      point.accuracy
          ? strings("learning.point-accuracy", {{"step", grouped(point.step)},
                                                {"loss", loss_text(point.loss)},
                                                {"accuracy", percent_text(*point.accuracy)}})
          : strings("learning.point",
                    {{"step", grouped(point.step)}, {"loss", loss_text(point.loss)}})};
  if (!point.launches.empty()) {
    const std::string launches = counted(strings, "learning.launches", point.launches.size());
    const auto seconds = seconds_of(point.launches);
    parts.push_back(seconds ? strings("learning.step-takes",
                                      {{"launches", launches}, {"time", duration(*seconds)}})
                            : strings("learning.step-makes", {{"launches", launches}}));
  }
  return sentences(strings, parts);
}

std::string launch_text(const Point& point, std::size_t launch, const Strings& strings) {
  const Launch& one = point.launches[launch];
  return strings("learning.launch", {{"number", grouped(launch + 1)},
                                     {"layer", layer_text(one, strings)},
                                     {"pass", pass_text(one, strings)},
                                     {"operation", one.operation},
                                     {"blocks", counted(strings, "count.blocks", one.blocks)},
                                     {"instructions", grouped(one.warp_instructions)},
                                     {"bytes", byte_count(one.bytes)},
                                     {"time", time_text(one.seconds, strings)}});
}

std::vector<std::string> launch_heads(const Strings& strings) {
  std::vector<std::string> heads;
  for (const char* column :
       {"number", "layer", "pass", "operation", "blocks", "instructions", "bytes", "time"})
    heads.push_back(strings(std::string("learning.head.") + column));
  return heads;
}

std::vector<std::string> launch_cells(const Point& point, std::size_t launch,
                                      const Strings& strings) {
  const Launch& one = point.launches[launch];
  return {grouped(launch + 1),     layer_text(one, strings),
          pass_text(one, strings), one.operation,
          grouped(one.blocks),     grouped(one.warp_instructions),
          byte_count(one.bytes),   time_text(one.seconds, strings)};
}

std::vector<std::size_t> points_for_table(const LearningExhibit::Run& run, std::size_t most) {
  const std::size_t points = run.points.size();
  const std::size_t each = std::max<std::size_t>(1, (points + most - 1) / most);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < points; i += each) chosen.push_back(i);
  if (!chosen.empty()) chosen.back() = points - 1;
  return chosen;
}

}  // namespace warpbook::lab
