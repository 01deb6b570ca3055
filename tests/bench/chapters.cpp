// How long a reader waits for a chapter's runs: the first one, which compiles its kernels; the same again, which is what a
// change of a parameter costs; and the largest preset of Convolution. Simulated, with the lessons' checkers, on as many
// cores as there are. Ends with 1 where a bar is missed.
#include <memory>
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

constexpr double kFirstBar = 2;    ///< times what compiling takes
constexpr double kAgainBar = 0.1;  ///< seconds
constexpr double kPresetBar = 10;  ///< seconds
constexpr int kRounds = 5;

/// Seconds of a run, which has to show something. It may complain: some chapters open on a kernel that is wrong.
double run(const lab::Lesson& lesson, const lab::Values& values,
           const std::shared_ptr<device::Compiler>& compiler, Bars& bars) {
  lab::Inputs inputs;
  inputs.values = values;
  bool shown = false;
  const double seconds = seconds_of(
      [&] { shown = !lab::run(lesson, inputs, compiler, WARPBOOK_SOURCE_DIR).exhibits.empty(); });
  bars.expect(shown, lesson.slug + " shows what it ran");
  return seconds;
}

void measure(const lab::Lesson& lesson, const std::shared_ptr<device::Compiler>& compiler,
             Bars& bars) {
  const lab::Values values = lab::defaults(lesson.parameters);
  const double first = run(lesson, values, compiler, bars);
  Best again;
  for (int round = 0; round < kRounds; ++round) again.take(run(lesson, values, compiler, bars));
  const double compiling = first - again.seconds(), ratio = first / compiling;
  fmt::print("{:<22} {:>8.0f} ms {:>9.0f} ms {:>7.2f}x {:>9.1f} ms\n", lesson.slug, 1e3 * first,
             1e3 * compiling, ratio, 1e3 * again.seconds());
  // A chapter without a kernel has nothing to compile.
  if (!lesson.slots.empty())
    bars.expect(
        ratio <= kFirstBar,
        fmt::format("{}: first run within {} times what compiling takes", lesson.slug, kFirstBar));
  bars.expect(again.seconds() <= kAgainBar,
              fmt::format("{}: a change within {} ms", lesson.slug, 1e3 * kAgainBar));
}

int measure_all() {
  const tests::TemporaryFolder cache;  // nothing in it was compiled before this run of the bench
  device::Compiler::Options options;
  options.cache_folder = cache.path().string();
  const auto compiler = std::make_shared<device::Compiler>(options);
  Bars bars;
  bars.expect(compiler->status().available, "a compiler");
  fmt::print("{:<22} {:>11} {:>12} {:>8} {:>12}\n", "chapter", "first run", "compiling", "ratio",
             "again");
  for (const lab::Lesson& lesson : lessons::catalogue()) measure(lesson, compiler, bars);

  const lab::Lesson& convolution = *lessons::find("convolution");
  for (const lab::Preset& preset : convolution.presets) {
    if (preset.name != "conv2d-64") continue;
    lab::Values values = lab::defaults(convolution.parameters);
    for (const auto& [name, value] : preset.values.all()) values.set(name, value);
    const double seconds = run(convolution, values, compiler, bars);
    fmt::print("convolution, preset {}: {:.1f} s\n", preset.name, seconds);
    bars.expect(seconds <= kPresetBar, fmt::format("the preset within {} s", kPresetBar));
  }
  return bars.report();
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, [](std::string_view) { return measure_all(); });
}
