#include "lab/exhibits/tensor/tensor_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using View = TensorExhibit::View;

constexpr std::uint64_t kMostNumbers =
    256;  ///< that are shown as numbers unless asked for otherwise
/// One plane of a large stack says little: rather several, coarser, as long as each has so many cells a side.
constexpr std::uint64_t kFine = 18;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

bool is_float(device::ElementType type) {
  using device::ElementType;
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 ||
         type == ElementType::f64;
}

/// Sorted, so that a cell finds its wrong elements by halving.
std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> indices) {
  if (!std::ranges::is_sorted(indices)) std::ranges::sort(indices);
  return indices;
}
bool any_between(const std::vector<std::uint64_t>& wrong, std::uint64_t first, std::uint64_t past) {
  const auto found = std::ranges::lower_bound(wrong, first);
  return found != wrong.end() && *found < past;
}

/// Of the finite elements; 0 where there is none.
double mean_of(const TensorExhibit& tensor) {
  double sum = 0, compensation = 0;  // Kahan: ten million floats of one sign
  std::uint64_t finite = 0;
  for (std::uint64_t i = 0; i < held(tensor); ++i) {
    const double value = element(tensor, i);
    if (!std::isfinite(value)) continue;
    const double part = value - compensation, next = sum + part;
    compensation = (next - sum) - part;
    sum = next;
    ++finite;
  }
  const double mean = finite == 0 ? 0 : sum / static_cast<double>(finite);
  return std::isfinite(mean) ? mean : 0;
}

/// Gathers the elements of one cell.
class Gathering {
 public:
  Gathering(View view, double mean) : view_(view), mean_(mean) {}

  void take(std::uint64_t index, double value) {
    if (first_) cell_.index = index;
    first_ = false;
    if (std::isnan(value)) cell_.marks.nan = true;
    if (std::isinf(value)) {
      cell_.marks.infinite = true;
      infinity_ = value;
    }
    if (!std::isfinite(value)) return;
    sum_ += value;
    const bool first_finite = finite_++ == 0;
    if (first_finite || std::fabs(value - mean_) > std::fabs(furthest_ - mean_)) {
      furthest_ = value;
      if (view_ == View::heat) cell_.index = index;
    }
  }
  [[nodiscard]] TensorCell cell() const {
    TensorCell made = cell_;
    if (finite_ == 0)
      made.value = cell_.marks.infinite ? infinity_ : std::numeric_limits<double>::quiet_NaN();
    else
      made.value = view_ == View::image ? sum_ / static_cast<double>(finite_) : furthest_;
    return made;
  }

 private:
  View view_;
  double mean_, sum_ = 0, furthest_ = 0, infinity_ = 0;
  std::uint64_t finite_ = 0;
  bool first_ = true;
  TensorCell cell_;
};

/// How many planes of so many cells lie beside each other in `room` cells, one at least.
std::uint64_t beside(std::uint64_t room, std::uint64_t cells, std::uint64_t gap) {
  return std::max<std::uint64_t>(1, (room + gap) / (cells + gap));
}

/// The step from which on a side may have room; below it, it has none.
std::uint64_t least_step(const TensorPlanes& shape, const TensorRoom& room) {
  return std::max(
      {std::uint64_t{1}, ceil_div(shape.columns, room.columns), ceil_div(shape.rows, room.rows)});
}

}  // namespace

View view_of(const TensorExhibit& tensor) {
  if (tensor.view != View::automatic) return tensor.view;
  if (held(tensor) <= kMostNumbers) return View::table;
  const TensorPlanes shape = planes_of(tensor);
  return shape.rows > 1 || shape.planes > 1 ? View::heat : View::plot;
}

std::vector<View> views_of(const TensorExhibit& tensor) {
  std::vector<View> views{View::table, View::plot, View::heat};
  if (planes_of(tensor).rows > 1 || tensor.view == View::image) views.push_back(View::image);
  return views;
}

TensorPlanes planes_of(const TensorExhibit& tensor) {
  if (held(tensor) == 0) return {};
  const std::size_t rank = tensor.shape.size();
  if (rank < 2) return {1, 1, held(tensor)};
  TensorPlanes shape{1, tensor.shape[rank - 2], tensor.shape[rank - 1]};
  for (std::size_t d = 0; d + 2 < rank; ++d) shape.planes *= tensor.shape[d];
  return shape;
}

std::string plane_name(const TensorExhibit& tensor, std::uint64_t plane) {
  if (planes_of(tensor).planes < 2) return {};
  std::string name;
  for (std::size_t d = tensor.shape.size() - 2; d-- > 0;) {
    name.insert(0, "[" + std::to_string(plane % tensor.shape[d]) + "]");
    plane /= tensor.shape[d];
  }
  return name;
}

std::string place_name(const TensorExhibit& tensor, std::uint64_t index) {
  std::string name;
  std::uint64_t rest = index;
  for (std::size_t d = tensor.shape.size(); d-- > 1;) {
    const std::uint64_t extent = std::max<std::uint64_t>(1, tensor.shape[d]);
    name.insert(0, "[" + std::to_string(rest % extent) + "]");
    rest /= extent;
  }
  return tensor.name + "[" + std::to_string(rest) + "]" + name;
}

double TensorScale::share(double value) const {
  if (std::isnan(value)) return 0;
  if (!(high > low)) return 0.5;
  // Halves first: the whole range may be more than a double holds.
  return std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
}

TensorScale scale_of(const TensorExhibit& tensor, View view) {
  const TensorRange range = range_of(tensor);
  TensorScale scale;
  if (range.any_finite) scale = {element(tensor, range.lowest), element(tensor, range.highest)};
  if (view != View::image) return scale;
  if (tensor.type == device::ElementType::u8) return {0, 255};
  if (is_float(tensor.type) && scale.low >= 0 && scale.high <= 1) return {0, 1};
  return scale;
}

TensorScale scale_of_both(const TensorExhibit& a, const TensorExhibit& b, View view) {
  const TensorScale in_a = scale_of(a, view), in_b = scale_of(b, view);
  if (!range_of(b).any_finite) return in_a;
  if (!range_of(a).any_finite) return in_b;
  return {std::min(in_a.low, in_b.low), std::max(in_a.high, in_b.high)};
}

TensorLayout layout_of(const TensorExhibit& tensor, const TensorRoom& room) {
  TensorLayout layout;
  const TensorPlanes shape = planes_of(tensor);
  if (shape.planes == 0) return layout;
  for (layout.step = least_step(shape, room);; ++layout.step) {
    layout.plane_columns = ceil_div(shape.columns, layout.step);
    layout.plane_rows = ceil_div(shape.rows, layout.step);
    const bool smallest = layout.plane_columns <= 1 && layout.plane_rows <= 1;
    const std::uint64_t each = layout.plane_columns * layout.plane_rows;
    if (each > room.most && !smallest) {
      // One step would do it where both extents shrink alike; less is tried from there on.
      const double ratio = std::sqrt(static_cast<double>(each) / static_cast<double>(room.most));
      layout.step = std::max(
          layout.step,
          static_cast<std::uint64_t>(static_cast<double>(layout.step) * std::min(ratio, 1e9)) - 1);
      continue;
    }
    layout.across = beside(room.columns, layout.plane_columns, room.gap);
    layout.planes = std::min({shape.planes, std::max<std::uint64_t>(1, room.most / each),
                              layout.across * beside(room.rows, layout.plane_rows, room.gap)});
    const bool coarse = layout.plane_columns <= kFine && layout.plane_rows <= kFine;
    if (layout.planes >= std::min(shape.planes, room.planes) || coarse || smallest) break;
  }
  layout.more_planes = shape.planes - layout.planes;
  layout.across = std::min(layout.across, layout.planes);
  return layout;
}

TensorRaster raster_of(const TensorExhibit& tensor, View view, const TensorRoom& room) {
  return raster_with(tensor, view, layout_of(tensor, room));
}

TensorRaster raster_with(const TensorExhibit& tensor, View view, const TensorLayout& layout) {
  TensorRaster raster{layout, {}};
  const TensorPlanes shape = planes_of(tensor);
  const std::vector<std::uint64_t> wrong = sorted(tensor.wrong);
  const double mean = view == View::heat && raster.step > 1 ? mean_of(tensor) : 0;
  const std::uint64_t elements = held(tensor), step = raster.step;
  raster.cells.reserve(raster.planes * raster.plane_rows * raster.plane_columns);
  for (std::uint64_t plane = 0; plane < raster.planes; ++plane) {
    for (std::uint64_t row = 0; row < raster.plane_rows; ++row) {
      for (std::uint64_t column = 0; column < raster.plane_columns; ++column) {
        Gathering gathering(view, mean);
        bool bad = false;
        for (std::uint64_t y = row * step; y < std::min(shape.rows, (row + 1) * step); ++y) {
          const std::uint64_t line = (plane * shape.rows + y) * shape.columns;
          if (line >= elements) break;  // the data may end before the shape does
          const std::uint64_t first = std::min(elements, line + column * step),
                              past = std::min(elements,
                                              line + std::min(shape.columns, (column + 1) * step));
          for (std::uint64_t i = first; i < past; ++i) gathering.take(i, element(tensor, i));
          bad = bad || any_between(wrong, first, past);
        }
        TensorCell cell = gathering.cell();
        cell.marks.wrong = bad;
        raster.cells.push_back(cell);
      }
    }
  }
  return raster;
}

std::string cell_text(const TensorExhibit& tensor, View view, const TensorRaster& raster,
                      std::size_t cell, const Strings& strings) {
  const TensorPlanes shape = planes_of(tensor);
  const std::uint64_t plane = cell / (raster.plane_rows * raster.plane_columns),
                      top = cell / raster.plane_columns % raster.plane_rows * raster.step,
                      left = cell % raster.plane_columns * raster.step,
                      bottom = std::min(shape.rows, top + raster.step) - 1,
                      right = std::min(shape.columns, left + raster.step) - 1;
  const auto name = [&](std::uint64_t row, std::uint64_t column) {
    return place_name(tensor, (plane * shape.rows + row) * shape.columns + column);
  };
  const TensorCell& shown = raster.cells[cell];
  std::string says = strings(view == View::image ? "tensor.cell.image" : "tensor.cell.heat",
                             {{"first", name(top, left)},
                              {"last", name(bottom, right)},
                              {"element", place_name(tensor, shown.index)},
                              {"value", std::isfinite(shown.value) && view == View::image
                                            ? figure(shown.value)
                                            : element_figure(tensor, shown.index)}});
  const auto add = [&](bool there, std::string_view key) {
    if (there) says += "   " + strings(key);
  };
  add(shown.marks.nan, "tensor.mark.nan");
  add(shown.marks.infinite, "tensor.mark.infinite");
  add(shown.marks.wrong, "tensor.mark.wrong");
  return says;
}

std::vector<std::string> remarks_of(const TensorLayout& layout, View view, const Strings& strings) {
  std::vector<std::string> remarks;
  if (layout.step > 1) {
    remarks.push_back(strings(view == View::image ? "tensor.step.image" : "tensor.step.heat",
                              {{"step", grouped(layout.step)}}));
  }
  if (layout.more_planes != 0)
    remarks.push_back(counted(strings, "tensor.more-planes", layout.more_planes));
  return remarks;
}

std::vector<TensorColumn> plot_of(const TensorExhibit& tensor, std::uint64_t most) {
  std::vector<TensorColumn> columns;
  const std::uint64_t elements = held(tensor),
                      step = ceil_div(elements, std::max<std::uint64_t>(1, most));
  const std::vector<std::uint64_t> wrong = sorted(tensor.wrong);
  for (std::uint64_t first = 0; first < elements; first += step) {
    TensorColumn column;
    column.first = first;
    column.count = std::min(step, elements - first);
    for (std::uint64_t i = first; i < first + column.count; ++i) {
      const double value = element(tensor, i);
      column.marks.nan = column.marks.nan || std::isnan(value);
      column.marks.infinite = column.marks.infinite || std::isinf(value);
      if (!std::isfinite(value)) continue;
      column.low = column.any_finite ? std::min(column.low, value) : value;
      column.high = column.any_finite ? std::max(column.high, value) : value;
      column.any_finite = true;
    }
    column.marks.wrong = any_between(wrong, first, first + column.count);
    columns.push_back(column);
  }
  return columns;
}

}  // namespace warpbook::lab
