#include "tests/gpu/rungs.hpp"

#include <cstdlib>

#include "device/platform.hpp"
#include "lab/text/source_text.hpp"

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
  context.root = device::root_folder();
  context.budget.seconds = kMostSeconds;
  return std::make_unique<lab::Lab>(std::move(context));
}

std::shared_ptr<const device::Program> compile_rung_for(const device::Device& gpu,
                                                        const lab::Rung& rung, bool fmad) {
  const std::string source = lab::require(lab::read_source_file(device::root_folder(), rung.path));
  const device::CompileRequest request =
      request_for(gpu, rung.name + ".cu", source, fmad, rung.defines);
  auto program = gpu_compiler()->compile(request);
  if (!program) throw lab::ExperimentFailed{program.error().error, {}};
  return *program;
}

std::vector<lab::OperationCase> compared_sizes(const lab::Operation& operation) {
  std::vector<lab::OperationCase> sizes;
  for (const lab::OperationCase& size : operation.cases) {
    if (size.label != lab::OperationCase::Label::full) sizes.push_back(size);
  }
  return sizes;
}

std::vector<lab::OperationCase> timed_sizes(const lab::Operation& operation) {
  std::vector<lab::OperationCase> sizes{operation.ladder};
  if (operation.large && std::getenv("WARPBOOK_WITHOUT_LARGE") == nullptr)
    sizes.push_back(*operation.large);
  return sizes;
}

std::vector<lab::Operation> operations_for(int compute_capability) {
  const std::string root = device::root_folder();
  std::vector<lab::Operation> operations;
  for (const std::string& name : lab::operation_names(root)) {
    auto operation = lab::load_operation(root, name);
    if (!operation) FAIL(operation.error().english());
    std::erase_if(operation->rungs,
                  [&](const lab::Rung& rung) { return rung.needs > compute_capability; });
    if (!operation->rungs.empty()) operations.push_back(std::move(*operation));
  }
  if (operations.empty()) FAIL("there are no kernels in " << root);
  return operations;
}

}  // namespace warpbook::tests
