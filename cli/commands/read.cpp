// warpbook read CHAPTER: the chapter's text, with the figures of a run and its questions still open.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/book/chapter_page.hpp"
#include "lab/document/document.hpp"

namespace warpbook::cli {
namespace {

struct ReadFlags {
  ChapterFlags chapter;
  LanguageFlag language;
  bool answers = false;
};

/// An error of the run that a question asks about: it is at a line of the kernel, and the question covers it in the book, too.
bool is_answer(const device::Error& error, const lab::Document& document) {
  const auto covers = [](const lab::DocumentNode& node) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    return question &&
           std::ranges::find(question->veils, lab::kVeiledErrors) != question->veils.end();
  };
  return error.place.line != 0 && std::ranges::any_of(document.nodes, covers);
}

int read_chapter(const ReadFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error(), strings.get());
  const auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error(), strings.get());
  const auto document = lab::load_document(root, (*lesson)->slug, flags.language.language());
  if (!document) return complain(document.error(), strings.get());

  lab::ChapterRuns runs;
  if (flags.answers) {
    runs = lab::run_questions(*document, **lesson, *inputs, compiler(), root);
  } else {
    runs.shown = std::make_shared<const lab::Report>(lab::run(**lesson, *inputs, compiler(), root));
  }
  lab::AnswersGiven given;
  for (const auto& [question, run] : runs.deciding) given[question] = "";
  fmt::print("{}",
             lab::to_text(*document, **lesson, runs.shown.get(), *strings, given, runs.deciding));
  for (const device::Error& error : runs.shown->errors) {
    if (flags.answers || !is_answer(error, *document)) complain(error, strings.get());
  }
  return kDone;
}

}  // namespace

void add_read(CommandLine& line) {
  auto flags = std::make_shared<ReadFlags>();
  Verb verb = line.add("read", "Print a chapter's text");
  flags->chapter.add_to(verb);
  flags->language.add_to(verb);
  verb.flag("--answers", flags->answers, "Answer the questions, and show what they cover");
  verb.does([flags] { return read_chapter(*flags); });
}

}  // namespace warpbook::cli
