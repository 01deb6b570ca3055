// A chapter as a page that stands by itself: one HTML file with its prose, its questions, and the results of its runs.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "lab/document/document.hpp"
#include "lab/document/glossary.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/markup/html_parts.hpp"

namespace warpbook::lab {

/// All that a page says beside its text.
struct ChapterRuns {
  using Run = std::shared_ptr<const Report>;
  Run shown;              ///< of the inputs that were asked for
  DecidingRuns deciding;  ///< by question
  std::map<std::size_t, std::vector<Run>>
      variants;  ///< by the place of a compare directive in Document::nodes
  std::map<std::string, ExerciseText> exercises;  ///< by id
};
/// Runs the chapter with `inputs`, each question's case and each variant; runs of the same inputs once. Errors: an exercise
/// that cannot be read, a cancelled run. What else a run came to stands in its report.
device::Expected<ChapterRuns> run_chapter(const Document& document, const Lesson& lesson,
                                          const Inputs& inputs,
                                          const std::shared_ptr<device::Compiler>& compiler,
                                          const std::string& root,
                                          const std::stop_token& stop = {});

/// The same without variants and exercises: what a text says of its questions.
ChapterRuns run_questions(const Document& document, const Lesson& lesson, const Inputs& inputs,
                          const std::shared_ptr<device::Compiler>& compiler,
                          const std::string& root, const std::stop_token& stop = {});

/// The page. It needs no script and nothing from elsewhere. What answers a question lies in that question's closed <details>,
/// with the run that decides it; what else an open question covers is closed, too. Terms that the page links to and does
/// not explain itself stand at its end, as `glossary` has them.
std::string to_html_page(const Document& document, const Lesson& lesson, const ChapterRuns& runs,
                         const Strings& strings, PageTheme theme = PageTheme::automatic,
                         const Glossary& glossary = {});

/// The glossary as a page: every term in order, with the chapters that explain and use it.
std::string to_html_page(const Glossary& glossary, const Strings& strings,
                         PageTheme theme = PageTheme::automatic);

}  // namespace warpbook::lab
