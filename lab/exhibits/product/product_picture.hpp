// The picture of a product: b above c, a to its left, so that an element of c is where its row of a and its column of b
// meet. The window and SVG draw the same.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/exhibits/product/product_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the three matrices lie.
class ProductLayout {
 public:
  ProductLayout(const ProductExhibit& product, double width);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return c().bottom(); }
  [[nodiscard]] double cell() const { return cell_; }
  [[nodiscard]] Area a() const;
  [[nodiscard]] Area b() const;
  [[nodiscard]] Area c() const;
  /// The cell of an element of a matrix that lies at `matrix` and has so many columns.
  [[nodiscard]] Area at(const Area& matrix, std::uint32_t columns, std::uint32_t element) const;
  /// The element of c at a point; none outside.
  [[nodiscard]] std::optional<std::uint32_t> result_at(const Point& point) const;

 private:
  std::uint32_t rows_, columns_, depth_;
  double width_, cell_;
};

/// `thread`: the one whose elements are marked in all three matrices.
Drawing drawing_of(const ProductExhibit& product, const ProductLayout& layout, std::uint32_t thread,
                   const Canvas& canvas);

}  // namespace warpbook::lab
