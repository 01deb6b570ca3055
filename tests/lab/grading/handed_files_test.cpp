// What a download may hold, and that nothing in it leads anywhere or grows without end.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/grading/handed_files.hpp"
#include "tests/keyed.hpp"
#include "tests/lab/grading/archives.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lab::handed_files_test {

using tests::archive_of;
using tests::ArchiveForm;
using tests::Entry;
using tests::keyed;
using tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// The files of an archive of these entries.
std::vector<HandedFile> read_archive(const std::vector<Entry>& entries,
                                     const DownloadLimits& limits = {},
                                     ArchiveForm form = ArchiveForm::zip) {
  const TemporaryFolder folder;
  const auto files = read_download(folder.write("d.zip", archive_of(entries, form)), limits);
  INFO((files ? "" : files.error().english()));
  REQUIRE(files);
  return *files;
}

/// Why an archive as a whole is refused.
std::string refused(const std::vector<Entry>& entries, const DownloadLimits& limits) {
  const TemporaryFolder folder;
  const auto files = read_download(folder.write("d.zip", archive_of(entries)), limits);
  REQUIRE_FALSE(files);
  return keyed(*argument_of(files.error().arguments, "why"));
}

}  // namespace

TEST_CASE("Download: a zip, a tar.gz and a folder of the same files are the same") {
  const std::vector<Entry> entries{{"a/saxpy.cu", "one"}, {"b/saxpy.cu", "two"}};
  const TemporaryFolder folder;
  for (const Entry& entry : entries) folder.write(entry.path, entry.bytes);
  const auto of_folder = read_download(folder.path());
  REQUIRE(of_folder);
  for (const ArchiveForm form : {ArchiveForm::zip, ArchiveForm::tar_gz}) {
    const std::vector<HandedFile> files = read_archive(entries, {}, form);
    REQUIRE(files.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(files[i].path == entries[i].path);
      CHECK(files[i].bytes == entries[i].bytes);
      CHECK(of_folder->at(i).path == files[i].path);
      CHECK(of_folder->at(i).bytes == files[i].bytes);
    }
  }
}

TEST_CASE("Download: names that are not ASCII are read as they are, whatever the locale") {
  CHECK(read_archive({{"李明/saxpy.cu", "x"}}).at(0).path == "李明/saxpy.cu");
}

TEST_CASE("Download: an entry whose path leads out of the archive is named and not read") {
  const std::string path =
      GENERATE("../evil.cu", "a/../../evil.cu", "/etc/evil.cu", "a\\..\\evil.cu");
  CAPTURE(path);
  const std::vector<HandedFile> files = read_archive({{path, "x"}, {"b/fine.cu", "y"}});
  REQUIRE(files.size() == 2);
  const std::size_t fine = files[0].path == "b/fine.cu" ? 0 : 1;
  CHECK(files[fine].problem.empty());
  CHECK(keyed(files[1 - fine].problem) == "phrase.handed.leads-out");
  CHECK(files[1 - fine].bytes.empty());
}

TEST_CASE("Download: a link is refused in an archive and in a folder") {
  CHECK(keyed(read_archive({{"a/saxpy.cu", "", "/etc/passwd"}}).at(0).problem) ==
        "phrase.why.a-link");
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "a");
  fs::create_symlink("/etc/passwd", folder.path() / "a/saxpy.cu");
  const auto files = read_download(folder.path());
  REQUIRE(files);
  CHECK(keyed(files->at(0).problem) == "phrase.why.a-link");
  CHECK(files->at(0).bytes.empty());
}

TEST_CASE("Download: a name with a line end or a control character is refused") {
  CHECK(keyed(read_archive({{"a/sax\npy.cu", "x"}}).at(0).problem) ==
        "phrase.handed.control-characters");
  CHECK(keyed(read_archive({{"a/\x1b[31m.cu", "x"}}).at(0).problem) ==
        "phrase.handed.control-characters");
}

TEST_CASE("Download: a file that is too large is named, and all others are read") {
  const DownloadLimits limits{.file_bytes = 10};
  const std::vector<HandedFile> files =
      read_archive({{"a/x.cu", std::string(11, 'x')}, {"b/x.cu", std::string(10, 'x')}}, limits);
  CHECK(keyed(files.at(0).problem) == "phrase.handed.too-large");
  CHECK(files.at(1).bytes.size() == 10);
}

TEST_CASE(
    "Download: an archive of a student is read behind its own name, so its names are nobody "
    "else's") {
  const std::vector<HandedFile> files = read_archive(
      {{"eve_1_2_work.zip", archive_of({{"ada_3_4_saxpy.cu", "x"}, {"__MACOSX/._a", "y"}})}});
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == "eve_1_2_work.zip/ada_3_4_saxpy.cu");
  CHECK(files[0].bytes == "x");
}

TEST_CASE(
    "Download: an archive within that grows too large, has too many files or holds another one is "
    "that student's problem alone") {
  const auto within = [](const std::string& bytes, const DownloadLimits& limits) {
    const std::vector<HandedFile> files =
        read_archive({{"a_1_2_w.zip", bytes}, {"b_3_4_x.cu", "fine"}}, limits);
    REQUIRE(files.size() == 2);
    CHECK(files[1].bytes == "fine");
    CHECK(files[0].bytes.empty());
    return keyed(files[0].problem);
  };
  const std::string bomb = archive_of({{"x.cu", std::string(300000, '\0')}});
  CHECK(within(bomb, {.within_bytes = 100000}) == "phrase.handed.too-large-unpacked");
  std::vector<Entry> many;
  for (int i = 0; i < 20; ++i) many.push_back({std::to_string(i) + ".cu", "x"});
  CHECK(within(archive_of(many), {.files_within = 10}) == "phrase.handed.too-many-files");
  CHECK(within("no archive at all", {}) == "phrase.handed.no-archive");
  CHECK(within(archive_of({}), {}) == "phrase.handed.empty-archive");
  const std::vector<HandedFile> nested =
      read_archive({{"a_1_2_w.zip", archive_of({{"b.zip", archive_of({{"x.cu", "x"}})}})}});
  REQUIRE(nested.size() == 1);
  CHECK(keyed(nested[0].problem) == "phrase.handed.archive-in-archive");
}

TEST_CASE("Download: one that is beyond its limits as a whole is refused, with the reason") {
  CHECK(refused({{"a/x.cu", std::string(1000, 'x')}, {"b/x.cu", std::string(1000, 'x')}},
                {.total_bytes = 1500}) == "phrase.handed.too-large-unpacked");
  CHECK(refused({{"a/x.cu", "x"}, {"b/x.cu", "x"}}, {.files = 1}) ==
        "phrase.handed.too-many-files");
}

TEST_CASE("Download: a text file and a path with nothing there are no downloads") {
  const TemporaryFolder folder;
  const auto text = read_download(folder.write("notes.txt", "hello"));
  REQUIRE_FALSE(text);
  CHECK(text.error().code == device::ErrorCode::file_unreadable);
  const auto nothing = read_download(folder.path() / "absent.zip");
  REQUIRE_FALSE(nothing);
  CHECK(keyed(*argument_of(nothing.error().arguments, "why")) == "phrase.why.no-such-file");
}

}  // namespace warpbook::lab::handed_files_test
