// warpbook check EXERCISE [FILE]: a submission against the exercise's gates, in a child with limits.
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/document/document.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/render/render.hpp"

namespace warpbook::cli {
namespace {

struct CheckFlags {
  std::string exercise, file, checks = kLessonCheckWords, gpu = lab::Inputs{}.gpu;
  LanguageFlag language;
  std::uint64_t seed = lab::seed_of_this_check();
  bool json = false, trust = false;
};

/// What a chapter's page shows above its editor: the task, and where the starter stands.
void print_task(const lab::ExerciseText& text, const lab::Strings& strings,
                const std::string& language) {
  const auto lesson = find_chapter(text.chapter);
  const auto task = lab::parse_document(text.task, text.id, language);
  if (!lesson || !task) return;
  fmt::print("{}", lab::to_text(*task, **lesson, nullptr, strings, {}));
  const std::string starter = lab::submission_name("starter", text.submission);
  fmt::print("\n{}\n\n",
             strings("cli.check.starter",
                     {{"starter", "exercises/" + text.id + "/" + starter},
                      {"exercise", text.id},
                      {"file", lab::submission_name("my_" + text.id, text.submission)}}));
}

int check_submission(const CheckFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  if (!exercises::find(flags.exercise)) {
    return complain(unknown_name("exercise", flags.exercise,
                                 names_of(exercises::catalogue(), &lab::Exercise::id)),
                    strings.get());
  }
  const auto checks = device::parse_checks(flags.checks);
  if (!checks) return complain(checks.error(), strings.get());
  lab::Inputs inputs;
  if (auto applied = apply_gpu(flags.gpu, inputs); !applied)
    return complain(applied.error(), strings.get());
  const auto text = lab::load_exercise(root, flags.exercise, flags.language.language());
  if (!text) return complain(text.error(), strings.get());
  const std::filesystem::path file =
      flags.file.empty() ? std::filesystem::path(root) / "exercises" / flags.exercise /
                               lab::submission_name("starter", text->submission)
                         : std::filesystem::path(flags.file);
  const auto source = device::read_file(file, 1u << 20);
  if (!source) return complain(source.error(), strings.get());

  const device::Compiler::Status status = compiler()->status();
  if (text->submission == lab::Submission::kernel && status.available &&
      status.level == device::ConfinementLevel::limits && !flags.trust) {
    return complain({device::ErrorCode::box_missing,
                     {{"why", status.why_not_higher}, {"file", file.filename().string()}},
                     {}},
                    strings.get());
  }
  if (flags.file.empty() && !flags.json) print_task(*text, *strings, flags.language.language());
  const lab::CheckReport checked =
      lab::check_in_child(flags.exercise, file.filename().string(), *source, root, {}, {}, {},
                          {*checks, inputs.gpu, false, flags.seed});
  if (flags.json) {
    const auto english = lab::Strings::load(lab::kEnglish, root);
    if (!english) return complain(english.error());
    nlohmann::json json = lab::to_json(checked.report, **english);
    json["graded"] = checked.graded;
    json["passed"] = checked.passed;
    json["points"] = checked.points;
    json["points_possible"] = checked.points_possible;
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", lab::to_text(checked.report, *strings, 100, isatty(STDOUT_FILENO) != 0));
    fmt::print("\n{}\n", (*strings)(checked.passed ? "cli.check.passed" : "cli.check.failed",
                                    {{"exercise", flags.exercise},
                                     {"points", std::to_string(checked.points)},
                                     {"possible", std::to_string(checked.points_possible)}}));
  }
  for (const device::Error& error : checked.report.errors) complain(error, strings.get());
  if (!checked.graded) return kMissing;
  return checked.passed ? kDone : kFailed;
}

}  // namespace

void add_check(CommandLine& line) {
  auto flags = std::make_shared<CheckFlags>();
  Verb verb = line.add("check", "Check a submission to an exercise");
  verb.option("exercise", flags->exercise, "The exercise, as `warpbook list` names it").required();
  verb.option("file", flags->file,
              "The submission (without one: the task, and what its starter does)");
  flags->language.add_to(verb);
  add_checks(verb, flags->checks);
  verb.option("--gpu", flags->gpu, gpu_help());
  verb.option("--seed", flags->seed,
              "Draws the hidden cases: the same seed, the same cases (without it: others in every "
              "check)");
  verb.flag("--json", flags->json, "As JSON (lab/render/report.schema.json, with points)");
  verb.flag("--trust", flags->trust,
            "Compile the submission even where the compiler cannot be boxed");
  verb.does([flags] { return check_submission(*flags); });
}

}  // namespace warpbook::cli
