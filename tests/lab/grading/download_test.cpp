// The forms of downloads, each as its learning system writes it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/grading/download.hpp"
#include "tests/keyed.hpp"

namespace warpbook::lab::download_test {

using tests::keyed;

namespace {

Download sorted(std::vector<std::string> paths) {
  std::vector<HandedFile> files;
  for (std::string& path : paths) files.push_back({std::move(path), "text", {}});
  auto download = sort_download(std::move(files));
  REQUIRE(download);
  return *download;
}

}  // namespace

TEST_CASE("Canvas: name, mark, user, attachment and the student's own name of the file") {
  const Download download =
      sorted({"lovelaceada_123_456_saxpy-2.cu", "hopper_LATE_9_10_my file_7_8_.cu",
              "anon_aB3dE_11_12_saxpy.cu", "readme.txt"});
  CHECK(download.form == DownloadForm::canvas);
  REQUIRE(download.files.size() == 3);
  CHECK(download.files[0].student == "123");
  CHECK(download.files[0].number == 456);
  CHECK(download.files[0].name == "saxpy-2.cu");
  CHECK_FALSE(download.files[0].marked_late);
  CHECK(download.students.at("123").name == "lovelaceada");
  CHECK(download.files[1].student == "9");
  CHECK(download.files[1].marked_late);
  CHECK(download.files[1].name == "my file_7_8_.cu");
  CHECK(download.files[2].student == "anon_aB3dE");
  CHECK(download.students.at("anon_aB3dE").name.empty());
  CHECK(download.nobodys == std::vector<std::string>{"readme.txt"});
}

TEST_CASE("Canvas: a file that is named like another student's stays its owner's") {
  const Download download = sorted({"eve_1_2_ada_3_4_saxpy.cu"});
  CHECK(download.files.at(0).student == "1");
  CHECK(download.files.at(0).name == "ada_3_4_saxpy.cu");
}

TEST_CASE("Moodle: with folders, without them, and within a folder that holds all") {
  const std::vector<std::string> paths =
      GENERATE(std::vector<std::string>{"Ada L_123_assignsubmission_file_/saxpy.cu",
                                        "李明_7_assignsubmission_file_/a/saxpy.cu"},
               std::vector<std::string>{"Ada L_123_assignsubmission_file_saxpy.cu",
                                        "李明_7_assignsubmission_file_saxpy.cu"},
               std::vector<std::string>{"CS101-Week 3-99/Ada L_123_assignsubmission_file_/saxpy.cu",
                                        "CS101-Week 3-99/李明_7_assignsubmission_file_/saxpy.cu"});
  const Download download = sorted(paths);
  CHECK(download.form == DownloadForm::moodle);
  REQUIRE(download.files.size() == 2);
  CHECK(download.files[0].student == "123");
  CHECK(download.files[0].name == "saxpy.cu");
  CHECK(download.students.at("7").name == "李明");
}

TEST_CASE(
    "Gradescope: whose and when comes from the metadata, and a group's file counts for each "
    "member") {
  const std::string yaml =
      "---\nsubmission_5:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '100'\n    :email: "
      "ada@x.edu\n"
      "  - :name: Grace\n    :sid: '200'\n  :created_at: 2026-11-20 22:59:00.123456000 Z\n  "
      ":history:\n  - :id: 4\n"
      "submission_6:\n  :submitters:\n  - :name: No Number\n    :email: n@x.edu\n  :created_at: "
      "2026-11-21T00:30:00-08:00\n";
  auto download = sort_download({{"assignment_9_export/submission_metadata.yml", yaml, {}},
                                 {"assignment_9_export/submission_5/saxpy.cu", "text", {}},
                                 {"assignment_9_export/submission_6/saxpy.cu", "text", {}},
                                 {"assignment_9_export/submission_7/saxpy.cu", "text", {}}});
  REQUIRE(download);
  CHECK(download->form == DownloadForm::gradescope);
  REQUIRE(download->files.size() == 3);
  CHECK(download->students.at("100").name == "Ada Lovelace");
  CHECK(download->students.at("n@x.edu").name == "No Number");
  CHECK(download->files[0].when == parse_time("2026-11-20T23:59:00+01:00"));
  CHECK(download->files[0].when == download->files[1].when);
  CHECK(download->nobodys == std::vector<std::string>{"submission_7/saxpy.cu"});
}

TEST_CASE(
    "Gradescope: metadata that is no YAML, or grows by references, is refused or stays small") {
  CHECK_FALSE(sort_download({{"submission_metadata.yml", "a: [", {}}}));
  CHECK_FALSE(sort_download({{"submission_metadata.yml", std::string(30000, '['), {}}}));
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'z'; ++name) {
    const std::string before = "*" + std::string(1, static_cast<char>(name - 1)) + ", ";
    bomb += std::string(1, name) + ": &" + name + " [" + before + before + before + "x]\n";
  }
  const auto read = sort_download({{"submission_metadata.yml", bomb, {}}});
  CHECK((!read || read->files.empty()));
}

TEST_CASE("Folders: one a student, or one file a student") {
  const Download download = sorted({"ada/saxpy.cu", "grace.cu"});
  CHECK(download.form == DownloadForm::folders);
  CHECK(download.files.at(0).student == "ada");
  CHECK(download.files.at(1).student == "grace");
  CHECK(download.files.at(1).name == "grace.cu");
}

TEST_CASE("A file with bytes of 0 is no text, and what could not be read keeps its reason") {
  auto download = sort_download({{"a_1_2_x.cu", std::string("a\0b", 3), {}},
                                 {"b_3_4_x.cu", "", {"phrase.handed.too-large", {}, {}}}});
  REQUIRE(download);
  CHECK(keyed(download->files.at(0).problem) == "phrase.why.no-text");
  CHECK(keyed(download->files.at(1).problem) == "phrase.handed.too-large");
  CHECK(download->files.at(0).text.empty());
}

TEST_CASE("A name of the longest kind is read without trouble") {
  const Download download =
      sorted({std::string(50000, 'a') + "_1_2_x.cu", "b_3_4_x.cu", "c_5_6_x.cu"});
  CHECK(download.files.size() == 2);
  CHECK(download.nobodys.size() == 1);
}

TEST_CASE("A time needs its zone") {
  CHECK(parse_time("1970-01-02T00:00Z") == 86400);
  CHECK(parse_time("1970-01-01 02:00:01.5 +02:00") == 1);
  for (const char* none :
       {"2026-11-20T23:59", "2026-13-01T00:00Z", "2026-02-30T00:00Z", "tomorrow", ""}) {
    CAPTURE(none);
    CHECK_FALSE(parse_time(none));
  }
}

}  // namespace warpbook::lab::download_test
