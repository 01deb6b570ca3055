// warpbook exercises, next, start, hint and reset: the exercises, and the user's own folder of them.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/checking.hpp"
#include "lab/document/document.hpp"
#include "lab/exercise/exercise_tools.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {
namespace {

struct Flags {
  std::string exercise;
  LanguageFlag language;
  CheckFlags check;
  bool json = false;
};

/// One exercise of the list; how far the user has come with it is a word, not only a colour or a sign.
int print_exercise(const std::string& id, const lab::WorkFolder& work,
                   const lab::Progress& progress, const lab::Strings& strings,
                   const std::string& language, nlohmann::json* json) {
  const auto text = exercise_named(id, language);
  if (!text) return complain(text.error(), &strings);
  const auto found = progress.find(id);
  const lab::ExerciseProgress reached =
      found == progress.end() ? lab::ExerciseProgress() : found->second;
  const bool begun = work.begun(*text);
  if (json) {
    json->push_back({{"id", id},
                     {"chapter", text->chapter},
                     {"title", text->title},
                     {"points", reached.points},
                     {"points_possible", text->points},
                     {"passed", reached.passed},
                     {"hints", reached.hints},
                     {"file", begun ? work.file_of(*text).string() : std::string()}});
    return kDone;
  }
  const char* state = !reached.passed.empty() ? "cli.exercises.passed"
                      : begun                 ? "cli.exercises.begun"
                                              : "cli.exercises.open";
  fmt::print("  {:<22} {:>2} / {:<2}  {:<10} {}\n", id, reached.points, text->points,
             strings(state), text->title);
  return kDone;
}

int list_exercises(const Flags& flags) {
  const auto strings = flags.language.strings();
  const std::string language = flags.language.language();
  const lab::WorkFolder work = own_work();
  const auto progress = work.progress();
  if (!progress) return complain(progress.error(), strings.get());
  nlohmann::json json = nlohmann::json::array();
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    if (lesson.exercises.empty()) continue;
    if (!flags.json) fmt::print("{}\n", (*strings)(lesson.slug + ".title"));
    for (const std::string& id : lesson.exercises) {
      const int code =
          print_exercise(id, work, *progress, *strings, language, flags.json ? &json : nullptr);
      if (code != kDone) return code;
    }
  }
  if (flags.json) {
    fmt::print("{}\n", json.dump(2));
    return kDone;
  }
  fmt::print("\n{}\n", (*strings)("cli.exercises.folder", {{"folder", work.folder().string()}}));
  print_next(*strings, language);
  return kDone;
}

int next(const Flags& flags) {
  const auto strings = flags.language.strings();
  const lab::WorkFolder work = own_work();
  const auto text = exercise_named_or_next(flags.exercise, flags.language.language());
  if (!text) return complain(text.error(), strings.get());
  if (text->id.empty()) {
    fmt::print("{}\n", (*strings)("cli.exercises.all-passed"));
    return kDone;
  }
  fmt::print("{}\n",
             (*strings)(work.begun(*text) ? "cli.exercises.next-begun" : "cli.exercises.next",
                        {{"title", text->title},
                         {"exercise", text->id},
                         {"file", work.file_of(*text).string()}}));
  return kDone;
}

int start(const Flags& flags) {
  const auto strings = flags.language.strings();
  const lab::WorkFolder work = own_work();
  const auto text = exercise_named_or_next(flags.exercise, flags.language.language());
  if (!text) return complain(text.error(), strings.get());
  if (text->id.empty()) {
    fmt::print("{}\n", (*strings)("cli.exercises.all-passed"));
    return kDone;
  }
  const auto copied = work.begin(*text);
  if (!copied) return complain(copied.error(), strings.get());
  print_task(*text, *strings, flags.language.language());
  fmt::print("{}\n", (*strings)(*copied ? "cli.exercises.started" : "cli.exercises.already",
                                {{"file", work.file_of(*text).string()}, {"exercise", text->id}}));
  return kDone;
}

int reset(const Flags& flags) {
  const auto strings = flags.language.strings();
  const lab::WorkFolder work = own_work();
  const auto text = exercise_named(flags.exercise, flags.language.language());
  if (!text) return complain(text.error(), strings.get());
  const auto copy = work.reset(*text);
  if (!copy) return complain(copy.error(), strings.get());
  fmt::print("{}\n",
             (*strings)(copy->empty() ? "cli.exercises.reset" : "cli.exercises.reset-kept",
                        {{"file", work.file_of(*text).string()}, {"copy", copy->string()}}));
  return kDone;
}

/// The tiers of the hint for the first gate that the user's file fails at: those seen before, and one more.
int print_hint(const lab::ExerciseText& text, const lab::CheckReport& checked,
               const lab::CheckExhibit::Item& item, const lab::Strings& strings,
               const std::string& language) {
  const lab::Hint& hint = lab::hint_for(text, item);
  int shown = 0;
  const auto counted = own_work().change([&](lab::Progress& progress) {
    int& seen = progress[text.id].hints[hint.gate];
    seen = shown = std::min(seen + 1, static_cast<int>(hint.tiers.size()));
  });
  if (!counted) return complain(counted.error(), &strings);
  const auto lesson = find_chapter(text.chapter);
  if (!lesson) return complain(lesson.error(), &strings);
  for (int tier = 0; tier < shown; ++tier) {
    const std::string heading = strings(
        "cli.exercises.hint",
        {{"number", std::to_string(tier + 1)}, {"total", std::to_string(hint.tiers.size())}});
    const std::string words =
        lab::fill_hint(hint.tiers[static_cast<std::size_t>(tier)], item, checked.report, strings);
    const auto document =
        lab::parse_document("# " + heading + "\n\n" + words + "\n", text.id, language);
    // What a submission prints can stand in a hint and be no Markdown: it is shown as it is.
    fmt::print("{}\n", document ? lab::to_text(*document, **lesson, nullptr, strings, {})
                                : heading + "\n\n" + words + "\n");
  }
  return kDone;
}

int give_hint(const Flags& flags) {
  const auto strings = flags.language.strings();
  const lab::WorkFolder work = own_work();
  const auto text = exercise_named_or_next(flags.exercise, flags.language.language());
  if (!text) return complain(text.error(), strings.get());
  if (text->id.empty()) {
    fmt::print("{}\n", (*strings)("cli.exercises.all-passed"));
    return kDone;
  }
  if (!work.begun(*text)) {
    fmt::print("{}\n",
               (*strings)("cli.exercises.next", {{"title", text->title}, {"exercise", text->id}}));
    return kFailed;
  }
  const auto checked = check_file(*text, work.file_of(*text), flags.check);
  if (!checked) return complain(checked.error(), strings.get());
  record(*text, *checked, *strings);
  if (checked->passed) {
    print_check(*checked, *text, *strings);
    return kDone;
  }
  if (const auto* item = lab::hinted_item(*text, checked->report))
    return print_hint(*text, *checked, *item, *strings, flags.language.language());
  // It does not compile, or was not graded: the errors say what to do.
  for (const device::Error& error : checked->report.errors) complain(error, strings.get());
  return checked->graded ? kFailed : kMissing;
}

}  // namespace

void add_exercises(CommandLine& line) {
  {
    auto flags = std::make_shared<Flags>();
    Verb verb = line.add("exercises", "List the exercises, and what you have reached in each");
    flags->language.add_to(verb);
    verb.flag("--json", flags->json, "As JSON");
    verb.does([flags] { return list_exercises(*flags); });
  }
  struct Command {
    const char *name, *help;
    int (*does)(const Flags&);
    bool named, checks;
  };
  static constexpr Command kCommands[] = {
      {"next", "Say which exercise comes next", next, false, false},
      {"start", "Copy an exercise's starter into your own folder, and show its task", start, true,
       false},
      {"hint", "Check your file, and give a hint for what fails first; once more, a further one",
       give_hint, true, true},
      {"reset", "Put an exercise's starter back; what you wrote is kept as a copy", reset, true,
       false},
  };
  for (const Command& command : kCommands) {
    auto flags = std::make_shared<Flags>();
    Verb verb = line.add(command.name, command.help);
    if (command.named) {
      verb.option("exercise", flags->exercise, "The exercise (without one: the next)");
      if (command.does == reset) verb.required();
    }
    flags->language.add_to(verb);
    if (command.checks) flags->check.add_to(verb);
    verb.does([flags, does = command.does] { return does(*flags); });
  }
}

}  // namespace warpbook::cli
