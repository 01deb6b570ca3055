// The runs of Parallelism: a small network on several simulated devices, and what the same cut costs a large one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "training/parallel/estimate.hpp"

namespace warpbook::lessons::parallelism {

inline constexpr std::size_t kMostDevices = 8;
/// The network that the devices really train: 32 stations, 64 days.
inline constexpr training::BlockShape kSmall{4, 32, 64, 64};

/// What the reader chose.
struct Setting {
  explicit Setting(lab::Lab& lab);
  training::BlockPlan small;  ///< of the network that runs
  training::BlockPlan large;  ///< of the one whose times are estimated, cut in the same way
  training::Machines machines;
};

/// The same network on one device.
training::BlockPlan alone(training::BlockPlan plan);

/// Begins to compile the kernels of a step, in the order in which they are needed.
void compile_soon(lab::Lab& lab, const Setting& setting);

/// What came of a step of the small network.
struct Step {
  std::map<std::string, std::vector<float>> gradients;
  std::vector<std::uint64_t> weights,
      besides;  ///< bytes by device: of its weights, and what it needed besides them at most
  std::vector<std::uint64_t> kept;  ///< micro-batches by device
  std::map<training::Purpose, training::TrafficMap> traffic;
  bool groups_agree = true;
};
/// `add`: the kernel that adds what arrives.
Step run_step(lab::Lab& lab, const training::BlockPlan& plan, const std::string& add);

/// The devices, their memories and their copies.
lab::DevicesExhibit devices_of(const training::BlockPlan& plan, const Step& step);
/// The gradients against those of one device.
lab::CheckExhibit check_gradients(const Step& step, const Step& one);
/// The large network's step as a Gantt chart, for one group and one slice, with what the small one's stages kept.
lab::PipelineExhibit pipeline_of(const training::BlockPlan& large, const Step& small,
                                 const training::SplitEstimate& estimate);

}  // namespace warpbook::lessons::parallelism
