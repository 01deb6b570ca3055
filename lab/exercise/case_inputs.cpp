#include "lab/exercise/case_inputs.hpp"

#include <algorithm>

#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostCalls = 4;
constexpr std::uint64_t kMostElements = 8;  // of each array

/// "2", "dim3(3, 2)".
std::string code_of(const device::Dim3& extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(extent.x);
  std::string text = "dim3(" + std::to_string(extent.x) + ", " + std::to_string(extent.y);
  if (extent.z > 1) text += ", " + std::to_string(extent.z);
  return text + ")";
}

std::string code_of(const std::variant<std::string, device::Argument>& argument) {
  if (const auto* name = std::get_if<std::string>(&argument)) return *name;
  const auto& value = std::get<device::Argument>(argument);
  if (value.kind != device::Argument::Kind::scalar) return "…";
  return element_text({{}, value.type, {1}, value.bytes, {}}, 0);
}

std::string call_of(const std::string& kernel, const Trial& trial, const device::Dim3& grid,
                    const device::Dim3& block, const TrialArguments& arguments) {
  std::string text = kernel + "<<<" + code_of(grid) + ", " + code_of(block);
  if (trial.dynamic_shared != 0) text += ", " + std::to_string(trial.dynamic_shared);
  text += ">>>(";
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += (i == 0 ? "" : ", ") + code_of(arguments[i]);
  return text + ")";
}

CheckExhibit::Values values_of(const TrialArray& array, std::uint64_t first) {
  CheckExhibit::Values values{array.name, array.count, first, {}};
  const TensorExhibit tensor{array.name, array.type, {array.count}, array.initial, {}};
  for (std::uint64_t i = first; i < std::min(array.count, first + kMostElements); ++i)
    values.elements.push_back(element_text(tensor, i));
  return values;
}

/// The first element that is shown. An array of about as many elements as the wrong one has, such as a signal and what a filter makes of
/// it, is most likely read around the same place.
std::uint64_t begins(const TrialArray& array, const TrialResult& wrong) {
  if (wrong.mismatches.empty()) return 0;
  const std::uint64_t index = wrong.mismatches.front().index;
  return index < array.count && array.count < 2 * wrong.spread.count ? index : 0;
}

}  // namespace

CheckExhibit::Inputs inputs_of(const Trial& trial, const device::Module& submission,
                               const TrialResult& wrong) {
  CheckExhibit::Inputs inputs;
  inputs.name = trial.name;
  // A submission's only kernel may have any name.
  const auto kernels = submission.kernels();
  const bool named =
      std::ranges::any_of(kernels, [&](const auto& kernel) { return kernel.name == trial.kernel; });
  const std::string& kernel = named || kernels.size() != 1 ? trial.kernel : kernels.front().name;
  inputs.calls.push_back(call_of(kernel, trial, trial.grid, trial.block, trial.arguments));
  for (const NextLaunch& next : trial.next) {
    if (inputs.calls.size() == kMostCalls) {
      inputs.calls.emplace_back("…");
      break;
    }
    inputs.calls.push_back(call_of(next.kernel, trial, next.grid.value_or(trial.grid),
                                   next.block.value_or(trial.block), next.arguments));
  }
  for (const TrialArray& array : trial.arrays) {
    if (array.initial.empty() && array.count != 0) continue;  // an output, or a workspace
    inputs.arrays.push_back(values_of(array, begins(array, wrong)));
  }
  for (const TrialArray& symbol : trial.symbols) inputs.arrays.push_back(values_of(symbol, 0));
  for (const TrialTexture& texture : trial.textures)
    inputs.arrays.push_back(values_of(input_array(texture.name, texture.texels), 0));
  return inputs;
}

}  // namespace warpbook::lab
