// Every chapter's teach.md, held against the chapter that it is about.
#include "lab/document/teaching_notes.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lessons/catalogue.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::lessons_teaching_notes_test {

TEST_CASE("The notes for teachers keep to their chapter: questions, figures, steps and plans") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    CAPTURE(lesson.slug);
    const auto notes = lab::load_teaching_notes(WARPBOOK_SOURCE_DIR, lesson.slug);
    INFO((notes ? std::string() : keyed(notes.error())));
    REQUIRE(notes.has_value());
    const auto chapter = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, lab::kEnglish);
    REQUIRE(chapter.has_value());
    for (const device::Error& error : lab::validate(*notes, *chapter, lesson)) {
      UNSCOPED_INFO(keyed(error));
      CHECK(false);
    }
    CHECK(notes->plans.size() == 2);
  }
}

}  // namespace warpbook::tests::lessons_teaching_notes_test
