// How fast the simulator runs kernels that NVRTC compiled, with counting and memcheck on: thread-instructions a second
// on one core, what racecheck and initcheck cost, what a second worker brings, what a small launch costs and how fast
// PTX loads; in the same run a plain C++ loop on one core, and POCL on the same algorithm in OpenCL, where it is there.
// Every result is held against the plain loop's before anything is timed. Ends with 1 where a bar is missed.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"
#include "tests/bench/simulator/cases.hpp"
#include "tests/bench/simulator/opencl.hpp"
#include "tests/bench/simulator/simulated.hpp"
#include "tests/bench/simulator/small.hpp"

namespace {

using namespace warpbook;
using namespace warpbook::bench;

constexpr int kRounds = 7;
constexpr double kCheckBar = 3;         ///< times as long with racecheck and initcheck
constexpr double kTwoThreadsBar = 1.8;  ///< times as fast on two host threads, from 64 blocks on
constexpr double kLatencyBar = 20e-6;
constexpr double kLoadBar = 50e6;

/// Seconds of one case, and what it counted: of processor time where one core is meant.
struct Figures {
  Best counted, checked, plain, opencl;
  Best one_worker, two_workers;  ///< on the wall
  std::uint64_t instructions = 0;
  double two_threads = 0;  ///< a plain loop's, in the same minute

  [[nodiscard]] double rate() const {
    return static_cast<double>(instructions) / counted.seconds();
  }
  [[nodiscard]] double cost() const { return checked.seconds() / counted.seconds(); }
  [[nodiscard]] double scaling() const { return one_worker.seconds() / two_workers.seconds(); }
};

void hold_equal(const Case& c, const Array& expected, const Array& got, std::string_view who) {
  if (const auto at = first_difference(c, expected, got); at >= 0)
    throw std::runtime_error(
        fmt::format("{}: {} and the plain loop differ at [{}]", c.name, who, at));
}

Figures measure(const Case& c, Simulated& simulated, OpenCl::Kernel* opencl) {
  constexpr Simulated::Mode kCounted{}, kChecked{true, 1}, kTwo{false, 2};
  Array expected = c.output;
  c.plain(c.inputs, expected);
  hold_equal(c, expected, simulated.result(kCounted), "the simulator");
  hold_equal(c, expected, simulated.result(kChecked), "the simulator with all checks");
  hold_equal(c, expected, simulated.result(kTwo), "the simulator with two host threads");
  if (opencl) hold_equal(c, expected, opencl->result(), "POCL");

  Figures f;
  f.instructions = simulated.run(kCounted).instructions;
  const auto simulate = [&](Simulated::Mode mode) {
    const Simulated::Run run = simulated.run(mode);
    if (run.instructions != f.instructions)
      throw std::runtime_error(c.name + ": counted differently each time");
    return run;
  };
  for (int round = 0; round < kRounds; ++round) {
    const Simulated::Run counted = simulate(kCounted);
    f.counted.take(counted.processor);
    f.one_worker.take(counted.wall);
    f.two_workers.take(simulate(kTwo).wall);
    f.checked.take(simulate(kChecked).processor);
    f.plain.take(processor_seconds_of([&] { c.plain(c.inputs, expected); }));
    if (opencl) f.opencl.take(processor_seconds_of([&] { opencl->run(); }));
  }
  f.two_threads = measure_two_threads();
  return f;
}

void print_heading() {
  fmt::print("{:<20}{:>8}{:>8}{:>7}{:>6}{:>9}{:>7}{:>8}{:>9} |{:>10}{:>10}{:>8}{:>10}{:>8}\n", "",
             "blocks", "M inst", "G/s", "bar", "checked", "cost", "2 work", "machine", "ms",
             "plain ms", "ratio", "POCL ms", "ratio");
}

void print_row(const Case& c, const Figures& f, bool opencl) {
  fmt::print(
      "{:<20}{:>8}{:>8.1f}{:>7.2f}{:>6.1f}{:>9.2f}{:>6.2f}x{:>7.2f}x{:>8.2f}x |{:>10.3f}{:>10.3f}"
      "{:>7.1f}x",
      c.name, c.grid.count(), static_cast<double>(f.instructions) / 1e6, f.rate() / 1e9,
      c.bar / 1e9, static_cast<double>(f.instructions) / f.checked.seconds() / 1e9, f.cost(),
      f.scaling(), f.two_threads, f.counted.seconds() * 1e3, f.plain.seconds() * 1e3,
      f.counted.seconds() / f.plain.seconds());
  if (opencl) {
    fmt::print("{:>10.3f}{:>7.1f}x\n", f.opencl.seconds() * 1e3,
               f.counted.seconds() / f.opencl.seconds());
  } else {
    fmt::print("{:>10}{:>8}\n", "-", "-");
  }
  std::fflush(stdout);
}

void judge(Bars& bars, const Case& c, const Figures& f) {
  bars.expect(f.rate() >= c.bar, fmt::format("{}: {:.2f} G thread-instructions/s, not {:.1f}",
                                             c.name, f.rate() / 1e9, c.bar / 1e9));
  bars.expect(f.cost() <= kCheckBar,
              fmt::format("{}: racecheck and initcheck cost {:.2f}x, not at most {:.1f}x", c.name,
                          f.cost(), kCheckBar));
  // Where something else keeps the processors busy, a second thread of anything brings less.
  const double bar = std::min(kTwoThreadsBar, kTwoThreadsBar / 2 * f.two_threads);
  bars.expect(
      f.scaling() >= bar,
      fmt::format("{}: two host threads are {:.2f}x one, not {:.2f}x (two threads of a plain "
                  "loop are {:.2f}x one)",
                  c.name, f.scaling(), bar, f.two_threads));
}

int measure_all(std::string_view only) {
  device::Compiler compiler;
  const auto simulator = device::make_simulated_device(*device::find_gpu("h200"));
  const auto opencl = OpenCl::open();
  fmt::print("POCL: {}\n\n", opencl ? (*opencl)->description() : opencl.error());
  Bars bars;
  std::vector<std::shared_ptr<const device::Program>> programs;
  print_heading();
  for (const Case& c : cases()) {
    programs.push_back(compile(compiler, c));
    if (!only.empty() && c.kernel.find(only) == std::string::npos) continue;
    Simulated simulated(*simulator, programs.back(), c);
    std::unique_ptr<OpenCl::Kernel> kernel;
    if (opencl) kernel = std::make_unique<OpenCl::Kernel>(**opencl, c);
    const Figures figures = measure(c, simulated, kernel.get());
    print_row(c, figures, kernel != nullptr);
    judge(bars, c, figures);
  }
  fmt::print(
      "\nG/s: thread-instructions a second on one core, counting and memcheck on. checked, cost: "
      "with racecheck and\n"
      "initcheck, too. 2 work: two host threads against one; machine: two threads of a plain loop "
      "against one.\n"
      "ratio: the simulator's time over that of the plain loop, and of POCL, on one core "
      "each.\n\n");
  const Latency latency = measure_latency(*simulator, *programs.front());
  fmt::print(
      "one block of 256 threads: {:.1f} us in the machine, {:.1f} us through device.hpp (bar "
      "{:.0f})\n",
      latency.machine * 1e6, latency.device * 1e6, kLatencyBar * 1e6);
  bars.expect(
      latency.machine <= kLatencyBar && latency.device <= kLatencyBar,
      fmt::format(
          "one block takes {:.1f} us in the machine and {:.1f} us through device.hpp, not {:.0f}",
          latency.machine * 1e6, latency.device * 1e6, kLatencyBar * 1e6));
  const LoadSpeed load = measure_load(programs);
  fmt::print("PTX: {:.0f} MB/s loaded (bar {:.0f}), {:.0f} MB/s with every kernel decoded\n\n",
             load.loaded / 1e6, kLoadBar / 1e6, load.decoded / 1e6);
  bars.expect(load.loaded >= kLoadBar, fmt::format("PTX loads at {:.0f} MB/s, not {:.0f}",
                                                   load.loaded / 1e6, kLoadBar / 1e6));
  return bars.report();
}

}  // namespace

/// `bench_simulator`, or `bench_simulator NAME` for the kernels whose file names hold NAME. `worker KIND`: the compiler's
/// process, which is started from this very binary.
int main(int argc, char** argv) {
  return main_of(argc, argv, [](std::string_view name) { return measure_all(name); });
}
