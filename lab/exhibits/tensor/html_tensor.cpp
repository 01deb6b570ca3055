#include <algorithm>
#include <cmath>

#include "lab/exhibits/tensor/heat_picture.hpp"
#include "lab/exhibits/tensor/plot_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kHtmlTensorMostRows = 32, kHtmlTensorMostNumbers = 32;  ///< of a table
constexpr double kHtmlTensorWidth = 768;

std::string html_table_of(const TensorExhibit& tensor, const Strings& strings) {
  const bool list = tensor.shape.size() < 2;
  const std::uint64_t row_length = list ? std::min(held(tensor), kHtmlTensorMostNumbers)
                                        : std::max<std::uint64_t>(1, tensor.shape.back());
  const std::uint64_t all_rows = (held(tensor) + row_length - 1) / row_length;
  const std::uint64_t columns = std::min(row_length, kHtmlTensorMostNumbers);
  std::vector<std::uint64_t> wrong = tensor.wrong;
  std::ranges::sort(wrong);
  std::string rows;
  std::uint64_t shown = 0;
  for (std::uint64_t r = 0; r < std::min(all_rows, kHtmlTensorMostRows); ++r) {
    std::string cells = "<th scope=\"row\">" + std::to_string(list ? r * row_length : r) + "</th>";
    for (std::uint64_t c = 0; c < columns && r * row_length + c < held(tensor); ++c, ++shown) {
      const std::uint64_t index = r * row_length + c;
      const bool bad = std::ranges::binary_search(wrong, index);
      cells += tagged("td", bad ? "wb-wrong" : "",
                      escaped(element_figure(tensor, index)) + (bad ? "✗" : ""));
    }
    rows += tagged("tr", "", cells);
  }
  std::string html = tagged("table", "wb-table wb-tensor", tagged("tbody", "", rows));
  if (shown < held(tensor))
    html += tagged("p", "wb-more", escaped(counted(strings, "tensor.more", held(tensor) - shown)));
  return html;
}

std::string remark(const std::string& text) { return tagged("p", "wb-more", escaped(text)); }

/// Its own scale, or that of both.
TensorScale html_scale(const TensorExhibit& tensor, const TensorExhibit* beside,
                       TensorExhibit::View view) {
  return beside ? scale_of_both(tensor, *beside, view) : scale_of(tensor, view);
}

std::string shared_scale(const TensorScale& scale, const Strings& strings) {
  return remark(
      strings("tensor.shared-scale", {{"low", number(scale.low)}, {"high", number(scale.high)}}));
}

std::string heat_of(const TensorExhibit& tensor, const TensorExhibit* beside,
                    TensorExhibit::View view, const Strings& strings, const std::string& caption) {
  const HeatLayout layout = cell_layout(tensor, view, kHtmlTensorWidth);
  const HeatCells cells = heat_cells(tensor, view, layout.cells);
  const TensorScale scale = html_scale(tensor, beside, view);
  std::string html = svg_of(drawing_of({tensor, view, layout, cells, scale, std::nullopt},
                                       svg_canvas(kHtmlTensorWidth, strings)),
                            caption);
  if (beside) html += shared_scale(scale, strings);
  for (const std::string& said : remarks_of(cells.raster, view, strings)) html += remark(said);
  return html;
}

std::string plot_html(const TensorExhibit& tensor, const TensorExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  const Canvas canvas = svg_canvas(kHtmlTensorWidth, strings);
  const std::vector<TensorColumn> columns = plot_of(tensor, plot_columns(canvas.width));
  const TensorScale scale = html_scale(tensor, beside, TensorExhibit::View::plot);
  const PlotLayout layout(columns, scale, canvas);
  std::string html =
      svg_of(drawing_of(columns, scale, layout, std::nullopt, canvas), caption) +
      remark(strings("tensor.axis", {{"low", number(scale.low)}, {"high", number(scale.high)}}));
  if (beside) html += shared_scale(scale, strings);
  if (!columns.empty() && columns.front().count > 1)
    html += remark(strings("tensor.step.plot", {{"step", grouped(columns.front().count)}}));
  return html;
}

/// What the marks mean, of those that are there, and the first wrong elements by name.
std::string marks_of(const TensorExhibit& tensor, const Strings& strings) {
  std::string html;
  bool nan = false, infinite = false;
  for (std::uint64_t i = 0; i < held(tensor) && !(nan && infinite); ++i) {
    const double value = element(tensor, i);
    nan = nan || std::isnan(value);
    infinite = infinite || std::isinf(value);
  }
  if (nan) html += remark(strings("tensor.mark.nan"));
  if (infinite) html += remark(strings("tensor.mark.infinite"));
  if (!tensor.wrong.empty()) html += remark(strings("tensor.mark.wrong"));
  return html;
}

}  // namespace

std::string html_body(const TensorExhibit& tensor, const TensorExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (held(tensor) == 0) return {};
  switch (const TensorExhibit::View view = view_of(tensor)) {
    case TensorExhibit::View::plot:
      return plot_html(tensor, beside, strings, caption) + marks_of(tensor, strings);
    case TensorExhibit::View::heat:
    case TensorExhibit::View::image:
      return heat_of(tensor, beside, view, strings, caption) + marks_of(tensor, strings);
    case TensorExhibit::View::automatic:
    case TensorExhibit::View::table: break;
  }
  return html_table_of(tensor, strings);
}

}  // namespace warpbook::lab
