// aos-to-soa: n structures of four floats become four arrays, and no byte moves for nothing.
#include <cstddef>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace aos_to_soa_check {

constexpr std::size_t kFields = 4;

lab::Trial trial(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(n);
  // Half precision cannot hold the fields, and in every other case no fixed point can.
  const auto& values = seed % 2 == 0 ? lab::normal_values : lab::wide_halves;
  const std::vector<float> particles = lab::with_zeros(values(kFields * count, seed));
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("particles", particles)};
  made.arguments = {"particles"};
  std::size_t f = 0;
  for (const char* name : {"x", "y", "z", "mass"}) {
    std::vector<double> truth(count);
    for (std::size_t i = 0; i < count; ++i) truth[i] = particles[kFields * i + f];
    made.arrays.push_back(lab::output_array<float>(name, std::move(truth)));
    made.arguments.emplace_back(name);
    ++f;
  }
  made.arguments.emplace_back(device::Argument::of(static_cast<std::int32_t>(n)));
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) trials.run(trial(n, 32, seed++));
  trials.run(trial(1000, 96, seed++));
  // More particles than 16 bits count.
  trials.run(lab::with_gates(trial(66'559, 256, seed)));
  for (const auto& [count, block] : lab::drawn_sizes(checker))
    trials.run(lab::hidden_with_gates(trial(count, block, checker.draw())));
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", {"x", "y", "z", "mass"});
  trials.add_bytes_used("used");
  trials.add_sectors("sectors");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace aos_to_soa_check

lab::Exercise aos_to_soa() { return {"aos-to-soa", aos_to_soa_check::check}; }

}  // namespace warpbook::exercises
