#include <algorithm>
#include <array>
#include <cmath>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kIndent = 2, kPlotRows = 10;
constexpr std::uint64_t kMostCells = 3072;
constexpr std::array<std::string_view, 5> kShades{"·", "░", "▒", "▓", "█"};

struct Sign {
  std::string_view text = " ";
  Ink ink = Ink::plain;
};

/// What is wrong comes before what is not a number: it is what the reader looks for.
Sign sign_of(const TensorMarks& marks) {
  if (marks.wrong) return {"!", Ink::bad};
  if (marks.nan) return {"×", Ink::warn};
  if (marks.infinite) return {"∞", Ink::warn};
  return {};
}

Sign sign_of(const TensorCell& cell, const TensorScale& scale) {
  if (cell.marks.nan) return {"×", Ink::warn};
  if (cell.marks.infinite) return {"∞", Ink::warn};
  if (std::isnan(cell.value)) return {" ", Ink::plain};  // the data ended before
  const double share = scale.share(cell.value) * static_cast<double>(kShades.size());
  return {kShades[std::min(kShades.size() - 1, static_cast<std::size_t>(share))], Ink::plain};
}

void explain(const TensorMarks& any, const Strings& strings, Page& page) {
  std::string text;
  const auto add = [&](bool there, std::string_view key) {
    if (there) text += (text.empty() ? "" : "   ") + strings(key);
  };
  add(any.nan, "tensor.mark.nan");
  add(any.infinite, "tensor.mark.infinite");
  add(any.wrong, "tensor.mark.wrong");
  if (!text.empty()) page.paragraph(text, kIndent, Ink::quiet);
}

void gather(TensorMarks& any, const TensorMarks& marks) {
  any.nan = any.nan || marks.nan;
  any.infinite = any.infinite || marks.infinite;
  any.wrong = any.wrong || marks.wrong;
}

}  // namespace

void text_plot(const TensorExhibit& tensor, const Strings& strings, Page& page) {
  const TensorScale scale = scale_of(tensor, TensorExhibit::View::plot);
  const std::string high = figure(scale.high), low = figure(scale.low);
  const int margin = std::max(columns_of(high), columns_of(low));
  const int room = std::max(8, page.width() - kIndent - margin - 3);
  const std::vector<TensorColumn> columns = plot_of(tensor, static_cast<std::uint64_t>(room));
  const auto row_of = [&](double value) {
    return std::min(kPlotRows - 1, static_cast<int>(scale.share(value) * kPlotRows));
  };
  TensorMarks any;
  for (const TensorColumn& column : columns) gather(any, column.marks);
  for (int row = kPlotRows - 1; row >= 0; --row) {
    const std::string label = row == kPlotRows - 1 ? high : row == 0 ? low : "";
    std::string line;
    for (const TensorColumn& column : columns) {
      const bool there =
          column.any_finite && row_of(column.low) <= row && row <= row_of(column.high);
      line += !there ? " " : column.count == 1 || column.low == column.high ? "•" : "█";
    }
    page.line(std::string(kIndent, ' ') + page.ink(Ink::quiet, padded_left(label, margin) + " │") +
              page.ink(Ink::accent, line));
  }
  if (any != TensorMarks{}) {
    std::string line(static_cast<std::size_t>(kIndent + margin) + 2, ' ');
    for (const TensorColumn& column : columns) {
      const Sign sign = sign_of(column.marks);
      line += page.ink(sign.ink, sign.text);
    }
    page.line(line);
    explain(any, strings, page);
  }
  if (!columns.empty() && columns.front().count > 1) {
    page.paragraph(strings("tensor.step.plot", {{"step", grouped(columns.front().count)}}), kIndent,
                   Ink::quiet);
  }
}

void text_heat(const TensorExhibit& tensor, TensorExhibit::View view, const Strings& strings,
               Page& page) {
  // Two columns a cell come near a square, and leave room for a mark.
  const auto room = static_cast<std::uint64_t>(std::max(8, page.width() - kIndent)) / 2;
  const TensorRaster raster = raster_of(tensor, view, {room, kMostCells});
  const TensorScale scale = scale_of(tensor, view);
  TensorMarks any;
  for (std::uint64_t first = 0; first < raster.planes; first += raster.across) {
    const std::uint64_t past = std::min(raster.planes, first + raster.across);
    std::string names;
    for (std::uint64_t plane = first; plane < past; ++plane) {
      const int wide = static_cast<int>(raster.plane_columns) * 2;
      names += padded(clipped(plane_name(tensor, plane), wide), wide) + "  ";
    }
    if (raster.planes > 1) page.line(std::string(kIndent, ' ') + page.ink(Ink::quiet, names));
    for (std::uint64_t row = 0; row < raster.plane_rows; ++row) {
      std::string line(kIndent, ' ');
      for (std::uint64_t plane = first; plane < past; ++plane) {
        for (std::uint64_t column = 0; column < raster.plane_columns; ++column) {
          const TensorCell& cell = raster.at(plane, row, column);
          gather(any, cell.marks);
          const Sign sign = sign_of(cell, scale);
          line += page.ink(sign.ink, sign.text);
          line += cell.marks.wrong ? page.ink(Ink::bad, "!") : std::string(sign.text);
        }
        line += "  ";
      }
      page.line(line);
    }
  }
  page.paragraph(
      strings("tensor.scale", {{"low", number(scale.low)}, {"high", number(scale.high)}}), kIndent,
      Ink::quiet);
  explain(any, strings, page);
  for (const std::string& remark : remarks_of(raster, view, strings))
    page.paragraph(remark, kIndent, Ink::quiet);
}

}  // namespace warpbook::lab
