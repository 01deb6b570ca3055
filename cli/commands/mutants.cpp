// warpbook mutants [EXERCISE]: what each wrong solution of an exercise fails at, and the room between right and wrong.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exercise/mutation.hpp"

namespace warpbook::cli {
namespace {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct MutantFlags {
  std::string exercise, gpu = lab::Inputs{}.gpu;
  LanguageFlag language;
  std::uint64_t seed = 0;
  bool changes = false;
};

/// A submission of the exercise's folder, and what is known of it beforehand.
struct Known {
  std::string file;        ///< below the root
  std::string fails, why;  ///< empty: it is right
  lab::CheckReport checked;
  [[nodiscard]] bool right() const { return fails.empty(); }
  [[nodiscard]] const std::vector<Item>& items() const {
    static const std::vector<Item> none;
    const auto* check = checked.report.find_as<lab::CheckExhibit>("check");
    return check ? check->items : none;
  }
  [[nodiscard]] std::string failed() const {
    std::string ids;
    for (const Item& item : items()) {
      if (item.state == State::failed) ids += (ids.empty() ? "" : ", ") + item.id;
    }
    return ids;
  }
  /// Right and passed, or wrong and failed at the gate that it is for.
  [[nodiscard]] bool as_expected() const {
    if (!checked.graded) return false;
    if (right()) return checked.passed;
    return std::ranges::any_of(
        items(), [&](const Item& item) { return item.id == fails && item.state == State::failed; });
  }
};

std::vector<Known> known_of(const lab::ExerciseText& text) {
  const std::string folder = "exercises/" + text.id + "/";
  std::vector<Known> all{
      {"solutions/" + lab::submission_name(text.id, text.submission), {}, {}, {}}};
  for (const std::string& file : text.alternatives) all.push_back({folder + file, {}, {}, {}});
  for (const auto& mutant : text.mutants)
    all.push_back({folder + mutant.file, mutant.fails, mutant.why, {}});
  return all;
}

/// Calls `work` for 0 to `count` - 1, on all processors.
void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& each) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) each(i);
  };
  std::vector<std::jthread> workers(std::max(1u, std::thread::hardware_concurrency()));
  for (std::jthread& worker : workers) worker = std::jthread(work);
}

void check_all(std::vector<Known>& all, const lab::ExerciseText& text, const std::string& root,
               const MutantFlags& flags) {
  on_all_processors(all.size(), [&](std::size_t i) {
    const auto source = device::read_file(root + "/" + all[i].file);
    if (!source) {
      all[i].checked.report.errors.push_back(source.error());
      all[i].checked.graded = false;
      return;
    }
    all[i].checked = lab::check_in_child(
        text.id, std::filesystem::path(all[i].file).filename().string(), *source, root, {}, {}, {},
        {device::kLessonChecks, flags.gpu, false, flags.seed});
  });
}

/// Checks every change of the solution (mutation.hpp), and prints those that pass; how many of these exercise.toml does not
/// know to mean the same.
device::Expected<std::size_t> check_changes(const lab::ExerciseText& text, const std::string& root,
                                            const MutantFlags& flags, const lab::Strings& strings) {
  const auto solution = lab::load_solution(root, text);
  if (!solution) return tl::unexpected(solution.error());
  std::vector<lab::Mutation> changes = lab::mutations_of(*solution);
  std::vector<lab::CheckReport> checked(changes.size());
  on_all_processors(changes.size(), [&](std::size_t i) {
    checked[i] = lab::check_in_child(text.id, lab::submission_name(text.id, text.submission),
                                     changes[i].source, root, {}, {}, {},
                                     {device::kLessonChecks, flags.gpu, false, flags.seed});
  });
  std::size_t passed = 0, equal = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!checked[i].passed) continue;
    const auto known =
        std::ranges::find(text.equals, changes[i].text, &lab::ExerciseText::Equal::line);
    (known == text.equals.end() ? passed : equal) += 1;
    if (known != text.equals.end()) continue;
    fmt::print("  ✗ {}\n",
               strings("cli.mutants.survived",
                       {{"line", std::to_string(changes[i].line)}, {"text", changes[i].text}}));
  }
  fmt::print("  {}\n", strings("cli.mutants.changes",
                               {{"count", std::to_string(changes.size())},
                                {"failed", std::to_string(changes.size() - passed - equal)},
                                {"equal", std::to_string(equal)}}));
  return passed;
}

/// The figure of an item that a bound is for.
std::optional<double> measured(const Item& item) {
  if (item.state == State::waiting) return std::nullopt;
  const lab::Message* found = device::argument_of(item.got.arguments, "measured");
  if (!found) return std::nullopt;
  return std::strtod(found->text.c_str(), nullptr);
}

/// Of each gate with a bound: what right ones need, and how near wrong ones that it is for come.
void print_gaps(const std::vector<Known>& all, const lab::ExerciseText& text,
                const lab::Strings& strings) {
  for (const lab::Gate& gate : text.gates) {
    std::vector<double> right, wrong;
    for (const Known& known : all) {
      for (const Item& item : known.items()) {
        const auto figure = measured(item);
        if (item.id != gate.id || !figure) continue;
        if (known.right()) right.push_back(*figure);
        if (item.state == State::failed) wrong.push_back(*figure);
      }
    }
    if (right.empty()) continue;
    const auto [least, most] = std::ranges::minmax(right);
    std::string line = strings(
        "cli.mutants.right",
        {{"gate", gate.id}, {"least", lab::number(least, 4)}, {"most", lab::number(most, 4)}});
    if (gate.floor) line += strings("cli.mutants.floor", {{"bound", lab::number(*gate.floor, 4)}});
    if (gate.ceiling)
      line += strings("cli.mutants.ceiling", {{"bound", lab::number(*gate.ceiling, 4)}});
    const auto nearest = std::ranges::min_element(
        wrong, {}, [&](double figure) { return figure > most ? figure - most : least - figure; });
    if (nearest != wrong.end())
      line += strings("cli.mutants.wrong", {{"nearest", lab::number(*nearest, 4)}});
    fmt::print("  {}\n", line);
  }
}

int run_mutants(const MutantFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  if (!flags.exercise.empty() && !exercises::find(flags.exercise)) {
    return complain(unknown_name("exercise", flags.exercise,
                                 names_of(exercises::catalogue(), &lab::Exercise::id)),
                    strings.get());
  }
  lab::Inputs inputs;
  if (auto applied = apply_gpu(flags.gpu, inputs); !applied)
    return complain(applied.error(), strings.get());
  std::size_t wrong_verdicts = 0;
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    if (!flags.exercise.empty() && exercise.id != flags.exercise) continue;
    const auto text = lab::load_exercise(root, exercise.id, flags.language.language());
    if (!text) return complain(text.error(), strings.get());
    if (flags.changes) {
      if (text->submission != lab::Submission::kernel) continue;
      fmt::print("{}\n", exercise.id);
      const auto survived = check_changes(*text, root, flags, *strings);
      if (!survived) return complain(survived.error(), strings.get());
      wrong_verdicts += *survived;
      continue;
    }
    std::vector<Known> all = known_of(*text);
    check_all(all, *text, root, flags);
    fmt::print("{}\n", exercise.id);
    for (const Known& known : all) {
      const bool good = known.as_expected();
      wrong_verdicts += good ? 0 : 1;
      const std::string name = std::filesystem::path(known.file).filename().string(),
                        ids = known.failed();
      const std::string verdict = !known.checked.graded ? (*strings)("cli.mutants.not-graded")
                                  : known.checked.passed
                                      ? (*strings)("cli.mutants.passed")
                                      : (*strings)("cli.mutants.failed", {{"gates", ids}});
      fmt::print("  {} {:32} {}\n", good ? "✓" : "✗", name, verdict);
      if (!good) {
        fmt::print("      {}\n", known.right()
                                     ? (*strings)("cli.mutants.is-right")
                                     : (*strings)("cli.mutants.is-wrong",
                                                  {{"gate", known.fails}, {"why", known.why}}));
        for (const device::Error& error : known.checked.report.errors)
          fmt::print("      {}\n", (*strings)(error));
      }
    }
    print_gaps(all, *text, *strings);
    fmt::print("\n");
  }
  fmt::print("{}\n", (*strings)("cli.mutants.total", {{"count", std::to_string(wrong_verdicts)}}));
  return wrong_verdicts == 0 ? kDone : kFailed;
}

}  // namespace

void add_mutants(CommandLine& line) {
  auto flags = std::make_shared<MutantFlags>();
  Verb verb = line.add("mutants",
                       "Check the exercises' own right and wrong solutions, and say what each "
                       "wrong one fails at");
  verb.option("exercise", flags->exercise, "The exercise (without one: all)");
  flags->language.add_to(verb);
  verb.option("--gpu", flags->gpu, gpu_help());
  verb.option("--seed", flags->seed, "Draws the hidden cases");
  verb.flag(
      "--changes", flags->changes,
      "Change the solution instead, each operator, number, index, guard and statement in turn, and "
      "list the changes that no check notices");
  verb.does([flags] { return run_mutants(*flags); });
}

}  // namespace warpbook::cli
