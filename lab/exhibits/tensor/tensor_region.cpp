#include "lab/exhibits/tensor/tensor_region.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kLeastInSight = 8;  ///< rows or columns, whichever are more

/// As many as are left of `all` after so many steps.
std::uint64_t in_sight(std::uint64_t all, std::uint64_t steps) {
  const double left = static_cast<double>(all) / std::pow(2.0, static_cast<double>(steps) / 2);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(left)), 1,
                                   std::max<std::uint64_t>(1, all));
}

std::uint64_t first_of(std::int64_t wanted, std::uint64_t all, std::uint64_t shown) {
  const std::uint64_t last = all - std::min(all, shown);
  return wanted <= 0 ? 0 : std::min(static_cast<std::uint64_t>(wanted), last);
}

/// The first of `shown` in a row from which on `at` is in sight, as near to `first` as may be.
std::uint64_t with(std::uint64_t at, std::uint64_t first, std::uint64_t shown) {
  if (at < first) return at;
  return at >= first + shown ? at - shown + 1 : first;
}

std::uint64_t plane_size(const TensorPlanes& planes) { return planes.rows * planes.columns; }

}  // namespace

std::uint64_t most_steps(const TensorPlanes& planes) {
  std::uint64_t steps = 0;
  while (in_sight(std::max(planes.rows, planes.columns), steps) > kLeastInSight) ++steps;
  return steps;
}

TensorRegion region_of(const TensorLook& look, const TensorPlanes& planes) {
  const std::uint64_t steps = std::min(look.steps, most_steps(planes));
  TensorRegion region;
  if (look.plane && planes.planes > 1) region.plane = std::min(*look.plane, planes.planes - 1);
  region.rows = in_sight(planes.rows, steps);
  region.columns = in_sight(planes.columns, steps);
  region.row = first_of(look.row, planes.rows, region.rows);
  region.column = first_of(look.column, planes.columns, region.columns);
  return region;
}

bool is_whole(const TensorRegion& region, const TensorPlanes& planes) {
  return !region.plane && region.rows == planes.rows && region.columns == planes.columns;
}

TensorLook moved_to(const TensorLook& look, const TensorPlanes& planes, std::int64_t row,
                    std::int64_t column) {
  TensorLook moved = look;
  moved.row = row;
  moved.column = column;
  const TensorRegion region = region_of(moved, planes);
  moved.row = static_cast<std::int64_t>(region.row);
  moved.column = static_cast<std::int64_t>(region.column);
  return moved;
}

TensorLook closer(const TensorLook& look, const TensorPlanes& planes, std::int64_t steps,
                  const Point& about) {
  const TensorRegion before = region_of(look, planes);
  TensorLook after = look;
  after.steps = static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(look.steps) + steps, 0,
                               static_cast<std::int64_t>(most_steps(planes))));
  const TensorRegion now = region_of(after, planes);
  const auto first = [](std::uint64_t from, std::uint64_t was, std::uint64_t is, double share) {
    return std::llround(static_cast<double>(from) +
                        share * (static_cast<double>(was) - static_cast<double>(is)));
  };
  return moved_to(after, planes, first(before.row, before.rows, now.rows, about.y),
                  first(before.column, before.columns, now.columns, about.x));
}

TensorLook showing(const TensorLook& look, const TensorPlanes& planes, std::uint64_t element) {
  const std::uint64_t size = plane_size(planes);
  if (size == 0) return look;
  const TensorRegion region = region_of(look, planes);
  TensorLook moved = look;
  if (look.plane) moved.plane = element / size;
  return moved_to(
      moved, planes,
      static_cast<std::int64_t>(with(element % size / planes.columns, region.row, region.rows)),
      static_cast<std::int64_t>(with(element % planes.columns, region.column, region.columns)));
}

TensorLook at_next_plane(const TensorLook& look, const TensorPlanes& planes, int by) {
  TensorLook next = look;
  if (!look.plane) {
    next.plane = by > 0 ? 0 : planes.planes - 1;
  } else if ((by < 0 && *look.plane == 0) || (by > 0 && *look.plane + 1 >= planes.planes)) {
    next.plane.reset();
  } else {
    next.plane = by > 0 ? *look.plane + 1 : *look.plane - 1;
  }
  return next;
}

std::uint64_t element_of_whole(const TensorPlanes& planes, const TensorRegion& region,
                               std::uint64_t element) {
  const std::uint64_t size = region.rows * region.columns, plane = region.plane.value_or(0);
  if (size == 0) return 0;
  return (plane + element / size) * plane_size(planes) +
         (region.row + element % size / region.columns) * planes.columns + region.column +
         element % region.columns;
}

std::optional<std::uint64_t> element_of_region(const TensorPlanes& planes,
                                               const TensorRegion& region, std::uint64_t element) {
  const std::uint64_t size = plane_size(planes);
  if (size == 0) return std::nullopt;
  std::uint64_t plane = element / size;
  const std::uint64_t row = element % size / planes.columns, column = element % planes.columns;
  if (region.plane && plane != *region.plane) return std::nullopt;
  if (region.plane) plane = 0;
  if (row < region.row || row >= region.row + region.rows || column < region.column ||
      column >= region.column + region.columns)
    return std::nullopt;
  return (plane * region.rows + row - region.row) * region.columns + column - region.column;
}

TensorExhibit cut(const TensorExhibit& tensor, const TensorRegion& region) {
  const TensorPlanes planes = planes_of(tensor);
  TensorExhibit made{tensor.name, tensor.type, {}, {}, {}};
  made.view = tensor.view;
  const std::uint64_t first = region.plane.value_or(0), count = region.plane ? 1 : planes.planes;
  if (!region.plane && tensor.shape.size() > 2)
    made.shape.assign(tensor.shape.begin(), tensor.shape.end() - 2);
  made.shape.push_back(region.rows);
  made.shape.push_back(region.columns);
  const std::uint64_t each = device::size_of(tensor.type), line = region.columns * each;
  made.data.reserve(count * region.rows * line);
  for (std::uint64_t plane = first; plane < first + count; ++plane) {
    for (std::uint64_t row = region.row; row < region.row + region.rows; ++row) {
      const std::uint64_t from =
          ((plane * planes.rows + row) * planes.columns + region.column) * each;
      if (from + line > tensor.data.size()) return made;  // the data ended before the shape
      const auto begin = tensor.data.begin() + static_cast<std::ptrdiff_t>(from);
      made.data.insert(made.data.end(), begin, begin + static_cast<std::ptrdiff_t>(line));
    }
  }
  for (const std::uint64_t wrong : tensor.wrong) {
    if (const auto at = element_of_region(planes, region, wrong)) made.wrong.push_back(*at);
  }
  return made;
}

}  // namespace warpbook::lab
