// What the renderers of a tensor share: which view it has, and its elements as the cells of a heat map or the columns of a
// plot, thinned where there are more than have room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {

/// The view that is meant by `automatic`: numbers of up to 256 elements; of more, a heat map where there are rows, else
/// a plot.
TensorExhibit::View view_of(const TensorExhibit& tensor);
/// Those that make sense for it, in the order in which they are offered.
std::vector<TensorExhibit::View> views_of(const TensorExhibit& tensor);

/// A tensor as planes: the last two dimensions are rows and columns, all before them are folded into planes. A list is
/// one row.
struct TensorPlanes {
  std::uint64_t planes = 0, rows = 0, columns = 0;
};
TensorPlanes planes_of(const TensorExhibit& tensor);
/// "[0][2]": the indices that all of a plane's elements have in common; empty where there is one plane only.
std::string plane_name(const TensorExhibit& tensor, std::uint64_t plane);
/// "out[0][2][1][7]", one number a dimension.
std::string place_name(const TensorExhibit& tensor, std::uint64_t index);

/// The ends of the colour scale: of all finite elements. An image of bytes goes from 0 to 255, one of fractions from 0 to 1.
struct TensorScale {
  double low = 0, high = 0;
  [[nodiscard]] double share(double value) const;  ///< 0 to 1; 0.5 where all are alike
};
TensorScale scale_of(const TensorExhibit& tensor, TensorExhibit::View view);
/// The scale that holds both, for two tensors that stand side by side; one without a finite element takes the other's.
TensorScale scale_of_both(const TensorExhibit& a, const TensorExhibit& b, TensorExhibit::View view);

/// What is marked on a cell, beside its colour.
struct TensorMarks {
  bool nan = false, infinite = false, wrong = false;
  friend bool operator==(const TensorMarks&, const TensorMarks&) = default;
};

/// A cell of a heat map or of an image, for step x step elements.
struct TensorCell {
  std::uint64_t index = 0;  ///< whose value it shows; of an image, the first one
  double value = 0;         ///< not finite where no element of the cell is finite
  TensorMarks marks;        ///< of any of its elements
};
/// What a picture in cells may take. Between planes there is a gap, which counts.
struct TensorRoom {
  std::uint64_t columns = 1, most = 1;          ///< cells beside each other, and in all
  std::uint64_t rows = std::uint64_t{1} << 40;  ///< cells below each other
  std::uint64_t gap = 1;                        ///< cells
  std::uint64_t planes = 9;                     ///< rather so many, coarser, than few of a stack
};
/// Planes beside and below each other, each as cells.
struct TensorLayout {
  std::uint64_t planes = 0, more_planes = 0;        ///< shown, and without room
  std::uint64_t across = 0;                         ///< planes beside each other
  std::uint64_t plane_columns = 0, plane_rows = 0;  ///< cells of one plane
  std::uint64_t step = 1;                           ///< a cell stands for step x step elements
  /// Every element has a cell of its own.
  [[nodiscard]] bool whole() const { return step == 1 && more_planes == 0; }
};
/// As fine as the room allows. Nothing of the data is looked at but how much there is.
TensorLayout layout_of(const TensorExhibit& tensor, const TensorRoom& room);

struct TensorRaster : TensorLayout {
  std::vector<TensorCell> cells;  ///< by plane, row by row
  [[nodiscard]] const TensorCell& at(std::uint64_t plane, std::uint64_t row,
                                     std::uint64_t column) const {
    return cells[(plane * plane_rows + row) * plane_columns + column];
  }
};
/// Of a heat map a cell shows the element that is furthest from the mean of all, so that extremes stay visible; of an
/// image the mean of its own elements.
TensorRaster raster_with(const TensorExhibit& tensor, TensorExhibit::View view,
                         const TensorLayout& layout);
TensorRaster raster_of(const TensorExhibit& tensor, TensorExhibit::View view,
                       const TensorRoom& room);

/// Of a cell that stands for several elements: the first and the last of them, and what it shows of them.
std::string cell_text(const TensorExhibit& tensor, TensorExhibit::View view,
                      const TensorRaster& raster, std::size_t cell, const Strings& strings);

/// How it was thinned, and what has no room; empty where all is shown.
std::vector<std::string> remarks_of(const TensorLayout& layout, TensorExhibit::View view,
                                    const Strings& strings);

/// A column of a plot, for consecutive elements.
struct TensorColumn {
  std::uint64_t first = 0, count = 0;  ///< elements
  bool any_finite = false;
  double low = 0, high = 0;  ///< of its finite elements, both kept
  TensorMarks marks;
};
std::vector<TensorColumn> plot_of(const TensorExhibit& tensor, std::uint64_t most);

/// For a terminal: the views beside the table.
void text_plot(const TensorExhibit& tensor, const Strings& strings, Page& page);
void text_heat(const TensorExhibit& tensor, TensorExhibit::View view, const Strings& strings,
               Page& page);

}  // namespace warpbook::lab
