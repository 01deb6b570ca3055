// What the renderers of a training share: its figures, and its points and launches in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/learning/learning.hpp"

namespace warpbook::lab {

/// Whether there is a point to show.
bool any_point(const LearningExhibit& learning);
/// Whether a point of any run has a share of right answers.
bool any_accuracy(const LearningExhibit& learning);
/// Of the first run: the point of that step or the last one before it; without a step, the last point. Of a run without points: none.
std::optional<std::size_t> point_of_step(const LearningExhibit& learning,
                                         const std::optional<std::uint64_t>& step);

/// The axes that hold all points.
struct LearningBounds {
  double last = 1;           ///< step; the first is 0
  double low = 0, high = 1;  ///< of the losses, as ordinate() has them
  bool logarithmic = false;  ///< losses of more than two powers of ten
};
LearningBounds bounds_of(const LearningExhibit& learning);
/// Both trainings in one picture.
LearningBounds bounds_of(const LearningExhibit& a, const LearningExhibit& b);
/// The loss, or on a logarithmic axis its power of ten. A loss of 0 lies on the lower edge.
double ordinate(const LearningBounds& bounds, double loss);
/// Where lines of the grid lie, by their losses.
std::vector<double> loss_ticks(const LearningBounds& bounds);

/// The launches' estimated times together; nothing where one has none.
std::optional<double> seconds_of(const std::vector<LearningExhibit::Launch>& launches);
/// How large each launch is drawn: its share of the estimated time, or equal shares where there is no estimate.
std::vector<double> shares_of(const std::vector<LearningExhibit::Launch>& launches);

std::string loss_text(double loss);
std::string percent_text(double share);
/// "step 20: loss 0.5, 84 % right; 28 launches, 134 µs"
std::string point_text(const LearningExhibit::Point& point, const Strings& strings);
/// "3. fc1, forward: activation_relu, 1 block, 89 warp instructions, 128 B, 1.81 µs"
std::string launch_text(const LearningExhibit::Point& point, std::size_t launch,
                        const Strings& strings);

/// The heads of the columns of a table of launches, and each launch's cells.
std::vector<std::string> launch_heads(const Strings& strings);
std::vector<std::string> launch_cells(const LearningExhibit::Point& point, std::size_t launch,
                                      const Strings& strings);
/// At most `most` points of a run, evenly, the first and the last among them.
std::vector<std::size_t> points_for_table(const LearningExhibit::Run& run, std::size_t most);

}  // namespace warpbook::lab
