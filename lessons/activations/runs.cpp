#include "lessons/activations/runs.hpp"

#include "lab/source_text.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {

lab::TensorExhibit tensor_of(const std::string& name, std::span<const float> values,
                             std::vector<std::uint64_t> shape) {
  const auto bytes = std::as_bytes(values);
  if (shape.empty()) shape = {values.size()};
  lab::TensorExhibit made;
  made.name = name;
  made.shape = std::move(shape);
  made.data.assign(bytes.begin(), bytes.end());
  return made;
}

std::shared_ptr<const device::Module> compile_variant(lab::Lab& lab, const std::string& file) {
  return lab.compile_source(
      file, lab::require(lab::read_source_file(lab.context().root, kVariants + file)));
}

std::shared_ptr<const device::LaunchRecord> launch(lab::Lab& lab,
                                                   std::shared_ptr<const device::Module> module,
                                                   std::int64_t threads, std::uint32_t block,
                                                   std::vector<device::Argument> arguments) {
  device::Launch launch;
  launch.module = std::move(module);
  launch.grid = {blocks_for(threads, block), 1, 1};
  launch.block = {block, 1, 1};
  launch.arguments = std::move(arguments);
  launch.budget.seconds = kPatience;
  return lab.launch(std::move(launch));
}

device::Argument pointer(const device::Buffer& buffer) {
  return device::Argument::pointer(buffer.address());
}
device::Argument number_argument(std::int64_t value) {
  return device::Argument::of(static_cast<std::int32_t>(value));
}

lab::CheckExhibit check_close(const device::LaunchRecord& record, std::span<const float> got,
                              std::span<const double> truth) {
  constexpr std::size_t kShown = 5;
  std::uint64_t agreeing = 0;
  std::vector<lab::CheckExhibit::Mismatch> mismatches;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (agrees(static_cast<double>(got[i]), truth[i])) {
      ++agreeing;
    } else if (mismatches.size() < kShown) {
      mismatches.push_back(
          {i, lab::number(truth[i]), lab::number(static_cast<double>(got[i])), {}});
    }
  }
  return check_of("activations.check.", record, truth.size(), agreeing, std::move(mismatches));
}

}  // namespace warpbook::lessons::activations
