#include "cli/checking.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/document/document.hpp"
#include "lab/render/render.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::cli {

void CheckFlags::add_to(Verb& verb) {
  add_to_class(verb);
  verb.option("--seed", seed,
              "Draws the hidden cases: the same seed, the same cases (without it: others in every "
              "check)");
  verb.option(
      "--student", student,
      "Draws the hidden cases for this student: the same ones in each of their checks, and others "
      "for others; with --seed as the key that only the teacher knows");
}

void CheckFlags::add_to_class(Verb& verb) {
  add_checks(verb, checks);
  verb.option("--gpu", gpu, gpu_help());
  verb.flag("--trust", trust, "Compile the submission even where the compiler cannot be boxed");
}

device::Expected<lab::CheckSetting> CheckFlags::setting(const std::string& exercise) const {
  const auto parsed = device::parse_checks(checks);
  if (!parsed) return tl::unexpected(parsed.error());
  lab::Inputs inputs;
  if (auto applied = apply_gpu(gpu, inputs); !applied) return tl::unexpected(applied.error());
  const std::uint64_t drawn = student.empty()
                                  ? (seed ? *seed : lab::seed_of_this_check())
                                  : lab::seed_of_student(seed.value_or(0), student, exercise);
  return lab::CheckSetting{*parsed, inputs.gpu, false, drawn};
}

std::vector<std::string> unbuilt_exercises() {
  std::vector<std::string> ids;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(device::root_folder() / "exercises", ignored)) {
    const std::string id = entry.path().filename().string();
    const bool is_one = std::filesystem::exists(entry.path() / "exercise.toml", ignored);
    if (is_one && !exercises::find(id)) ids.push_back(id);
  }
  std::ranges::sort(ids);
  return ids;
}

device::Error not_built(const std::string& id) {
  return {device::ErrorCode::file_unreadable,
          {{"file", "exercises/" + id}, {"why", device::Message{"phrase.own.not-built", {}, {}}}},
          {}};
}

device::Expected<lab::ExerciseText> exercise_named(const std::string& id,
                                                   const std::string& language) {
  if (!exercises::find(id)) {
    const auto unbuilt = unbuilt_exercises();
    if (std::ranges::find(unbuilt, id) != unbuilt.end()) return tl::unexpected(not_built(id));
    return tl::unexpected(
        unknown_name("exercise", id, names_of(exercises::catalogue(), &lab::Exercise::id)));
  }
  return lab::load_exercise(device::root_folder().string(), id, language);
}

std::string next_exercise(const lab::Progress& progress) {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    for (const std::string& id : lesson.exercises) {
      const auto found = progress.find(id);
      if (found == progress.end() || found->second.passed.empty()) return id;
    }
  }
  return {};
}

device::Expected<lab::ExerciseText> exercise_named_or_next(const std::string& id,
                                                           const std::string& language) {
  if (!id.empty()) return exercise_named(id, language);
  const auto progress = own_work().progress();
  if (!progress) return tl::unexpected(progress.error());
  const std::string next = next_exercise(*progress);
  return next.empty() ? lab::ExerciseText() : exercise_named(next, language);
}

lab::WorkFolder own_work() { return lab::WorkFolder(device::work_folder()); }

namespace {

/// The text of a submission. A link is refused, because it may lead to a file that its owner could not read.
device::Expected<std::string> submission_in(const std::filesystem::path& file) {
  const auto refuse = [&](const char* why) {
    return device::failure(device::ErrorCode::file_unreadable,
                           {{"file", file.string()},
                            {"why", device::Message{std::string("phrase.why.") + why, {}, {}}}});
  };
  std::error_code ignored;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(file, ignored)))
    return refuse("a-link");
  auto source = device::read_file(file, lab::kLargestSubmission);
  if (source && source->find('\0') != source->npos) return refuse("no-text");
  return source;
}

}  // namespace

device::Expected<device::Done> boxed_or_trusted(const lab::ExerciseText& text,
                                                const CheckFlags& flags,
                                                const std::string& file_name) {
  const device::Compiler::Status status = compiler()->status();
  if (text.submission == lab::Submission::kernel && status.available &&
      status.level == device::ConfinementLevel::limits && !flags.trust) {
    return device::failure(device::ErrorCode::box_missing,
                           {{"why", status.why_not_higher}, {"file", file_name}});
  }
  return device::Done{};
}

device::Expected<lab::CheckReport> check_file(const lab::ExerciseText& text,
                                              const std::filesystem::path& file,
                                              const CheckFlags& flags, std::stop_token stop) {
  const auto setting = flags.setting(text.id);
  if (!setting) return tl::unexpected(setting.error());
  const auto source = submission_in(file);
  if (!source) return tl::unexpected(source.error());
  const auto boxed = boxed_or_trusted(text, flags, file.filename().string());
  if (!boxed) return tl::unexpected(boxed.error());
  return lab::check_in_child(text.id, file.filename().string(), *source,
                             device::root_folder().string(), std::move(stop), {}, {}, *setting);
}

void print_check(const lab::CheckReport& checked, const lab::ExerciseText& text,
                 const lab::Strings& strings) {
  fmt::print("{}", lab::to_text(checked.report, strings, 100, isatty(STDOUT_FILENO) != 0));
  if (!checked.graded) return;
  fmt::print("\n{}\n", strings(checked.passed ? "cli.check.passed" : "cli.check.failed",
                               {{"exercise", text.id},
                                {"points", std::to_string(checked.points)},
                                {"possible", std::to_string(checked.points_possible)}}));
}

void record(const lab::ExerciseText& text, const lab::CheckReport& checked,
            const lab::Strings& strings) {
  const auto recorded =
      own_work().change([&](lab::Progress& progress) { progress[text.id].take(checked); });
  if (!recorded) complain(recorded.error(), &strings);
}

void print_next(const lab::Strings& strings, const std::string& language) {
  const auto progress = own_work().progress();
  if (!progress) return;  // record() has said so
  const std::string id = next_exercise(*progress);
  if (id.empty()) {
    fmt::print("{}\n", strings("cli.exercises.all-passed"));
  } else if (const auto text = exercise_named(id, language)) {
    fmt::print("{}\n", strings("cli.exercises.next", {{"title", text->title}, {"exercise", id}}));
  }
}

void print_task(const lab::ExerciseText& text, const lab::Strings& strings,
                const std::string& language) {
  const auto lesson = find_chapter(text.chapter);
  const auto task = lab::parse_document(text.task, text.id, language);
  if (lesson && task) fmt::print("{}\n", lab::to_text(*task, **lesson, nullptr, strings, {}));
}

}  // namespace warpbook::cli
