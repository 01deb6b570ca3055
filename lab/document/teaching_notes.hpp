// A chapter's teach.md, for whoever teaches it: what the class will answer, what to show, and a plan for ten minutes and one for
// forty. It is Markdown of these sections:
//
//     ## What to expect      a list; each item begins with its question as a link: [How many threads?](#idle-of-five)
//     ## Ten minutes         each thing to do ends with its minutes in parentheses, (3) or (3 in all)
//     ## Forty minutes       the same
//
// and others of its own. `=name` is a live figure, and `name=value` a setting of a parameter.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::lab {

struct TeachingPlan {
  struct Item {
    std::string text;
    int minutes = 0;
  };
  int minutes = 0;  ///< what its heading promises: 10 or 40
  std::vector<Item> items;
  std::string closing;     ///< what stands behind the last item; empty: nothing
  std::uint32_t line = 0;  ///< of its text
};

struct TeachingNotes {
  Document document;
  /// What the class is expected to answer, and what to ask then; by question.
  std::map<std::string, Spans, std::less<>> expected;
  std::vector<TeachingPlan> plans;
};

/// Reads notes from Markdown. Errors: those of the text; an item of "What to expect" that does not begin with its question.
device::Expected<TeachingNotes> parse_teaching_notes(std::string_view markdown,
                                                     const std::string& file);
/// Reads lessons/<slug>/teach.md.
device::Expected<TeachingNotes> load_teaching_notes(const std::string& root,
                                                    const std::string& slug);

/// Holds notes against their chapter, in the language that they are written in. Each with its line: a question, step, exhibit, figure,
/// parameter or value that the chapter does not have; a question of which the notes say nothing; a number from 11 on, or with
/// decimals, that the chapter's text does not name; a plan whose minutes do not add up to what its heading says.
std::vector<device::Error> validate(const TeachingNotes& notes, const Document& chapter,
                                    const Lesson& lesson);

/// The thing to do in minute `minute` of a plan, by its place among the items; the last one when the time is over.
std::size_t item_at(const TeachingPlan& plan, double minute);

}  // namespace warpbook::lab
