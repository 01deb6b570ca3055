// warpbook demo check FILE: runs a prepared lecture beforehand, keeps what its screens show, and says what has changed since.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/demo_chapter.hpp"
#include "device/platform.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::cli {
namespace {

struct Flags {
  std::string what, file;
  LanguageFlag language;
  bool keep = false;
};

/// How a lecture's screens came out, for the last line and the exit code.
struct Outcome {
  std::size_t kept = 0, changed = 0, failed = 0;
  std::size_t meant = 0;  ///< with an error that the chapter's own kernel has
};

void print_changes(const std::vector<lab::ChangedFigure>& changes, const std::string& when,
                   const lab::Strings& strings) {
  const std::string day = when.substr(0, when.find('T'));
  const std::string nothing = strings("cli.demo.no-figure");
  for (const lab::ChangedFigure& change : changes) {
    fmt::print("      {}\n", strings("cli.demo.changed",
                                     {{"name", change.name},
                                      {"before", change.before.empty() ? nothing : change.before},
                                      {"day", day},
                                      {"now", change.now.empty() ? nothing : change.now}}));
  }
}

/// Runs screen `index`, says how it came out, and keeps its runs where nothing was kept yet or `keep` asks for it.
device::Expected<device::Done> check_screen(const lab::Demo& demo, std::size_t index,
                                            const DemoChapter& chapter, bool keep,
                                            const lab::Strings& strings, Outcome& outcome) {
  const lab::DemoRuns before = lab::kept_demo_runs(demo, index);
  const lab::DemoRuns now = lab::run_demo_screen(demo, index, *chapter.lesson, chapter.document,
                                                 compiler(), device::root_folder().string());
  fmt::print("  {:<34} {}\n", lab::demo_screen_name(demo, index),
             lab::duration(now.shown->compile_seconds + now.shown->run_seconds));
  if (const auto trouble = lab::demo_trouble(demo, index, now, before)) {
    ++(lab::is_of_chapter(*trouble, demo.screens[index], before) ? outcome.meant : outcome.failed);
    fmt::print("      {}\n", strings(*trouble));
  }
  if (before.shown) {
    const auto changes = lab::changed_figures(*chapter.lesson, before, now);
    print_changes(changes, before.shown->when, strings);
    outcome.changed += changes.size();
    if (!keep) return device::Done{};
  }
  ++outcome.kept;
  return lab::keep_demo_runs(demo, index, now);
}

/// What the lecture takes by its file, where it says so of any screen.
void print_minutes(const lab::Demo& demo, const lab::Strings& strings) {
  double minutes = 0;
  std::size_t without = 0;
  for (const lab::DemoScreen& screen : demo.screens) {
    minutes += screen.minutes.value_or(0);
    without += screen.minutes ? 0 : 1;
  }
  if (minutes > 0)
    fmt::print("\n{}\n", strings("cli.demo.minutes",
                                 {{"minutes", lab::number(minutes)}, {"without", without}}));
}

int check(const Flags& flags) {
  const auto strings = flags.language.strings();
  const auto demo = lab::load_demo(flags.file);
  if (!demo) return complain(demo.error(), strings.get());
  const auto chapter = chapter_of_demo(*demo);
  if (!chapter) return complain(chapter.error(), strings.get());
  const auto problems = lab::validate(*demo, *chapter->lesson, chapter->document);
  for (const device::Error& problem : problems) complain(problem, strings.get());
  if (!problems.empty()) return kBadUsage;
  Outcome outcome;
  for (std::size_t i = 0; i < demo->screens.size(); ++i) {
    if (auto done = check_screen(*demo, i, *chapter, flags.keep, *strings, outcome); !done)
      return complain(done.error(), strings.get());
  }
  const std::string folder = lab::recorded_folder(demo->file).string();
  if (outcome.kept > 0)
    fmt::print("\n{}\n", (*strings)("cli.demo.kept",
                                    {{"count", std::to_string(outcome.kept)}, {"folder", folder}}));
  if (outcome.meant > 0)
    fmt::print("\n{}\n", lab::counted(*strings, "cli.demo.meant", outcome.meant));
  print_minutes(*demo, *strings);
  if (outcome.failed > 0)
    fmt::print("\n{}\n",
               (*strings)("cli.demo.failed", {{"count", std::to_string(outcome.failed)}}));
  if (outcome.changed > 0 && !flags.keep)
    fmt::print("\n{}\n",
               (*strings)("cli.demo.keep-anew", {{"count", std::to_string(outcome.changed)}}));
  const bool well = outcome.failed == 0 && (outcome.changed == 0 || flags.keep);
  if (well) fmt::print("\n{}\n", (*strings)("cli.demo.well", {{"file", demo->file}}));
  return well ? kDone : kFailed;
}

}  // namespace

void add_demo(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("demo", "Prepare a lecture: run its demo.toml beforehand");
  verb.option("what", flags->what, "check: run every screen, and compare with what was kept")
      .required()
      .one_of({"check"});
  verb.option("file", flags->file, "The lecture's demo.toml").required();
  verb.flag("--keep", flags->keep, "Keep what the screens show now");
  flags->language.add_to(verb);
  verb.does([flags] { return check(*flags); });
}

}  // namespace warpbook::cli
