// How long a reader waits for a chapter's runs: the first one, which compiles its kernels; the same again; a change of each of its
// parameters by one step, for which launches that it does not reach are recalled, until the window has the first pictures (a draft's) and
// until it has all of them; and the largest preset of Convolution. Simulated, with the lessons' checkers, on as many
// cores as there are. Ends with 1 where a bar is missed.
//
// The first run is held against what compiling alone would take: the compilers' processor time. That is how long they would take one
// after the other on a quiet machine, and it does not grow where they wait for a processor, as the first run does.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace warpbook;
using namespace warpbook::bench;

constexpr double kFirstBar = 1.2;   ///< times what compiling takes
constexpr double kAgainBar = 0.05;  ///< seconds
constexpr double kStepBar = 0.1;    ///< seconds
constexpr double kPresetBar = 10;   ///< seconds

/// In seconds, of a run, which has to show something. It may complain: some chapters open on a kernel that is wrong.
double seconds_of_run(const lab::Lesson& lesson, const lab::Values& values,
                      const std::shared_ptr<device::Compiler>& compiler, Bars& bars,
                      lab::Draft* draft = nullptr) {
  lab::Inputs inputs;
  inputs.values = values;
  lab::Report report;
  const double seconds = seconds_of([&] {
    report = lab::run(lesson, inputs, compiler, WARPBOOK_SOURCE_DIR, {}, {}, device::kLessonChecks,
                      false, {}, draft);
  });
  bars.expect(!report.exhibits.empty(), lesson.slug + " shows what it ran");
  return seconds;
}

/// A step away from the default; nothing where there is none.
std::optional<lab::Value> neighbour(const lab::Parameter& parameter) {
  if (parameter.choices.size() > 1)
    return parameter.choices[parameter.initial == lab::Value(parameter.choices[0])];
  if (const bool* on = std::get_if<bool>(&parameter.initial)) return !*on;
  const double way = parameter.step == 0 ? 1 : parameter.step;
  if (const auto* whole = std::get_if<std::int64_t>(&parameter.initial)) {
    const auto step = static_cast<std::int64_t>(way);
    return static_cast<double>(*whole + step) <= parameter.maximum ? *whole + step : *whole - step;
  }
  if (const double* real = std::get_if<double>(&parameter.initial))
    return *real + way <= parameter.maximum ? *real + way : *real - way;
  return {};
}

/// The longest wait for such a step's first pictures, the mean of all, and the mean for all its pictures.
struct Steps {
  double worst = 0, mean = 0, whole = 0;
  std::string of;  ///< the parameter with the longest
};
Steps measure_steps(const lab::Lesson& lesson, const std::shared_ptr<device::Compiler>& compiler,
                    Bars& bars) {
  Steps steps;
  int count = 0;
  for (const lab::Parameter& parameter : lesson.parameters) {
    lab::Values values = lab::defaults(lesson.parameters);
    const auto value = neighbour(parameter);
    if (!value) continue;
    values.set(parameter.name, *value);
    lab::Draft draft;
    const double seconds = seconds_of_run(lesson, values, compiler, bars, &draft);
    const double rest = draft.left_out ? seconds_of_run(lesson, values, compiler, bars) : 0;
    steps.mean += (seconds - steps.mean) / ++count;
    steps.whole += (seconds + rest - steps.whole) / count;
    if (seconds <= steps.worst) continue;
    steps.worst = seconds;
    steps.of = parameter.name;
  }
  return steps;
}

/// A chapter whose first run and the same again wait for something that is neither compiled nor launched, and for what.
struct Waits {
  std::string_view slug, why;
};
constexpr std::array kWaits{Waits{"your-machine",
                                  "it starts what is installed here, to see whether it works, and "
                                  "does so again when it is asked again"}};

void measure(const lab::Lesson& lesson, const std::shared_ptr<device::Compiler>& compiler,
             Bars& bars) {
  const lab::Values values = lab::defaults(lesson.parameters);
  const double compiled_before = compiler->status().seconds;
  const double first = seconds_of_run(lesson, values, compiler, bars);
  const double compiling = compiler->status().seconds - compiled_before;
  const double again = seconds_of_run(lesson, values, compiler, bars);
  const Steps steps = measure_steps(lesson, compiler, bars);
  // Nothing compiles where a chapter has no kernel, or the one that another chapter had.
  const std::string ratio = compiling == 0 ? "-" : fmt::format("{:.2f}x", first / compiling);
  fmt::print(
      "{:<22} {:>8.0f} ms {:>9.0f} ms {:>8} {:>9.1f} ms {:>9.1f} ms {:>9.1f} ms {:>9.1f} ms  {}\n",
      lesson.slug, 1e3 * first, 1e3 * compiling, ratio, 1e3 * again, 1e3 * steps.whole,
      1e3 * steps.mean, 1e3 * steps.worst, steps.of);
  const auto waits = std::ranges::find(kWaits, lesson.slug, &Waits::slug);
  if (waits != kWaits.end()) {
    fmt::print("  no bar for the first run and the same again: {}\n", waits->why);
  } else {
    bars.expect(
        compiling == 0 || first <= kFirstBar * compiling,
        fmt::format("{}: first run within {} times what compiling takes", lesson.slug, kFirstBar));
    bars.expect(again <= kAgainBar,
                fmt::format("{}: the same again within {} ms", lesson.slug, 1e3 * kAgainBar));
  }
  bars.expect(steps.mean <= kStepBar, fmt::format("{}: a change seen within {} ms, on average",
                                                  lesson.slug, 1e3 * kStepBar));
}

/// `only`: a chapter; empty: all of them.
int measure_all(std::string_view only) {
  const tests::TemporaryFolder cache;  // nothing in it was compiled before this run of the bench
  device::Compiler::Options options;
  options.cache_folder = cache.path().string();
  const auto compiler = std::make_shared<device::Compiler>(options);
  Bars bars;
  bars.expect(compiler->status().available, "a compiler");
  fmt::print("{:<22} {:>11} {:>12} {:>8} {:>12} {:>12} {:>12} {:>12}\n", "chapter", "first run",
             "compiling", "ratio", "again", "a step", "its preview", "the longest");
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    if (only.empty() || only == lesson.slug) measure(lesson, compiler, bars);
  }
  if (!only.empty()) return bars.report();

  const lab::Lesson& convolution = *lessons::find("convolution");
  for (const lab::Preset& preset : convolution.presets) {
    if (preset.name != "conv2d-64") continue;
    lab::Values values = lab::defaults(convolution.parameters);
    for (const auto& [name, value] : preset.values.all()) values.set(name, value);
    const double seconds = seconds_of_run(convolution, values, compiler, bars);
    fmt::print("convolution, preset {}: {:.1f} s\n", preset.name, seconds);
    bars.expect(seconds <= kPresetBar, fmt::format("the preset within {} s", kPresetBar));
  }
  return bars.report();
}

}  // namespace

int main(int argc, char** argv) { return main_of(argc, argv, measure_all); }
