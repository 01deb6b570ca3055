// An open book without a window, for tests of what the window shows.
#pragma once

#include <string_view>

#include "gui/book/book.hpp"

namespace warpbook::gui {

struct OpenBook {
  /// Opens the made-up chapter, and waits for its runs.
  OpenBook();
  /// Opens a chapter of the catalogue, and waits for its runs.
  explicit OpenBook(std::string_view slug);
  /// Waits until all runs have ended, and takes in their results.
  void settle() { book.settle(); }
  void set_n(std::int64_t n);

  Book book;
};

}  // namespace warpbook::gui
