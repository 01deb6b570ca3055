// warpbook read CHAPTER: the chapter's text, with the figures of a run and its questions still open.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/document/document.hpp"

namespace warpbook::cli {
namespace {

struct ReadFlags {
  ChapterFlags chapter;
  LanguageFlag language;
  bool answers = false;
};

int read_chapter(const ReadFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error(), strings.get());
  const auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error(), strings.get());
  const auto document = lab::load_document(root, (*lesson)->slug, flags.language.language());
  if (!document) return complain(document.error(), strings.get());

  const lab::Report report = lab::run(**lesson, *inputs, compiler(), root);
  lab::AnswersGiven given, right;
  if (flags.answers) {
    for (const lab::Block& block : document->blocks) {
      const auto* predict = std::get_if<lab::PredictDirective>(&block);
      if (!predict) continue;
      given[predict->id] = "";
      const lab::Inputs deciding = lab::deciding_inputs(*predict, **lesson, *inputs);
      const lab::Report decided = lab::run(**lesson, deciding, compiler(), root);
      if (auto answer = lab::computed_answer(*predict, **lesson, decided))
        right[predict->id] = std::move(*answer);
    }
  }
  fmt::print("{}", lab::to_text(*document, **lesson, &report, *strings, given, right));
  for (const device::Error& error : report.errors) complain(error, strings.get());
  return kDone;
}

}  // namespace

void add_read(Program& program) {
  auto flags = std::make_shared<ReadFlags>();
  Verb verb = program.add("read", "Print a chapter's text");
  flags->chapter.add_to(verb);
  flags->language.add_to(verb);
  verb.flag("--answers", flags->answers, "Answer the questions, and show what they cover");
  verb.does([flags] { return read_chapter(*flags); });
}

}  // namespace warpbook::cli
