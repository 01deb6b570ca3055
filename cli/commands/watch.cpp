// warpbook watch [EXERCISE]: checks the user's file whenever it is saved, until it passes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "cli/checking.hpp"
#include "lab/book/watch.hpp"

namespace warpbook::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kLook = 60ms;   // two looks and a check stay within a second of the save
constexpr auto kPause = 20ms;  // between two questions whether there is news

struct Flags {
  std::string exercise;
  LanguageFlag language;
  CheckFlags check;
};

/// A check on a thread of its own, so that a newer save can stop it.
class Running {
 public:
  Running(const lab::ExerciseText& text, const std::filesystem::path& file, CheckFlags flags)
      : thread_([this, text, file, flags = std::move(flags)](const std::stop_token& stop) {
          result_ = check_file(text, file, flags, stop);
          done_ = true;
        }) {}
  [[nodiscard]] bool done() const { return done_; }
  /// Once it is done.
  [[nodiscard]] const device::Expected<lab::CheckReport>& result() const { return *result_; }

 private:
  std::optional<device::Expected<lab::CheckReport>> result_;
  std::atomic<bool> done_ = false;
  std::jthread thread_;  // last: it uses all above
};

/// Says what a check found; true where the exercise has been passed.
bool report(const lab::ExerciseText& text, const std::filesystem::path& file,
            const device::Expected<lab::CheckReport>& checked, const lab::Strings& strings) {
  fmt::print("\n{}\n\n", strings("cli.exercises.saved", {{"file", file.filename().string()}}));
  if (!checked) {
    complain(checked.error(), &strings);
    return false;
  }
  print_check(*checked, text, strings);
  std::fflush(stdout);
  for (const device::Error& error : checked->report.errors) complain(error, &strings);
  record(text, *checked, strings);
  return checked->graded && checked->passed;
}

/// Comes back when the exercise has been passed.
void watch_until_passed(const lab::ExerciseText& text, const CheckFlags& flags,
                        const lab::Strings& strings) {
  const std::filesystem::path file = own_work().file_of(text);
  lab::FolderWatch saves(file.parent_path().string(), {""}, kLook);
  std::optional<Running> running;
  running.emplace(text, file, flags);
  while (true) {
    const auto changed = saves.changes();
    if (std::ranges::find(changed, file.filename().string()) != changed.end())
      running.emplace(text, file, flags);
    if (running && running->done()) {
      const bool passed = report(text, file, running->result(), strings);
      running.reset();
      std::fflush(stdout);
      if (passed) return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

int watch(const Flags& flags) {
  const auto strings = flags.language.strings();
  const std::string language = flags.language.language();
  const lab::WorkFolder work = own_work();
  while (true) {
    const auto text = exercise_named_or_next(flags.exercise, language);
    if (!text) return complain(text.error(), strings.get());
    if (text->id.empty()) {
      fmt::print("{}\n", (*strings)("cli.exercises.all-passed"));
      return kDone;
    }
    const auto copied = work.begin(*text);
    if (!copied) return complain(copied.error(), strings.get());
    if (*copied) print_task(*text, *strings, language);
    fmt::print("{}\n",
               (*strings)("cli.exercises.watching", {{"file", work.file_of(*text).string()}}));
    std::fflush(stdout);
    watch_until_passed(*text, flags.check, *strings);
    if (!flags.exercise.empty()) {
      print_next(*strings, language);
      return kDone;
    }
  }
}

}  // namespace

void add_watch(CommandLine& line) {
  auto flags = std::make_shared<Flags>();
  Verb verb = line.add("watch", "Check your file whenever you save it, until it passes");
  verb.option("exercise", flags->exercise,
              "The exercise (without one: the next, and when it has passed the one after it)");
  flags->language.add_to(verb);
  flags->check.add_to(verb);
  verb.does([flags] { return watch(*flags); });
}

}  // namespace warpbook::cli
