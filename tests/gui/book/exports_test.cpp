#include "gui/book/exports.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/gui/book/open_book.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::exports_test {
namespace {
namespace fs = std::filesystem;

/// Outlets that keep what they are given.
struct Kept {
  std::string text, png, trouble;
  tests::TemporaryFolder temporary;
  fs::path folder = temporary.path();
  Outlets outlets() {
    return {[this](const std::string& copied) { text = copied; },
            [this](std::string copied) {
              png = std::move(copied);
              return trouble;
            },
            [](const Book&, const lab::Exhibit&) { return std::string("a picture"); }, folder};
  }
};
}  // namespace

TEST_CASE("an exhibit is copied as a table or as Markdown, and a toast says so") {
  OpenBook open;
  Kept kept;
  for (const std::string id : {"wires", "time", "check"}) {
    CAPTURE(id);
    const lab::Exhibit* shown = open.book.report()->find(id);
    REQUIRE(shown);
    const std::size_t toasts = open.book.toasts().size();
    carry_out({Export::What::csv, Export::To::clipboard, *shown}, open.book, kept.outlets());
    CHECK_FALSE(kept.text.empty());
    CHECK(kept.text == lab::to_csv(lab::table_of(*shown, open.book.strings())));
    REQUIRE(open.book.toasts().size() == toasts + 1);
    CHECK(open.book.toasts().back().kind == Toast::Kind::ok);
  }
  const lab::Exhibit& code = *open.book.report()->find("add");
  carry_out({Export::What::markdown, Export::To::clipboard, code}, open.book, kept.outlets());
  CHECK(kept.text.find("```cuda\n__global__ void add") != std::string::npos);
}

TEST_CASE(
    "an exhibit is copied in words: its title, where its figures come from, and its sentence") {
  OpenBook open;
  Kept kept;
  const lab::Exhibit& wires = *open.book.report()->find("wires");
  carry_out({Export::What::words, Export::To::clipboard, wires}, open.book, kept.outlets());
  CHECK(kept.text.starts_with("Thread to element  [counted · H200, simulated]\n" +
                              lab::sentence(wires, open.book.strings()).substr(0, 40)));
}

TEST_CASE("files are saved under names of their own, never over others") {
  OpenBook open;
  Kept kept;
  const lab::Exhibit exhibit = *open.book.report()->find("out");
  for (int i = 0; i < 2; ++i)
    carry_out({Export::What::csv, Export::To::file, exhibit}, open.book, kept.outlets());
  CHECK(fs::exists(kept.folder / "made-up-out.csv"));
  CHECK(fs::exists(kept.folder / "made-up-out-2.csv"));
  CHECK(open.book.toasts().back().text.find("made-up-out-2.csv") != std::string::npos);
  kept.folder = kept.temporary.write("file", "a file where the folder was");
  carry_out({Export::What::csv, Export::To::file, exhibit}, open.book, kept.outlets());
  CHECK(open.book.toasts().back().kind == Toast::Kind::bad);
}

TEST_CASE("a picture that cannot be copied says why") {
  OpenBook open;
  Kept kept;
  kept.trouble = "no X server";
  carry_out({Export::What::image, Export::To::clipboard, *open.book.report()->find("out")},
            open.book, kept.outlets());
  CHECK(open.book.toasts().back().kind == Toast::Kind::bad);
  CHECK(open.book.toasts().back().text.find("no X server") != std::string::npos);
}

}  // namespace warpbook::gui::exports_test
