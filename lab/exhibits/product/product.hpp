// A matrix product from inside one block: which thread computes which elements, and which threads use the elements of both
// factors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// c = a b as one block computed it, from the launch's trace: a is rows x depth, b depth x columns, c rows x columns, all of
/// them row by row. Elements are numbered as they lie in memory.
struct ProductExhibit {
  static constexpr std::string_view kKind = "product";
  /// One thread of the block. Lists are ascending and hold an element once.
  struct Thread {
    std::uint32_t thread = 0;            ///< linear in the block
    std::vector<std::uint32_t> results;  ///< elements of c that it stored
    std::vector<std::uint32_t> a, b;     ///< elements that it got into a register to compute with
    std::vector<std::uint32_t> loaded_a, loaded_b;  ///< elements that it loaded from global memory
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  std::uint32_t rows = 0, columns = 0, depth = 0;
  std::uint64_t block = 0;  ///< linear
  device::Dim3 grid;
  std::vector<Thread> threads;  ///< those that did anything with the matrices, ascending
  std::uint32_t followed = 0;   ///< the thread that is marked first
  bool cut = false;      ///< the block did more than was seen, or would have but for the stop
  bool stopped = false;  ///< a budget ended the launch before its end
  friend bool operator==(const ProductExhibit&, const ProductExhibit&) = default;
};

/// Which block of a product's launch. The record's allocations are named "a", "b" and "c".
struct WantedProduct {
  std::uint32_t rows = 0, columns = 0, depth = 0;
  std::uint32_t block = 0, followed = 0;
};
/// A value that a thread stores in shared memory is followed to the threads that read it there, as long as it is copied or
/// rounded on its way and not computed with.
ProductExhibit product_of(const device::LaunchRecord& record, const WantedProduct& wanted);

template <class V>
void fields(V&& visit, Is<ProductExhibit::Thread> auto& v) {
  visit("thread", v.thread);
  visit("results", v.results);
  visit("a", v.a);
  visit("b", v.b);
  visit("loaded_a", v.loaded_a);
  visit("loaded_b", v.loaded_b);
}

template <class V>
void fields(V&& visit, Is<ProductExhibit> auto& v) {
  visit("rows", v.rows);
  visit("columns", v.columns);
  visit("depth", v.depth);
  visit("block", v.block);
  visit("grid", v.grid);
  visit("threads", v.threads);
  visit("followed", v.followed);
  visit("cut", v.cut);
  visit("stopped", v.stopped);
}
/// Threads are in order, and so are their elements, which lie inside the matrices.
bool valid(const ProductExhibit& v);

std::string sentence_of(const ProductExhibit& product, const Strings& strings);
void text_body(const ProductExhibit& product, const Strings& strings, Page& page);
std::string html_body(const ProductExhibit& product, const Strings& strings,
                      const std::string& caption);
Table table_of(const ProductExhibit& product, const Strings& strings);
void compare(const ProductExhibit& a, const ProductExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
