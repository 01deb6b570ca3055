// warpbook run CHAPTER: the chapter's experiment, its report as text or JSON.
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/report.hpp"

namespace warpbook::cli {
namespace {

struct Flags {
  ChapterFlags chapter;
  LanguageFlag language;
  std::string checks = kLessonCheckWords;
  bool json = false, sass = false;
};

int run_chapter(const Flags& flags) {
  const auto strings = flags.language.strings();
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error(), strings.get());
  const auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error(), strings.get());

  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return complain(checks.error(), strings.get());

  const std::string root = device::root_folder().string();
  const lab::Report report =
      lab::run(**lesson, *inputs, compiler(), root, {}, {}, *checks, flags.sass);
  if (flags.json) {
    const auto english = lab::Strings::load(lab::Language::english, root);
    if (!english) return complain(english.error());
    fmt::print("{}\n", lab::to_json(report, **english).dump(2));
  } else {
    fmt::print("{}", lab::to_text(report, *strings, 100, isatty(STDOUT_FILENO) != 0));
  }
  int code = kDone;
  for (const device::Error& error : report.errors)
    code = std::max(code, complain(error, strings.get()));
  return code;
}

}  // namespace

void add_run(Program& program) {
  auto flags = std::make_shared<Flags>();
  Verb verb = program.add("run", "Run a chapter's kernels and print what they did");
  flags->chapter.add_to(verb);
  flags->language.add_to(verb);
  add_checks(verb, flags->checks);
  verb.flag("--sass", flags->sass, "With the machine code of each source");
  verb.flag("--json", flags->json, "As JSON (lab/report.schema.json)");
  verb.does([flags] { return run_chapter(*flags); });
}

}  // namespace warpbook::cli
