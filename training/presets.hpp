// Trainings by name: what learns, from what, how.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "training/data.hpp"
#include "training/layers.hpp"
#include "training/optimiser.hpp"

namespace warpbook::training {

/// Samples on the device, with what a network should answer: labels, or numbers.
struct Samples {
  Tensor x;                      ///< [samples][...]
  std::optional<Tensor> labels;  ///< [samples], i32
  std::optional<Tensor> target;  ///< [samples][...]
  [[nodiscard]] std::int64_t count() const { return x.shape[0]; }
};

/// Everything that a training needs, on a device.
struct Task {
  Network network;
  std::unique_ptr<Optimiser> optimiser;
  Samples training;
  std::optional<Samples> held_out;
};

struct Preset {
  std::string name;
  std::int64_t batch = 1;        ///< samples a step
  std::uint64_t steps = 100;     ///< unless others are asked for
  std::uint64_t point_every = 10;  ///< steps from one point of the curve to the next
  std::function<Task(Engine& engine, std::uint64_t seed)> make;
};

const std::vector<Preset>& presets();
/// Error: unknown_name, with those there are.
device::Expected<const Preset*> find_preset(std::string_view name);

}  // namespace warpbook::training
