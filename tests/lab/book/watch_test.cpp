#include "lab/book/watch.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests::watch_test {

using namespace warpbook;
using namespace warpbook::lab;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

struct Book {
  Book() {
    fs::create_directories(root / "lessons" / "x");
    write("lessons/x/en.md", "# One\n\ntext\n");
  }
  void write(const std::string& file, const std::string& text) {
    std::ofstream(root / file, std::ios::binary) << text;
  }
  // As most editors save: a new file is renamed over the old one.
  void replace(const std::string& file, const std::string& text) {
    write(file + ".new~", text);
    fs::rename(root / (file + ".new~"), root / file);
  }
  warpbook::tests::TemporaryFolder folder;
  fs::path root = folder.path();
};

std::vector<std::string> changes_within(FolderWatch& watch, std::chrono::milliseconds time) {
  std::vector<std::string> all;
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    for (const std::string& file : watch.changes()) all.push_back(file);
    std::this_thread::sleep_for(1ms);
  }
  return all;
}

}  // namespace

TEST_CASE("a file that is written, replaced, added or removed is reported once") {
  Book book;
  FolderWatch watch(book.root.string(), {"lessons/x", "lessons/not-there"}, 2ms);
  CHECK(changes_within(watch, 20ms).empty());
  book.write("lessons/x/en.md", "# Two, longer\n\ntext\n");
  CHECK(changes_within(watch, 60ms) == std::vector<std::string>{"lessons/x/en.md"});
  book.replace("lessons/x/en.md", "# Six, longer\n\ntext\n");
  CHECK(changes_within(watch, 60ms) == std::vector<std::string>{"lessons/x/en.md"});
  book.write("lessons/x/zh.md", "# 三\n");
  CHECK(changes_within(watch, 60ms) == std::vector<std::string>{"lessons/x/zh.md"});
  fs::remove(book.root / "lessons/x/zh.md");
  CHECK(changes_within(watch, 60ms) == std::vector<std::string>{"lessons/x/zh.md"});
  book.write("lessons/x/.en.md.swp", "editor");
  CHECK(changes_within(watch, 30ms).empty());
}

TEST_CASE("a broken save keeps the last good page and says what is wrong, at its line") {
  Book book;
  LiveDocument live(book.root.string(), "x", "en");
  REQUIRE(live.document());
  CHECK(live.document()->title == "One");

  book.replace("lessons/x/en.md", "# Two\n\ntext\n\n```exhibitt\nid = \"a\"\n```\n");
  CHECK_FALSE(live.reload());
  CHECK(live.document()->title == "One");
  REQUIRE(live.error());
  CHECK(live.error()->place.line == 5);
  CHECK(live.error()->english().find("lessons/x/en.md:5:") == 0);

  book.replace("lessons/x/en.md", "# Three\n");
  CHECK(live.reload());
  CHECK(live.document()->title == "Three");
  CHECK_FALSE(live.error());

  fs::remove(book.root / "lessons/x/en.md");
  CHECK_FALSE(live.reload());
  CHECK(live.document()->title == "Three");
}

}  // namespace warpbook::tests::watch_test
