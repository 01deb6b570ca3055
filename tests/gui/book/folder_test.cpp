// What the list of pictures is made from: folders as they are found on disks.
#include "gui/book/folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::gui::folder_test {
namespace {
namespace fs = std::filesystem;

std::vector<std::string> names_of(const Folder& folder) {
  std::vector<std::string> names;
  for (const Folder::Entry& entry : folder.entries) names.push_back(entry.name);
  return names;
}
}  // namespace

TEST_CASE("a folder's list has folders first, then pictures by name, and nothing else") {
  const tests::TemporaryFolder disk;
  for (const char* name : {"b.JPG", "a.png", "c.jpeg", "notes.txt", ".hidden.png", "Sub/x.png",
                           "another/y.png", "folder.png/z.png"})
    disk.write(name, "12345");
  fs::create_symlink(disk.path() / "nowhere", disk.path() / "broken.png");
  const Folder folder = read_folder(disk.path(), FileSort::picture);
  CHECK(folder.problem.empty());
  CHECK_FALSE(folder.cut);
  CHECK(names_of(folder) ==
        std::vector<std::string>{"another", "folder.png", "Sub", "a.png", "b.JPG", "c.jpeg"});
  CHECK(folder.entries[2].folder);
  CHECK_FALSE(folder.entries[3].folder);
  CHECK(folder.entries[3].bytes == 5);
}

TEST_CASE("a long folder is cut and says so; one that is not there says why") {
  const tests::TemporaryFolder disk;
  for (int i = 0; i < 5; ++i) disk.write(std::to_string(i) + ".png", "");
  const Folder cut = read_folder(disk.path(), FileSort::picture, 3);
  CHECK(cut.cut);
  CHECK(names_of(cut) == std::vector<std::string>{"0.png", "1.png", "2.png"});
  CHECK_FALSE(read_folder(disk.path(), FileSort::picture, 5).cut);
  const Folder none = read_folder(disk.path() / "none", FileSort::picture);
  CHECK_FALSE(none.problem.empty());
  CHECK(none.entries.empty());
}

TEST_CASE("a picture that is gone leads to the nearest folder that is there") {
  const tests::TemporaryFolder disk;
  const fs::path file = disk.write("a/b.png", "");
  CHECK(nearest_folder(file) == disk.path() / "a");
  CHECK(nearest_folder(disk.path() / "a/none/deeper/c.png") == disk.path() / "a");
  CHECK(nearest_folder(disk.path()) == disk.path());
  CHECK(nearest_folder("/none/such.png") == "/");
  CHECK(nearest_folder("") == "/");
}

}  // namespace warpbook::gui::folder_test
