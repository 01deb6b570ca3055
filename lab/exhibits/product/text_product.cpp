#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/product/product_summary.hpp"
#include "lab/markup/terminal.hpp"

namespace warpbook::lab {
namespace {

/// The rows of a matrix: which elements the followed thread has to do with, which others of the block, and which nobody of it.
class TextMatrix {
 public:
  TextMatrix(std::uint32_t columns, const std::vector<std::uint32_t>& of_thread,
             std::vector<bool> of_block)
      : columns_(columns), of_thread_(of_thread), of_block_(std::move(of_block)) {}

  [[nodiscard]] std::string row(std::uint32_t number) const {
    std::string text;
    for (std::uint32_t element = number * columns_; element < (number + 1) * columns_; ++element) {
      const bool mine = std::ranges::binary_search(of_thread_, element);
      text += mine ? "█" : of_block_[element] ? "▒" : "·";
    }
    return text;
  }

 private:
  std::uint32_t columns_;
  const std::vector<std::uint32_t>& of_thread_;
  std::vector<bool> of_block_;
};

std::vector<bool> used(const FactorCounts& counts) {
  std::vector<bool> made;
  for (const std::uint32_t users : counts.users) made.push_back(users != 0);
  return made;
}

std::vector<bool> owned(const ProductExhibit& product) {
  std::vector<bool> made;
  for (const std::uint32_t owner : owners_of(product)) made.push_back(owner != kNoThread);
  return made;
}

}  // namespace

void text_body(const ProductExhibit& product, const Strings& strings, Page& page) {
  const ProductExhibit::Thread* const thread = find_thread(product, product.followed);
  if (!thread) return;
  const TextMatrix a(product.depth, thread->a, used(counts_of_a(product))),
      b(product.columns, thread->b, used(counts_of_b(product))),
      c(product.columns, thread->results, owned(product));
  page.paragraph(strings("product.signs"), 2, Ink::quiet);
  const std::string indent(2 + product.depth + 1, ' ');
  for (std::uint32_t row = 0; row < product.depth; ++row) page.line(indent + b.row(row));
  page.line();
  for (std::uint32_t row = 0; row < product.rows; ++row)
    page.line("  " + a.row(row) + " " + c.row(row));
}

}  // namespace warpbook::lab
