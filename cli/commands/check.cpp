// warpbook check EXERCISE [FILE]: a submission against the exercise's gates, in a child with limits.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/checking.hpp"
#include "device/platform.hpp"
#include "lab/render/render.hpp"

namespace warpbook::cli {
namespace {

struct Flags {
  std::string exercise, file;
  LanguageFlag language;
  CheckFlags check;
  bool json = false;
};

int print_json(const lab::CheckReport& checked) {
  const auto english = lab::Strings::load(lab::kEnglish, device::root_folder().string());
  if (!english) return complain(english.error());
  nlohmann::json json = lab::to_json(checked.report, **english);
  json["graded"] = checked.graded;
  json["passed"] = checked.passed;
  json["points"] = checked.points;
  json["points_possible"] = checked.points_possible;
  fmt::print("{}\n", json.dump(2));
  return kDone;
}

int check_submission(const Flags& flags) {
  const auto strings = flags.language.strings();
  const std::string language = flags.language.language();
  const auto text = exercise_named(flags.exercise, language);
  if (!text) return complain(text.error(), strings.get());

  const lab::WorkFolder work = own_work();
  const bool own = flags.file.empty() && work.begun(*text);
  const bool starter = flags.file.empty() && !own;
  std::filesystem::path file = flags.file;
  if (own) file = work.file_of(*text);
  if (starter) {
    file = device::root_folder() / "exercises" / text->id /
           lab::submission_name("starter", text->submission);
  }
  if (starter && !flags.json) {
    print_task(*text, *strings, language);
    fmt::print("{}\n\n", (*strings)("cli.check.starter", {{"exercise", text->id}}));
  }
  const auto checked = check_file(*text, file, flags.check);
  if (!checked) return complain(checked.error(), strings.get());
  if (flags.json) {
    if (const int code = print_json(*checked); code != kDone) return code;
  } else {
    if (own) fmt::print("{}\n\n", (*strings)("cli.check.own", {{"file", file.string()}}));
    print_check(*checked, *text, *strings);
  }
  for (const device::Error& error : checked->report.errors) complain(error, strings.get());
  if (own) record(*text, *checked, *strings);
  if (own && checked->passed && !flags.json) print_next(*strings, language);
  if (!checked->graded) return kMissing;
  return checked->passed ? kDone : kFailed;
}

}  // namespace

void add_check(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("check", "Check a submission to an exercise");
  verb.option("exercise", flags->exercise, "The exercise, as `warpbook exercises` names it")
      .required();
  verb.option(
      "file", flags->file,
      "The submission (without one: your own file of `warpbook start`, else the task and what "
      "its starter does)");
  flags->language.add_to(verb);
  flags->check.add_to(verb);
  verb.flag("--json", flags->json, "As JSON (lab/render/report.schema.json, with points)");
  verb.does([flags] { return check_submission(*flags); });
}

}  // namespace warpbook::cli
