#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kHtmlTensorMostRows = 32, kHtmlTensorMostNumbers = 32;  ///< of a table
constexpr std::uint64_t kHtmlTensorMostColumns = 72, kHtmlTensorMostCells = 2304,
                        kMostPlotColumns = 320;
constexpr double kHtmlTensorCell = 9, kPlaneGap = 1, kHtmlTensorTitle = 14, kPlotHeight = 140,
                 kColumnWidth = 2;
constexpr unsigned kHtmlTensorSteps = 10;

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

/// How a cell looks: a step of the sequence or a grey, or a mark of what has no place on the scale.
std::string look_of(const TensorCell& cell, const TensorScale& scale, TensorExhibit::View view) {
  std::string look;
  if (cell.marks.nan) {
    look = "class=\"wb-nan";
  } else if (cell.marks.infinite) {
    look = "class=\"wb-infinite";
  } else if (std::isnan(cell.value)) {
    return {};
  } else if (view == TensorExhibit::View::image) {
    const auto level = static_cast<unsigned>(std::lround(scale.share(cell.value) * 255));
    look = fmt::format("fill=\"#{0:02x}{0:02x}{0:02x}\" class=\"wb-grey", level);
  } else {
    const auto step = static_cast<unsigned>(scale.share(cell.value) * kHtmlTensorSteps);
    look = "class=\"wb-h" + std::to_string(std::min(step, kHtmlTensorSteps - 1));
  }
  return look + (cell.marks.wrong ? " wb-wrong\"" : "\"");
}

std::string sign_of(const TensorCell& cell) {
  std::string sign = cell.marks.nan ? "×" : cell.marks.infinite ? "∞" : "";
  return cell.marks.wrong ? sign + "!" : sign;
}

void draw_cells(const TensorRaster& raster, std::uint64_t plane, const TensorScale& scale,
                TensorExhibit::View view, double left, double top, std::string& svg) {
  for (std::uint64_t row = 0; row < raster.plane_rows; ++row) {
    const double y = top + static_cast<double>(row) * kHtmlTensorCell;
    for (std::uint64_t column = 0; column < raster.plane_columns;) {
      const TensorCell& cell = raster.at(plane, row, column);
      const std::string look = look_of(cell, scale, view), sign = sign_of(cell);
      std::uint64_t past = column + 1;
      while (sign.empty() && past < raster.plane_columns &&
             sign_of(raster.at(plane, row, past)).empty() &&
             look_of(raster.at(plane, row, past), scale, view) == look)
        ++past;
      const double x = left + static_cast<double>(column) * kHtmlTensorCell,
                   width = static_cast<double>(past - column) * kHtmlTensorCell;
      if (!look.empty()) {
        svg += "<rect " + look + " x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
               "\" width=\"" + coordinate(width) + "\" height=\"" + coordinate(kHtmlTensorCell) +
               "\"/>";
      }
      if (!sign.empty()) {
        svg += "<text x=\"" + coordinate(x + kHtmlTensorCell / 2) + "\" y=\"" +
               coordinate(y + kHtmlTensorCell - 1) + "\">" + sign + "</text>";
      }
      column = past;
    }
  }
}

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
  const TensorRaster raster =
      raster_of(tensor, view, {kHtmlTensorMostColumns, kHtmlTensorMostCells});
  const TensorScale scale = html_scale(tensor, beside, view);
  const double title = raster.planes > 1 ? kHtmlTensorTitle : 0,
               wide = static_cast<double>(raster.plane_columns) * kHtmlTensorCell,
               high = static_cast<double>(raster.plane_rows) * kHtmlTensorCell + title;
  const std::uint64_t down = (raster.planes + raster.across - 1) / raster.across;
  std::string svg =
      svg_open(static_cast<double>(raster.across) * (wide + kPlaneGap * kHtmlTensorCell) -
                   kPlaneGap * kHtmlTensorCell,
               static_cast<double>(down) * (high + kPlaneGap * kHtmlTensorCell) -
                   kPlaneGap * kHtmlTensorCell,
               caption);
  for (std::uint64_t plane = 0; plane < raster.planes; ++plane) {
    const std::uint64_t row = plane / raster.across, column = plane % raster.across;
    const double left = static_cast<double>(column) * (wide + kPlaneGap * kHtmlTensorCell),
                 top = static_cast<double>(row) * (high + kPlaneGap * kHtmlTensorCell);
    if (title > 0) {
      svg += svg_text("wb-name", left, top + kHtmlTensorTitle - 4, plane_name(tensor, plane));
    }
    draw_cells(raster, plane, scale, view, left, top + title, svg);
  }
  std::string html =
      svg + "</svg>" +
      tagged("p", "wb-scale",
             escaped(figure(scale.low)) +
                 tagged("span", view == TensorExhibit::View::image ? "wb-greys" : "wb-ramp", "") +
                 escaped(figure(scale.high)));
  if (beside) html += shared_scale(scale, strings);
  for (const std::string& said : remarks_of(raster, view, strings)) html += remark(said);
  return html;
}

std::string plot_html(const TensorExhibit& tensor, const TensorExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  const std::vector<TensorColumn> columns = plot_of(tensor, kMostPlotColumns);
  const TensorScale scale = html_scale(tensor, beside, TensorExhibit::View::plot);
  const double step = std::max(
      kColumnWidth,
      std::min(24.0, kMostPlotColumns * kColumnWidth / static_cast<double>(columns.size())));
  const auto y_of = [&](double value) { return 4 + (1 - scale.share(value)) * (kPlotHeight - 8); };
  std::string svg = svg_open(static_cast<double>(columns.size()) * step, kPlotHeight, caption);
  std::string line;
  bool drawing = false;  // the line breaks where nothing is finite
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TensorColumn& column = columns[i];
    const double x = (static_cast<double>(i) + 0.5) * step;
    if (column.any_finite) {
      line += (drawing ? "L" : "M") + coordinate(x) + " " + coordinate(y_of(column.low)) + "L" +
              coordinate(x) + " " + coordinate(y_of(column.high));
    }
    drawing = column.any_finite;
    if (column.marks == TensorMarks{}) continue;
    const char* look = column.marks.wrong ? "wb-wrong"
                       : column.marks.nan ? "wb-nan"
                                          : "wb-infinite";
    svg += svg_rectangle(look, x - 1, 0, 2, kPlotHeight);
  }
  std::string html = svg + "<path d=\"" + line + "\"/></svg>" +
                     tagged("p", "wb-more",
                            escaped(strings("tensor.axis", {{"low", number(scale.low)},
                                                            {"high", number(scale.high)}})));
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
