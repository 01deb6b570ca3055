// The chapter's networks: what the reader chose, as tasks of the training library.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "training/presets.hpp"

namespace warpbook::lessons::mlp {

constexpr const char* kVariants = "lessons/mlp/variants/";
constexpr const char* kLinearFile = "lessons/mlp/variants/linear.cu";
inline constexpr std::string_view kLinear = "linear", kLayers = "layers", kCircles = "circles",
                                  kSpiral = "spiral";

/// The chapter's parameters.
struct Setting {
  explicit Setting(const lab::Lab& lab);
  std::string network;
  double rate = 0, momentum = 0;
  std::int64_t width = 0, batch = 0, steps = 0, launch = 0;
  std::uint64_t seed = 0;
  bool fused = false, graph = false;
  double call_seconds = 0;  ///< that the host needs for each launch
  /// Points in the plane, to be told apart.
  [[nodiscard]] bool classifies() const { return network == kCircles || network == kSpiral; }
};

/// A kernel of the chapter, and where it stands.
struct Kernel {
  std::shared_ptr<const device::Module> module;
  std::string file;  ///< below the root
};

/// Product, bias and ReLU of a layer in one launch, forward; backward as the separate layers have it.
class FusedLinear : public training::Layer {
 public:
  FusedLinear(const std::string& name, training::Variable weights, training::Variable bias,
              bool relu, Kernel kernel);
  training::Variable forward(training::Tape& tape, const training::Variable& x) override;
  [[nodiscard]] std::vector<training::Variable> parameters() const override {
    return {weights_, bias_};
  }

 private:
  training::Variable weights_, bias_;
  bool relu_;
  Kernel kernel_;
};

/// The training that the setting describes, with a point of its curve every `point_every` steps. `linear` is launched where it is fused.
training::Preset preset_of(const Setting& setting, std::uint64_t point_every, const Kernel& linear);

}  // namespace warpbook::lessons::mlp
