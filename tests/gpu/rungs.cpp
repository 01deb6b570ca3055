#include "tests/gpu/rungs.hpp"

#include "lab/source_text.hpp"

namespace warpbook::tests {
namespace {

constexpr double kMostSeconds = 60;  // of one launch

}  // namespace

std::unique_ptr<lab::Lab> lab_on(std::shared_ptr<device::Device> device) {
  static const lab::Inputs no_inputs;
  lab::Lab::Context context;
  context.device = std::move(device);
  context.compiler = gpu_compiler();
  context.inputs = &no_inputs;
  context.root = WARPBOOK_SOURCE_DIR;
  context.budget.seconds = kMostSeconds;
  return std::make_unique<lab::Lab>(std::move(context));
}

std::shared_ptr<const device::Program> compile_rung_for(const device::Device& gpu,
                                                        const lab::Rung& rung, bool fmad) {
  const auto source = lab::read_source_file(WARPBOOK_SOURCE_DIR, rung.path);
  if (!source) FAIL(source.error().english());
  return compile_for(gpu, rung.name + ".cu", *source, fmad, rung.defines);
}

void for_each_rung(int compute_capability,
                   const std::function<void(const lab::Operation&, const lab::Rung&)>& visit) {
  for (const std::string& name : lab::operation_names(WARPBOOK_SOURCE_DIR)) {
    const auto operation = lab::load_operation(WARPBOOK_SOURCE_DIR, name);
    if (!operation) FAIL(operation.error().english());
    for (const lab::Rung& rung : operation->rungs) {
      if (rung.needs <= compute_capability) visit(*operation, rung);
    }
  }
}

}  // namespace warpbook::tests
