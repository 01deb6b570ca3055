// warpbook mutants [EXERCISE]: what each wrong solution of an exercise fails at, and how far right and wrong ones are apart.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exercise/mutation.hpp"
#include "lab/markup/json.hpp"

namespace warpbook::cli {
namespace {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct MutantFlags {
  std::string exercise, gpu = lab::Inputs{}.gpu;
  LanguageFlag language;
  std::uint64_t seed = 0;
  bool changes = false, json = false;
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
  [[nodiscard]] std::string name() const { return std::filesystem::path(file).filename().string(); }
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

/// What became of the changes of a solution (mutation.hpp). Of a whole program, its kernels alone are changed.
struct Changes {
  std::size_t count = 0, equal = 0;
  std::vector<lab::Mutation>
      survived;  ///< passed, and exercise.toml does not know them to mean the same
  std::vector<std::string>
      unmet;  ///< lines known to mean the same which no change makes, or which failed
  [[nodiscard]] std::size_t unexpected() const { return survived.size() + unmet.size(); }
};

device::Expected<Changes> check_changes(const lab::ExerciseText& text, const std::string& root,
                                        const MutantFlags& flags) {
  const auto solution = lab::load_solution(root, text);
  if (!solution) return tl::unexpected(solution.error());
  const auto check = [&](const std::string& source) {
    return lab::check_in_child(text.id, lab::submission_name(text.id, text.submission), source,
                               root, {}, {}, {},
                               {device::kLessonChecks, flags.gpu, false, flags.seed});
  };
  // Where not even the solution can be graded (without nvcc, for example), a change that does not pass shows nothing.
  if (const lab::CheckReport unchanged = check(*solution);
      !unchanged.graded && !unchanged.report.errors.empty())
    return tl::unexpected(unchanged.report.errors.front());
  std::vector<lab::Mutation> made = lab::mutations_of(
      *solution, text.submission == lab::Submission::program ? lab::Mutated::gpu_functions
                                                             : lab::Mutated::all_functions);
  std::vector<char> passed(made.size());
  on_all_processors(made.size(), [&](std::size_t i) { passed[i] = check(made[i].source).passed; });
  Changes changes{made.size(), 0, {}, {}};
  for (const auto& equal : text.equals) changes.unmet.push_back(equal.line);
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!passed[i]) continue;
    if (std::ranges::find(text.equals, made[i].text, &lab::ExerciseText::Equal::line) ==
        text.equals.end()) {
      changes.survived.push_back(std::move(made[i]));
      continue;
    }
    ++changes.equal;
    std::erase(changes.unmet, made[i].text);
  }
  return changes;
}

void print_changes(const Changes& changes, const lab::ExerciseText& text,
                   const lab::Strings& strings) {
  for (const lab::Mutation& each : changes.survived)
    fmt::print("  ✗ {}\n", strings("cli.mutants.survived",
                                   {{"line", std::to_string(each.line)}, {"text", each.text}}));
  for (const std::string& line : changes.unmet)
    fmt::print("  ✗ {}\n", strings("cli.mutants.unmet", {{"text", line}}));
  const std::size_t failed = changes.count - changes.equal - changes.survived.size();
  fmt::print("  {}\n",
             strings(text.submission == lab::Submission::program ? "cli.mutants.kernel-changes"
                                                                 : "cli.mutants.changes",
                     {{"count", std::to_string(changes.count)},
                      {"failed", std::to_string(failed)},
                      {"equal", std::to_string(changes.equal)}}));
}

nlohmann::json json_of(const Changes& changes) {
  nlohmann::json survived = nlohmann::json::array();
  for (const lab::Mutation& each : changes.survived)
    survived.push_back(
        {{"line", each.line}, {"was", each.was}, {"now", each.now}, {"text", each.text}});
  return {{"count", changes.count},
          {"equal", changes.equal},
          {"survived", survived},
          {"unmet", changes.unmet}};
}

/// The figure of an item that a bound is for.
std::optional<double> measured(const Item& item) {
  if (item.state == State::waiting) return std::nullopt;
  const lab::Message* found = device::argument_of(item.got.arguments, "measured");
  if (!found) return std::nullopt;
  return std::strtod(found->text.c_str(), nullptr);
}

/// The room about one bound of a gate: how near to it right solutions come, and those wrong ones that the gate has to stop.
struct Gap {
  std::string gate;
  bool floor = false;  ///< else a ceiling
  double bound = 0, right = 0;
  std::optional<double> wrong;  ///< nothing where none breaks this bound
};

std::vector<Gap> gaps_of(const std::vector<Known>& all, const lab::ExerciseText& text) {
  std::vector<Gap> gaps;
  const auto add = [&](const lab::Gate& gate, double bound, bool floor) {
    const auto is_nearer = [&](double one,
                               double other) {  // to the bound, from where right ones are
      return floor ? one < other : one > other;
    };
    std::optional<double> right, wrong;
    for (const Known& known : all) {
      const auto item = std::ranges::find(known.items(), gate.id, &Item::id);
      const auto figure = item == known.items().end() ? std::nullopt : measured(*item);
      if (!figure) continue;
      if (known.right() && (!right || is_nearer(*figure, *right))) right = figure;
      const bool breaks = known.fails == gate.id && is_nearer(*figure, bound);
      if (breaks && (!wrong || is_nearer(*wrong, *figure))) wrong = figure;
    }
    if (right) gaps.push_back({gate.id, floor, bound, *right, wrong});
  };
  for (const lab::Gate& gate : text.gates) {
    if (gate.floor) add(gate, *gate.floor, true);
    if (gate.ceiling) add(gate, *gate.ceiling, false);
  }
  return gaps;
}

void print_gaps(const std::vector<Gap>& gaps, const lab::Strings& strings) {
  for (const Gap& gap : gaps) {
    std::string line = strings(gap.floor ? "cli.mutants.floor" : "cli.mutants.ceiling",
                               {{"gate", gap.gate},
                                {"right", lab::number(gap.right, 4)},
                                {"bound", lab::number(gap.bound, 4)}});
    line += gap.wrong ? strings("cli.mutants.wrong", {{"wrong", lab::number(*gap.wrong, 4)}})
                      : strings("cli.mutants.no-wrong");
    fmt::print("  {}\n", line);
  }
}

void print_verdicts(const std::vector<Known>& all, const lab::Strings& strings) {
  for (const Known& known : all) {
    const bool good = known.as_expected();
    const std::string verdict = !known.checked.graded ? strings("cli.mutants.not-graded")
                                : known.checked.passed
                                    ? strings("cli.mutants.passed")
                                    : strings("cli.mutants.failed", {{"gates", known.failed()}});
    fmt::print("  {} {:32} {}\n", good ? "✓" : "✗", known.name(), verdict);
    if (good) continue;
    fmt::print("      {}\n", known.right() ? strings("cli.mutants.is-right")
                                           : strings("cli.mutants.is-wrong",
                                                     {{"gate", known.fails}, {"why", known.why}}));
    for (const device::Error& error : known.checked.report.errors)
      fmt::print("      {}\n", strings(error));
  }
}

nlohmann::json json_of(const std::vector<Known>& all, const std::vector<Gap>& gaps,
                       const lab::Strings& english) {
  const lab::JsonWriter write(english);
  nlohmann::json solutions = nlohmann::json::array(), room = nlohmann::json::array();
  for (const Known& known : all) {
    solutions.push_back({{"file", known.file},
                         {"fails", known.right() ? nlohmann::json() : nlohmann::json(known.fails)},
                         {"graded", known.checked.graded},
                         {"passed", known.checked.passed},
                         {"as_expected", known.as_expected()},
                         {"items", write(known.items())},
                         {"errors", write(known.checked.report.errors)}});
  }
  for (const Gap& gap : gaps)
    room.push_back({{"gate", gap.gate},
                    {gap.floor ? "floor" : "ceiling", gap.bound},
                    {"right", lab::json_number(gap.right)},
                    {"wrong", write(gap.wrong)}});
  return {{"solutions", solutions}, {"gaps", room}};
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
  const auto english = lab::Strings::load(lab::kEnglish, root);
  if (!english) return complain(english.error(), strings.get());
  std::size_t wrong_verdicts = 0;
  nlohmann::json json = nlohmann::json::array();
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    if (!flags.exercise.empty() && exercise.id != flags.exercise) continue;
    const auto text = lab::load_exercise(root, exercise.id, flags.language.language());
    if (!text) return complain(text.error(), strings.get());
    if (flags.changes && text->submission == lab::Submission::settings) {
      if (flags.exercise.empty()) continue;
      fmt::print(stderr, "warpbook: {}\n",
                 (*strings)("cli.mutants.no-code", {{"exercise", exercise.id}}));
      return kBadUsage;
    }
    if (!flags.json) fmt::print("{}\n", exercise.id);
    nlohmann::json result;
    if (flags.changes) {
      const auto changes = check_changes(*text, root, flags);
      if (!changes) return complain(changes.error(), strings.get());
      wrong_verdicts += changes->unexpected();
      if (flags.json)
        result = {{"changes", json_of(*changes)}};
      else
        print_changes(*changes, *text, *strings);
    } else {
      std::vector<Known> all = known_of(*text);
      check_all(all, *text, root, flags);
      wrong_verdicts += static_cast<std::size_t>(
          std::ranges::count_if(all, [](const Known& known) { return !known.as_expected(); }));
      const std::vector<Gap> gaps = gaps_of(all, *text);
      if (flags.json) {
        result = json_of(all, gaps, **english);
      } else {
        print_verdicts(all, *strings);
        print_gaps(gaps, *strings);
        fmt::print("\n");
      }
    }
    result["exercise"] = exercise.id;
    json.push_back(std::move(result));
  }
  if (flags.json)
    fmt::print("{}\n", json.dump(2));
  else
    fmt::print("{}\n",
               (*strings)("cli.mutants.total", {{"count", std::to_string(wrong_verdicts)}}));
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
  verb.flag("--changes", flags->changes,
            "Change the solution instead (of a whole program, its kernels), each operator, number, "
            "index, guard and statement in turn, and list the changes that no check notices");
  verb.flag("--json", flags->json, "As JSON, with what a student is told of each solution");
  verb.does([flags] { return run_mutants(*flags); });
}

}  // namespace warpbook::cli
