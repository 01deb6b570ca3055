#include "lab/document/glossary.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lab/document/markdown.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::glossary_test {
namespace {

std::string term(const std::string& id, const std::string& name, const std::string& meaning,
                 const std::string& opencl = "") {
  return "```term\nid = \"" + id + "\"\nname = \"" + name + "\"\nmeaning = \"" + meaning + "\"\n" +
         (opencl.empty() ? "" : "opencl = \"" + opencl + "\"\n") + "```\n\n";
}

Document chapter(const std::string& title, const std::string& terms,
                 const std::string& language = "en") {
  auto document = parse_document("# " + title + "\n\n" + terms, "en.md", language);
  INFO((document ? "" : document.error().english()));
  REQUIRE(document);
  return std::move(*document);
}

std::vector<std::string> ids_of(const std::vector<const GlossaryEntry*>& entries) {
  std::vector<std::string> ids;
  for (const GlossaryEntry* entry : entries) ids.push_back(entry->term.id);
  return ids;
}

using Ids = std::vector<std::string>;

Glossary two_chapters() {
  Glossary glossary;
  glossary.add("first", chapter("First", term("warp", "warp", "32 threads.", "sub-group") +
                                             term("grid", "Grid", "All blocks of a launch.")));
  glossary.add("second", chapter("Second", term("block", "block", "Threads of one grid.") +
                                               term("warp", "warp", "Said again.")));
  return glossary;
}

}  // namespace

TEST_CASE("the glossary has every term once, by name, with the chapter that explains it first") {
  const Glossary glossary = two_chapters();
  CHECK(ids_of(glossary.matching("")) == Ids{"block", "grid", "warp"});
  const GlossaryEntry* warp = glossary.find("warp");
  REQUIRE(warp);
  CHECK(warp->chapter == "first");
  CHECK(warp->title == "First");
  CHECK(plain_text(warp->term.meaning) == "32 threads.");
  CHECK(glossary.find("lane") == nullptr);
  CHECK(Glossary().matching("").empty());
}

TEST_CASE("a term is found by its name, its OpenCL name or its explanation, names first") {
  const Glossary glossary = two_chapters();
  CHECK(ids_of(glossary.matching("GRID")) == Ids{"grid", "block"});
  CHECK(ids_of(glossary.matching("sub-g")) == Ids{"warp"});
  CHECK(ids_of(glossary.matching("launch")) == Ids{"grid"});
  CHECK(glossary.matching("occupancy").empty());
}

TEST_CASE("a Chinese glossary is ordered and found by pinyin, and by the term's id") {
  Glossary glossary;
  glossary.add("first", chapter("一",
                                term("warp", "线程束", "32 个线程。") +
                                    term("grid", "网格", "全部线程块。") +
                                    term("block", "线程块", "同一处理器上的线程。"),
                                "zh"));
  CHECK(ids_of(glossary.matching("")) == Ids{"grid", "block", "warp"});
  CHECK(ids_of(glossary.matching("xcs")) == Ids{"warp"});
  CHECK(ids_of(glossary.matching("线程")) == Ids{"block", "warp", "grid"});
  CHECK(ids_of(glossary.matching("Warp")) == Ids{"warp"});
}

TEST_CASE("the glossary in a terminal names each term's chapter and keeps to the width") {
  const Glossary glossary = two_chapters();
  const std::string text = to_text(glossary.matching(""), *sample::strings("en"), 40);
  CHECK(text.starts_with(
      "block\n  Threads of one grid.\n  First in the chapter Second (second)\n\n"));
  CHECK(text.find("warp\n  32 threads. (OpenCL: sub-group)\n") != std::string::npos);
  CHECK(to_text(glossary.matching("voodoo"), *sample::strings("en")).empty());
}

TEST_CASE("a chapter that cannot be read is the glossary's error") {
  Lesson lesson;
  lesson.slug = "not-written-yet";
  const auto glossary = load_glossary("/nowhere", std::span(&lesson, 1), "en");
  REQUIRE_FALSE(glossary);
  CHECK(glossary.error().english().find("not-written-yet") != std::string::npos);
}

}  // namespace warpbook::lab::glossary_test
