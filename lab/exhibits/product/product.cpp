#include "lab/exhibits/product/product.hpp"

#include <algorithm>

#include "lab/exhibits/product/product_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {

std::string sentence_of(const ProductExhibit& product, const Strings& strings) {
  std::vector<std::string> parts;
  if (product.cut) parts.push_back(strings(product.stopped ? "trace.stopped" : "trace.cut"));
  parts.push_back(product.threads.empty() ? strings("product.nothing")
                                          : thread_text(product, product.followed, strings));
  return sentences(strings, parts);
}

/// A row for each thread, and one for each element of c of those that computed several.
Table table_of(const ProductExhibit& product, const Strings& strings) {
  Table table{
      {strings("product.head.thread"), strings("product.head.row"), strings("product.head.column"),
       strings("product.head.uses-a"), strings("product.head.uses-b"),
       strings("product.head.loads-a"), strings("product.head.loads-b")},
      {}};
  for (const ProductExhibit::Thread& thread : product.threads) {
    const auto row = [&](const std::string& down, const std::string& across) {
      const auto size = [](const auto& elements) { return std::to_string(elements.size()); };
      table.rows.push_back({std::to_string(thread.thread), down, across, size(thread.a),
                            size(thread.b), size(thread.loaded_a), size(thread.loaded_b)});
    };
    if (thread.results.empty()) row("", "");
    for (const std::uint32_t element : thread.results)
      row(std::to_string(element / product.columns), std::to_string(element % product.columns));
  }
  return table;
}

// Results are compared as the tensor that they make up, and counters as those of the source.
void compare(const ProductExhibit& /*a*/, const ProductExhibit& /*b*/, Comparer& /*comparer*/) {}

bool valid(const ProductExhibit& v) {
  using Thread = ProductExhibit::Thread;
  const auto inside = [](const std::vector<std::uint32_t>& elements, std::uint64_t rows,
                         std::uint64_t columns) {
    return std::ranges::adjacent_find(elements, std::ranges::greater_equal{}) == elements.end() &&
           (elements.empty() || elements.back() < rows * columns);
  };
  const bool in_order = std::ranges::adjacent_find(v.threads, std::ranges::greater_equal{},
                                                   &Thread::thread) == v.threads.end();
  return in_order && std::ranges::all_of(v.threads, [&](const Thread& thread) {
           return inside(thread.results, v.rows, v.columns) && inside(thread.a, v.rows, v.depth) &&
                  inside(thread.loaded_a, v.rows, v.depth) &&
                  inside(thread.b, v.depth, v.columns) &&
                  inside(thread.loaded_b, v.depth, v.columns);
         });
}

}  // namespace warpbook::lab
