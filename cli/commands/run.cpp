// warpbook run CHAPTER: the chapter's experiment, its report as text or JSON; --against: and how it differs from another run.
#include <unistd.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/against.hpp"
#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/render/render.hpp"
#include "lab/report/compare.hpp"
#include "lab/report/report.hpp"

namespace warpbook::cli {
namespace {

struct RunFlags {
  ChapterFlags chapter;
  LanguageFlag language;
  std::string checks = kLessonCheckWords, device = "simulator";
  std::vector<std::string> against;
  bool json = false, sass = false;
};

std::string all_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

int run_chapter(const RunFlags& flags) {
  const auto strings = flags.language.strings();
  const auto lesson = flags.chapter.lesson();
  if (!lesson) return complain(lesson.error(), strings.get());
  auto inputs = flags.chapter.inputs(**lesson);
  if (!inputs) return complain(inputs.error(), strings.get());
  inputs->device = flags.device;

  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return complain(checks.error(), strings.get());

  const std::string root = device::root_folder().string();
  std::optional<lab::Report> other;
  if (!flags.against.empty()) {
    const auto against = against_inputs(**lesson, *inputs, flags.against);
    if (!against) return complain(against.error(), strings.get());
    other = lab::run(**lesson, *against, compiler(), root, {}, {}, *checks);
  }
  lab::Report report = lab::run(**lesson, *inputs, compiler(), root, {}, {}, *checks, flags.sass);
  if (other) {
    report.exhibits.push_back(lab::comparison_of(*other, report,
                                                 lab::Message::plain(all_of(flags.against)),
                                                 {"comparison.this-run", {}, {}}));
  }
  if (flags.json) {
    const auto english = lab::Strings::load(lab::kEnglish, root);
    if (!english) return complain(english.error());
    fmt::print("{}\n", lab::to_json(report, **english).dump(2));
  } else {
    fmt::print("{}", lab::to_text(report, *strings, 100, isatty(STDOUT_FILENO) != 0));
  }
  int code = kDone;
  for (const device::Error& error : report.errors)
    code = std::max(code, complain(error, strings.get()));
  // What went wrong in the other run, the comparison says.
  for (const device::Error& error : other ? other->errors : std::vector<device::Error>())
    code = std::max<int>(code, exit_code_of(error.code));
  return code;
}

}  // namespace

void add_run(CommandLine& line) {
  auto flags = std::make_shared<RunFlags>();
  Verb verb = line.add("run", "Run a chapter's kernels and print what they did");
  flags->chapter.add_to(verb);
  flags->language.add_to(verb);
  add_checks(verb, flags->checks);
  verb.option("--device", flags->device,
              "simulator (default), gpu, or auto: the GPU where one serves; what a GPU does not "
              "count or trace, a simulated one of its kind shows beside it")
      .one_of({"simulator", "gpu", "auto"});
  verb.flag("--sass", flags->sass, "With the machine code of each source");
  verb.option("--against", flags->against,
              std::string("Also hold it against a run that differs in: ") + kAgainstForm +
                  " (separated by commas, or repeated; original: the chapter's own sources)");
  verb.flag("--json", flags->json, "As JSON (lab/render/report.schema.json)");
  verb.does([flags] { return run_chapter(*flags); });
}

}  // namespace warpbook::cli
