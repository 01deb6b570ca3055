// warpbook new and course link in a tree of their own. That what they write builds and passes the tests, tests/setup/own_folders shows.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lab/document/document.hpp"
#include "lab/exercise/exercise.hpp"
#include "tests/cli/program.hpp"

namespace warpbook::tests::own_folders_test {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A tree that may be written into; what is only read are links to the real one.
struct Tree {
  TemporaryFolder folder;
  fs::path root = folder.path();

  Tree() {
    const fs::path source = WARPBOOK_SOURCE_DIR;
    for (const char* room : {"cli", "kernels", "lang"})
      fs::create_directory_symlink(source / room, root / room);
    for (const char* room : {"exercises", "solutions", "lessons"}) {
      fs::create_directory(root / room);
      for (const fs::directory_entry& entry : fs::directory_iterator(source / room))
        fs::create_symlink(entry.path(), root / room / entry.path().filename());
    }
    fs::remove(root / "lessons/catalogue.cpp");
    fs::copy_file(source / "lessons/catalogue.cpp", root / "lessons/catalogue.cpp");
  }
  [[nodiscard]] Outcome does(std::vector<std::string> words) const {
    words.insert(words.end(), {"--lang", "en"});
    return warpbook(words, {{"WARPBOOK_ROOT", root.string()}});
  }
  [[nodiscard]] std::string catalogue() const { return read_whole(root / "lessons/catalogue.cpp"); }
};

}  // namespace

TEST_CASE(
    "warpbook new exercise writes one that can be read in both languages, solution and mutants "
    "with it") {
  const Tree tree;
  const Outcome made = tree.does({"new", "exercise", "my-filter", "--chapter", "tiles"});
  CAPTURE(made.out, made.err);
  REQUIRE(made.code == 0);
  for (const char* language : {"en", "zh"}) {
    CAPTURE(language);
    const auto text = lab::load_exercise(tree.root.string(), "my-filter", language);
    REQUIRE(text);
    CHECK(text->chapter == "tiles");
    CHECK(text->mutants.size() >= 2);
    CHECK(text->alternatives.size() >= 2);
    CHECK(lab::load_solution(tree.root.string(), *text));
  }
  CHECK_THAT(read_whole(tree.root / "exercises/my-filter/check.cpp"),
             ContainsSubstring("lab::Exercise my_filter()") && !ContainsSubstring("@NAME@"));
}

TEST_CASE(
    "warpbook new chapter writes one that can be read in both languages, and the book's list names "
    "it") {
  const Tree tree;
  REQUIRE(tree.does({"new", "chapter", "my-chapter"}).code == 0);
  for (const char* language : {"en", "zh"})
    CHECK(lab::load_document(tree.root.string(), "my-chapter", language));
  CHECK_THAT(tree.catalogue(), ContainsSubstring("lab::Lesson my_chapter_chapter();\n") &&
                                   ContainsSubstring("      my_chapter_chapter(),\n  };\n"));
}

TEST_CASE("warpbook new replaces nothing, and says what a name has to be") {
  const Tree tree;
  const Outcome there = tree.does({"new", "exercise", "saxpy"});
  CHECK(there.code == 2);
  CHECK_THAT(there.err, Says("phrase.own.is-there"));
  for (const char* name : {"My-filter", "9-bit", "a--b", "a/b", "..", "a-"}) {
    CAPTURE(name);
    CHECK_THAT(tree.does({"new", "exercise", name}).err, Says("phrase.own.name"));
  }
}

TEST_CASE("warpbook new leaves nothing in a course's folder where Warpbook has the name already") {
  const Tree tree;
  const TemporaryFolder course;
  const std::string folder = course.path().string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"new", "exercise", "saxpy"}, {"new", "chapter", "tiles"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--course", folder});
    const Outcome refused = tree.does(all);
    CAPTURE(refused.out, refused.err);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Says("phrase.own.is-there"));
  }
  CHECK(fs::is_empty(course.path()));
}

TEST_CASE(
    "A course's own folder is linked into the tree, once, and into another clone by course link") {
  const Tree first, second;
  const TemporaryFolder course;
  const std::string folder = course.path().string();
  REQUIRE(first.does({"new", "exercise", "my-filter", "--course", folder}).code == 0);
  REQUIRE(first.does({"new", "chapter", "my-chapter", "--course", folder}).code == 0);
  CHECK(fs::is_regular_file(course.path() / "solutions/my-filter.cu"));
  CHECK(fs::read_symlink(first.root / "exercises/my-filter") ==
        course.path() / "exercises/my-filter");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"course", "export", (course.path() / "s.zip").string()},
        {"check", "my-filter", (course.path() / "solutions/my-filter.cu").string()}}) {
    const Outcome unbuilt = first.does(words);
    CAPTURE(unbuilt.out, unbuilt.err);
    CHECK(unbuilt.code == 2);
    CHECK_THAT(unbuilt.err, Says("phrase.own.not-built"));
  }
  CHECK_FALSE(fs::exists(course.path() / "s.zip"));
  const Outcome again = first.does({"course", "link", folder});
  CHECK_THAT(again.out, said("cli.course.linked", {{"count", "0"}}));
  const Outcome nowhere = first.does({"course", "link", (course.path() / "nowhere").string()});
  CHECK(nowhere.code == 2);
  CHECK_THAT(nowhere.err, Says("phrase.own.no-folder"));
  const TemporaryFolder empty;
  CHECK_THAT(first.does({"course", "link", empty.path().string()}).err,
             Says("phrase.own.no-course"));

  const Outcome linked = second.does({"course", "link", folder});
  CHECK_THAT(linked.out, said("cli.course.linked", {{"count", "3"}}));
  CHECK(second.catalogue() == first.catalogue());
  CHECK(lab::load_exercise(second.root.string(), "my-filter", "en"));

  course.write("exercises/saxpy/exercise.toml", "");
  CHECK_THAT(second.does({"course", "link", folder}).err, Says("phrase.own.in-the-way"));
}

}  // namespace warpbook::tests::own_folders_test
