#include "lab/exhibits/boundary/boundary_summary.hpp"

#include <algorithm>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {

std::uint64_t wrong_in(const BoundaryExhibit& boundary, std::size_t frame) {
  std::uint64_t wrong = 0;
  const auto& answers = boundary.frames[frame].answers;
  for (std::size_t i = 0; i < answers.size(); ++i)
    wrong += answers[i] == boundary.labels[i] ? 0 : 1;
  return wrong;
}

double share_of_class(const BoundaryExhibit& boundary, std::size_t frame, std::uint32_t which) {
  const auto& cells = boundary.frames[frame].cells;
  if (cells.empty()) return 0;
  return static_cast<double>(std::ranges::count(cells, which)) / static_cast<double>(cells.size());
}

std::optional<std::size_t> frame_of_step(const BoundaryExhibit& boundary,
                                         const std::optional<std::uint64_t>& step) {
  if (boundary.frames.empty()) return {};
  if (!step) return boundary.frames.size() - 1;
  const auto after =
      std::ranges::upper_bound(boundary.frames, *step, {}, &BoundaryExhibit::Frame::step);
  return after == boundary.frames.begin()
             ? 0
             : static_cast<std::size_t>(after - boundary.frames.begin()) - 1;
}

std::string frame_text(const BoundaryExhibit& boundary, std::size_t frame, const Strings& strings) {
  return strings("boundary.frame",
                 {{"step", grouped(boundary.frames[frame].step)},
                  {"wrong", grouped(wrong_in(boundary, frame))},
                  {"points", counted(strings, "boundary.points", boundary.labels.size())}});
}

}  // namespace warpbook::lab
