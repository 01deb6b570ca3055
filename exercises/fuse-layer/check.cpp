// fuse-layer: a program that sends samples through layers, each of them one launch that stores its results and nothing else.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "exercises/judged_runs.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace fuse_layer_check {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct Size {
  std::int64_t rows = 1, width = 1, layers = 1;
};

/// The results of layer `l` for the results of the layer before. Up to three layers of 64 units, an int holds all sums.
std::vector<std::int64_t> layer(const std::vector<std::int64_t>& x,
                                const std::vector<std::int64_t>& w,
                                const std::vector<std::int64_t>& b, const Size& size,
                                std::int64_t l) {
  const auto at = [](const std::vector<std::int64_t>& values, std::int64_t i) {
    return values[static_cast<std::size_t>(i)];
  };
  std::vector<std::int64_t> y;
  for (std::int64_t row = 0; row < size.rows; ++row) {
    for (std::int64_t column = 0; column < size.width; ++column) {
      std::int64_t sum = at(b, l * size.width + column);
      for (std::int64_t k = 0; k < size.width; ++k)
        sum += at(x, row * size.width + k) * at(w, (l * size.width + k) * size.width + column);
      y.push_back(std::max<std::int64_t>(sum, 0));
    }
  }
  return y;
}

lab::ProgramTrial trial(const Size& size) {
  const auto& [rows, width, layers] = size;
  const auto w = drawn_numbers(layers * width * width, 2, 2),
             b = drawn_numbers(layers * width, 3, 8);
  std::vector<std::int64_t> x = drawn_numbers(rows * width, 1, 4);
  for (std::int64_t l = 0; l < layers; ++l) x = layer(x, w, b, size, l);
  lab::ProgramTrial made;
  made.arguments = {std::to_string(rows), std::to_string(width), std::to_string(layers)};
  made.name = made.arguments[0] + " x " + made.arguments[1] + ", l = " + made.arguments[2];
  for (const std::int64_t value : x) made.output += std::to_string(value) + "\n";
  return made;
}

Size size_of(const lab::ProgramTrial& run) {
  return {std::stoll(run.arguments[0]), std::stoll(run.arguments[1]), std::stoll(run.arguments[2])};
}

/// Results of all layers.
std::uint64_t results(const lab::ProgramTrial& run) {
  const Size size = size_of(run);
  return static_cast<std::uint64_t>(size.rows * size.width * size.layers);
}

/// Samples, weights and biases.
std::uint64_t bytes_in(const lab::ProgramTrial& run) {
  const auto [rows, width, layers] = size_of(run);
  return static_cast<std::uint64_t>(rows * width + layers * (width + 1) * width) * sizeof(int);
}

/// What each run counts keeps within the gate's ceiling.
Item most(Item item, const lab::Gate& gate, const std::vector<JudgedRun>& runs,
          double (*counted)(const JudgedRun&)) {
  for (const JudgedRun& run : runs) {
    if (item.state != State::passed) break;
    const std::string measured = lab::number(counted(run), 3);
    item.got = {"fuse-layer." + gate.id + ".got", {{"measured", measured}}};
    if (counted(run) <= gate.ceiling) continue;
    item.state = State::failed;
    item.advice = {"fuse-layer." + gate.id + ".advice", {{"measured", measured}}};
  }
  return item;
}

double launches_a_layer(const JudgedRun& run) {
  return static_cast<double>(run.result.outcome.record.launches.size()) /
         static_cast<double>(size_of(run.trial).layers);
}

double stores_a_result(const JudgedRun& run) {
  std::uint64_t bytes = 0;
  for (const lab::KernelStores& launch : run.result.stores) bytes += launch.bytes;
  return static_cast<double>(bytes) / static_cast<double>(results(run.trial) * sizeof(int));
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 1, 1}, {2, 3, 2}, {33, 31, 1}, {5, 64, 3}})
    trials.run(trial(size));
  const Size drawn_size{checker.drawn(40, 48), checker.drawn(26, 32), checker.drawn(2, 3)};
  const std::vector<JudgedRun> judged = run_judged(trials, {trial({48, 32, 3}), trial(drawn_size)});

  const auto add_most = [&](const std::string& id, double (*counted)(const JudgedRun&)) {
    checker.result.items.push_back(most(trials.judged(id, {"fuse-layer." + id + ".sentence"}),
                                        trials.gate_of(id), judged, counted));
  };
  trials.add_right();
  trials.add_safe();
  trials.add_printed_by_gpu();
  trials.add_parallel(results);
  add_most("launches", launches_a_layer);
  add_most("stored", stores_a_result);
  trials.add_copies("in", device::runtime::Engine::copy_in, bytes_in);
  trials.add_freed();
}

}  // namespace fuse_layer_check

lab::Exercise fuse_layer() { return {"fuse-layer", fuse_layer_check::check}; }

}  // namespace warpbook::exercises
