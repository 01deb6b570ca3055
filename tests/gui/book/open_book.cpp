#include "tests/gui/book/open_book.hpp"

#include <cstdlib>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/made_up.hpp"

namespace warpbook::gui {
namespace {
Book::Options options() {
  // Checks run in `warpbook check-worker`, which a test program is not.
  ::setenv("WARPBOOK_BINARY", WARPBOOK_BINARY, 1);
  return {WARPBOOK_SOURCE_DIR, "en", "dark", false, nullptr, nullptr};
}
}  // namespace

OpenBook::OpenBook() : book(options()) {
  book.open(made_up::lesson(), made_up::document());
  settle();
}

OpenBook::OpenBook(std::string_view slug) : book(options()) {
  REQUIRE(book.open(slug));
  REQUIRE_FALSE(book.document_error().has_value());
  settle();
}

void OpenBook::set_n(std::int64_t n) {
  book.set_value("n", lab::Value(n));
  settle();
}

}  // namespace warpbook::gui
