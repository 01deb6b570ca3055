#include <string>

#include "lab/exhibits/product/product_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {

std::string html_body(const ProductExhibit& product, const Strings& strings,
                      const std::string& caption) {
  constexpr double kWidth = 768;
  if (product.threads.empty()) return {};
  const ProductLayout layout(product, kWidth);
  return svg_of(drawing_of(product, layout, product.followed, svg_canvas(kWidth, strings)),
                caption) +
         tagged("p", "wb-more", escaped(strings("product.legend")));
}

}  // namespace warpbook::lab
